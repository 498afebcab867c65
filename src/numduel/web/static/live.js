// The live parts of a page: forms and look-backs without a reload, and news as it comes.
// Everything here also works, with a reload, when scripts are off.
"use strict";

const news = document.getElementById("news");
const connection = document.getElementById("connection");
const main = () => document.getElementById("main");

let under = ""; // what is under way: a "wish" of the person, or "news"
let next; // a wish that came while news was under way
let again = false; // whether the page is to be fetched anew after that
let told = 0; // the latest version that we were told of
let retry; // the timer after which a lost connection is tried again
let soon; // the timer after which the answer to a move is fetched
let since = 0; // when the page was shown last
let unsent; // a wish that did not reach the server: it is sent when the connection is back

const still = matchMedia("(prefers-reduced-motion: reduce)");
const PAUSE = 600; // milliseconds between my move and the answer
const PATIENCE = 3000; // after which we ask for an answer of which we heard nothing

const stale = () => told > Number(main().dataset.version);

// Put the main part of a fetched page in the place of ours; the focus stays where it was.
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
  // carried on to another page, as a pupil is to the next game
  if (!push && elsewhere && response.redirected) history.replaceState(null, "", response.url);
  if (push && elsewhere) window.scrollTo(0, 0);
  if (fresh.querySelector(".playfield")) fresh.querySelector(".playfield").scrollTop = seen;
  dress();
  if (scroll && fresh.querySelector(".lookback, .steps")) {
    fresh.querySelector(".history").scrollTo(left, top);
  }
  if (within) focusOn(fresh, id, played);
  // What was wrong is seen, wherever one is: beside its field, if it was a field.
  const wrong = fresh.querySelector(".wrong") || fresh.querySelector(".notice");
  const told = wrong || (push && fresh.querySelector(".says:has(.hint)"));
  if (told) told.scrollIntoView({ block: "nearest" });
  const words = fresh.dataset.news;
  if (words && words !== before) say(words);
  if (fresh.dataset.version !== version) sound(fresh.dataset.sound);
  listen();
  awaitAnswer();
}

// After a move the focus stays on the board; at the end it is at what can be done next.
function focusOn(fresh, id, played) {
  const board = fresh.querySelector("[data-board]");
  let target = id && document.getElementById(id);
  if (!target || target.disabled) {
    target = played && (fresh.querySelector(".ending .button") || board?.querySelector("button") || board);
  }
  (target || document.getElementById("turn") || fresh).focus({ preventScroll: true });
}

// Load the style sheets of a fetched page that this one does without.
async function dressFor(fetched) {
  const sheets = [...fetched.querySelectorAll("link[rel=stylesheet]")];
  const missing = sheets.filter((one) => !document.querySelector(`link[href="${one.getAttribute("href")}"]`));
  await Promise.all(missing.map((sheet) => new Promise((done) => {
    sheet.onload = sheet.onerror = done;
    document.head.append(sheet);
  })));
}

// Ask again for what is thought about, in case that we hear nothing of it.
function awaitAnswer() {
  clearTimeout(soon);
  if ("thinking" in main().dataset) soon = setTimeout(refresh, PATIENCE);
}

function say(words) {
  news.textContent = words;
}

// Say on this page what an answer says that does not take its place.
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
    const refused = options.method && !response.redirected; // it has no address of its own
    shown = response.status < 500 && type.startsWith("text/html");
    if (refused && response.ok && address.startsWith(`${location.origin}${location.pathname}/`)) {
      history.replaceState(null, "", location.pathname); // the game has gone on: no look back, no hint
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

// Say that the connection is lost, and what becomes of a move that was made meanwhile.
function lost() {
  connection.textContent = unsent
    ? "The connection is lost. Your move is kept, and sent when it is back."
    : "The connection is lost. Trying again…";
  connection.hidden = false;
}

// Send what was kept; if the game has moved on meanwhile, say that it may be lost.
function sendAgain() {
  if (!unsent) return;
  const [address, options, push, version] = unsent;
  unsent = undefined;
  if (version === main().dataset.version) next = [address, options, push];
  else notice("The connection was lost while you moved, and the game has gone on. Look whether your move is there.");
}

// Show what is new; the answer to a move a moment after the move.
function catchUp() {
  let pause = "thinking" in main().dataset && !still.matches ? PAUSE : 0;
  if (main().dataset.pace) pause = Number(main().dataset.pace); // where many things move at once
  clearTimeout(soon);
  soon = setTimeout(refresh, Math.max(0, since + pause - Date.now()));
}

// Fetch the page anew, as it is for this address now.
function refresh() {
  again = under !== "";
  if (!again) request(location.href, { headers: { accept: "text/html" } }, false, "news");
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || form.enctype === "multipart/form-data") return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, event.submitter));
  form.closest(".sure")?.removeAttribute("open"); // it was asked back, and answered
  body.append("answer", "later"); // a computer's: we hear of it
  request(form.action, { method: "POST", body }, true);
});

document.addEventListener("click", (event) => {
  if (event.detail > 1 && event.target.closest("main form button")) {
    event.preventDefault(); // the rest of a double click, where another button may be by now
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
  event.preventDefault(); // a look back, a hint, a step of a replay: the same page otherwise
  request(to.href, {}, true);
});

// Hand a link on: to whatever this device shares with, or else to its clipboard.
async function share(button) {
  const field = document.getElementById(button.dataset.copy);
  if ("share" in button.dataset && navigator.share) {
    await navigator.share({ title: document.title, text: button.dataset.share, url: field.value }).catch(() => {});
    return;
  }
  field.select();
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
    else document.execCommand("copy"); // on an address that is not https there is nothing newer
  } catch {
    return; // then it stands selected
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

// Arrow keys move between the numbers that can be chosen.
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

// Digits go to the number that they make; in a menu of a few choices they choose.
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

// Arrow keys lead onto the board from wherever nothing else needs them.
document.addEventListener("keydown", (event) => {
  if (!event.key.startsWith("Arrow") || event.defaultPrevented || document.getElementById("step-on")) return;
  if (event.target.closest("input, textarea, select, button, a, summary, .history")) return;
  const button = main().querySelector("form [data-board] button");
  if (!button) return;
  event.preventDefault();
  button.focus();
});

// What a move would lead to stands out while it is pointed at.
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

// The form of a new game: buttons beside a number, and whom the big button begins a game with.
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

// The stream of news. A browser gives up on some failures, so we begin again ourselves.
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
      // There is no stream to be had: the page asks every few seconds instead.
      listening = undefined;
      setTimeout(() => {
        listen();
        refresh();
      }, 3000 + 2000 * Math.random());
    }
  });
}

// A pupil who looks at something else is led back when the class is called to something.
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
    strip.hidden = answer?.status === 404; // that class is over
    if (!strip.hidden) setTimeout(() => stream === calls && heed(), 3000 + 2000 * Math.random());
  });
}

// A browser has few connections to spare: a page that nobody looks at gives its own back.
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
  const here = document.querySelector(".tall #here"); // on a large board the number now is gone to
  if (here) here.scrollIntoView({ block: "center" });
  playOut();
}

// A line of moves plays itself out, board by board; where nothing is to move, its end is there.
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
