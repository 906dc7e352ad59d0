// A page whose scripts do not begin, in a browser that is too old or because one of them got lost on the way, must not
// stand still: it is loaded anew, as without scripts. Written for any browser.

(function () {
  var EVERY = 4000;
  var told = "";

  function ready() {
    return document.body && document.body.className.indexOf("ready") >= 0;
  }

  function tell(there) {
    var sentence = document.getElementById(told);
    if (sentence) sentence.hidden = !there;
  }

  // Not while nobody answers: of the page nothing would be left. A fault of somebody else's script may be none of ours.
  function again() {
    if (ready()) return tell(false);
    var asked = new XMLHttpRequest();
    asked.open("GET", "/health");
    asked.onload = function () {
      location.reload();
    };
    asked.onerror = wait;
    asked.send();
  }

  function wait() {
    setTimeout(again, EVERY);
  }

  function stands(sentence) {
    if (told || ready()) return;
    told = sentence;
    tell(true);
    wait();
  }

  // At a script itself: it did not come. Else: it came, and cannot be read.
  function hear(event) {
    if (event.target && event.target.tagName === "SCRIPT") stands("link");
    else if (event.message) stands("old");
  }

  window.addEventListener("error", hear, true);
  document.addEventListener("DOMContentLoaded", function () {
    if (!("noModule" in document.createElement("script"))) stands("old");
  });
})();
