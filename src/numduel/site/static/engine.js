// Python in this thread, and the application in it, which answers requests.
import { storageBelow } from "./storage.js";

const NO_BODY = [204, 303, 304];

// Start the application below the path `base`; returns what answers a request.
// `load` and `create` are of Pyodide. `read` gives a file of the folder `python/` as a Response.
// `snapshots` keeps what Python's memory holds once all is imported: from it, it starts in a moment.
export async function start({ load, create, read, base, headers, snapshots, documented = false }) {
  serveFiles(read);
  const code = await (await read("numduel.zip")).arrayBuffer();
  const snapshot = await snapshots?.get();
  const python = await (snapshot ? restored(load, create, snapshot) : begun(load, create));
  python.unpackArchive(code, "zip");
  const application = python.pyimport("numduel.site.app");
  if (!snapshot) {
    await application.warm_up();
    await new Promise((resolve) => setTimeout(resolve)); // until Python holds no script's function
    snapshots?.put(python.makeMemorySnapshot()); // nobody has to wait until it is written
  }
  const deadline = new Deadline();
  python.setInterruptBuffer(deadline);
  globalThis.python = python; // for the tools of the browser, and for tests
  const app = application.BrowserApp(storageBelow(base), base, (seconds) => deadline.set(seconds), documented);
  return (request) => answer(python, app, request, headers);
}

// A file that is packed, because not every web space packs what it sends.
export function unpacked(name, stream) {
  const type = name.endsWith(".wasm") ? "application/wasm" : "text/javascript";
  const whole = stream.pipeThrough(new DecompressionStream("gzip"));
  return new Response(whole, { headers: { "content-type": type } });
}

// Let Pyodide fetch its files from `read`.
function serveFiles(read) {
  const network = globalThis.fetch;
  globalThis.fetch = async (address, ...options) => {
    const name = String(address).split("/").pop();
    return (await read(name)) ?? network(address, ...options);
  };
}

const OPTIONS = { indexURL: "python/", lockFileContents: { info: { abi_version: "2026_0" }, packages: {} } };

function begun(load, create) {
  return load({ ...OPTIONS, createPyodideModule: create, _makeSnapshot: true });
}

function restored(load, create, snapshot) {
  const larger = async (settings) => {
    const made = await create(settings);
    made._malloc(snapshot.length); // so that its memory is as large as that of the snapshot
    return made;
  };
  return load({ ...OPTIONS, createPyodideModule: larger, _loadSnapshot: snapshot });
}

// What Python looks at now and then to see whether it is interrupted: the first number of an array.
class Deadline {
  #at = Infinity;

  set(seconds) {
    this.#at = seconds ? performance.now() + 1000 * seconds : Infinity;
  }

  get 0() {
    if (performance.now() < this.#at) return 0;
    this.#at = Infinity;
    return 2; // SIGINT
  }

  set 0(_) {}
}

async function answer(python, app, request, headers) {
  const body = python.toPy(await request.arrayBuffer());
  return new Promise((resolve, reject) => {
    let open = true;
    let controller;
    const begin = (status, given) => {
      const stream = new ReadableStream({
        start: (its) => (controller = its),
        cancel: () => (open = false),
      });
      const all = new Headers(headers);
      for (const [name, text] of JSON.parse(given)) all.set(name, text);
      resolve(new Response(NO_BODY.includes(status) ? null : stream, { status, headers: all }));
    };
    const send = (part, more) => {
      if (open) controller.enqueue(part.toJs());
      if (open && !more) controller.close();
      return open;
    };
    const type = request.headers.get("content-type") ?? "";
    app.answer(request.method, request.url, type, body, begin, send).catch((error) => {
      console.error(error);
      reject(error); // unless the answer has begun
    });
  });
}
