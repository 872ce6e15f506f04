// Keeps the page "Now" up to date. Without this file, the page has a link that loads it
// again.
"use strict";

const content = document.getElementById("live");
const state = document.getElementById("live-state");
const source = new EventSource("/events");

source.addEventListener("now", (event) => {
  state.textContent = "Live";
  if (content.contains(document.activeElement)) {
    return; // somebody is on a link of it: do not take it away
  }
  const fresh = new DOMParser().parseFromString(event.data, "text/html");
  content.replaceChildren(...fresh.body.childNodes);
});
source.addEventListener("open", () => {
  state.textContent = "Live";
});
source.addEventListener("error", () => {
  state.textContent = source.readyState === EventSource.CLOSED ? "No longer live. Load the page again." : "Not live at the moment. Trying again.";
});
