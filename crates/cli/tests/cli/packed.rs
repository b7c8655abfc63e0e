//! Compressed files of every kind, whole and not.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};

use crate::run::{BARE, BISHOP, file, stillmate, stillmate_with};

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn zstd(text: &str) -> Vec<u8> {
    zstd::encode_all(text.as_bytes(), 3).unwrap()
}

#[test]
fn what_is_compressed_otherwise_is_named_with_a_remedy() {
    for (name, bytes, program, remedy) in [
        ("a.xz", &b"\xfd7zXZ\0\0\x04"[..], "xz", "xz -dc"),
        ("a.bz2", b"BZh91AY&SY\xd8\x72", "bzip2", "bzip2 -dc"),
        (
            "empty.bz2",
            b"BZh9\x17\x72\x45\x38\x50\x90",
            "bzip2",
            "bzip2 -dc",
        ),
        ("a.zip", b"PK\x03\x04\x14\0", "zip", "unzip -p"),
        ("empty.zip", b"PK\x05\x06\0\0", "zip", "unzip -p"),
        ("a.7z", b"7z\xbc\xaf\x27\x1c\0\x04", "7-Zip", "7z x -so"),
        ("a.rar", b"Rar!\x1a\x07\x01\0", "RAR", "unrar p -inul"),
        ("a.lz4", b"\x04\x22\x4d\x18\x64\x40", "lz4", "lz4 -dc"),
        ("a.Z", b"\x1f\x9d\x90\x38\x5e\xe0", "compress", "gzip -dc"),
    ] {
        // Whatever its name, and with bytes in it that look like lines.
        let bytes = [bytes, b"\n\0\n\xff\n"].concat();
        let message = format!(
            "the file is {program} data, which is not read here; decompress it first, as with \
             {remedy}\n"
        );
        let path = file(&format!("foreign-{name}"), &bytes);
        for command in ["batch", "game"] {
            let run = stillmate(&[command, "-q", &path]);
            assert_eq!(run.exits(2).stderr, format!("{path}: {message}"), "{run}");
        }
        let run = stillmate_with(&["check"], &bytes);
        assert_eq!(run.exits(2).stderr, format!("stdin: {message}"), "{run}");
        stillmate(&["verify", &path])
            .exits(2)
            .reports(message.trim_end());
    }
}

#[test]
fn text_that_begins_like_a_compressed_file_is_text() {
    for text in ["BZh", "PK\n", "7z", "BZh9 w - -\n"] {
        let run = stillmate_with(&["batch", "-q"], text.as_bytes());
        run.exits(2).reports("stdin:1: ");
    }
}

#[test]
fn padding_after_compressed_data_is_no_fault() {
    let lines = format!("{BARE}\n{BISHOP}\n");
    for (name, packed) in [("gz", gzip(&lines)), ("zst", zstd(&lines))] {
        for (case, zeros, copies) in [("byte", 1, 1), ("long", 200_000, 1), ("two", 512, 2)] {
            let bytes = [&packed[..], &vec![0; zeros]].concat().repeat(copies);
            let path = file(&format!("padded-{case}.{name}"), bytes);
            let run = stillmate(&["batch", "-q", &path]);
            run.exits(0).is_silent();
            assert_eq!(run.lines().len(), 2 * copies, "{run}");
        }
    }
}

#[test]
fn what_follows_compressed_data_is_named() {
    // The last line has no end of its own, and is answered.
    let lines = format!("{BARE}\n{BISHOP}");
    for (kind, packed) in [("gzip", gzip(&lines)), ("zstd", zstd(&lines))] {
        for (case, rest) in [
            ("text", &b"hello\n"[..]),
            ("line", b"\n"),
            ("byte", b"x"),
            ("after padding", b"\0\0\0x"),
        ] {
            let bytes = [&packed[..], rest].concat();
            let message = format!(
                "stdin:3: after the end of the {kind} data comes something else, which is no \
                 compressed data; the lines before were read\n"
            );
            let run = stillmate_with(&["batch", "-q"], &bytes);
            assert_eq!(run.exits(2).stderr, message, "{case}\n{run}");
            assert_eq!(run.lines().len(), 2, "{case}\n{run}");
        }
    }
    let game = gzip("[White \"A\"]\n\n1. e4 *\n");
    let run = stillmate_with(&["game", "-q"], &[&game[..], b"x"].concat());
    run.exits(2)
        .reports("stdin: after the end of the gzip data")
        .prints("stdin:1: A - ?");
    let proof = stillmate(&["check", "--proof", "-", "--winner", "white", BARE]);
    let proof = gzip(proof.exits(0).stdout.trim_end());
    let run = stillmate_with(&["verify", "-"], &[&proof[..], b"x"].concat());
    run.exits(2)
        .prints("accepted: White can never mate")
        .reports("after the end of the gzip data");
}

#[test]
fn frames_to_skip_and_other_members_are_read() {
    let skip = [&b"\x5a\x2a\x4d\x18\x04\0\0\0"[..], b"info"].concat();
    let [first, second] = [format!("{BARE}\n"), format!("{BISHOP}\n")];
    for bytes in [
        [
            skip.clone(),
            zstd(&first),
            skip.clone(),
            zstd(&second),
            skip,
        ]
        .concat(),
        // Both kinds, and an empty member.
        [gzip(&first), gzip(""), zstd(""), zstd(&second)].concat(),
    ] {
        let run = stillmate_with(&["batch", "-q"], &bytes);
        run.exits(0).is_silent();
        assert_eq!(run.lines().len(), 2, "{run}");
    }
    // Thousands of members, as block compressors make them.
    let many: Vec<u8> = (0..3000).flat_map(|_| gzip(&first)).collect();
    let run = stillmate_with(&["batch", "-q"], &many);
    assert_eq!(run.exits(0).lines().len(), 3000);
}

/// A zstd frame of one raw block with a window of 2^`log` bytes.
fn frame(log: u8, eighths: u8, text: &str) -> Vec<u8> {
    let block = (text.len() as u32) << 3 | 1;
    let window = (log - 10) << 3 | eighths;
    let header = [&b"\x28\xb5\x2f\xfd\0"[..], &[window]].concat();
    [&header, &block.to_le_bytes()[..3], text.as_bytes()].concat()
}

#[test]
fn long_windows_are_read_and_longer_ones_get_a_remedy() {
    let text = format!("{BARE}\n");
    // What zstd --long=31 writes.
    for log in [27, 28, 31] {
        let run = stillmate_with(&["batch", "-q"], &frame(log, 0, &text));
        run.exits(0).is_silent();
        assert_eq!(run.lines().len(), 1, "{run}");
    }
    let run = stillmate_with(&["batch", "-q"], &frame(31, 1, &text));
    run.exits(2);
    let message = "stdin: the zstd data need more memory to be decompressed than there is; \
                   compress them again with a smaller window, as with zstd --long=27\n";
    assert_eq!(run.stderr, message, "{run}");
}

#[test]
fn damage_is_named() {
    let text: String = (0..10_000)
        .map(|n: u64| format!("{BARE} id \"{}\";\n", n * n))
        .collect();
    for (kind, mut bytes) in [("gzip", gzip(&text)), ("zstd", zstd(&text))] {
        let middle = bytes.len() / 2;
        bytes[middle..middle + 100].fill(0xa5);
        let run = stillmate_with(&["batch", "-q"], &bytes);
        run.exits(2)
            .reports(&format!(": the {kind} data are damaged ("))
            .reports("; the lines before were read");
        assert!(run.stderr.lines().count() >= 1, "{run}");
    }
}
