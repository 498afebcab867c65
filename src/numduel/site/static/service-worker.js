// Answers every request of the site: files from the cache, pages from Python in this worker.
import { loadPyodide as load } from "./python/pyodide.mjs";
import create from "./python/pyodide.asm.mjs";
import { start, unpacked } from "./engine.js";

const SITE = {}; // the version, the files and the headers of pages; replaced by the export

const base = new URL(".", location).pathname.slice(0, -1);
const OURS = `numduel ${base} `; // prefix of our caches' names; other sites may share the origin
const open = () => caches.open(OURS + SITE.version);
const network = fetch; // the application replaces the global one
let starting; // the promise of the application
let ready = false;

function application() {
  starting ??= start({ load, create, read, base, snapshots, ...SITE }).then(
    (app) => {
      ready = true;
      return app;
    },
    async (error) => {
      starting = undefined; // the next request tries again, without the snapshot
      await (await open()).delete(SNAPSHOT);
      throw error;
    },
  );
  return starting;
}

const cached = async (name) => (await open()).match(`${base}/${name}`);
const file = async (name) => (await cached(name)) ?? network(`${base}/${name}`);

const SNAPSHOT = `${base}/python/snapshot`;
const snapshots = {
  async get() {
    const found = await cached("python/snapshot");
    return found && new Uint8Array(await found.arrayBuffer());
  },
  async put(bytes) {
    const cache = await open();
    await cache.put(SNAPSHOT, new Response(bytes)).catch(() => {}); // there is no room for it
  },
};

// Return a file that Python asks for.
async function read(name) {
  const packed = `python/${name}.gz`;
  if (SITE.files.includes(packed)) return unpacked(name, (await file(packed)).body);
  return SITE.files.includes(`python/${name}`) ? file(`python/${name}`) : undefined;
}

addEventListener("install", (event) => event.waitUntil(install()));

async function install() {
  const cache = await open();
  await cache.addAll(SITE.files.map((name) => new Request(`${base}/${name}`, { cache: "no-cache" })));
  if (!registration.active) await application().catch(() => {}); // the first visitor waits for it
}

addEventListener("activate", (event) => event.waitUntil(activate()));

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith(OURS) && name !== OURS + SITE.version) await caches.delete(name);
  }
  await clients.claim();
}

// A new version takes over when no game is open.
addEventListener("message", async (event) => {
  if (event.data !== "take over") return; // only to keep this worker awake
  const pages = await clients.matchAll({ includeUncontrolled: true });
  if (!pages.some((page) => new URL(page.url).pathname.startsWith(`${base}/game/`))) skipWaiting();
});

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== location.origin || !url.pathname.startsWith(`${base}/`)) return;
  const name = url.pathname.slice(base.length + 1);
  if (name.startsWith("docs/")) event.respondWith(fetched(event.request));
  else event.respondWith(answer(event.request, name));
});

// Return a page of the documentation: from the network or, if that fails, from the cache.
async function fetched(request) {
  const cache = await open();
  try {
    const response = await network(request);
    if (response.ok) await cache.put(request, response.clone()).catch(() => {}); // there is no room
    return response;
  } catch {
    return (await cache.match(request, { ignoreSearch: true })) ?? Response.error();
  }
}

async function answer(request, name) {
  if (SITE.files.includes(name)) return file(name);
  if (request.mode === "navigate" && name === "" && !ready) {
    application().catch(() => {}); // the page asks later whether it is ready
    const page = await cached("index.html");
    if (page) return page;
  }
  try {
    const app = await application();
    return name === "ready" ? new Response(null, { status: 204 }) : await app(request);
  } catch (error) {
    console.error(error);
    const line = `Numduel cannot run in this browser: ${error.message ?? error}`;
    return new Response(line.split("\n")[0], { status: 503 });
  }
}
