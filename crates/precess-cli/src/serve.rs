//! A web server for a page on the loopback address. It serves the files of the page, nothing else that may
//! lie in their folder.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::browser;
use crate::output::{Stop, message, print, wrong};

/// Longest request in bytes.
const MAX_REQUEST_BYTES: u64 = 16 * 1024;

/// Serves these files of a folder until Ctrl-C.
pub fn serve(folder: &Path, names: &[&str], port: u16, opens: bool) -> Result<(), Stop> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|e| {
        wrong(format!("cannot listen at port {port}: {e}\n  help: give another --serve PORT, or none"))
    })?;
    let files = Arc::new(files(folder, names));
    let address = format!("http://{}/", listener.local_addr().map_err(wrong)?);
    print(&format!("serving {} at {address} until Ctrl-C\n", folder.display()));
    if opens && !browser::open(Path::new(&address)) {
        message("no browser could be started here: open the address yourself");
    }
    for stream in listener.incoming().flatten() {
        let files = Arc::clone(&files);
        // One thread per connection: browsers open some in advance and send nothing. A closed connection is
        // not an error.
        std::thread::spawn(move || answer(stream, &files));
    }
    Ok(())
}

/// Files by their address. Nothing else is served, whatever an address says.
fn files(folder: &Path, names: &[&str]) -> HashMap<String, PathBuf> {
    let mut files: HashMap<String, PathBuf> =
        names.iter().map(|name| (format!("/{name}"), folder.join(name))).collect();
    if let Some(index) = files.get("/index.html").cloned() {
        files.insert("/".to_string(), index);
    }
    files
}

fn kind(file: &Path) -> &'static str {
    match file.extension().and_then(|e| e.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn answer(mut stream: TcpStream, files: &HashMap<String, PathBuf>) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    stream.set_write_timeout(Some(Duration::from_secs(30)))?;
    let mut reader = BufReader::new(Read::take(&stream, MAX_REQUEST_BYTES));
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut host = String::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((_, value)) = line.split_once(':').filter(|(k, _)| k.eq_ignore_ascii_case("host")) {
            host = value.trim().to_string();
        }
    }
    let mut words = first.split_whitespace();
    let (method, address) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let path = address.split(['?', '#']).next().unwrap_or("");
    // Refuses other host names, which a page elsewhere could point to this address (DNS rebinding).
    let ours = ["127.0.0.1", "localhost"].contains(&host.split(':').next().unwrap_or(""));
    let file = files.get(path).filter(|_| method == "GET" && ours);
    let (status, kind, body) = match file.map(|f| (f, std::fs::read(f))) {
        Some((file, Ok(bytes))) => ("200 OK", kind(file), bytes),
        _ => ("404 Not Found", "text/plain", b"not found\n".to_vec()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(&body)
}
