// Drives Chromium through its debugging pipe. `const chromium = await start(program)`, `const page = await chromium.open(url)`.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function start(program, { width = 1280, height = 760, webgl = true } = {}) {
  const profile = mkdtempSync(join(tmpdir(), "precess-browser-"));
  const gl = webgl ? ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] : ["--disable-gpu", "--disable-3d-apis"];
  const chrome = spawn(program, [
    "--headless", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run", ...gl,
    `--window-size=${width},${height}`, "--remote-debugging-pipe", `--user-data-dir=${profile}`, "about:blank",
  ], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const waiting = new Map(), listeners = [];
  let id = 0, buffer = "";
  chrome.stdio[4].on("data", chunk => {
    buffer += chunk;
    for (let end; (end = buffer.indexOf("\0")) >= 0; buffer = buffer.slice(end + 1)) {
      const message = JSON.parse(buffer.slice(0, end));
      if (message.id) waiting.get(message.id)(message); else listeners.forEach(l => l(message));
    }
  });
  const send = (method, params = {}, sessionId) => new Promise((done, failed) => {
    waiting.set(++id, m => m.error ? failed(new Error(`${method}: ${m.error.message}`)) : done(m.result));
    chrome.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
  });
  return {
    /** A page: value(expression), call(method, params), mouse, key, shot(file), problems (console and requests). */
    async open(url, { allow = /^(file|data|blob):/, size = [width, height], mobile = false } = {}) {
      const { targetId } = await send("Target.createTarget", { url: "about:blank" });
      const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
      const call = (method, params) => send(method, params, sessionId), problems = [];
      listeners.push(m => {
        if (m.sessionId !== sessionId) return;
        const p = m.params;
        if (m.method === "Runtime.exceptionThrown") problems.push("exception: " + p.exceptionDetails.exception?.description);
        if (m.method === "Log.entryAdded" && !["info", "verbose"].includes(p.entry.level)) problems.push("log: " + p.entry.text);
        if (m.method === "Runtime.consoleAPICalled" && ["error", "warning"].includes(p.type))
          problems.push("console: " + p.args.map(a => a.value ?? a.description).join(" "));
        if (m.method === "Network.requestWillBeSent" && !allow.test(p.request.url)) problems.push("request: " + p.request.url);
      });
      for (const domain of ["Runtime", "Log", "Page", "Network"]) await call(domain + ".enable");
      await call("Emulation.setDeviceMetricsOverride",
        { width: size[0], height: size[1], deviceScaleFactor: mobile ? 2 : 1, mobile });
      const value = async expression => {
        const r = await call("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
        if (r.exceptionDetails) throw new Error(r.exceptionDetails.exception?.description ?? r.exceptionDetails.text);
        return r.result.value;
      };
      await call("Page.navigate", { url });
      const until = async (expression, seconds = 60) => {
        for (const end = Date.now() + 1000 * seconds; Date.now() < end;) {
          if (await value(expression).catch(() => false)) return;
          await new Promise(r => setTimeout(r, 40));
        }
        throw new Error(`${expression}: not within ${seconds} s; ${problems.join("; ")}`);
      };
      const key = async (key, text = "") => {
        for (const type of ["keyDown", "keyUp"]) await call("Input.dispatchKeyEvent", { type, key, text: type === "keyDown" ? text : "" });
      };
      return {
        call, value, until, key, problems,
        mouse: (type, x, y, more = {}) => call("Input.dispatchMouseEvent", { type, x, y, ...more }),
        settle: () => value("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(r, 30))))"),
        async shot(file) {
          const { data } = await call("Page.captureScreenshot", { format: "png" });
          writeFileSync(file, Buffer.from(data, "base64"));
        },
        close: () => send("Target.closeTarget", { targetId }),
      };
    },
    async stop() {
      await Promise.race([send("Browser.close").catch(() => {}), new Promise(r => setTimeout(r, 3000))]);
      chrome.kill("SIGKILL");
      try { rmSync(profile, { recursive: true, force: true, maxRetries: 5 }); } catch { /* the browser may still write */ }
    },
  };
}
