// Runs Python and the application in this thread.
import { storageBelow } from "./storage.js";

const NO_BODY = [204, 303, 304];

// Start the application below the path `base`. Returns a function that answers a request.
// `load` and `create` are functions of Pyodide. `read` returns a file of `python/` as a Response.
// `snapshots` stores Python's memory after all imports, from which Python starts in a moment.
export async function start({ load, create, read, base, headers, snapshots, documented = false }) {
  serveFiles(read);
  const code = await (await read("numduel.zip")).arrayBuffer();
  const snapshot = await snapshots?.get();
  const python = await (snapshot ? restored(load, create, snapshot) : begun(load, create));
  python.unpackArchive(code, "zip");
  const application = python.pyimport("numduel.site.app");
  if (!snapshot) {
    await application.warm_up();
    await new Promise((resolve) => setTimeout(resolve)); // Python must hold no JavaScript function
    snapshots?.put(python.makeMemorySnapshot()); // not awaited: nobody needs it yet
  }
  const deadline = new Deadline();
  python.setInterruptBuffer(deadline);
  globalThis.python = python; // for the developer tools and for tests
  const app = application.BrowserApp(storageBelow(base), base, (seconds) => deadline.set(seconds), documented);
  return (request) => answer(python, app, request, headers);
}

// Return a compressed file. It is compressed because not every host compresses what it sends.
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
    made._malloc(snapshot.length); // makes its memory as large as the snapshot's
    return made;
  };
  return load({ ...OPTIONS, createPyodideModule: larger, _loadSnapshot: snapshot });
}

// Acts as Pyodide's interrupt buffer, an array whose first number Python checks now and then.
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
      reject(error); // has no effect if the answer has begun
    });
  });
}
