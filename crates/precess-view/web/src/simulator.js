// The worker with the simulator: one question at a time.

/** What can be asked, in the order of `Wish` of precess-wasm. */
export const WISHES = ["scene", "check", "glb", "html", "json", "csv", "end"];

export class Simulator {
  /** `bytes` promises the simulator, `code` is the text of the worker. `see` has progress(part) and done(question, answer). */
  constructor(bytes, code, see) {
    this.bytes = bytes;
    this.place = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    this.see = see;
    this.busy = this.next = null;
    this.id = 0;
    this.start();
  }

  /** A new worker; the one before is thrown away with whatever it does. */
  start() {
    this.worker?.terminate();
    const worker = this.worker = new Worker(this.place), crash = e => this.answer({ id: this.busy?.id, crashed: String(e.message || e) });
    worker.onmessage = ({ data: m }) => m.progress !== undefined ? this.see.progress(m.progress) : this.answer(m);
    worker.onerror = worker.onmessageerror = crash;
    this.ready = this.bytes.then(simulator => worker.postMessage({ simulator }));
    this.ready.catch(crash);
  }

  /** Asks; while another question is being answered only the newest one waits, so that sliders never queue. */
  ask(question) {
    question.id = ++this.id;
    if (this.busy) this.next = question; else this.send(question);
  }

  send(question) {
    const { wish, name, text, overrides } = this.busy = question, worker = this.worker;
    const words = [WISHES.indexOf(wish), name, text, ...overrides].map(w => String(w).replaceAll("\0", ""));
    this.ready.then(() => worker.postMessage({ id: question.id, words }), () => {});
  }

  answer(m) {
    const question = this.busy;
    // Without an id the worker could not start.
    if (!question || m.id !== undefined && m.id !== question.id) return;
    this.busy = null;
    if (m.crashed) this.start();
    this.see.done(question, m);
    const next = this.next;
    this.next = null;
    if (next && !this.busy) this.send(next);
  }

  /** Forgets what is being done and what waits. */
  cancel() {
    this.busy = this.next = null;
    this.start();
  }
}
