//! `--expect`: answers against labels.

use crate::run::{BARE, MATED, QUEEN, STALEMATE, stillmate_with};

fn expect(input: &str) -> crate::run::Run {
    stillmate_with(&["batch", "--expect"], input.as_bytes())
}

#[test]
fn labels_that_are_right_are_only_counted() {
    let input = format!(
        "{BARE} winnable \"--\"; case \"1\";\n{MATED} winnable \"W-\";\n{STALEMATE} \
         winnable \"??\"; case \"5\";\n{BARE} id \"no label\";\n"
    );
    let run = expect(&input);
    run.exits(0);
    assert_eq!(
        run.lines(),
        ["4 positions: 3 as expected, 0 contradicted, 0 undetermined, 1 without label"],
        "{run}"
    );
}

#[test]
fn a_contradiction_is_printed_and_fails() {
    let input = format!(
        "{BARE} winnable \"W-\"; id \"a\";\n{BARE} winnable \"-?\";\n{MATED} winnable \"?B\";\n\
         {MATED} winnable \"W-\"; case \"3\";\nnonsense\n"
    );
    let run = expect(&input);
    run.exits(1)
        .prints(&format!(
            "stdin:1: contradicted: winnable \"W-\" expected, \"--\" found: {BARE} winnable \
             \"W-\"; id \"a\";\n"
        ))
        .prints("stdin:3: contradicted: winnable \"?B\" expected, \"W-\" found: ")
        .prints("stdin:4: contradicted: case 3 expected, 8 found: ")
        .prints("4 positions: 1 as expected, 3 contradicted, 0 undetermined, 0 without label")
        .reports("stdin:5: 1 of the 4 fields");
    assert_eq!(run.lines().len(), 4, "{run}");
}

#[test]
fn undetermined_lines_are_printed() {
    let args = ["batch", "--expect", "--nodes", "0", "--quick"];
    let run = stillmate_with(&args, format!("{QUEEN} winnable \"W-\";").as_bytes());
    run.exits(3)
        .prints("stdin:1: undetermined: winnable \"W-\" expected, \"?-\" found: ")
        .prints("1 position: 0 as expected, 0 contradicted, 1 undetermined");
}

#[test]
fn a_label_that_cannot_be_read_is_bad_input() {
    for label in ["WW", "W", "--!", "B-", "winnable"] {
        let run = expect(&format!(
            "{BARE} winnable \"{label}\";\n{BARE} winnable \"--\";"
        ));
        run.exits(2)
            .reports(&format!(
                "stdin:1: winnable \"{label}\" is no label; use two characters"
            ))
            .prints("1 position: 1 as expected");
    }
    let run = expect(&format!("{BARE} case \"9\";"));
    run.exits(2)
        .reports("stdin:1: case \"9\" is no row of the case table; use 1 to 8");
    // Without --expect nobody reads the labels.
    stillmate_with(&["batch"], format!("{BARE} winnable \"WW\";").as_bytes()).exits(0);
}

#[test]
fn only_colours_asked_about_are_compared() {
    let input = format!("{MATED} winnable \"WB\"; case \"1\";");
    let args = ["batch", "--expect", "--winner", "white"];
    stillmate_with(
        &args,
        input
            .replace("case \"1\"; ", "")
            .replace(" case \"1\";", "")
            .as_bytes(),
    )
    .exits(0);
    let args = ["batch", "--expect", "--winner", "black"];
    stillmate_with(&args, input.as_bytes()).exits(1);
}

#[test]
fn with_a_format_answers_are_printed_and_contradictions_reported() {
    let input = format!("{BARE} winnable \"W-\";\n{MATED} winnable \"W-\";\n");
    let args = ["batch", "--expect", "--format", "jsonl", "-q"];
    let run = stillmate_with(&args, input.as_bytes());
    run.exits(1).reports("stdin:1: contradicted: ");
    assert_eq!(run.json().len(), 2, "{run}");
    let args = ["batch", "--expect", "-q"];
    let run = stillmate_with(&args, input.as_bytes());
    assert_eq!(
        run.exits(1).lines().len(),
        1,
        "the contradiction alone\n{run}"
    );
}
