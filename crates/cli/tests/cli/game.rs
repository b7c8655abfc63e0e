//! Whole games: reports, formats, verdicts, faults, exit status.

use std::{io::Write, process::Command};

use crate::run::{file, python_chess, stillmate, stillmate_with};

const RULES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/rules.pgn");
const DRAWS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/draws.pgn");

/// White took the last man and won on time all the same.
const BARE: &str = "[Event \"bare\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\
                    [Termination \"Time forfeit\"]\n[FEN \"8/8/8/8/3k4/3P4/8/6K1 b - - 0 60\"]\n\n\
                    60... Kxd3 61. Kf2 Kd4 1-0\n\n";
const FOOL: &str = "[Event \"fool\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";
const BROKEN: &str = "[Event \"broken\"]\n[Result \"1-0\"]\n\n1. e4 e5\n2. Ke3 Nc6 1-0\n\n";

#[test]
fn a_game_is_reported_in_sentences() {
    let run = stillmate(&["game", "-q", DRAWS]);
    run.exits(0).is_silent();
    run.prints("ended after 124. Bg7: draw by stalemate, 5.2.1");
    run.prints("9.2.1 after 33... Rd5: White could claim a threefold repetition with Qe2 (before: at the beginning, after 32. Qe2); played 34. Qe2 without a claim");
    run.prints("9.2.2 after 34. Qe2: Black could claim a threefold repetition (before: at the beginning, after 32. Qe2)\n");
    run.prints("      8  . . . . . . . .\n      7  . . . . . K B k\n");
    run.prints("White can mate in 4 moves and 4 by Black\n");
    run.prints("9.3.2 after 121... Rb5+: White could claim fifty moves\n");
    run.prints("1/2-1/2 stands by 9.3.2: White could claim fifty moves");
    run.prints("ended after 100. Kxg4: draw, the position is dead, 5.2.2");
    run.prints("White has only its king");
    run.prints("judged by the Laws of 1971\n");
    run.prints("if White's flag falls: Black wins by 6.9: Black has more than a king\n");
    let today = stillmate(&["game", "-q", "--laws", "today", DRAWS]);
    today.prints("if White's flag falls: Black wins by 6.9: Black can still checkmate\n");
    today.prints("judged by the Laws of today\n");
}

#[test]
fn the_engine_speaks_only_if_asked() {
    let words = ["case ", "rung", "node", "ply", "plies"];
    let run = stillmate(&["game", DRAWS, RULES]);
    for word in words {
        let said = format!("{}{}", run.stdout, run.stderr);
        assert!(!said.contains(word), "{word}\n{run}");
    }
    stillmate(&["game", "-v", DRAWS]).prints("case 2: bishops of one square colour");
}

/// What the wrong results of a file are depends on the Laws of its day.
#[test]
fn only_the_laws_of_the_day_count() {
    let text = "[Date \"2013.05.05\"]\n[Result \"0-1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n\
                1. Kd2 0-1\n";
    let wrong = |more: &[&str]| {
        let args = [&["game", "--adjudicate", "--only", "wrong", "-q"], more].concat();
        stillmate_with(&args, text.as_bytes())
            .exits(0)
            .lines()
            .len()
    };
    assert_eq!((wrong(&[]), wrong(&["--laws", "today"])), (0, 1));
    let run = stillmate_with(&["game", "--adjudicate", "-q"], text.as_bytes());
    run.prints("0-1 stands by 5.1.2: taken as a resignation of White; by the Laws of 2013-05-05\n");
    let run = stillmate_with(&["game", "--format", "jsonl", "-q"], text.as_bytes());
    let found = &run.json()[0];
    assert_eq!(found["adjudication"]["laws"]["date"], "2013-05-05");
    assert_eq!(found["notes"], serde_json::json!([]));
}

#[test]
fn wrong_results_are_listed_and_fail_the_run_if_asked() {
    let text = [FOOL, BARE, FOOL].concat();
    let only = |more: &[&str]| {
        let args = [&["game", "--adjudicate", "--only", "wrong", "-q"], more].concat();
        stillmate_with(&args, text.as_bytes())
    };
    let run = only(&[]);
    run.exits(0).is_silent();
    assert_eq!(
        run.lines(),
        [
            "stdin:6: Ann - Bob, 1-0 is wrong, it should be 1/2-1/2 by 5.2.2: the position is dead \
             after 60... Kxd3; 2 moves were played after the end (8/8/8/8/8/3k4/8/6K1 w - - 0 61)"
        ]
    );
    only(&["--fail"]).exits(1);
    let run = stillmate_with(&["game", "--adjudicate", "--fail", "-q"], FOOL.as_bytes());
    run.exits(0).prints("stands by 5.1.1");
}

#[test]
fn json_has_everything() {
    let run = stillmate_with(&["game", "--format", "jsonl", "-q"], BARE.as_bytes());
    let found = &run.exits(0).json()[0];
    assert_eq!(found["line"], 1);
    assert_eq!(found["white"], "Ann");
    assert_eq!(found["date"], serde_json::Value::Null);
    assert_eq!(found["result"], "1-0");
    assert_eq!(found["plies"], 3);
    let end = &found["ends"][0];
    assert_eq!(
        (&end["plies"], &end["move"]),
        (&1.into(), &"60... Kxd3".into())
    );
    assert_eq!(
        (&end["rule"], &end["article"]),
        (&"dead".into(), &"5.2.2".into())
    );
    assert_eq!(found["played_on"], 2);
    assert_eq!(found["dead"]["case"], 1);
    assert_eq!(found["dead"]["white"], "White has only its king");
    assert_eq!(found["adjudication"]["verdict"], "wrong");
    assert_eq!(found["adjudication"]["should"], "1/2-1/2");
    assert_eq!(found["last"]["flag_white"], serde_json::Value::Null);

    let run = stillmate(&["game", "--format", "jsonl", "-q", DRAWS, RULES]);
    let games = run.exits(0).json();
    assert!(games[0]["file"].as_str().unwrap().ends_with("draws.pgn"));
    let fischer = &games[1];
    let claims = fischer["claims"].as_array().unwrap();
    assert_eq!(claims[0]["article"], "9.2.1");
    assert_eq!(claims[0]["moves"], serde_json::json!(["Qe2"]));
    assert_eq!(claims[0]["passed"], true);
    assert_eq!(claims[1]["player"], "Black");
    assert_eq!(claims[1]["passed"], false);
    assert_eq!(fischer["last"]["winnable"], "WB");
    assert_eq!(fischer["last"]["halfmove_clock"], 8);
    assert_eq!(fischer["last"]["flag_white"]["result"], "0-1");
}

#[test]
fn adjudication_alone_leaves_out_the_report() {
    let args = ["game", "--adjudicate", "--format", "jsonl", "-q"];
    let run = stillmate_with(&args, BARE.as_bytes());
    let found = &run.exits(0).json()[0];
    assert_eq!(found["adjudication"]["article"], "5.2.2");
    for key in [
        "ends",
        "played_on",
        "claims",
        "dead",
        "undetermined",
        "last",
    ] {
        assert_eq!(found[key], serde_json::Value::Null, "{key}");
    }
}

#[test]
fn csv_has_a_row_for_each_game() {
    let text = [FOOL, BROKEN, BARE].concat();
    let run = stillmate_with(&["game", "--format", "csv", "-q"], text.as_bytes());
    run.exits(2);
    let lines = run.lines();
    assert!(lines[0].starts_with("file,line,white,black,result,plies,ended_after,ended_by,"));
    assert!(
        lines[1].starts_with("stdin,1,,,0-1,4,4,5.1.1,0,-B,,,stands,0-1,5.1.1,"),
        "{}",
        lines[1]
    );
    assert!(
        lines[2].ends_with(",unjudged,,,the record breaks off,1,"),
        "{}",
        lines[2]
    );
    assert!(
        lines[3].starts_with("stdin,12,Ann,Bob,1-0,3,1,5.2.2,0,"),
        "{}",
        lines[3]
    );
    assert_eq!(lines.len(), 4);
}

#[test]
fn a_fault_is_reported_with_line_and_ply_and_the_rest_goes_on() {
    let text = [FOOL, BROKEN, FOOL].concat();
    let run = stillmate_with(&["game", "--adjudicate", "-q"], text.as_bytes());
    run.exits(2);
    run.reports("stdin:10: ply 3 (2.): Ke3 is not a legal move here\n");
    assert_eq!(run.lines().len(), 3);
    run.prints("1-0 is not judged: the record breaks off");
    let run = stillmate_with(&["game", "--only", "broken", "-q"], text.as_bytes());
    assert!(
        run.stdout
            .starts_with("stdin:6: ? - ?, broken\n  fault in line 10, ply 3 (2.): Ke3")
    );
    assert_eq!(run.stdout.matches("stdin:").count(), 1);
    // Text that is no game at all.
    stillmate_with(&["game", "-q"], b"\x00\x01garbage").exits(2);
    stillmate_with(&["game", "-q"], b"\xff\xfe[\x00E\x00")
        .exits(2)
        .reports("UTF-16");
    stillmate(&["game", "-q", "/nowhere.pgn", DRAWS])
        .exits(2)
        .reports("/nowhere.pgn: no such file")
        .prints("124. Bg7");
    stillmate_with(&["game", "-q"], b"").exits(0).is_silent();
}

#[test]
fn games_come_in_order_from_compressed_files_with_any_number_of_threads() {
    let text: String = (0..20_000)
        .map(|n| [FOOL, BARE, FOOL][n % 3].replace("Event \"", &format!("Event \"{n} ")))
        .collect();
    let lines = text.lines().count() as u64;
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(text.as_bytes()).unwrap();
    let packed = gz.finish().unwrap();
    let cut = file("cut.pgn.gz", &packed[..packed.len() / 2]);
    let gz = file("games.pgn.gz", packed);
    let zst = file(
        "games.pgn.zst",
        zstd::encode_all(text.as_bytes(), 1).unwrap(),
    );
    let run = |file: &str, threads: &str| {
        stillmate(&[
            "game",
            "--adjudicate",
            "--threads",
            threads,
            "-q",
            "--format",
            "jsonl",
            file,
        ])
    };
    let one = run(&gz, "1");
    let found: Vec<u64> = one
        .exits(0)
        .json()
        .iter()
        .map(|game| game["line"].as_u64().unwrap())
        .collect();
    assert!(found.is_sorted() && found.len() == 20_000);
    assert!(*found.last().unwrap() > lines - 20);
    assert_eq!(
        run(&zst, "3").exits(0).stdout.replace(&zst, &gz),
        one.stdout
    );
    let half = run(&cut, "0");
    half.exits(2).reports("the compressed data ends too early");
    assert!(
        half.lines().len() > 5000 && one.stdout.starts_with(&half.lines()[0].replace(&cut, &gz))
    );
}

#[test]
fn the_certificates_of_games_are_accepted() {
    let proofs = file("games.proofs", "");
    for (args, count) in [
        (&["game", "-q"][..], 20),
        (&["game", "--adjudicate", "-q"], 11),
    ] {
        let args = [args, &["--proofs", &proofs, RULES]].concat();
        stillmate(&args).exits(0);
        let run = stillmate(&["verify", "--json", &proofs]);
        let accepted = run.exits(0).json();
        assert_eq!(accepted.len(), count, "{}", run.stdout);
        assert!(
            accepted.iter().all(|one| one["verdict"] == "accepted"),
            "{}",
            run.stdout
        );
    }
    let run = stillmate(&["game", "--proofs", "-", "--format", "csv", RULES]);
    run.exits(2).reports("name a file");
}

#[test]
fn us_chess_reads_fallen_flags_more_narrowly() {
    let verdicts = |rules: &str| {
        let run = stillmate(&["game", "--adjudicate", "--rules", rules, "-q", RULES]);
        run.stdout.matches(" by US 14E").count()
    };
    assert_eq!((verdicts("fide"), verdicts("uscf")), (0, 5));
}

#[test]
fn the_seventy_five_move_rule_counts_if_asked() {
    let text = "[Result \"1-0\"]\n[Termination \"Time forfeit\"]\n\
                [FEN \"8/8/8/8/8/5k2/8/Q6K w - - 147 90\"]\n\n90. Kh2 1-0\n";
    let run = |more: &[&str]| stillmate_with(&[&["game", "-q"], more].concat(), text.as_bytes());
    run(&[]).exits(0).prints("1-0 stands by 6.9");
    let counted = run(&["--75"]);
    counted.prints("but not before the seventy-five-move rule ends the game\n");
    counted.prints("1-0 is wrong, it should be 1/2-1/2 by 6.9");
}

#[test]
fn an_ended_budget_is_told() {
    let text = "[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
    let args = [
        "game",
        "--adjudicate",
        "--nodes",
        "1",
        "--only",
        "undetermined",
        "-q",
    ];
    let run = stillmate_with(&args, text.as_bytes());
    run.exits(3).prints("1-0 is undetermined");
}

/// The script does the comparing. Without python-chess it says so, past what catches the output of
/// tests.
#[test]
fn python_chess_reads_the_same_games_and_agrees_on_repetitions_and_move_counts() {
    if !python_chess() {
        return;
    }
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../arbiter/tests/python_chess.py"
    );
    let run = Command::new("python3")
        .args([script, env!("CARGO_BIN_EXE_stillmate"), "150"])
        .output()
        .expect("python3 starts");
    assert!(
        run.status.success(),
        "{}{}",
        String::from_utf8_lossy(&run.stdout),
        String::from_utf8_lossy(&run.stderr)
    );
}

#[test]
fn the_rungs_of_the_ladder_are_counted_if_asked() {
    let run = stillmate_with(
        &["game", "--adjudicate", "-v"],
        [FOOL, BARE].concat().as_bytes(),
    );
    let lines: Vec<&str> = run.exits(0).stderr.lines().collect();
    let heading = lines.iter().position(|line| line.contains("rung  "));
    let rows = &lines[heading.unwrap_or_else(|| panic!("no table\n{run}"))..];
    assert!(rows[1].trim_start().starts_with("terminal "), "{run}");
    let plain = stillmate_with(&["game", "--adjudicate"], BARE.as_bytes());
    assert!(!plain.stderr.contains("rung  "), "{plain}");
}
