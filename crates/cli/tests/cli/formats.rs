//! JSON, EPD and CSV as programs read them.

use serde_json::json;

use crate::run::{BARE, MATED, STALEMATE, stillmate, stillmate_with};

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
            "line": 2,
            "id": "mate; \"quoted\"",
            "fen": format!("{MATED} 4 60"),
            "winnable": "W-",
            "dead": false,
            "case": 8,
            "white": {
                "verdict": "winnable", "plies": 0, "uci": [], "san": [],
                "method": "terminal", "nodes": 0,
            },
            "black": {"verdict": "unwinnable", "method": "terminal", "nodes": 0},
            "rule": "5.1.1",
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
        json!({"line": 2, "error": "a board has 8 ranks with \"/\" between them, this one has 2"})
    );
    assert_eq!(answers[2]["line"], 3);
    let check = stillmate(&["check", "--json", BARE, "8/8 w - -"]);
    assert_eq!(check.exits(2).json()[1], answers[1]);
}

#[test]
fn the_json_of_check_and_batch_is_the_same() {
    let without_times = |run: &crate::run::Run| {
        let mut answer = run.exits(0).json().remove(0);
        for color in ["white", "black"] {
            answer[color].as_object_mut().unwrap().remove("micros");
        }
        answer
    };
    let batch = stillmate_with(&["batch", "--format", "jsonl"], STALEMATE.as_bytes());
    let check = stillmate(&["check", "--json", STALEMATE]);
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
fn csv_has_a_header_and_quotes_what_needs_it() {
    let input = format!("{MATED} id \"a, \\\"b\\\"\";\nnonsense\n{BARE}\n");
    let run = stillmate_with(&["batch", "--format", "csv", "-q"], input.as_bytes());
    run.exits(2);
    let mut reader = csv::Reader::from_reader(run.stdout.as_bytes());
    let header: Vec<String> = reader
        .headers()
        .unwrap()
        .iter()
        .map(str::to_owned)
        .collect();
    assert_eq!(
        header.join(","),
        "line,id,fen,winnable,dead,case,white_method,white_plies,black_method,black_plies,nodes,\
         micros,error"
    );
    let rows: Vec<Vec<String>> = reader
        .records()
        .map(|row| row.unwrap().iter().map(str::to_owned).collect())
        .collect();
    assert_eq!(rows.len(), 3, "{run}");
    let fen = format!("{MATED} 0 1");
    assert_eq!(
        rows[0][..11],
        [
            "1", "a, \"b\"", &fen, "W-", "false", "8", "terminal", "0", "terminal", "", "0"
        ]
    );
    assert_eq!((rows[1][0].as_str(), rows[1][3].as_str()), ("2", ""));
    assert!(rows[1][12].starts_with("1 of the 4 fields"), "{run}");
    assert_eq!((rows[2][4].as_str(), rows[2][12].as_str()), ("true", ""));
}
