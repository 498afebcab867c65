// Stores texts by key in IndexedDB: see Storage in storage.py.
let opened;
let below; // the path of the site; other sites may share the origin

function database() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(`numduel${below}`, 1);
    request.onupgradeneeded = () => request.result.createObjectStore("texts");
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

// Run a request on the texts. What it wrote is on disk when this returns.
async function act(mode, what) {
  const transaction = (await database()).transaction("texts", mode, { durability: "strict" });
  return new Promise((resolve, reject) => {
    const request = what(transaction.objectStore("texts"));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

export function storageBelow(base) {
  below = base;
  return storage;
}

const storage = {
  get: (key) => act("readonly", (texts) => texts.get(key)),
  delete: (key) => act("readwrite", (texts) => texts.delete(key)),
  keys: (prefix) =>
    act("readonly", (texts) => texts.getAllKeys(IDBKeyRange.bound(prefix, `${prefix}\uffff`))),
  async put(key, text) {
    try {
      await act("readwrite", (texts) => texts.put(text, key));
      return true;
    } catch (error) {
      if (error.name === "QuotaExceededError") return false;
      throw error;
    }
  },
};
