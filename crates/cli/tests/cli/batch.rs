//! Batches: order, filters, flags, summary, exit status.

use crate::run::{BARE, BISHOP, MATED, QUEEN, STALEMATE, file, stillmate, stillmate_with};

#[test]
fn answers_come_in_input_order_with_any_number_of_threads() {
    let input: String = (0..5000)
        .map(|n| {
            let fen = [BARE, BISHOP, STALEMATE, MATED][n % 4];
            // Some lines are bad, some take long to read.
            match n % 100 {
                7 => "bad line\n".to_owned(),
                50 => format!("{fen} id \"{n}\"; c0 \"{}\";\n", "long ".repeat(2000)),
                _ => format!("{fen} id \"{n}\";\n"),
            }
        })
        .collect();
    let run = |threads: &str| {
        let args = ["batch", "--format", "jsonl", "-q", "--threads", threads];
        stillmate_with(&args, input.as_bytes())
    };
    let one = run("1");
    one.exits(2);
    let lines: Vec<u64> = one
        .json()
        .iter()
        .map(|a| a["line"].as_u64().unwrap())
        .collect();
    assert_eq!(lines, (1..=5000).collect::<Vec<_>>());
    for threads in ["2", "7", "0"] {
        let many = run(threads);
        // Times differ; all else must not.
        let strip = |run: &crate::run::Run| {
            let mut answers = run.json();
            for answer in &mut answers {
                for color in ["white", "black"] {
                    if let Some(found) = answer[color].as_object_mut() {
                        found.remove("micros");
                    }
                }
            }
            answers
        };
        assert!(
            strip(&one) == strip(&many),
            "{threads} threads answer differently"
        );
        assert_eq!(one.stderr, many.stderr);
    }
}

#[test]
fn the_files_are_read_one_after_the_other() {
    let (a, b) = (
        file("a.epd", BARE),
        file("b.epd", format!("{BISHOP}\n{BARE}\n")),
    );
    let run = stillmate(&["batch", "-q", "--format", "jsonl", &a, &b, &a]);
    run.exits(0);
    let places: Vec<(String, u64)> = run
        .json()
        .iter()
        .map(|answer| {
            let file = answer["file"].as_str().unwrap().to_owned();
            (file, answer["line"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(
        places,
        [(a.clone(), 1), (b.clone(), 1), (b, 2), (a, 1)],
        "{run}"
    );
}

#[test]
fn only_filters_what_is_printed() {
    // MATED is unwinnable for Black alone, so it is not dead.
    let input = format!("{BARE}\n{MATED}\n{STALEMATE}\nnonsense\n");
    let run = |only| {
        let args = ["batch", "-q", "--format", "jsonl", "--only", only];
        let run = stillmate_with(&args, input.as_bytes());
        // What isn't shown still counts for the exit status.
        run.exits(2).reports("stdin:4:");
        let lines = run.json();
        lines
            .iter()
            .map(|a| a["line"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(run("dead"), [1, 3]);
    assert_eq!(run("unwinnable"), [1, 2, 3]);
    assert_eq!(run("undetermined"), [0; 0]);
}

#[test]
fn one_colour_can_be_asked_about() {
    let input = format!("{MATED}\n{BARE}\n");
    let args = ["batch", "-q", "--format", "jsonl", "--winner"];
    let white = stillmate_with(&[&args[..], &["white"]].concat(), input.as_bytes());
    let black = stillmate_with(&[&args[..], &["black"]].concat(), input.as_bytes());
    let labels = |run: &crate::run::Run| {
        let answers = run.exits(0).json();
        let label = |a: &serde_json::Value| (a["winnable"].to_string(), a["dead"].to_string());
        answers.iter().map(label).collect::<Vec<_>>()
    };
    let label = |winnable: &str, dead: &str| (format!("{winnable:?}"), dead.to_owned());
    assert_eq!(labels(&white), [label("W?", "false"), label("-?", "null")]);
    assert_eq!(labels(&black), [label("?-", "null"), label("?-", "null")]);
    assert!(white.json()[0]["black"].is_null());
}

#[test]
fn flags_are_adjudicated_on_each_line() {
    let input = format!("{MATED}\n{BARE}\n");
    let run = stillmate_with(&["batch", "-q", "--flag", "white"], input.as_bytes());
    run.exits(0)
        .prints("flagw \"1-0 by 5.1.1\";")
        .prints("flagw \"1/2-1/2 by 5.2.2\";");
    assert!(!run.stdout.contains("flagb"), "{run}");
    let args = ["batch", "-q", "--flag", "both", "--format", "csv"];
    let run = stillmate_with(&args, input.as_bytes());
    for (row, result) in run.exits(0).csv().iter().zip(["1-0", "1/2-1/2"]) {
        assert_eq!((&*row["flag_white"], &*row["flag_black"]), (result, result));
    }
    let args = ["batch", "-q", "--flag", "black", "--format", "jsonl"];
    let run = stillmate_with(&args, input.as_bytes());
    assert_eq!(
        run.json()[0]["flag"],
        serde_json::json!({"white": null, "black": {
            "result": "1-0", "article": "5.1.1", "reason": "the game is over, White has checkmated"
        }})
    );
}

#[test]
fn the_summary_counts_and_quiet_suppresses_it() {
    let input = format!("{BARE}\n{MATED}\n{STALEMATE}\nnonsense\n");
    let run = stillmate_with(&["batch"], input.as_bytes());
    run.exits(2)
        .reports("3 positions in ")
        .reports(
            "2 dead, 2 unwinnable for White, 3 unwinnable for Black, 0 undetermined, 1 bad line\n",
        )
        .reports("per query, at most ")
        .reports("methods: terminal 4, material 2\n");
    let quiet = stillmate_with(&["batch", "-q"], input.as_bytes());
    assert_eq!(quiet.exits(2).stdout, run.stdout);
    assert_eq!(quiet.stderr.lines().count(), 1, "{quiet}");
}

#[test]
fn a_budget_of_nothing_leaves_things_undetermined() {
    let args = ["batch", "--nodes", "0", "--quick"];
    let run = stillmate_with(&args, QUEEN.as_bytes());
    run.exits(3)
        .prints("winnable \"?-\";")
        .reports("1 undetermined");
    assert!(!run.stdout.contains("dead"), "{run}");
    // Bad input is more important than an open question.
    let input = format!("{QUEEN}\nnonsense\n");
    stillmate_with(&args, input.as_bytes()).exits(2);
}

#[test]
fn an_empty_input_is_no_error() {
    let run = stillmate(&["batch"]);
    run.exits(0).reports("0 positions in ");
    assert_eq!(run.stdout, "");
    let run = stillmate(&["batch", "--format", "csv", "-q"]);
    assert_eq!(run.exits(0).lines().len(), 1, "the header\n{run}");
}

#[test]
fn wrong_usage_exits_with_2() {
    stillmate(&["batch", "--format", "xml"])
        .exits(2)
        .reports("xml");
    stillmate(&["batch", "--nodes", "many"])
        .exits(2)
        .reports("500k");
    stillmate(&["batch", "--time", "5"])
        .exits(2)
        .reports("500ms");
    stillmate(&["batch", "--unknown"])
        .exits(2)
        .reports("--unknown");
    stillmate(&[]).exits(2);
    for command in ["batch", "check"] {
        stillmate(&[command, "--help"])
            .exits(0)
            .prints("3  something stayed undetermined");
    }
}

#[test]
fn the_summary_tells_what_each_rung_did() {
    // More lines than one chunk has, so that counts of several are added up.
    let input = format!("{BISHOP}\n{MATED}\n").repeat(150);
    let run = stillmate_with(&["batch", "--threads", "2"], input.as_bytes());
    let figures = |rung: &str| -> Vec<String> {
        let mut lines = run.exits(0).stderr.lines().map(str::split_whitespace);
        let line = lines.find(|line| line.clone().next() == Some(rung));
        let line = line.unwrap_or_else(|| panic!("no {rung}\n{run}"));
        line.skip(1).take(3).map(str::to_owned).collect()
    };
    assert_eq!(figures("terminal"), ["600", "150", "150"]);
    assert_eq!(figures("material"), ["300", "0", "300"]);
    let quiet = stillmate_with(&["batch", "-q"], input.as_bytes());
    assert!(!quiet.stderr.contains("terminal"), "{quiet}");
}
