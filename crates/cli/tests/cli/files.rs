//! Files that can't be read, compressed files, and pipes.

use std::{
    io::{BufRead, BufReader, Read, Write},
    time::Duration,
};

use flate2::{Compression, write::GzEncoder};

use crate::run::{BARE, BISHOP, command, file, stillmate, stillmate_with};

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn zstd(text: &str) -> Vec<u8> {
    zstd::encode_all(text.as_bytes(), 3).unwrap()
}

const LINES: u64 = 10_000;

/// Many different lines, so that they don't compress to nothing but to many blocks.
fn many_lines() -> String {
    (1..=LINES)
        .map(|n| format!("{BARE} id \"{}\";\n", n.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
        .collect()
}

#[test]
fn what_cannot_be_read_is_reported_and_the_rest_is_done() {
    let good = file("readable.epd", BARE);
    let directory = env!("CARGO_TARGET_TMPDIR");
    let run = stillmate(&["batch", "-q", "no-such.epd", directory, &good]);
    run.exits(2)
        .reports("no-such.epd: no such file")
        .reports(&format!("{directory}: it is a directory, not a file"));
    assert_eq!(run.lines().len(), 1, "{run}");
}

#[test]
fn compressed_files_are_recognised_by_their_contents() {
    let text = format!("{BARE}\n{BISHOP}\n");
    for (name, bytes) in [
        ("small.epd.gz", gzip(&text)),
        ("small.epd.zst", zstd(&text)),
        ("no-suffix", gzip(&text)),
        // Several compressed files in a row are one.
        (
            "two.gz",
            [gzip(&format!("{BARE}\n")), gzip(BISHOP)].concat(),
        ),
        (
            "two.zst",
            [zstd(&format!("{BARE}\n")), zstd(BISHOP)].concat(),
        ),
    ] {
        let run = stillmate(&["batch", "-q", &file(name, &bytes)]);
        run.exits(0).is_silent();
        assert_eq!(run.lines().len(), 2, "{run}");
        let piped = stillmate_with(&["batch", "-q", "-"], &bytes);
        assert_eq!(piped.exits(0).stdout, run.stdout);
    }
}

#[test]
fn truncated_compressed_files_give_the_lines_that_are_there() {
    let text = many_lines();
    let good = file("after-cut.epd", BARE);
    for (name, bytes) in [("cut.gz", gzip(&text)), ("cut.zst", zstd(&text))] {
        let cut = file(name, &bytes[..bytes.len() / 2]);
        let whole = file(&format!("whole-{name}"), &bytes);
        let run = stillmate(&["batch", "-q", "--format", "jsonl", &cut, &good]);
        run.exits(2).reports("the compressed data ends too early");
        let answers = run.json();
        let [of_cut @ .., failed, of_good] = &answers[..] else {
            panic!("too few answers\n{run}")
        };
        assert!((1..LINES).contains(&(of_cut.len() as u64)), "{run}");
        assert!(
            of_cut.iter().all(|answer| answer["error"].is_null()),
            "{run}"
        );
        assert_eq!(failed["file"], *cut, "{run}");
        assert_eq!(failed["line"], of_cut.len() + 1, "{run}");
        assert_eq!(of_good["file"], *good, "{run}");
        let run = stillmate(&["batch", "-q", &whole]);
        assert_eq!(run.exits(0).lines().len() as u64, LINES);
    }
}

#[test]
fn damaged_compressed_files_are_reported() {
    let mut bytes = gzip(&many_lines());
    let middle = bytes.len() / 2;
    bytes[middle..middle + 100].fill(0xa5);
    let run = stillmate(&["batch", "-q", &file("damaged.gz", bytes)]);
    run.exits(2).reports("damaged.gz:");
    let run = stillmate(&["batch", "-q", &file("empty.gz", "")]);
    run.exits(2)
        .reports("the file is no gz data, although its name ends like that");
}

#[test]
fn a_closed_pipe_is_success() {
    let mut child = command(&["batch"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let line = format!("{BARE}\n");
        while stdin.write_all(line.as_bytes()).is_ok() {}
    });
    let mut first = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut first).unwrap();
    drop(stdout);
    assert!(first.starts_with(BARE), "{first}");
    let status = child.wait().unwrap();
    let mut messages = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut messages)
        .unwrap();
    assert_eq!((status.code(), messages.as_str()), (Some(0), ""));
    writer.join().unwrap();
}

#[test]
fn a_line_is_answered_while_the_next_is_waited_for() {
    let mut child = command(&["batch"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for id in ["first", "second"] {
        write!(
            stdin,
            "{BARE} id \"{id}\";\n\n# the next line is not yet whole\n  "
        )
        .unwrap();
        // Without an answer before the end of input this waits for ever; let it fail.
        let (sender, receiver) = std::sync::mpsc::channel();
        let reader = std::thread::spawn(move || {
            let mut line = String::new();
            stdout.read_line(&mut line).unwrap();
            sender.send(line).unwrap();
            stdout
        });
        let line = receiver.recv_timeout(Duration::from_secs(20));
        assert!(
            line.is_ok_and(|line| line.contains(id)),
            "{id} not answered"
        );
        stdout = reader.join().unwrap();
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}
