//! `--shortest`, `--count` and `--tables`.

use std::{fs, path::PathBuf};

use serde_json::Value;

use crate::run::{BISHOP, MATED, stillmate, stillmate_with};

/// White mates in 16 plies, in one way; Black in 3.
const PROBLEM: &str = "8/8/N7/8/8/6q1/3K2k1/3b4 b - -";

/// A directory of this test alone, which isn't there.
fn directory(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        fs::remove_dir_all(&path).expect("temporary files can be removed");
    }
    path.to_str().expect("the path is text").to_owned()
}

#[test]
fn a_shortest_helpmate_is_proved_and_counted() {
    stillmate(&["check", "--shortest", "--count", PROBLEM])
        .exits(0)
        .prints("White  can mate in 16 plies and not sooner, in one way  (shortest, ")
        .prints("9. Nc2#")
        .prints("Black  can mate in 3 plies and not sooner, in 8 ways  (shortest, ")
        .is_silent();
    stillmate(&["check", "--shortest", "--winner", "black", PROBLEM])
        .exits(0)
        .prints("Black  can mate in 3 plies and not sooner  (shortest, ");
    let run = stillmate(&["check", "--json", "--shortest", "--count", PROBLEM]);
    let answer = &run.exits(0).json()[0];
    let white = &answer["white"];
    assert_eq!(white["plies"], 16, "{run}");
    assert_eq!(white["at_least"], 16, "{run}");
    assert_eq!(white["shortest"], true, "{run}");
    assert_eq!(white["lines"], "1", "{run}");
    assert_eq!(white["method"], "shortest", "{run}");
    assert_eq!(answer["black"]["lines"], "8", "{run}");
}

#[test]
fn what_a_budget_leaves_open_is_said() {
    let args = ["check", "--shortest", "--winner", "white", "--nodes"];
    let run = stillmate(&[&args[..], &["3000", PROBLEM]].concat());
    run.exits(3)
        .prints("; not in fewer than ")
        .prints(", but perhaps sooner: the budget of nodes ran out; --nodes raises it");
    let run = stillmate(&[&args[..], &["3000", "--json", PROBLEM]].concat());
    let white = &run.exits(3).json()[0]["white"];
    assert_eq!(white["shortest"], false, "{run}");
    let at_least = white["at_least"].as_u64().expect("a number");
    assert!((2..=16).contains(&at_least), "{run}");
    assert_eq!(white["lines"], Value::Null, "{run}");
}

#[test]
fn a_colour_that_cannot_mate_has_its_verdict_and_certificate() {
    let run = stillmate(&["check", "--shortest", BISHOP]);
    run.exits(0)
        .prints("White  cannot mate: a king and a bishop cannot mate a bare king")
        .prints("Dead position (5.2.2), case 2");
    let plain = stillmate(&["check", "--proof", "-", BISHOP]);
    let run = stillmate(&["check", "--shortest", "--count", "--proof", "-", BISHOP]);
    assert_eq!(run.exits(0).stdout, plain.stdout);
    stillmate(&["check", "--shortest", MATED])
        .exits(0)
        .prints("White  has mated");
}

#[test]
fn batches_have_columns_and_operations_for_it() {
    let input = format!("{PROBLEM}\n{BISHOP}\nnonsense\n");
    let with = |args: &[&str]| {
        let batch = ["batch", "-q", "--shortest", "--count"];
        stillmate_with(&[&batch[..], args].concat(), input.as_bytes())
    };
    let run = with(&[]);
    let line = run.exits(2).lines()[0].to_owned();
    for operation in [
        " minw 16;",
        " linesw 1;",
        " minb 3;",
        " linesb 8;",
        " pvw \"Kf3 ",
    ] {
        assert!(line.contains(operation), "{operation}\n{run}");
    }
    assert!(!run.lines()[1].contains("min"), "{run}");
    let run = with(&["--winner", "black"]);
    let line = run.exits(2).lines()[0].to_owned();
    assert!(line.contains(" min 3; lines 8;"), "{run}");
    let run = with(&["--format", "csv", "--flag", "white"]);
    let columns = [
        "flag_white",
        "white_at_least",
        "white_lines",
        "black_at_least",
        "black_lines",
    ];
    let expected = [
        ["0-1", "16", "1", "3", "8"],
        ["1/2-1/2", "", "", "", ""],
        [""; 5],
    ];
    for (row, expected) in run.exits(2).csv().iter().zip(expected) {
        assert_eq!(columns.map(|column| &*row[column]), expected, "{run}");
    }
    let run = with(&["--format", "jsonl"]);
    assert_eq!(run.exits(2).json()[0]["white"]["lines"], "1", "{run}");
    let unwinnable = &run.json()[1]["white"];
    assert_eq!(unwinnable["at_least"], Value::Null, "{run}");
}

#[test]
fn it_goes_neither_with_the_move_rule_nor_with_the_filter() {
    for other in ["--75", "--quick"] {
        stillmate(&["check", "--shortest", other, PROBLEM])
            .exits(2)
            .reports("cannot be used with");
    }
    stillmate(&["batch", "--count"])
        .exits(2)
        .reports("--shortest");
}

#[test]
fn tables_give_lines_at_once() {
    let dir = directory("tables-asked");
    stillmate(&["table", "-q", "--dir", &dir, "KRvK"]).exits(0);
    let rook = "8/8/8/8/8/2k5/8/1R2K3 b - -";
    for command in [&["check", "--json"][..], &["batch", "--format", "jsonl"]] {
        let args = [command, &["--tables", &dir]].concat();
        let run = stillmate_with(&args, rook.as_bytes());
        let answer = &run.exits(0).json()[0];
        assert_eq!(answer["white"]["method"], "table", "{run}");
        assert_eq!(answer["white"]["plies"], 8, "{run}");
        // "Never" is proved by other means.
        assert_eq!(answer["black"]["method"], "material", "{run}");
    }
    let run = stillmate(&["check", "--json", "--no-tables", rook]);
    assert_ne!(run.exits(0).json()[0]["white"]["method"], "table", "{run}");
    stillmate(&["check", "--no-tables", "--tables", &dir, rook]).exits(2);
}

#[test]
fn tables_that_cannot_be_used_are_reported() {
    let dir = directory("tables-unusable");
    stillmate(&["check", "-q", "--tables", &dir, MATED])
        .exits(2)
        .reports("there is no directory of tables");
    fs::create_dir_all(&dir).expect("directories can be made");
    fs::write(format!("{dir}/KRvK.helpmates"), "nothing").expect("files can be written");
    let rook = "8/8/8/8/8/2k5/8/1R2K3 b - -";
    let run = stillmate(&["check", "-q", "--tables", &dir, rook]);
    run.exits(2)
        .reports("KRvK.helpmates: not a table of this version of stillmate");
    assert_eq!(run.lines(), ["W-"], "{run}");
}
