//! A page that contains everything: it opens from a disk, without a network.

use crate::pack;
use crate::scene::Scene;

pub(crate) const SCRIPT: &str = include_str!("../assets/viewer.js");
pub(crate) const STYLE: &str = include_str!("../assets/viewer.css");

/// Text between tags.
fn text(s: &str) -> String {
    s.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The page of one run, or of one run and others as ghosts.
pub fn page(scenes: &[Scene]) -> String {
    page_with(scenes, STYLE, SCRIPT)
}

/// The page of several motions of one mechanism, shown one at a time, for example its modes.
pub fn choice(scenes: &[Scene]) -> String {
    write(scenes, STYLE, SCRIPT, true)
}

/// The same as [`page`] with another style and script.
pub fn page_with(scenes: &[Scene], style: &str, script: &str) -> String {
    write(scenes, style, script, false)
}

fn write(scenes: &[Scene], style: &str, script: &str, choice: bool) -> String {
    let title = scenes.first().map_or("precess", |s| s.drawn.name.as_str());
    let mut out = String::with_capacity(script.len() + style.len() + 100_000);
    out.push_str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    // Nothing is fetched, and the policy of the page enforces this.
    out.push_str(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src \
         'unsafe-inline'; \
         style-src 'unsafe-inline'; img-src data: blob:\">\n",
    );
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.push_str("<link rel=\"icon\" href=\"data:,\">\n<title>");
    out.push_str(&text(title));
    out.push_str("</title>\n<style>");
    out.push_str(style);
    out.push_str("</style>\n</head>\n<body>\n<div id=\"player\"></div>\n");
    for scene in scenes {
        let (mut header, data) = scene.encode();
        header["choice"] = choice.into();
        // A script element ends at the first "</script", whatever its content.
        let header = header.to_string().replace('<', "\\u003c");
        out.push_str("<script type=\"application/json\" class=\"header\">");
        out.push_str(&header);
        out.push_str("</script>\n<script type=\"text/plain\" class=\"data\">");
        out.push_str(&pack::base64(&pack::deflate(&data)));
        out.push_str("</script>\n");
    }
    out.push_str("<script>");
    out.push_str(script);
    out.push_str("</script>\n</body>\n</html>\n");
    out
}
