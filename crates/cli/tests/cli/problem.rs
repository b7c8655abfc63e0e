//! `check` as a solver of helpmate problems.

use serde_json::Value;

use crate::run::{file, stillmate, stillmate_with};

/// White mates in three moves, in two ways.
const TWO: &str = "8/3N4/8/B1p2p2/3np3/3pk3/8/7K b - -";

#[test]
fn all_solutions_are_listed_one_on_a_line() {
    let run = stillmate(&["check", "--all", "--winner", "white", TWO]);
    run.exits(0).is_silent();
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 4, "{run}");
    assert!(
        lines[1].starts_with("h#3, White mates: 2 solutions  ("),
        "{run}"
    );
    for line in &lines[2..] {
        assert!(line.starts_with("1.") && line.ends_with('#'), "{run}");
        assert!(line.contains(" 2.") && line.contains(" 3."), "{run}");
    }
    // Each is legal and mates; so much is tested with the engine's replay, too.
    let quiet = stillmate(&["check", "-q", "--all", "--winner", "white", TWO]);
    let quiet: Vec<&str> = quiet.exits(0).stdout.lines().collect();
    assert_eq!(quiet, lines[2..]);
}

#[test]
fn a_limit_is_told() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    stillmate(&["check", "--stipulation", "h#2", "--most", "3", start])
        .exits(0)
        .prints("h#2, Black mates: 8 solutions")
        .prints("the first 3 of 8 are listed; --most N lists more")
        .prints("1.f4 e5 2.g4 Qh4#\n");
    let tree = stillmate(&["check", "--stipulation", "h#2", "--all=tree", "-q", start]);
    tree.exits(0)
        .prints("1.f3\n")
        .prints("\n  1...e5 2.g4 Qh4#\n");
}

#[test]
fn lengths_may_be_longer_than_the_shortest() {
    let mate_in_one = "7k/8/5K2/6Q1/8/8/8/8 w - -";
    let run = stillmate(&["check", "--length", "1.5", mate_in_one]);
    run.exits(0)
        .prints("h#1.5, White mates: ")
        .prints("cook: h#0.5, 1 solution\n");
    stillmate(&["check", "--length", "0.5", mate_in_one])
        .exits(0)
        .prints("h#0.5, White mates: 1 solution")
        .prints("1...Qg7#");
    // Whole moves: the side to move is mated, and White, to move, isn't soon.
    stillmate(&["check", "--length", "1", mate_in_one])
        .exits(0)
        .prints("h#1, Black mates: no solution");
    stillmate(&["check", "--length", "1", "--winner", "white", mate_in_one])
        .exits(2)
        .reports("a h#1 by White begins with Black, and White is to move here")
        .reports("position 1");
}

#[test]
fn set_play_and_twins_are_solved() {
    // The king steps to g8, and the rook mates; with White to move it mates at once.
    let run = stillmate(&[
        "check",
        "--stipulation",
        "h#1",
        "--set-play",
        "--twin",
        "a1-b1",
        "--twin",
        "&g6-f6, +wQb2",
        "7k/8/6K1/8/8/8/8/R7 b - -",
    ]);
    run.exits(0)
        .prints("h#1, White mates: 1 solution")
        .prints("1.Kg8 Ra8#")
        .prints("set play\nh#0.5, White mates: 1 solution")
        .prints("1...Ra8#")
        .prints("b) a1-b1")
        .prints("1.Kg8 Rb8#")
        .prints("c) &g6-f6, +wQb2");
    stillmate(&["check", "--all", "--twin", "a1-b9", TWO])
        .exits(2)
        .reports("\"a1-b9\" is no change");
    stillmate(&["check", "--all", "--twin", "a1-b1", TWO])
        .exits(2)
        .reports("position 1: twin b, a1-b1: no man stands on a1");
}

#[test]
fn letters_and_notation_are_chosen() {
    let knights = "8/8/N7/8/8/6q1/3K2k1/3b4 b - -";
    let asked = ["check", "-q", "--stipulation", "h#8", "--letters"];
    let in_letters = |letters| {
        let run = stillmate(&[&asked[..], &[letters, knights]].concat());
        run.exits(0).stdout.trim_end().to_owned()
    };
    let english = in_letters("english");
    assert!(english.starts_with("1.Kf3 Kd3 2.Bb3 Kc3 3."), "{english}");
    assert!(english.ends_with("Nc2#"), "{english}");
    assert_eq!(in_letters("problem"), english.replace('N', "S"));
    assert_eq!(
        in_letters("figurines"),
        english
            .replace('K', "♔")
            .replace('N', "♘")
            .replace('B', "♗")
    );
    let run = stillmate(&[
        "check",
        "-q",
        "--stipulation",
        "h#8",
        "--notation",
        "san",
        knights,
    ]);
    run.exits(0).prints("1... Kf3 2. Kd3 Bb3 3. Kc3");
}

#[test]
fn problems_are_objects_in_json() {
    let run = stillmate(&[
        "check",
        "--json",
        "--stipulation",
        "h#3",
        "--set-play",
        TWO,
        "not a FEN at all",
    ]);
    run.exits(2);
    let answers: Vec<Value> = run.json();
    let part = &answers[0]["parts"][0];
    assert_eq!(part["part"], "diagram", "{run}");
    assert_eq!(part["stipulation"], "h#3", "{run}");
    assert_eq!(
        (&part["plies"], &part["count"]),
        (&6.into(), &"2".into()),
        "{run}"
    );
    assert_eq!(part["solutions"].as_array().unwrap().len(), 2, "{run}");
    assert_eq!(
        part["solutions"][0]["uci"].as_array().unwrap().len(),
        6,
        "{run}"
    );
    assert_eq!(answers[0]["parts"][1]["part"], "set play", "{run}");
    assert_eq!(answers[0]["parts"][1]["stipulation"], "h#2.5", "{run}");
    assert_eq!(answers[0]["error"], Value::Null, "{run}");
    assert!(answers[1]["error"].is_string(), "{run}");
}

#[test]
fn popeye_files_are_solved() {
    let text = "BeginProblem\nTitle Rook endings\nstipulation h#1 option setplay\n\
                pieces white kg6 ra1 black kh8\ntwin move a1 b1\n\
                NextProblem\nstip h#1 condition Circe pieces white kg6 ra1 black kh8\n\
                NextProblem\nstip h#1 option duplex pieces white kg6 ra1 black kh8 qa8\nEndProblem\n";
    let path = file("rooks.pye", text);
    let run = stillmate(&["check", "--input", "popeye", &path]);
    run.exits(2)
        .prints("Rook endings\n7k/8/6K1/8/8/8/8/R7 b - - 0 1")
        .prints("1.Kg8 Ra8#")
        .prints("set play")
        .prints("b) move a1 b1")
        .prints("duplex")
        .reports("rooks.pye:6: problem 2: the condition Circe isn't orthodox chess");
    let piped = stillmate_with(&["check", "--input", "popeye"], text.as_bytes());
    assert_eq!(
        piped.exits(2).stdout.lines().count(),
        run.stdout.lines().count()
    );
    stillmate(&["check", "--input", "popeye", "no/such/file"])
        .exits(2)
        .reports("no/such/file");
}

#[test]
fn a_budget_ends_a_problem_undetermined() {
    let hard = "8/8/8/5r2/8/b7/8/K4bkB b - -";
    stillmate(&["check", "--all", "--winner", "white", "--nodes", "2k", hard])
        .exits(3)
        .prints("White mates: not known how often; not in fewer than h#")
        .prints("--nodes raises it");
    stillmate(&["check", "--stipulation", "h#6", "--nodes", "2k", hard])
        .exits(3)
        .prints("h#6, White mates: not known how often: the budget of nodes ran out");
}

#[test]
fn what_is_for_verdicts_is_not_for_problems() {
    for option in [["--proof", "-"], ["--flag", "white"]] {
        let args = [&["check", "--all"], &option[..], &[TWO]].concat();
        stillmate(&args).exits(2).reports("for verdicts");
    }
}
