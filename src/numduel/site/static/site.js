// Runs on every page of the exported site, and registers the service worker with the application.
"use strict";

(async () => {
  const root = new URL(".", document.currentScript.src);
  const line = document.getElementById("waiting"); // only on the first page, which is a file
  const workers = navigator.serviceWorker;
  let pressed; // what to click as soon as the application is ready

  function hold(event) {
    const what = event.type === "submit" ? event.submitter : event.target.closest("a:not([href^='#'])");
    if (!what) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    pressed = what;
    line.textContent = "One moment: the games are nearly ready.";
  }

  const holding = new AbortController();
  if (line) {
    document.getElementById("main").hidden = location.search.startsWith("?to="); // another page is wanted
    for (const type of ["click", "submit"]) {
      document.addEventListener(type, hold, { capture: true, signal: holding.signal });
    }
  }
  try {
    if (!workers) throw new Error("the address must begin with https, and the window must not be a private one");
    const registration = await workers.register(new URL("service-worker.js", root), { type: "module" });
    if (line) {
      const claimed = new Promise((resolve) => workers.addEventListener("controllerchange", resolve));
      await Promise.race([workers.ready, refused(registration.installing)]);
      if (!workers.controller) await Promise.race([claimed, new Promise((resolve) => setTimeout(resolve, 1000))]);
      const response = workers.controller && (await fetch(new URL("ready", root)));
      if (response && response.status !== 204) throw new Error(await response.text());
      if (!response && sessionStorage.getItem("reloaded")) throw new Error("please open this page again");
      sessionStorage.setItem("reloaded", "yes");
      holding.abort();
      const today = new Date().toISOString().slice(0, 10); // in UTC, like the daily puzzle
      if (!pressed || !response || line.dataset.made !== today) location.reload();
      else pressed.click();
      line.remove();
    }
    sessionStorage.removeItem("reloaded");
    // A new version takes over on the first page, and never in the middle of a game.
    if (location.pathname === root.pathname && registration.waiting) {
      workers.addEventListener("controllerchange", () => location.reload(), { once: true });
      registration.waiting.postMessage("take over");
    }
    navigator.storage?.persist?.();
    setInterval(() => document.hidden || workers.controller?.postMessage("awake"), 20000);
  } catch (error) {
    if (line) line.textContent = `The games cannot be played here: ${error.message}.`;
  }

  // Fail when a new service worker fails, for example because there is no room for its files.
  function refused(worker) {
    return new Promise((_, reject) => {
      worker?.addEventListener("statechange", () => {
        if (worker.state === "redundant") reject(new Error("not all of their files could be fetched"));
      });
    });
  }
})();
