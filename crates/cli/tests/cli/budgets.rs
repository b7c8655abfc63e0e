//! Budgets: they say what they do, in every command.

use crate::run::{BARE, BISHOP, MATED, QUEEN, STALEMATE, file, stillmate, stillmate_with};

/// Takes minutes and gigabytes if nothing stops it.
const MAZE: &str = "7k/3B4/8/8/1b6/4p1p1/1b2PpP1/1B2bBbK w - -";

#[test]
fn memory_ends_a_search_and_is_named() {
    let args = ["check", "--winner", "black", "--memory", "4M", MAZE];
    let run = stillmate(&args);
    run.exits(3)
        .prints("Black  undetermined: the memory ran out; --memory raises it");
    let run = stillmate(&[&args[..], &["--json"]].concat());
    let found = &run.exits(3).json()[0]["black"];
    assert_eq!(found["verdict"], "undetermined", "{run}");
    assert_eq!(found["budget"], "memory", "{run}");
    let args = ["batch", "-q", "--format", "jsonl", "--memory", "4M"];
    let run = stillmate_with(&args, MAZE.as_bytes());
    let found = &run.exits(3).json()[0]["black"];
    assert_eq!(found["budget"], "memory", "{run}");
}

#[test]
fn numbers_that_cannot_be_explain_themselves() {
    let threads = "give a number from 1 to 1024, or 0 for as many as there are processors";
    for command in [
        &["check", BARE][..],
        &["batch", "-"],
        &["game", "-"],
        &["table", "KvK"],
    ] {
        for wrong in ["-1", "1025", "100000", "two"] {
            let run = stillmate(&[command, &["--threads", wrong]].concat());
            run.exits(2).reports(threads).reports("'--threads <N>'");
        }
    }
    for (option, wrong, right) in [
        ("--nodes", "-1", "give a number such as"),
        ("--time", "-5s", "give a number and a unit, such as"),
        ("--memory", "-1", "give a size such as 512M or 2G"),
        ("--memory", "100k", "a search needs 1M at least"),
    ] {
        let run = stillmate(&["check", BARE, option, wrong]);
        run.exits(2).reports(right).reports(option);
    }
    for option in ["--max-work", "--max-bytes", "--max-steps", "--max-classes"] {
        let run = stillmate(&["verify", "-", option, "-1"]);
        run.exits(2).reports("give a number such as");
    }
    let run = stillmate(&["verify", "-", "--memory", "-1"]);
    run.exits(2).reports("give a size such as 512M or 2G");
}

/// More threads than the address space of the process has stacks for.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_do_not_start_are_told_once() {
    use std::process::Command;

    let positions = file("no-threads.epd", BARE);
    for command in ["check - <", "batch -q"] {
        let binary = env!("CARGO_BIN_EXE_stillmate");
        let script = format!("ulimit -v 1000000; {binary} {command} {positions} --threads 1024");
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        let told = "stillmate: 1024 threads cannot be started: ";
        assert!(message.starts_with(told), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        let cause = message.trim_end().strip_prefix(told).unwrap();
        assert!(!cause.is_empty() && !cause.contains(": "), "{message}");
    }
}

/// The answers, and their order, are those of one thread.
#[test]
fn check_answers_alike_on_any_number_of_threads() {
    let maze = "k7/1b6/2b5/3b4/4b3/1pB2b2/pP4b1/K6b w - -";
    let wall = "5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - -";
    let positions = [
        maze,
        BARE,
        wall,
        QUEEN,
        "nonsense/",
        MATED,
        STALEMATE,
        BISHOP,
    ];
    let run = |more: &[&str], threads: &str| {
        let fixed = ["check", "--json", "--no-tables", "--threads", threads];
        let run = stillmate(&[&fixed[..], more, &positions].concat());
        let mut answers = run.exits(2).json();
        for answer in &mut answers {
            for color in ["white", "black"] {
                if let Some(finding) = answer[color].as_object_mut() {
                    finding.remove("micros");
                }
            }
        }
        (answers, run.stderr.clone())
    };
    for more in [&[][..], &["--shortest", "--nodes", "20k"], &["--75"]] {
        let (answers, messages) = run(more, "1");
        assert_eq!(answers.len(), positions.len());
        assert_eq!(answers[4]["line"], 5);
        for threads in ["2", "7"] {
            assert_eq!((answers.clone(), messages.clone()), run(more, threads));
        }
    }
    // With a limit of time they follow each other.
    let limited = run(&["--time", "1h"], "3");
    assert_eq!(limited, run(&[], "1"));
}

/// Whoever writes a position and waits for the answer gets it before the next one.
#[test]
fn an_answer_does_not_wait_for_the_next_position() {
    use std::io::{BufRead, BufReader, Write};

    let mut child = crate::run::command(&["check", "-q", "-"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for (position, answer) in [(BARE, "--"), (MATED, "W-"), (QUEEN, "W-")] {
        writeln!(stdin, "{position}").unwrap();
        assert_eq!(answers.next().unwrap().unwrap(), answer);
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}
