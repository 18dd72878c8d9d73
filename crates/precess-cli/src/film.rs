//! Films and frames: a browser without a window shows the page, frame by frame, and ffmpeg joins them.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use precess_view::{Scene, from_base64};
use serde_json::{Value, json};

use crate::browser::find;
use crate::output::{Stop, message, wrong};

const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// Largest number of frames in a film.
const MAX_FRAMES: usize = 20_000;

/// Options of a film.
pub struct Order<'a> {
    /// Film, or folder of frames.
    pub out: &'a Path,
    /// Frames per second.
    pub fps: u32,
    /// Seconds of the mechanism per second of the film.
    pub speed: Option<f64>,
    /// Pixels.
    pub size: [u32; 2],
}

/// A folder that is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self, Stop> {
        let folder = std::env::temp_dir().join(format!("precess-film-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|e| wrong(format!("cannot write {}: {e}", folder.display())))?;
        Ok(Scratch(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A browser without a window. It is controlled through a pipe, with JSON messages that end with a zero byte.
struct Screen {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    id: u64,
    session: Option<String>,
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Screen {
    fn start(program: &Path, folder: &Path, [w, h]: [u32; 2]) -> Result<Self, String> {
        // The browser reads descriptor 3 and writes descriptor 4. A shell connects them to its standard input
        // and output.
        let mut command = Command::new("sh");
        command.arg("-c").arg("exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1").arg(program);
        command.args(["--headless", "--no-sandbox", "--hide-scrollbars", "--no-first-run"]);
        command.args(["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--remote-debugging-pipe"]);
        command.arg(format!("--window-size={w},{h}"));
        command.arg(format!("--user-data-dir={}", folder.join("profile").display()));
        command.arg("about:blank").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|e| format!("{}: {e}", program.display()))?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the browser has no pipes".to_string());
        };
        Ok(Screen { child, to, from: BufReader::new(from), id: 0, session: None })
    }

    fn call(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.id += 1;
        let mut message = json!({ "id": self.id, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).map_err(|e| e.to_string())?;
        loop {
            let mut answer = Vec::new();
            let n = self.from.read_until(0, &mut answer).map_err(|e| e.to_string())?;
            if n == 0 {
                return Err("the browser ended".to_string());
            }
            answer.pop();
            let mut answer: Value = serde_json::from_slice(&answer).map_err(|e| e.to_string())?;
            if answer["id"] != self.id {
                continue;
            }
            if let Some(error) = answer["error"]["message"].as_str() {
                return Err(format!("{method}: {error}"));
            }
            return Ok(answer["result"].take());
        }
    }

    fn value(&mut self, expression: &str) -> Result<Value, String> {
        let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut answer = self.call("Runtime.evaluate", params)?;
        match answer["exceptionDetails"]["exception"]["description"].as_str() {
            Some(error) => Err(error.to_string()),
            None => Ok(answer["result"]["value"].take()),
        }
    }

    /// Opens a page and removes everything except the mechanism.
    fn open(&mut self, page: &Path, [w, h]: [u32; 2]) -> Result<(), String> {
        let target = self.call("Target.createTarget", json!({ "url": "about:blank" }))?;
        let attached =
            self.call("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }))?;
        self.session = attached["sessionId"].as_str().map(str::to_string);
        let view = json!({ "width": w, "height": h, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", view)?;
        let url = format!("file://{}#play=0&theme=light", page.display());
        self.call("Page.navigate", json!({ "url": url }))?;
        for _ in 0..600 {
            // While a page opens, there may be no document yet.
            if self.value("document.documentElement?.dataset.ready === '1'").is_ok_and(|ready| ready == true)
            {
                let bare = "new Promise(done => { const r = player.root; r.classList.add('wide'); \
                    r.querySelector('.bar').remove(); player.parts.legend.remove(); \
                    setTimeout(done, 300); })";
                self.value(bare)?;
                return match self.value("!!player.viewer")? {
                    Value::Bool(true) => Ok(()),
                    _ => Err("this browser draws no WebGL".to_string()),
                };
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        Err("the page did not open within 30 s".to_string())
    }

    /// The picture at a time, as PNG.
    fn picture(&mut self, t: f64) -> Result<Vec<u8>, String> {
        let expression = format!(
            "(player.seek({t}), player.viewer.render(true), \
             player.viewer.renderer.domElement.toDataURL('image/png'))"
        );
        let url = self.value(&expression)?;
        let text = url.as_str().and_then(|u| u.split_once(',')).map(|(_, t)| t);
        text.and_then(from_base64).ok_or_else(|| "the browser gave no picture".to_string())
    }
}

/// Destination of the frames.
enum Sink {
    Folder(PathBuf),
    Encoder(Child, ChildStdin),
}

impl Sink {
    /// An encoder for films. Without one, or if frames are wanted, a folder.
    fn new(order: &Order) -> Result<Self, Stop> {
        match (order.out.extension().is_some(), find(&["ffmpeg"])) {
            (true, Some(ffmpeg)) => Sink::encoder(&ffmpeg, order),
            (true, None) => {
                let folder = order.out.with_extension("frames");
                message(&format!(
                    "there is no ffmpeg here, so frames are written to {}\n  help: install ffmpeg (Debian: \
                     apt install ffmpeg), or \
                     join them elsewhere: ffmpeg -framerate {} -i {}/frame%05d.png {}",
                    folder.display(),
                    order.fps,
                    folder.display(),
                    order.out.display()
                ));
                Sink::folder(folder)
            }
            (false, _) => Sink::folder(order.out.to_path_buf()),
        }
    }

    fn folder(folder: PathBuf) -> Result<Self, Stop> {
        fs::create_dir_all(&folder).map_err(|e| {
            wrong(format!("cannot make {}: {e}\n  help: choose another folder (-o)", folder.display()))
        })?;
        Ok(Sink::Folder(folder))
    }

    fn encoder(program: &Path, order: &Order) -> Result<Self, Stop> {
        let mut command = Command::new(program);
        command.args(["-y", "-loglevel", "error", "-f", "image2pipe", "-framerate", &order.fps.to_string()]);
        command.args(["-c:v", "png", "-i", "-"]);
        if order.out.extension().is_some_and(|e| e.eq_ignore_ascii_case("gif")) {
            let palette =
                "split[a][b];[a]palettegen=max_colors=96[p];[b][p]paletteuse=dither=bayer:bayer_scale=4";
            command.args(["-vf", palette]);
        } else {
            command.args(["-c:v", "libx264", "-crf", "20", "-pix_fmt", "yuv420p", "-movflags", "+faststart"]);
        }
        let spawned = command.arg(order.out).stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
        let mut child = spawned.map_err(|e| wrong(format!("cannot start ffmpeg: {e}")))?;
        match child.stdin.take() {
            Some(to) => Ok(Sink::Encoder(child, to)),
            None => Err(wrong("ffmpeg has no input")),
        }
    }

    fn put(&mut self, k: usize, png: &[u8]) -> Result<(), String> {
        match self {
            Sink::Folder(folder) => fs::write(folder.join(format!("frame{k:05}.png")), png),
            Sink::Encoder(_, to) => to.write_all(png),
        }
        .map_err(|e| e.to_string())
    }

    /// Finishes the output and returns its location.
    fn finish(self, out: &Path) -> Result<PathBuf, String> {
        match self {
            Sink::Folder(folder) => Ok(folder),
            Sink::Encoder(mut child, to) => {
                drop(to);
                let status = child.wait().map_err(|e| e.to_string())?;
                if status.success() {
                    Ok(out.to_path_buf())
                } else {
                    Err(format!("ffmpeg ended with {status}"))
                }
            }
        }
    }
}

/// Writes a film or frames of a page.
pub fn shoot(page: &str, scene: &Scene, order: &Order) -> Result<Value, Stop> {
    let Some(program) = find(&BROWSERS) else {
        return Err(wrong(
            "films and frames are drawn by a browser, and there is no chromium or google-chrome here\n  \
             help: install one (Debian: apt install chromium), or use precess view and precess export -o \
             scene.glb",
        ));
    };
    let scratch = Scratch::new()?;
    let failed = |e: String| Stop { code: 1, message: format!("error: the film failed: {e}") };
    let file = scratch.0.join("page.html");
    fs::write(&file, page).map_err(|e| failed(e.to_string()))?;
    let mut screen = Screen::start(&program, &scratch.0, order.size).map_err(failed)?;
    screen.open(&file, order.size).map_err(failed)?;
    let mut sink = Sink::new(order)?;
    let speed = match order.speed {
        Some(speed) => speed,
        None => screen.value("player.speed").map_err(failed)?.as_f64().unwrap_or(1.0),
    };
    let (first, last) = match scene.motion.t.as_slice() {
        [first, .., last] => (*first, *last),
        _ => (0.0, 0.0),
    };
    let count = ((last - first) / speed * f64::from(order.fps)).ceil().max(1.0);
    if !(count <= MAX_FRAMES as f64) {
        return Err(wrong(format!(
            "the film would have {count} frames, more than {MAX_FRAMES}\n  help: give a larger --speed or \
             a smaller --fps"
        )));
    }
    let count = count as usize;
    for k in 0..count {
        let png = screen.picture(first + k as f64 * speed / f64::from(order.fps)).map_err(failed)?;
        sink.put(k, &png).map_err(failed)?;
    }
    let file = sink.finish(order.out).map_err(failed)?;
    let mut done = json!({ "export": file.display().to_string(), "frames": count, "speed": speed });
    if let Some(bytes) = fs::metadata(&file).ok().filter(|m| m.is_file()).map(|m| m.len()) {
        done["bytes"] = bytes.into();
    }
    Ok(done)
}
