//! Outputs: what may be written over, and when.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Write},
    os::unix::fs::{FileTypeExt, PermissionsExt, symlink},
    path::Path,
    process::{Command, Stdio},
};

use crate::run::{
    BARE, BISHOP, Run, command, directory, ended, file, stillmate, stillmate_with, text,
};

const GAME: &str = "[Event \"?\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

/// The names in `directory`, in order.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap().map(Result::unwrap);
    let mut names: Vec<_> = entries
        .map(|entry| text(entry.file_name().as_ref()))
        .collect();
    names.sort();
    names
}

/// Checks that a run refuses to write, and has done nothing else.
#[track_caller]
fn refuses(run: &Run, output: &str, input: &str) {
    run.exits(2);
    assert_eq!(run.stdout, "", "{run}");
    assert_eq!(
        run.stderr,
        format!("stillmate: {output} is also the input {input}; name another file to write to\n")
    );
}

#[test]
fn no_output_replaces_an_input() {
    let dir = directory("no-output-replaces-an-input");
    let [input, hard, soft, far, pgn] =
        ["in.epd", "hard", "soft", "far", "in.pgn"].map(|name| text(&dir.join(name)));
    fs::write(&input, format!("{BARE}\n")).unwrap();
    fs::write(&pgn, GAME).unwrap();
    fs::hard_link(&input, &hard).unwrap();
    symlink("in.epd", &soft).unwrap();
    symlink(&soft, &far).unwrap();
    let roundabout = text(&dir.join("../no-output-replaces-an-input/in.epd"));
    for output in [&input, &hard, &soft, &far, &roundabout] {
        let run = stillmate(&["batch", "-q", "--proofs", output, &input]);
        refuses(&run, output, &input);
        // By whatever name it is read.
        let run = stillmate(&["batch", "-q", "--proofs", &input, output]);
        refuses(&run, &input, output);
        for args in [
            &["batch", "-q", "--proofs", output][..],
            &["check", "--proof", output],
        ] {
            let mut command = command(args);
            refuses(
                &ended(command.stdin(File::open(&input).unwrap())),
                output,
                "stdin",
            );
        }
    }
    let run = stillmate(&["game", "--proofs", &pgn, &pgn]);
    refuses(&run, &pgn, &pgn);
    // What is written to in the meantime may be read, too.
    let partial = format!("{input}.partial");
    fs::write(&partial, BISHOP).unwrap();
    let run = stillmate(&["batch", "--proofs", &input, &partial]);
    refuses(&run, &partial, &partial);
    assert_eq!(fs::read_to_string(&partial).unwrap(), BISHOP);
    // A table is an input.
    let table = text(&dir.join("KRvK.helpmates"));
    fs::write(&table, "a table").unwrap();
    let run = stillmate(&["check", "--tables", &text(&dir), "--proof", &table, BARE]);
    refuses(&run, &table, &table);
    // Standard output, too: answers would be read as further lines.
    for args in [
        &["batch", &input][..],
        &["check", "-"],
        &["verify", &input],
        &["game", &input],
    ] {
        let mut command = command(args);
        command.stdin(File::open(&input).unwrap());
        let output = File::options().append(true).open(&input).unwrap();
        let run = ended(command.stdout(output));
        let read = if args.contains(&"-") { "stdin" } else { &input };
        refuses(&run, "standard output", read);
    }

    assert_eq!(fs::read_to_string(&input).unwrap(), format!("{BARE}\n"));
    assert_eq!(fs::read_to_string(&pgn).unwrap(), GAME);
    assert_eq!(fs::read_to_string(&table).unwrap(), "a table");
    let all = [
        "KRvK.helpmates",
        "far",
        "hard",
        "in.epd",
        "in.epd.partial",
        "in.pgn",
        "soft",
    ];
    assert_eq!(names(&dir), all);
}

#[test]
fn a_file_is_replaced_when_the_new_one_is_complete() {
    let dir = directory("a-file-is-replaced");
    let [real, link, partial] = ["real", "link", "real.partial"].map(|name| dir.join(name));
    fs::write(&real, "before").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real", &link).unwrap();
    for (args, count) in [
        (["batch", "-q", "--proofs"], 2),
        (["check", "-q", "--proof"], 2),
    ] {
        fs::write(&real, "before").unwrap();
        // What an earlier run left behind.
        fs::write(&partial, "x".repeat(100_000)).unwrap();
        let mut child = command(&[&args[..], &[&text(&link)]].concat())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        writeln!(stdin, "{BISHOP}").unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap());
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert!(!answer.is_empty());
        // The certificates of what is answered can be read already.
        assert_eq!(fs::read_to_string(&real).unwrap(), "before");
        let run = stillmate(&["verify", &text(&partial)]);
        assert_eq!(run.exits(0).lines().len(), count, "{run}");
        // Nobody else writes to it.
        let other = stillmate_with(&[&args[..], &[&text(&real)]].concat(), BARE.as_bytes());
        other.exits(2).reports("stillmate: another run is writing ");
        writeln!(stdin, "{BARE}").unwrap();
        drop(stdin);
        assert!(child.wait().unwrap().success());
        let run = stillmate(&["verify", &text(&real)]);
        assert_eq!(run.exits(0).lines().len(), 2 * count, "{run}");
        assert_eq!(names(&dir), ["link", "real"]);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let mode = fs::metadata(&real).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }
}

#[test]
fn a_run_that_comes_to_nothing_replaces_nothing() {
    let dir = directory("a-run-that-comes-to-nothing");
    let proofs = dir.join("proofs");
    fs::write(&proofs, "before").unwrap();
    let no_tables = ["--tables", "no-such-directory"];
    let run = stillmate(&[&["batch", "--proofs", &text(&proofs)][..], &no_tables].concat());
    run.exits(2).reports("no-such-directory");
    assert_eq!(fs::read_to_string(&proofs).unwrap(), "before");
    assert_eq!(names(&dir), ["proofs"]);
    // Where a file leads to that isn't there yet.
    symlink("new", dir.join("link")).unwrap();
    stillmate(&["check", "--proof", &text(&dir.join("link")), BARE]).exits(0);
    assert_eq!(names(&dir), ["link", "new", "proofs"]);
    // What is in the way is not followed.
    symlink("proofs", dir.join("new.partial")).unwrap();
    let run = stillmate(&["check", "--proof", &text(&dir.join("new")), BARE]);
    run.exits(4)
        .reports("new.partial: it is there and no regular file");
    assert_eq!(fs::read_to_string(&proofs).unwrap(), "before");
}

#[test]
fn pipes_and_devices_are_written_to_directly() {
    let dir = directory("pipes-and-devices");
    let pipe = text(&dir.join("pipe"));
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let mut verify = command(&["verify", &pipe]).spawn().unwrap();
    stillmate(&["check", "--proof", &pipe, BISHOP]).exits(0);
    assert!(verify.wait().unwrap().success());
    assert_eq!(names(&dir), ["pipe"]);
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());

    stillmate(&["check", "--proof", "/dev/null", BISHOP])
        .exits(0)
        .prints("Dead position");
    assert!(
        fs::metadata("/dev/null")
            .unwrap()
            .file_type()
            .is_char_device()
    );

    let straight = stillmate(&["check", "--proof", "-", BISHOP]);
    let device = stillmate(&["check", "--proof", "/dev/stdout", BISHOP]);
    assert_eq!(device.exits(0).stdout, straight.stdout);
    stillmate(&["batch", "--proofs", "/dev/stdout", "--format", "csv"])
        .exits(2)
        .reports("certificates in the place of answers");

    // Standard output by the name of its file.
    let out = file("pipes-and-devices.out", "");
    let mut command = command(&["check", "--proof", &out, BISHOP]);
    let run = ended(
        command
            .stdin(Stdio::null())
            .stdout(File::create(&out).unwrap()),
    );
    run.exits(2)
        .reports(&format!("{out} is also standard output; name another file"));
}
