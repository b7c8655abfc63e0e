//! JSON, EPD and CSV as programs read them.

use serde_json::json;

use std::process::Command;

use crate::run::{
    BARE, BISHOP, MATED, QUEEN, Run, STALEMATE, file, python_chess, stillmate, stillmate_with,
};

#[test]
fn the_json_of_an_answer_has_the_documented_fields() {
    let run = stillmate_with(
        &["batch", "--format", "jsonl", "-q"],
        format!("\n{MATED} 4 60 id \"mate; \\\"quoted\\\"\";").as_bytes(),
    );
    let mut answer = run.exits(0).json().remove(0);
    for color in ["white", "black"] {
        let micros = answer[color].as_object_mut().unwrap().remove("micros");
        assert!(micros.is_some_and(|micros| micros.is_u64()), "{run}");
    }
    assert_eq!(
        answer,
        json!({
            "file": "stdin",
            "line": 2,
            "id": "mate; \"quoted\"",
            "fen": format!("{MATED} 4 60"),
            "winnable": "W-",
            "dead": false,
            "case": 8,
            "white": {
                "verdict": "winnable", "too_late": false, "plies": 0, "uci": [], "san": [],
                "at_least": null, "shortest": null, "lines": null, "budget": null,
                "method": "terminal", "certificate": null, "nodes": 0,
            },
            "black": {
                "verdict": "unwinnable", "too_late": false, "plies": null, "uci": null,
                "san": null, "at_least": null, "shortest": null, "lines": null, "budget": null,
                "method": "terminal", "certificate": null, "nodes": 0,
            },
            "rule": "5.1.1",
            "flag": null,
            "notes": [],
            "error": null,
        })
    );
}

#[test]
fn the_json_of_a_bad_line_stands_in_its_place() {
    let input = format!("{BARE}\n8/8 w - -\n{BARE}\n");
    let run = stillmate_with(&["batch", "--format", "jsonl", "-q"], input.as_bytes());
    let answers = run.exits(2).json();
    assert_eq!(
        answers[1],
        json!({
            "file": "stdin", "line": 2, "id": null, "fen": null, "winnable": null, "dead": null,
            "case": null, "white": null, "black": null, "rule": null, "flag": null, "notes": [],
            "error": "a board has 8 ranks with \"/\" between them, this one has 2",
        })
    );
    assert_eq!(answers[2]["line"], 3);
    let check = stillmate_with(&["check", "--json"], input.as_bytes());
    assert_eq!(check.exits(2).json()[1], answers[1]);
    // An argument stands in no file.
    let check = stillmate(&["check", "--json", BARE, "8/8 w - -"]);
    let bad = check.exits(2).json().remove(1);
    assert_eq!((&bad["file"], &bad["line"]), (&json!(null), &json!(2)));
    assert_eq!(bad["error"], answers[1]["error"]);
}

#[test]
fn the_json_of_check_and_batch_is_the_same() {
    let without_times = |run: &Run| {
        let mut answer = run.exits(0).json().remove(0);
        for color in ["white", "black"] {
            answer[color].as_object_mut().unwrap().remove("micros");
        }
        answer
    };
    let batch = stillmate_with(&["batch", "--format", "jsonl"], STALEMATE.as_bytes());
    let check = stillmate_with(&["check", "--json"], STALEMATE.as_bytes());
    assert_eq!(without_times(&batch), without_times(&check));
}

#[test]
fn the_rule_follows_from_the_verdicts() {
    let rule = |args: &[&str]| {
        let run = stillmate(&[&["check", "--json"], args].concat());
        run.json()[0]["rule"].clone()
    };
    assert_eq!(rule(&[BARE]), "5.2.2");
    assert_eq!(rule(&[STALEMATE]), "5.2.1");
    assert_eq!(rule(&[MATED]), "5.1.1");
    // Black has a bare king: if White's flag falls, the game is drawn.
    let queen = "7k/8/5K2/6Q1/8/8/8/8 w - -";
    assert_eq!(
        rule(&[queen, "--winner", "black"]),
        "6.9 if White's flag falls"
    );
    let black_queen = "8/8/8/8/6q1/5k2/8/7K b - -";
    assert_eq!(
        rule(&[black_queen, "--winner", "white"]),
        "6.9 if Black's flag falls"
    );
    assert_eq!(
        rule(&[queen, "--winner", "white", "--quick", "--nodes", "0"]),
        json!(null)
    );
}

#[test]
fn epd_keeps_the_operations_of_the_line() {
    let line = format!(
        "{BARE} hmvc 3; c0 \"a ; \\\" b\"; winnable \"WB\"; x_own 1 2.5 e4; flag; acn 9; case \"7\";"
    );
    let run = stillmate_with(&["batch", "-q"], line.as_bytes());
    run.exits(0);
    assert_eq!(
        run.stdout,
        format!(
            "{BARE} hmvc 3; c0 \"a ; \\\" b\"; winnable \"--\"; x_own 1 2.5 e4; flag; acn 0; \
             case \"1\"; dead 1;\n"
        )
    );
    // The counters of a FEN become operations.
    let run = stillmate_with(&["batch", "-q"], format!("{BARE} 7 33").as_bytes());
    run.exits(0)
        .prints(&format!("{BARE} hmvc 7; fmvn 33; winnable \"--\"; dead 1;"));
}

#[test]
fn epd_out_can_be_read_again() {
    let input = format!("{BARE}\n{MATED}\n{STALEMATE} 1 2\n");
    let once = stillmate_with(&["batch", "-q"], input.as_bytes());
    let twice = stillmate_with(&["batch", "-q"], once.exits(0).stdout.as_bytes());
    assert_eq!(twice.exits(0).stdout, once.stdout);
    let run = stillmate_with(&["batch", "--expect"], once.stdout.as_bytes());
    run.exits(0).prints("3 as expected");
}

#[test]
fn an_operation_of_an_earlier_run_goes_where_this_one_has_no_value_for_it() {
    let input = format!("{QUEEN}\n{MATED}\n");
    let args = ["batch", "-q", "--shortest", "--count", "--no-tables"];
    let once = stillmate_with(&args, input.as_bytes());
    once.exits(0).prints("minw 1; linesw 1; pvw \"Qg7#\";");
    let args = ["batch", "-q", "--quick", "--nodes", "0"];
    let twice = stillmate_with(&args, once.stdout.as_bytes());
    let again = stillmate_with(&args, input.as_bytes());
    let operations = |run: &Run| -> Vec<Vec<String>> {
        let sorted = |line: &str| {
            let mut words: Vec<String> = line.split(';').map(str::trim).map(String::from).collect();
            words[1..].sort();
            words
        };
        run.stdout.lines().map(sorted).collect()
    };
    assert_eq!(operations(twice.exits(3)), operations(&again));
}

#[test]
fn moves_are_quoted_but_for_the_standards_own_pv() {
    let promotion = "7k/4P3/6K1/8/8/8/8/8 w - - id \"x\";";
    let both = stillmate_with(&["batch", "-q"], promotion.as_bytes());
    both.exits(0).prints("pvw \"e8=Q#\"; acn");
    let white = ["batch", "-q", "--winner", "white"];
    let white = stillmate_with(&white, promotion.as_bytes());
    white.exits(0).prints("pv e8=Q#; acn");
}

/// python-chess reads all that is printed, and understands the operations as they are meant.
#[test]
fn python_chess_reads_the_epd() {
    if !python_chess() {
        return;
    }
    let promotion = "7k/4P3/6K1/8/8/8/8/8 w - -";
    let castling = "5k1K/8/8/8/8/8/6P1/R6R b - - 3 40 c0 \"a \\\"b\\\"; c\";";
    let input = [BARE, BISHOP, STALEMATE, MATED, QUEEN, promotion, castling].join("\n");
    for options in [
        &[][..],
        &["--flag", "both"],
        &["--winner", "white"],
        &["--winner", "black", "--flag", "white"],
        &["--quick", "--nodes", "0"],
        &["--shortest", "--count", "--no-tables"],
        &["--shortest", "--count", "--no-tables", "--winner", "white"],
    ] {
        let epd = stillmate_with(&[&["batch", "-q"], options].concat(), input.as_bytes());
        let json = [&["batch", "-q", "--format", "jsonl"], options].concat();
        let answers = stillmate_with(&json, input.as_bytes()).stdout;
        assert_eq!(epd.lines().len(), 7, "{epd}");
        let files = [
            file("python-chess.epd", &epd.stdout),
            file("python-chess.jsonl", answers),
        ];
        let read = Command::new("python3")
            .args(["-c", READ_WITH_PYTHON_CHESS])
            .args(files)
            .output()
            .expect("python3 starts");
        let error = String::from_utf8_lossy(&read.stderr);
        assert!(read.status.success(), "{options:?}: {error}\n{epd}");
    }
}

/// Reads the EPD of a batch and compares it with its JSON.
const READ_WITH_PYTHON_CHESS: &str = r#"
import chess, json, sys

def line(board, moves):
    """The board after a series of moves in standard algebraic notation."""
    for san in moves:
        board.push_san(san)
    return board

epd, answers = (open(path).read().splitlines() for path in sys.argv[1:])
for text, answer in zip(epd, map(json.loads, answers), strict=True):
    board, operations = chess.Board.from_epd(text)
    assert operations["winnable"] == answer["winnable"], text
    assert operations.get("dead") == (None if answer["dead"] is None else int(answer["dead"])), text
    assert operations.get("case") == (answer["case"] and str(answer["case"])), text
    colours = {"w": answer["white"], "b": answer["black"]}
    asked = {side: found for side, found in colours.items() if found}
    assert operations["acn"] == sum(found["nodes"] for found in asked.values()), text
    for side, found in asked.items():
        suffix = side if len(asked) == 2 else ""
        assert operations.get("min" + suffix) == found["at_least"], text
        lines = found["lines"]
        assert operations.get("lines" + suffix) == (lines and int(lines)), text
        moves = operations.get("pv" + suffix, [])
        if isinstance(moves, str):
            moves = moves.split()
        else:
            moves = [move.uci() for move in moves]
            assert moves == (found["uci"] or []), text
            moves = found["san"] or []
        assert moves == (found["san"] or []), text
        if moves:
            assert line(board.copy(), moves).is_checkmate(), text
    for side, name in (("w", "white"), ("b", "black")):
        flag = answer["flag"] and answer["flag"][name]
        expected = flag and f"{flag['result']} by {flag['article']}"
        assert operations.get("flag" + side) == expected, text
"#;

#[test]
fn csv_has_a_header_and_quotes_what_needs_it() {
    let input = format!("{MATED} id \"a, \\\"b\\\"\";\nnonsense\n{BARE}\n");
    let run = stillmate_with(&["batch", "--format", "csv", "-q"], input.as_bytes());
    run.exits(2);
    assert_eq!(
        run.lines()[0],
        "file,line,id,fen,winnable,dead,case,\
         white_method,white_plies,white_at_least,white_lines,\
         black_method,black_plies,black_at_least,black_lines,\
         flag_white,flag_black,nodes,micros,error"
    );
    let rows = run.csv();
    assert_eq!(rows.len(), 3, "{run}");
    let fen = format!("{MATED} 0 1");
    for (name, value) in [
        ("file", "stdin"),
        ("line", "1"),
        ("id", "a, \"b\""),
        ("fen", &fen),
        ("winnable", "W-"),
        ("dead", "false"),
        ("case", "8"),
        ("white_method", "terminal"),
        ("white_plies", "0"),
        ("white_at_least", ""),
        ("black_method", "terminal"),
        ("black_plies", ""),
        ("flag_white", ""),
        ("nodes", "0"),
        ("error", ""),
    ] {
        assert_eq!(rows[0][name], value, "{name}");
    }
    assert_eq!((&*rows[1]["file"], &*rows[1]["line"]), ("stdin", "2"));
    assert_eq!(rows[1]["winnable"], "");
    assert!(rows[1]["error"].starts_with("1 of the 4 fields"), "{run}");
    assert_eq!((&*rows[2]["dead"], &*rows[2]["error"]), ("true", ""));
}

#[test]
fn csv_has_the_same_columns_for_all_options() {
    let args = ["batch", "-q", "--format", "csv"];
    let plain = stillmate_with(&args, QUEEN.as_bytes());
    let more = ["--flag", "black", "--shortest", "--count", "--no-tables"];
    let more = stillmate_with(&[&args[..], &more].concat(), QUEEN.as_bytes());
    let header = |run: &Run| run.exits(0).lines()[0].to_owned();
    assert_eq!(header(&plain), header(&more));
    let row = &more.csv()[0];
    assert_eq!((&*row["white_at_least"], &*row["white_lines"]), ("1", "1"));
    assert_eq!((&*row["flag_white"], &*row["flag_black"]), ("", "1-0"));
}
