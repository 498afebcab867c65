// The whole site in one file. Shows its pages in place, as a browser would without scripts.
import { start, unpacked } from "./engine.js";

const HOME = "http://numduel/"; // pages have addresses as on a server, but nothing is fetched
const FILES = JSON.parse(document.getElementById("files").textContent);
let here = new URL(HOME);

const bytes = (name) => Uint8Array.from(atob(FILES[name]), (letter) => letter.charCodeAt(0));

async function read(name) {
  if (name in FILES) return new Response(bytes(name));
  return `${name}.gz` in FILES ? unpacked(name, new Blob([bytes(`${name}.gz`)]).stream()) : undefined;
}

async function imported(name) {
  const code = await (await read(name)).text();
  return import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
}

const { loadPyodide: load } = await imported("pyodide.mjs");
const { default: create } = await imported("pyodide.asm.mjs");
const app = await start({ load, create, read, base: "" });

// Each visit waits for the one before it, so that an older page never replaces a newer one.
let visits = Promise.resolve();

function visit(...where) {
  visits = visits.catch(() => {}).then(() => go(...where));
  return visits;
}

async function go(address, options = {}) {
  let url = new URL(address, here);
  let response = await app(new Request(url, options));
  while (response.headers.has("location")) {
    url = new URL(response.headers.get("location"), url);
    response = await app(new Request(url));
  }
  if (response.headers.get("content-type")?.startsWith("text/html")) show(await response.text(), url);
  else save(await response.blob(), response.headers.get("content-disposition"));
}

function show(text, url) {
  const page = new DOMParser().parseFromString(text, "text/html");
  for (const image of page.querySelectorAll("img[src^='/static/']")) image.src = FILES[image.getAttribute("src")];
  for (const link of page.querySelectorAll("p.link")) link.remove(); // nobody else could open it
  const same = url.pathname === here.pathname;
  document.title = page.title;
  document.body.replaceWith(page.body);
  here = url;
  location.hash = `${url.pathname}${url.search}`;
  if (!same) scrollTo(0, 0);
  document.getElementById("main").focus({ preventScroll: true });
}

// Let the browser save what is not a page, such as a record or a picture.
function save(blob, disposition) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = /filename="([^"]+)"/.exec(disposition)?.[1] ?? "numduel";
  link.click();
}

document.addEventListener("click", (event) => {
  const address = event.target.closest("a[href]")?.getAttribute("href");
  if (!address || /^(https?|blob):/.test(address.replace(HOME, "/"))) return;
  event.preventDefault();
  if (address.startsWith("#")) document.querySelector(address)?.focus();
  else visit(address);
});

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  const fields = new FormData(form, event.submitter);
  const action = form.getAttribute("action") || here.href;
  const plain = new URLSearchParams(form.enctype === "multipart/form-data" ? "" : fields);
  if (form.method === "get") visit(`${action}?${plain}`);
  else visit(action, { method: "POST", body: form.enctype === "multipart/form-data" ? fields : plain });
});

const wanted = () => decodeURI(location.hash.slice(1)) || "/";
addEventListener("hashchange", () => {
  if (wanted() !== decodeURI(`${here.pathname}${here.search}`)) visit(wanted());
});
await visit(wanted());
