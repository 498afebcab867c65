// The live parts of a page: forms and links without a reload, and updates when something happens.
// Without scripts everything here also works, with a reload.
"use strict";

const news = document.getElementById("news");
const connection = document.getElementById("connection");
const main = () => document.getElementById("main");

let under = ""; // what is under way: the visitor's "wish", or an update ("news")
let next; // a wish that came while an update was under way
let again = false; // whether to fetch the page again after that
let told = 0; // the latest version that the stream has announced
let retry; // the timer after which a lost connection is tried again
let soon; // the timer after which the answer to a move is fetched
let since = 0; // the time when the page was last shown
let unsent; // a wish that did not reach the server; it is sent when the connection is back

const still = matchMedia("(prefers-reduced-motion: reduce)");
const PAUSE = 600; // milliseconds between the visitor's move and the answer
const PATIENCE = 3000; // milliseconds after which the page asks for an answer that the stream has not announced

const stale = () => told > Number(main().dataset.version);

// Replace the main part of this page by that of a fetched one; the focus stays where it was.
async function show(response, push) {
  const text = await response.text();
  const fetched = new DOMParser().parseFromString(text, "text/html");
  const fresh = fetched.getElementById("main");
  if (!fresh) throw response;
  await dressFor(fetched);
  const focused = document.activeElement;
  const within = focused && main().contains(focused);
  const id = focused && focused.id;
  const played = within && focused.closest("[data-board]");
  const open = [...main().querySelectorAll("details[open] > summary")].map((s) => s.textContent);
  const { news: before, version } = main().dataset;
  const scroll = document.querySelector(".history");
  const { scrollTop: top, scrollLeft: left } = scroll || {};
  const board = main().querySelector(".playfield");
  const seen = board ? board.scrollTop : 0;
  fresh.classList.toggle("moved", fresh.dataset.version !== version);
  main().replaceWith(fresh);
  since = Date.now();
  document.body.className = fetched.body.className;
  const [header, other] = [document, fetched].map((page) => page.querySelector(".top"));
  if (header.innerHTML !== other.innerHTML) header.replaceWith(other);
  const [foot, otherFoot] = [document, fetched].map((page) => page.querySelector("body > .foot"));
  foot?.remove();
  if (otherFoot) fresh.after(otherFoot);
  const [strip, otherStrip] = [document, fetched].map((page) => page.querySelector(".in-class"));
  if (strip?.dataset.call !== otherStrip?.dataset.call) {
    strip?.remove();
    if (otherStrip) document.getElementById("news").before(otherStrip);
    heed();
  }
  document.title = fetched.title;
  const ended = fresh.dataset.version !== version && fresh.querySelector(".ending");
  for (const summary of fresh.querySelectorAll("details > summary")) {
    if (open.includes(summary.textContent) && !ended) summary.parentElement.open = true;
  }
  const elsewhere = new URL(response.url).pathname !== location.pathname;
  if (push && response.url !== location.href) history.pushState(null, "", response.url);
  // led to another page, as a pupil is to the next game
  if (!push && elsewhere && response.redirected) history.replaceState(null, "", response.url);
  if (push && elsewhere) window.scrollTo(0, 0);
  if (fresh.querySelector(".playfield")) fresh.querySelector(".playfield").scrollTop = seen;
  dress();
  if (scroll && fresh.querySelector(".lookback, .steps")) {
    fresh.querySelector(".history").scrollTo(left, top);
  }
  if (within) focusOn(fresh, id, played);
  // Scroll to the error, or to the field beside which it stands.
  const wrong = fresh.querySelector(".wrong") || fresh.querySelector(".notice");
  const told = wrong || (push && fresh.querySelector(".says:has(.hint)"));
  if (told) told.scrollIntoView({ block: "nearest" });
  const words = fresh.dataset.news;
  if (words && words !== before) say(words);
  if (fresh.dataset.version !== version) sound(fresh.dataset.sound);
  listen();
  awaitAnswer();
}

// After a move the focus stays on the board; at the end it moves to the next button.
function focusOn(fresh, id, played) {
  const board = fresh.querySelector("[data-board]");
  let target = id && document.getElementById(id);
  if (!target || target.disabled) {
    target = played && (fresh.querySelector(".ending .button") || board?.querySelector("button") || board);
  }
  (target || document.getElementById("turn") || fresh).focus({ preventScroll: true });
}

// Load the style sheets of a fetched page that this page lacks.
async function dressFor(fetched) {
  const sheets = [...fetched.querySelectorAll("link[rel=stylesheet]")];
  const missing = sheets.filter((one) => !document.querySelector(`link[href="${one.getAttribute("href")}"]`));
  await Promise.all(missing.map((sheet) => new Promise((done) => {
    sheet.onload = sheet.onerror = done;
    document.head.append(sheet);
  })));
}

// Ask again for what the server computes, in case the stream does not announce it.
function awaitAnswer() {
  clearTimeout(soon);
  if ("thinking" in main().dataset) soon = setTimeout(refresh, PATIENCE);
}

function say(words) {
  news.textContent = words;
}

// Show the notice of an answer that does not replace this page.
async function refuse(response) {
  const text = await response.text();
  const alert = new DOMParser().parseFromString(text, "text/html").querySelector("[role=alert]");
  const line = alert ? alert.textContent : text.startsWith("<") ? "" : text;
  notice(line || "The server does not answer just now: please try again.");
}

function notice(line) {
  let shown = main().querySelector(":scope > .notice");
  if (!shown) {
    shown = document.createElement("p");
    shown.className = "notice";
    shown.setAttribute("role", "alert");
    main().prepend(shown);
  }
  shown.textContent = line;
}

async function request(address, options, push, kind = "wish") {
  if (under) {
    if (kind === "wish" && under === "news") next = [address, options, push];
    return;
  }
  under = kind;
  main().setAttribute("aria-busy", "true");
  let shown = false;
  try {
    const response = await fetch(address, options);
    const type = response.headers.get("content-type") || "";
    const refused = options.method && !response.redirected; // it does not have its own address
    shown = response.status < 500 && type.startsWith("text/html");
    if (refused && response.ok && address.startsWith(`${location.origin}${location.pathname}/`)) {
      history.replaceState(null, "", location.pathname); // the game has gone on: leave the look back or the hint
    }
    if (shown) await show(response, push && !refused);
    else if (push) await refuse(response);
    else throw response;
    connection.hidden = true;
    if (kind === "news") sendAgain();
  } catch {
    if (kind === "wish" && options.method && main().dataset.events) {
      unsent = [address, options, push, main().dataset.version];
    }
    lost();
    clearTimeout(retry);
    if (main().dataset.events) retry = setTimeout(refresh, 2000);
  }
  under = "";
  main().removeAttribute("aria-busy");
  const wish = next;
  next = undefined;
  if (wish) request(...wish);
  else if (again || (shown && stale())) catchUp();
}

// Say that the connection is lost, and what happens to a move that was made meanwhile.
function lost() {
  connection.textContent = unsent
    ? "The connection is lost. Your move is kept, and sent when it is back."
    : "The connection is lost. Trying again…";
  connection.hidden = false;
}

// Send the unsent wish; if the game has moved on meanwhile, say that it may be lost.
function sendAgain() {
  if (!unsent) return;
  const [address, options, push, version] = unsent;
  unsent = undefined;
  if (version === main().dataset.version) next = [address, options, push];
  else notice("The connection was lost while you moved, and the game has gone on. Look whether your move is there.");
}

// Show the update; the answer to a move appears a moment after the move.
function catchUp() {
  let pause = "thinking" in main().dataset && !still.matches ? PAUSE : 0;
  if (main().dataset.pace) pause = Number(main().dataset.pace); // on pages with many moves at once
  clearTimeout(soon);
  soon = setTimeout(refresh, Math.max(0, since + pause - Date.now()));
}

// Fetch this page again.
function refresh() {
  again = under !== "";
  if (!again) request(location.href, { headers: { accept: "text/html" } }, false, "news");
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || form.enctype === "multipart/form-data") return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, event.submitter));
  form.closest(".sure")?.removeAttribute("open"); // the question has been answered
  body.append("answer", "later"); // the stream will announce the computer's answer
  request(form.action, { method: "POST", body }, true);
});

document.addEventListener("click", (event) => {
  if (event.detail > 1 && event.target.closest("main form button")) {
    event.preventDefault(); // the second half of a double click, which may meet another button
    return;
  }
  if (event.target.closest("[data-print]")) window.print();
  const copy = event.target.closest("[data-copy]");
  if (copy) {
    share(copy);
    return;
  }
  const link = event.target.closest("main a[href]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const to = new URL(link.href);
  if (to.origin !== location.origin || to.pathname !== location.pathname || link.download) return;
  event.preventDefault(); // a look back, a hint or a step of a replay: the rest of the page is the same
  request(to.href, {}, true);
});

// Share a link with the means of this device, or else copy it to the clipboard.
async function share(button) {
  const field = document.getElementById(button.dataset.copy);
  if ("share" in button.dataset && navigator.share) {
    await navigator.share({ title: document.title, text: button.dataset.share, url: field.value }).catch(() => {});
    return;
  }
  field.select();
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
    else document.execCommand("copy"); // without https there is nothing newer
  } catch {
    return; // the text stays selected
  }
  const words = button.textContent;
  if (words === "Copied") return;
  say("Copied.");
  button.textContent = "Copied";
  button.classList.add("done");
  setTimeout(() => {
    button.textContent = words;
    button.classList.remove("done");
  }, 2500);
}

window.addEventListener("popstate", refresh);

// Arrow keys move between the legal numbers.
document.addEventListener("keydown", (event) => {
  const at = event.target.closest("[data-board] button");
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: "up", ArrowDown: "down" };
  const step = steps[event.key];
  if (!at || !step) return;
  const buttons = [...at.closest("[data-board]").querySelectorAll("button")];
  let next;
  if (typeof step === "number") next = buttons[buttons.indexOf(at) + step];
  else next = nearest(at, buttons, step === "up" ? -1 : 1);
  if (next) {
    event.preventDefault();
    next.focus();
  }
});

// Digits move to the number that they form; in a short menu they choose.
let digits = "";
let typed = 0;

document.addEventListener("keydown", (event) => {
  const writing = event.target.closest("input, textarea, select");
  if (writing || event.ctrlKey || event.metaKey || event.altKey || !/^[0-9]$/.test(event.key)) return;
  digits = Date.now() - typed < 1200 ? digits + event.key : event.key;
  typed = Date.now();
  const button = document.getElementById(`m${digits}`) || document.getElementById(`m${event.key}`);
  if (!button) return;
  button.focus();
  if (button.closest(".options") && !event.repeat) button.click();
});

// Arrow keys lead to the board if nothing else needs them.
document.addEventListener("keydown", (event) => {
  if (!event.key.startsWith("Arrow") || event.defaultPrevented || document.getElementById("step-on")) return;
  if (event.target.closest("input, textarea, select, button, a, summary, .history")) return;
  const button = main().querySelector("form [data-board] button");
  if (!button) return;
  event.preventDefault();
  button.focus();
});

// While a move is pointed at, its result stands out.
function aim(event) {
  if (event.type === "focusin" && !event.target.matches(":focus-visible")) return;
  const button = event.target.closest("[data-board] button");
  for (const drawn of main().querySelectorAll(".aimed")) drawn.classList.remove("aimed");
  main().classList.toggle("aiming", button !== null);
  if (!button) return;
  const at = button.value;
  for (const drawn of main().querySelectorAll(`[data-to="${at}"], [data-aim="${at}"], [data-from="${at}"]`)) {
    drawn.classList.add("aimed");
  }
}

document.addEventListener("mouseover", aim);
document.addEventListener("focusin", aim);

// A soft tone, where sound is switched on: one for a move, three rising ones for a win.
let tones;

function sound(kind) {
  if (!kind) return;
  tones ||= new AudioContext();
  for (const [place, pitch] of (kind === "won" ? [392, 494, 587] : [330]).entries()) {
    const tone = tones.createOscillator();
    const level = tones.createGain();
    const at = tones.currentTime + 0.14 * place;
    tone.type = "sine";
    tone.frequency.value = pitch;
    level.gain.setValueAtTime(0.0001, at);
    level.gain.exponentialRampToValueAtTime(0.05, at + 0.03);
    level.gain.exponentialRampToValueAtTime(0.0001, at + 0.4);
    tone.connect(level).connect(tones.destination);
    tone.start(at);
    tone.stop(at + 0.42);
  }
}

// The form of a new game: buttons beside a number, and the opponent's name on the big button.
document.addEventListener("click", (event) => {
  const step = event.target.closest("[data-step]");
  if (!step) return;
  const field = document.getElementById(step.dataset.for);
  const value = /^\d{1,15}$/.test(field.value) ? Number(field.value) : 0;
  field.value = Math.max(1, value + Number(step.dataset.step));
});

function namePlay() {
  const chosen = document.querySelector("[name=opponent]:checked");
  const button = document.querySelector("[data-play] span");
  if (!chosen || !button || !document.querySelector(".rivals:not(.two)")) return;
  button.textContent = button.parentElement.dataset.play.replace("{}", chosen.dataset.name);
}

document.addEventListener("change", namePlay);

// A record can be dropped onto its form.
for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    const form = event.target.closest?.("[data-drop]");
    if (!form) return;
    event.preventDefault();
    form.classList.toggle("over", kind === "dragover");
    if (kind === "drop" && event.dataTransfer.files.length) {
      form.querySelector("[type=file]").files = event.dataTransfer.files;
      form.requestSubmit();
    }
  });
}

// Elsewhere, left and right step through a game.
document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: "step-back", ArrowRight: "step-on" }[event.key];
  const link = step && document.getElementById(step);
  if (!link || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest("input, textarea, select, [data-board] button")) return;
  event.preventDefault();
  link.click();
});

// The button in the nearest row above or below that is closest in its column.
function nearest(at, buttons, direction) {
  const here = at.getBoundingClientRect();
  let best;
  let least = Infinity;
  for (const button of buttons) {
    const there = button.getBoundingClientRect();
    const rows = (there.top - here.top) * direction;
    if (rows < 4) continue;
    const distance = rows * 10 + Math.abs(there.left - here.left);
    if (distance < least) [best, least] = [button, distance];
  }
  return best;
}

// The event stream. A browser gives up after some failures, so the page opens it again.
let source;
let listening;

function listen() {
  const address = main().dataset.events;
  if (address === listening) return;
  if (source) source.close();
  listening = address;
  told = 0;
  source = undefined;
  if (!address) return;
  source = new EventSource(address);
  source.addEventListener("version", (event) => {
    connection.hidden = true;
    told = Number(event.data);
    if (!under && (stale() || unsent)) catchUp();
  });
  source.addEventListener("gone", () => {
    source.close();
    refresh();
  });
  source.addEventListener("error", () => {
    lost();
    if (source.readyState === EventSource.CLOSED) {
      // There is no stream: the page asks every few seconds instead.
      listening = undefined;
      setTimeout(() => {
        listen();
        refresh();
      }, 3000 + 2000 * Math.random());
    }
  });
}

// A pupil who is on another page is led back when the class is called.
let calls;
heed();
window.addEventListener("pagehide", () => calls?.close());

function heed() {
  calls?.close();
  const strip = document.querySelector("[data-call]");
  if (!strip) return;
  const stream = calls = new EventSource(strip.dataset.call);
  stream.addEventListener("version", (event) => {
    if (Number(event.data) > Number(strip.dataset.calls)) location.assign(strip.querySelector("a").href);
  });
  stream.addEventListener("error", async () => {
    if (stream.readyState !== EventSource.CLOSED) return;
    const answer = await fetch(strip.dataset.call, { method: "HEAD" }).catch(() => undefined);
    strip.hidden = answer?.status === 404; // the lesson is over
    if (!strip.hidden) setTimeout(() => stream === calls && heed(), 3000 + 2000 * Math.random());
  });
}

// A browser has few connections: a hidden page closes its own.
let leaving;
document.addEventListener("visibilitychange", () => {
  clearTimeout(leaving);
  if (document.hidden) leaving = setTimeout(stop, 60000);
  else listen();
});

function stop() {
  if (source) source.close();
  listening = undefined;
}

function dress() {
  for (const one of document.querySelectorAll("[data-copy], [data-print], [data-step], [data-offer]")) one.hidden = false;
  namePlay();
  const history = document.querySelector(".history");
  if (history) history.scrollTo(history.scrollWidth, history.scrollHeight);
  const here = document.querySelector(".tall #here"); // on a large board, scroll to the current number
  if (here) here.scrollIntoView({ block: "center" });
  playOut();
}

// Play out a line of moves, board by board; with reduced motion only its end is shown.
let playing;

function playOut() {
  clearTimeout(playing);
  const boards = [...document.querySelectorAll("[data-frames] > *")];
  const show = (place) => {
    for (const [at, board] of boards.entries()) board.hidden = at !== place;
    if (place + 1 < boards.length) playing = setTimeout(show, PAUSE, place + 1);
  };
  if (!still.matches) show(0);
}

window.addEventListener("pagehide", stop);
window.addEventListener("pageshow", (event) => {
  if (event.persisted) listen();
});
dress();
listen();
awaitAnswer();
