//! `precess playground` from end to end: the page, its gallery, and the server that shows one folder.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::process::{Child, Command, Stdio};

use crate::common::{directory, precess, root, text};
use serde_json::Value;

/// A file that begins like a simulator, which is enough to write the page.
fn simulator(folder: &std::path::Path) -> std::path::PathBuf {
    let file = folder.join("simulator.wasm");
    std::fs::write(&file, b"\0asm\x01\0\0\0").unwrap();
    file
}

/// Nothing that may be old is built in: without a simulator, the command says where it comes from.
#[test]
fn a_missing_simulator_is_named() {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_precess"));
    if program.with_file_name("simulator.wasm.gz").exists() {
        return;
    }
    let folder = directory("playground_missing");
    precess(&["playground", "-o", text(&folder.join("site"))]).refused(&[
        "no simulator",
        "tools/wasm",
        "--wasm",
    ]);
    assert!(!folder.join("site").exists());
}

#[test]
fn the_gallery_is_the_folder_of_models() {
    let folder = directory("playground");
    let wasm = simulator(&folder);
    let j = precess(&["playground", "-o", text(&folder), "--wasm", text(&wasm), "--json"]).done().json();
    let page = std::fs::read_to_string(folder.join("index.html")).unwrap();
    assert_eq!(j["bytes"], page.len());
    assert!(std::fs::read_to_string(folder.join("LICENSES.txt")).unwrap().contains("@codemirror/view"));
    // Every model, letter by letter; adding one to models/ needs a line in gallery.rs.
    let gallery = page.split("id=\"gallery\">").nth(1).unwrap().split("</script>").next().unwrap();
    let gallery: Value = serde_json::from_str(gallery).unwrap();
    let mut count = 0;
    for entry in std::fs::read_dir(root().join("models")).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_some_and(|e| e == "toml") {
            let name = file.file_stem().unwrap().to_str().unwrap();
            assert_eq!(gallery[name], std::fs::read_to_string(&file).unwrap(), "{name}");
            count += 1;
        }
    }
    assert_eq!((gallery.as_object().unwrap().len(), j["models"].as_u64()), (count, Some(count as u64)));
    // No placeholder is left, and the page loads no other file.
    assert!(
        !page.contains("{{viewer") && !page.contains("src=\"") && !page.contains("<link rel=\"stylesheet\"")
    );
}

#[test]
fn models_never_become_markup() {
    let (folder, models) = (directory("playground_names"), directory("playground_models"));
    let name = "</script><b>é";
    std::fs::write(models.join("a.toml"), format!("# {name}\n")).unwrap();
    let wasm = simulator(&folder);
    precess(&["playground", "-o", text(&folder), "--models", text(&models), "--wasm", text(&wasm)]).done();
    let page = std::fs::read_to_string(folder.join("index.html")).unwrap();
    assert!(!page.contains("</script><b>"));
    assert!(page.contains("\\u003c/script>\\u003cb>é"));
}

#[test]
fn wrong_input_is_refused() {
    let folder = directory("playground_wrong");
    let out = text(&folder);
    let wrong = folder.join("wrong.wasm");
    std::fs::write(&wrong, "no module").unwrap();
    precess(&["playground", "-o", out, "--wasm", text(&wrong)]).refused(&["not WebAssembly", "help:"]);
    precess(&["playground", "-o", out, "--wasm", "none.wasm"]).refused(&["cannot read none.wasm", "help:"]);
    let wasm = simulator(&folder);
    let wasm = text(&wasm);
    precess(&["playground", "-o", out, "--models", out, "--wasm", wasm])
        .refused(&["no .toml files", "help:"]);
    precess(&["playground", "-o", text(&wrong), "--wasm", wasm]).refused(&["cannot make", "help:"]);
}

/// Ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn ask(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    // A request that is too long may be cut off.
    let _ = stream.write_all(request.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn one_page_is_served_on_the_loopback_address() {
    let outside = directory("playground_served");
    std::fs::write(outside.join("secret.txt"), "secret").unwrap();
    let folder = outside.join("site");
    std::fs::create_dir_all(folder.join("inner")).unwrap();
    std::fs::write(folder.join("inner/secret.txt"), "secret").unwrap();
    // A file that is not of the page.
    std::fs::write(folder.join("notes.txt"), "secret").unwrap();
    #[cfg(unix)]
    let _ = std::os::unix::fs::symlink(outside.join("secret.txt"), folder.join("link.txt"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_precess"))
        .args(["playground", "--serve", "-o", text(&folder), "--wasm", text(&simulator(&outside))])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let _server = Server(child);
    let line = lines.map(Result::unwrap).find(|l| l.starts_with("serving")).unwrap();
    let address = line.split("http://").nth(1).unwrap().split('/').next().unwrap();
    let (host, port) = address.split_once(':').unwrap();
    assert_eq!(host, "127.0.0.1");
    let port = port.parse().unwrap();
    let get = |path: &str| ask(port, &format!("GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n"));
    // A silent connection does not block other connections.
    let _silent = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    assert!(get("/").starts_with("HTTP/1.1 200") && get("/").contains("<title>precess playground</title>"));
    assert!(get("/LICENSES.txt?x#y").starts_with("HTTP/1.1 200"));
    let full = outside.join("secret.txt");
    for path in [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "//secret.txt",
        "/..\\secret.txt",
        "/inner/secret.txt",
        "/notes.txt",
        "/link.txt",
        text(&full),
        "/none",
        "",
        "secret.txt",
        "/site/../../secret.txt",
    ] {
        let answer = get(path);
        assert!(answer.starts_with("HTTP/1.1 404") && !answer.contains("secret"), "{path}: {answer}");
    }
    for request in [
        "POST / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_string(),
        "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n".to_string(),
        "GET / HTTP/1.1\r\n\r\n".to_string(),
        "\r\n\r\n".to_string(),
        format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(20_000)),
    ] {
        let answer = ask(port, &request);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 404"), "{answer}");
    }
}
