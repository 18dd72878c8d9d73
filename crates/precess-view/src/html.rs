//! One page with everything in it: opens from a disk, without a network.

use crate::pack;
use crate::scene::Scene;

const SCRIPT: &str = include_str!("../assets/viewer.js");
const STYLE: &str = include_str!("../assets/viewer.css");

/// Text between tags.
fn text(s: &str) -> String {
    s.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The page of one run, or of one run and others as ghosts.
pub fn page(scenes: &[Scene]) -> String {
    let title = scenes.first().map_or("precess", |s| s.drawn.name.as_str());
    let mut out = String::with_capacity(SCRIPT.len() + STYLE.len() + 100_000);
    out.push_str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    // Nothing is fetched, and the page says so to the browser.
    out.push_str(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; \
         style-src 'unsafe-inline'; img-src data: blob:\">\n",
    );
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.push_str("<link rel=\"icon\" href=\"data:,\">\n<title>");
    out.push_str(&text(title));
    out.push_str("</title>\n<style>");
    out.push_str(STYLE);
    out.push_str("</style>\n</head>\n<body>\n<div id=\"player\"></div>\n");
    for scene in scenes {
        let (header, data) = scene.encode();
        // A script element ends at the first "</script", whatever it holds.
        let header = header.to_string().replace('<', "\\u003c");
        out.push_str("<script type=\"application/json\" class=\"header\">");
        out.push_str(&header);
        out.push_str("</script>\n<script type=\"text/plain\" class=\"data\">");
        out.push_str(&pack::base64(&pack::deflate(&data)));
        out.push_str("</script>\n");
    }
    out.push_str("<script>");
    out.push_str(SCRIPT);
    out.push_str("</script>\n</body>\n</html>\n");
    out
}
