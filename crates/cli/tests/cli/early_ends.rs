//! Runs that end early: killed, interrupted, on a full disk, without a reader.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{BufRead, BufReader, Read, Write},
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Child, Command, Stdio},
};

use serde_json::Value;

use crate::run::{BARE, BISHOP, Run, command, directory, ended, file, stillmate, text};

/// `count` different lines of positions that neither colour can win.
fn dead_lines(count: usize) -> String {
    let squares = |n: usize| ((n % 64) / 8, n % 8);
    let positions = (0..).filter_map(|n| {
        let [white, bishop, black] = [n, n / 64, n / 4096].map(squares);
        let apart = white.0.abs_diff(black.0).max(white.1.abs_diff(black.1)) > 1;
        if !apart || bishop == white || bishop == black {
            return None;
        }
        let mut board = [[' '; 8]; 8];
        for ((rank, file), man) in [(white, 'K'), (black, 'k'), (bishop, 'B')] {
            board[rank][file] = man;
        }
        let rank = |rank: [char; 8]| {
            let text = rank.iter().collect::<String>();
            (1..=8).rev().fold(text, |text, empty| {
                text.replace(&" ".repeat(empty), &empty.to_string())
            })
        };
        let board = board.map(rank).join("/");
        Some(format!("{board} b - - id \"{n}\";\n"))
    });
    positions.take(count).collect()
}

/// What is said to be "never", as position and colour.
fn claims(answers: &str) -> HashSet<(String, String)> {
    let mut claims = HashSet::new();
    for line in answers
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'))
    {
        let answer: Value = serde_json::from_str(line).expect("whole lines are JSON");
        for colour in ["white", "black"] {
            if answer[colour]["verdict"] == "unwinnable" {
                claims.insert((answer["fen"].to_string(), colour.to_owned()));
            }
        }
    }
    claims
}

/// The claims that are accepted in a file of certificates that may be torn.
fn accepted(path: &Path) -> HashSet<(String, String)> {
    let run = stillmate(&["verify", "--json", &text(path)]);
    let certificates = run.json().into_iter();
    let accepted = certificates.filter(|found| found["verdict"] == "accepted");
    let claim = |found: Value| found["claim"].as_str().unwrap().to_owned();
    accepted
        .map(|found| (found["position"].to_string(), claim(found)))
        .collect()
}

/// How often a run is killed: a few times, or as often as `STILLMATE_KILLS` says.
fn kills() -> usize {
    let kills = std::env::var("STILLMATE_KILLS").ok();
    kills.map_or(5, |kills| {
        kills.parse().expect("STILLMATE_KILLS is a number")
    })
}

#[test]
fn whoever_has_an_answer_has_its_certificate() {
    const LINES: usize = 20_000;
    let dir = directory("kills");
    let proofs = dir.join("proofs");
    let input = file("kills.epd", dead_lines(LINES));
    let mut seed = std::process::id() as usize;
    let mut whole = 0;
    for _ in 0..kills() {
        let args = [
            "batch",
            "-q",
            "--format",
            "jsonl",
            "--proofs",
            &text(&proofs),
            &input,
        ];
        let mut child = command(&args).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let mut answers = String::new();
        for _ in 0..(seed >> 33) % LINES {
            stdout.read_line(&mut answers).unwrap();
        }
        child.kill().unwrap();
        // What was printed by then.
        stdout.read_to_string(&mut answers).unwrap();
        child.wait().unwrap();
        let partial = dir.join("proofs.partial");
        let is_whole = answers.lines().count() == LINES && proofs.exists();
        whole += usize::from(is_whole);
        let claims = claims(&answers);
        let accepted = accepted(if is_whole { &proofs } else { &partial });
        let missing = claims.difference(&accepted).count();
        assert_eq!(missing, 0, "{} answers \"never\"", claims.len());
        let _ = fs::remove_file(&proofs);
    }
    assert!(whole < kills(), "no run was killed in time");
}

/// Sends a signal by its name.
fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let status = Command::new("kill").args(["-s", name, &id]).status();
    assert!(status.unwrap().success());
}

/// Waits for an end by this signal; what was printed and reported since.
#[track_caller]
fn ends_by(child: Child, mut stdout: impl Read, signal: i32) -> (String, String) {
    let mut answers = String::new();
    stdout.read_to_string(&mut answers).unwrap();
    let output = child.wait_with_output().unwrap();
    let messages = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.signal(), Some(signal), "{messages}");
    (answers, messages)
}

#[test]
fn an_interrupted_batch_says_what_it_has_done() {
    let dir = directory("interrupted-batch");
    let [proofs, partial] = ["proofs", "proofs.partial"].map(|name| dir.join(name));
    fs::write(&proofs, "before").unwrap();
    for (name, number) in [("INT", 2), ("TERM", 15)] {
        let args = ["batch", "--format", "jsonl", "--proofs", &text(&proofs)];
        let mut child = command(&args).spawn().unwrap();
        // It waits for more, and reading can't be interrupted.
        let mut stdin = child.stdin.take().unwrap();
        write!(stdin, "{BISHOP}\n{BARE}\n").unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut answers = String::new();
        for _ in 0..2 {
            stdout.read_line(&mut answers).unwrap();
        }
        signal(&child, name);
        let (more, messages) = ends_by(child, stdout, number);
        assert_eq!(more, "");
        let [interrupted, kept, summary, ..] = &messages.lines().collect::<Vec<_>>()[..] else {
            panic!("{messages}");
        };
        assert_eq!(
            *interrupted,
            "stillmate: interrupted; answered up to stdin:2"
        );
        let [proofs, partial] = [&proofs, &partial].map(|path| path.display());
        let expected =
            format!("stillmate: {proofs} is not complete; what was written is in {partial}");
        assert_eq!(*kept, expected);
        assert!(summary.starts_with("2 positions in "), "{messages}");
        assert!(
            messages.contains("\n  2 dead, 2 unwinnable for White, "),
            "{messages}"
        );
        drop(stdin);
    }
    assert_eq!(fs::read_to_string(&proofs).unwrap(), "before");
    let run = stillmate(&["verify", &text(&partial)]);
    assert_eq!(run.exits(0).lines().len(), 4, "{run}");
}

#[test]
fn an_interrupted_line_is_undetermined() {
    // Takes minutes by now; if that gets better, this test gets easier.
    let hard = "7k/3B4/8/8/1b6/4p1p1/1b2PpP1/1B2bBbK w - -";
    let lines = format!("{BARE}\n{hard}\n{hard}\n{hard}\n").repeat(10);
    let input = file("interrupted-lines.epd", lines);
    let args = ["batch", "--nodes", "100G", "--format", "jsonl", &input];
    let mut child = command(&args).spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    // It is printed while the others are worked on.
    stdout.read_line(&mut first).unwrap();
    signal(&child, "INT");
    let (more, messages) = ends_by(child, stdout, 2);
    let answers = [first, more].concat();
    for (number, answer) in (1..).zip(answers.lines()) {
        let answer: Value = serde_json::from_str(answer).expect("whole lines");
        // No line is left out, and none is guessed.
        assert_eq!(answer["line"], number);
        let is_dead = answer["winnable"] == "--";
        assert_eq!(is_dead, number % 4 == 1, "{answer}");
    }
    let count = answers.lines().count();
    assert!(
        messages.contains(&format!("answered up to {input}:{count}\n")),
        "{messages}"
    );
    assert!(
        messages.contains(&format!("\n{count} positions in ")),
        "{messages}"
    );
}

#[test]
fn the_other_commands_say_it_too() {
    let dir = directory("interrupted-others");
    let proofs = text(&dir.join("proofs"));
    let game = "[Event \"a\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";
    let certificate = stillmate(&["check", "--proof", "-", "--winner", "white", BISHOP]).stdout;
    for (args, input, expected) in [
        (
            &["game", "--adjudicate"][..],
            format!("{game}{game}"),
            "; answered up to stdin:1\n1 game, 4 moves in ",
        ),
        (
            &["check", "-q", "--proof", &proofs],
            format!("{BISHOP}\n"),
            "; answered up to stdin:1\nstillmate: ",
        ),
        // It ends where the next one begins.
        (
            &["verify", "-"],
            format!("{certificate}{certificate}"),
            "\n1 certificate in ",
        ),
    ] {
        let mut child = command(args).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut String::new()).unwrap();
        signal(&child, "INT");
        let (_, messages) = ends_by(child, stdout, 2);
        let expected = format!("stillmate: interrupted{expected}");
        assert!(messages.starts_with(&expected), "{args:?}: {messages}");
    }
    let run = stillmate(&["verify", &text(&dir.join("proofs.partial"))]);
    assert_eq!(run.exits(0).lines().len(), 2, "{run}");
    assert!(!Path::new(&proofs).exists());
}

/// Checks a run that was ended by an output called `name`, and that standard output ends with
/// a whole line and the last answer told; the number of lines printed.
#[track_caller]
fn ended_by_output(run: &Run, name: &str, input: &str, answers: &str) -> usize {
    run.exits(4);
    let lines = answers.lines().count();
    assert!(answers.is_empty() || answers.ends_with('\n'), "torn: {run}");
    let until = match lines {
        0 => "nothing was answered".to_owned(),
        lines => format!("answered up to {input}:{lines}"),
    };
    run.reports(&format!("stillmate: writing {name}: "));
    assert!(
        run.stderr.ends_with(&format!("; {until}\n")),
        "not {until}\n{run}"
    );
    lines
}

/// Fills the disk that `dir` is on, by answers and by certificates; `run` runs the program.
fn fills_the_disk(dir: &Path, input: &str, run: impl Fn(&[&str], &Path) -> Run) {
    let [answers, proofs] = ["answers", "proofs"].map(|name| dir.join(name));
    let args = ["batch", "-q", "--format", "jsonl", input];
    let full = run(&args, &answers);
    let printed = fs::read_to_string(&answers).unwrap();
    let name = "answers to standard output";
    let lines = ended_by_output(&full, name, input, &printed);
    assert!(lines > 10, "{full}");
    fs::remove_file(&answers).unwrap();

    fs::write(&proofs, "before").unwrap();
    let args = ["batch", "-q", "--format", "csv", "--proofs", &text(&proofs)];
    let args = [&args[..], &["--only", "undetermined", input]].concat();
    let full = run(&args, &answers);
    full.exits(4);
    let partial = dir.join("proofs.partial");
    full.reports(&format!(
        "stillmate: writing certificates to {}: ",
        partial.display()
    ));
    full.reports(&format!("; answered up to {input}:"));
    // It ends with a whole certificate.
    let run = stillmate(&["verify", "-q", &text(&partial)]);
    run.exits(0);
    assert_eq!(fs::read_to_string(&proofs).unwrap(), "before");
}

#[test]
fn a_limit_on_the_size_of_files_leaves_whole_lines() {
    let dir = directory("file-size");
    let input = file("file-size.epd", dead_lines(20_000));
    let limited = |args: &[&str], answers: &Path| {
        // In blocks of 512 or 1024 bytes.
        let script = "trap '' XFSZ; ulimit -f 30; exec \"$0\" \"$@\"";
        let program = env!("CARGO_BIN_EXE_stillmate");
        let mut command = Command::new("sh");
        command
            .args(["-c", script, program])
            .args(args)
            .stderr(Stdio::piped());
        ended(command.stdout(File::create(answers).unwrap()))
    };
    fills_the_disk(&dir, &input, limited);
}

/// A small file system of its own.
struct Disk<'a>(&'a Path);

impl<'a> Disk<'a> {
    /// `None` where that needs rights that the tests don't have.
    fn mount(at: &'a Path) -> Option<Disk<'a>> {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=64k", "tmpfs", &text(at)]);
        let mounted = mount.stderr(Stdio::null()).status();
        mounted
            .is_ok_and(|status| status.success())
            .then_some(Disk(at))
    }
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn a_full_disk_leaves_whole_lines() {
    let dir = directory("full-disk");
    let Some(disk) = Disk::mount(&dir) else {
        eprintln!("SKIPPED: a_full_disk_leaves_whole_lines, as no file system can be mounted");
        return;
    };
    let input = file("full-disk.epd", dead_lines(20_000));
    fills_the_disk(disk.0, &input, |args, answers| {
        ended(command(args).stdout(File::create(answers).unwrap()))
    });
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_device_is_named() {
    let input = file("full-device.epd", format!("{BARE}\n{BISHOP}\n"));
    let games = file(
        "full-device.pgn",
        "[Event \"a\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n",
    );
    let certificates = stillmate(&["check", "--proof", "-", BISHOP]).stdout;
    let certificates = file("full-device.json", certificates);
    for (args, what) in [
        (&["batch", "-q", &input][..], "answers"),
        (&["check", BISHOP], "answers"),
        (&["verify", &certificates], "answers"),
        (&["game", &games], "reports"),
        (&["table", "--probe", BARE], "answers"),
    ] {
        let mut command = command(args);
        let run = ended(command.stdout(File::options().write(true).open("/dev/full").unwrap()));
        let error = "No space left on device (os error 28)";
        run.exits(4).reports(&format!(
            "stillmate: writing {what} to standard output: {error}"
        ));
        assert_eq!(run.stderr.lines().count(), 1, "{run}");
    }
    let run = stillmate(&["batch", "-q", "--proofs", "/dev/full", &input]);
    ended_by_output(&run, "certificates to /dev/full", &input, &run.stdout);
    assert_eq!(run.stdout, "");
}

#[test]
#[cfg(target_os = "linux")]
fn a_closed_standard_output_is_an_error() {
    let run = |script: &str| {
        let program = env!("CARGO_BIN_EXE_stillmate");
        let mut command = Command::new("sh");
        command.args(["-c", script, program, BISHOP]);
        ended(command.stdout(Stdio::piped()).stderr(Stdio::piped()))
    };
    for words in ["check \"$1\"", "batch", "game", "--version"] {
        let run = run(&format!("\"$0\" {words} </dev/null >&-"));
        run.exits(4).reports("stillmate: standard output is closed");
        assert_eq!(run.stderr.lines().count(), 1, "{run}");
    }
    // A device that takes everything is none, however it is opened.
    for device in [">/dev/null", "1<>/dev/null"] {
        run(&format!("\"$0\" check \"$1\" {device}"))
            .exits(0)
            .is_silent();
    }
}

#[test]
fn a_reader_that_has_had_enough_is_no_error() {
    let dir = directory("enough");
    let proofs = dir.join("proofs");
    let input = file("enough.epd", dead_lines(20_000));
    let mut child = command(&["batch", "-q", "--proofs", &text(&proofs), &input])
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut String::new()).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    let messages = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{messages}");
    // But what isn't complete isn't called so.
    let kept = "proofs is not complete; what was written is in ";
    assert!(
        messages.contains(kept) && messages.lines().count() == 1,
        "{messages}"
    );
    assert!(!proofs.exists() && dir.join("proofs.partial").exists());
}
