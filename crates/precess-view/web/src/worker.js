// The simulator on a thread of its own. The first message holds its bytes (pages from a disk may not send a compiled module), every
// other one a question { id, words }; see precess-wasm for words and answers.
let instance;

function start(module) {
  const imports = { page: { progress: done => self.postMessage({ progress: done }) } };
  // Packages that could ask a browser for random numbers want more functions; nothing calls them.
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] ??= () => {
    throw new Error(`${name} is not here`);
  };
  return new WebAssembly.Instance(module, imports);
}

function ask(words) {
  const { question, ask, answer, memory } = instance.exports, text = new TextEncoder().encode(words.join("\0"));
  // The place first: asking for it may move the memory.
  const place = question(text.length);
  new Uint8Array(memory.buffer, place, text.length).set(text);
  const length = ask(), bytes = new Uint8Array(memory.buffer, answer(), length).slice();
  const n = new DataView(bytes.buffer).getUint32(0, true);
  return { header: JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + n))), data: bytes.slice(4 + n) };
}

self.onmessage = ({ data: m }) => {
  try {
    if (m.simulator) {
      instance = start(new WebAssembly.Module(m.simulator));
      return;
    }
    const begin = performance.now(), answer = ask(m.words);
    self.postMessage({ id: m.id, ms: performance.now() - begin, ...answer }, [answer.data.buffer]);
  } catch (error) {
    // A trap: this instance is not to be trusted any more, the page starts another worker.
    self.postMessage({ id: m.id, crashed: String(error) });
  }
};
