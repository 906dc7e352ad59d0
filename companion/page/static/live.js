// The table as it changes: an event stream, or asking every few seconds while there is none.

const ASK_EVERY = 2500;
const STREAM_AGAIN = 30000;
const LOST_AGAIN = 2000;
const HIDDEN_FOR = 30000;
const GLANCE = 2000; // ms: who looked away for less did not sleep

export class Live {
  constructor({ stamp, build, onView, onLink, onBeat }) {
    Object.assign(this, { stamp, build, onView, onLink, onBeat });
    this.beat = 10;
    this.heardAt = this.triedAt = performance.now();
  }

  start() {
    this.stream();
    setInterval(() => this.watch(), 1000);
    document.addEventListener("visibilitychange", () => this.wake());
    addEventListener("online", () => document.hidden || this.restart());
    addEventListener("offline", () => this.source && this.broken());
    addEventListener("pageshow", ({ persisted }) => persisted && this.restart());
  }

  // A stream that does not greet at once, because a proxy holds it back or the network is gone, is not relied upon: the
  // table is asked beside it.
  stream() {
    this.stop();
    this.greeted = false;
    this.triedAt = performance.now();
    this.timer = setTimeout(() => this.ask(), ASK_EVERY);
    this.source = new EventSource(`/api/events?version=${encodeURIComponent(this.stamp)}`);
    this.source.addEventListener("hello", (event) => this.hello(JSON.parse(event.data)));
    this.source.addEventListener("beat", () => this.beats());
    this.source.addEventListener("bye", (event) => (this.farewell = JSON.parse(event.data)));
    this.source.addEventListener("view", (event) => this.take(event.lastEventId, JSON.parse(event.data)));
    this.source.onerror = () => this.broken();
  }

  stop() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
    this.flows = false;
  }

  restart() {
    this.heardAt = performance.now();
    this.stream();
  }

  hello({ build, beat }) {
    if (build !== this.build) return location.reload();
    this.farewell = null;
    this.beat = beat;
    this.flows = true;
    this.greeted = performance.now() - this.triedAt < ASK_EVERY;
    if (this.greeted) clearTimeout(this.timer);
    this.heard();
  }

  beats() {
    this.heard();
    this.onBeat();
  }

  // An answer that was long on its way may be older than what the stream brought meanwhile.
  take(stamp, view) {
    this.heard();
    if (isOlder(stamp, this.stamp)) return;
    this.stamp = stamp;
    this.onView(view);
  }

  heard() {
    this.heardAt = performance.now();
    this.link(true);
  }

  link(there) {
    if (there === this.linked) return;
    this.linked = there;
    if (there) this.farewell = null; // who answers is there, be it before the stream says so
    this.onLink(there, this.farewell);
  }

  // A stream that was refused is tried again later; one that broke off, as soon as the table answers.
  broken() {
    this.triedAt = performance.now() - (this.greeted ? STREAM_AGAIN : 0);
    this.stop();
    this.ask();
  }

  async ask() {
    clearTimeout(this.timer);
    const lost = this.linked === false;
    try {
      await this.fetchView();
      this.heard();
      if (this.source && this.greeted) return;
      if (lost || performance.now() - this.triedAt >= STREAM_AGAIN) return this.stream();
      this.timer = setTimeout(() => this.ask(), ASK_EVERY);
    } catch {
      if (!this.flows) this.link(false); // a stream that comes late comes all the same
      this.timer = setTimeout(() => this.ask(), LOST_AGAIN);
    }
  }

  // Of an answer that was cut off nothing counts: browsers take even half a header for a whole one. So where one without
  // a view tells of another build, the whole is asked for.
  async fetchView(known = this.stamp) {
    const response = await patient("/api/view", { headers: { "If-None-Match": `"${known}"` } });
    const build = response.headers.get("Companion-Build");
    const another = build && build !== this.build;
    if (response.status === 304) return another ? this.fetchView("") : undefined;
    if (!response.ok) throw new Error(response.statusText);
    const view = await response.json();
    if (another) return location.reload();
    const stamp = (response.headers.get("ETag") ?? "").replace(/W\/|"/g, "");
    this.take(stamp, view);
  }

  // A phone that slept, or a network that went away without a word, is noticed by the silence.
  watch() {
    if (this.source && performance.now() - this.heardAt > this.beat * 1500) this.broken();
  }

  // A phone in a pocket gives its place to others. One that slept may hold a stream that is long dead, and its clock
  // may not have gone on meanwhile, but for that of the day: so it asks at once, and lets the table stream anew.
  wake() {
    clearTimeout(this.sleep);
    if (document.hidden) {
      this.hiddenAt = Date.now();
      this.sleep = setTimeout(() => this.stop(), HIDDEN_FOR);
      return;
    }
    if (!this.source || !(Date.now() - this.hiddenAt < GLANCE)) this.restart();
    this.fetchView().catch(() => this.broken());
  }
}

// Stamps are run.version; of different runs none is older.
function isOlder(stamp, than) {
  const [[run, version], [other, known]] = [stamp, than].map((one) => one.split("."));
  return run === other && Number(version) < Number(known);
}

// An answer that is there whole within so many seconds.
export async function patient(address, options = {}, seconds = 6) {
  const control = new AbortController();
  const timer = setTimeout(() => control.abort(), seconds * 1000);
  try {
    const response = await fetch(address, { ...options, signal: control.signal });
    await response.clone().arrayBuffer();
    return response;
  } finally {
    clearTimeout(timer);
  }
}
