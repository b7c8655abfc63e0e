//! `stillmate check`: positions as arguments, explained.

use crate::run::{BARE, BISHOP, MATED, QUEEN, STALEMATE, stillmate, stillmate_with};

#[test]
fn a_dead_position_is_drawn_and_explained() {
    let run = stillmate(&["check", BISHOP]);
    run.exits(0)
        .prints("6  . . . . k . . .\n")
        .prints("3  . . . K B . . .\n")
        .prints("   a b c d e f g h\n")
        .prints("(Black to move)")
        .prints("White  cannot mate: a king and a bishop cannot mate a bare king")
        .prints("Black  cannot mate: Black has only its king")
        .prints("Dead position (5.2.2), case 2: bishops of one square colour against a bare king.")
        .prints("If White's flag falls: draw by 5.2.2: the game is over")
        .is_silent();
}

#[test]
fn mate_and_stalemate_on_the_board_are_named() {
    stillmate(&["check", MATED])
        .exits(0)
        .prints("White  has mated")
        .prints("Black  cannot mate: Black is checkmated")
        .prints("Checkmate (5.1.1), case 8")
        .prints(
            "If White's flag falls: White wins by 5.1.1: the game is over, White has checkmated.",
        );
    stillmate(&["check", STALEMATE])
        .exits(0)
        .prints("White  cannot mate: it is stalemate")
        .prints("Stalemate (5.2.1), case 5");
}

#[test]
fn a_helpmate_is_shown_with_move_numbers() {
    let run = stillmate(&["check", &format!("{QUEEN} 0 60"), "--winner", "white", "-v"]);
    run.exits(0)
        .prints("White  can mate in ")
        .prints("\n       60. ")
        .prints("Not dead, case 8")
        .prints("If Black's flag falls: White wins by 6.9: White can still checkmate.");
    let moves = run
        .stdout
        .lines()
        .find(|line| line.contains(" 60. "))
        .unwrap();
    assert!(moves.trim_end().ends_with('#'), "{run}");
}

#[test]
fn the_rungs_of_the_ladder_are_counted_if_asked() {
    let run = stillmate(&["check", "-v", BISHOP, STALEMATE]);
    let rows: Vec<Vec<&str>> = run
        .exits(0)
        .stderr
        .lines()
        .map(|line| line.split_whitespace().take(4).collect())
        .collect();
    let heading = vec!["rung", "tried", "can", "never"];
    // Each position has a table of its own, on both of its questions.
    let expected = [
        heading.clone(),
        vec!["terminal", "2", "0", "0"],
        vec!["material", "2", "0", "2"],
        heading,
        vec!["terminal", "2", "0", "2"],
    ];
    assert_eq!(rows, expected, "{run}");
}

#[test]
fn a_fen_may_come_as_words() {
    let quoted = stillmate(&["check", "-q", BARE, &format!("{BISHOP} 5 80"), MATED]);
    assert_eq!(quoted.exits(0).stdout, "--\n--\nW-\n");
    let mut words = vec!["check", "-q"];
    words.extend(BARE.split(' '));
    words.extend(BISHOP.split(' '));
    words.extend(["5", "80"]);
    words.extend(MATED.split(' '));
    assert_eq!(stillmate(&words).exits(0).stdout, quoted.stdout);
    // Options may stand anywhere.
    words.extend(["--winner", "white"]);
    assert_eq!(stillmate(&words).exits(0).stdout, "-?\n-?\nW?\n");
}

#[test]
fn a_dash_reads_lines_between_other_positions() {
    let input = format!("# comment\n{MATED}\nnonsense\n{BISHOP}\n");
    let mut words = vec!["check", "-q"];
    words.extend(BARE.split(' '));
    words.extend(["-", STALEMATE]);
    let run = stillmate_with(&words, input.as_bytes());
    run.exits(2).reports("stdin:3: 1 of the 4 fields");
    assert_eq!(run.stdout, "--\nW-\n--\n--\n");
    // No position at all is the same as a dash.
    let run = stillmate_with(&["check", "-q"], input.as_bytes());
    assert_eq!(run.exits(2).stdout, "W-\n--\n");
}

#[test]
fn a_bad_position_does_not_stop_the_others() {
    let run = stillmate(&["check", "-q", "8/8/8/8 w - -", BARE]);
    run.exits(2)
        .reports("position 1: a board has 8 ranks with ");
    assert_eq!(run.stdout, "--\n");
}

#[test]
fn a_fallen_flag_is_adjudicated() {
    let run = stillmate(&["check", "--flag", "white", "--winner", "black", QUEEN]);
    run.exits(0).prints(
        "If White's flag falls: draw by 6.9: Black cannot checkmate by any possible series of \
         legal moves.",
    );
    assert!(!run.stdout.contains("If Black's flag falls"), "{run}");
    let run = stillmate(&["check", "--quick", QUEEN]);
    run.exits(3)
        .prints("White  not proven: ")
        .prints("Whether the position is dead is not known.")
        .prints("If Black's flag falls: undetermined: it is not known whether White can still");
    let run = stillmate(&["check", "--flag", "both", "-q", QUEEN]);
    assert_eq!(run.exits(0).stdout, "1/2-1/2\n1-0\n");
    let args = [
        "check", "--flag", "black", "-q", "--quick", "--nodes", "0", QUEEN,
    ];
    assert_eq!(stillmate(&args).exits(3).stdout, "*\n");
}

#[test]
fn colours_are_used_when_asked_for() {
    let escape = "\u{1b}[";
    assert!(!stillmate(&["check", BARE]).exits(0).stdout.contains(escape));
    stillmate(&["check", "--color", "always", BARE])
        .exits(0)
        .prints(escape);
    assert!(
        !stillmate(&["check", "--color", "never", BARE])
            .stdout
            .contains(escape)
    );
}

/// White needs some moves to mate with the queen.
const SLOW: &str = "8/8/8/8/8/5k2/8/Q6K b - - 148 90";

#[test]
fn the_seventy_five_move_rule_counts_if_asked() {
    let plain = stillmate(&["check", SLOW]);
    plain.exits(0).prints("White  can mate in");
    plain.prints("too long for the seventy-five-move rule from halfmove clock 148");
    let run = stillmate(&["check", "--75", SLOW]);
    run.exits(0).prints("White  cannot mate in time");
    run.prints("No mate in time (9.6.2).");
    run.prints("If Black's flag falls: draw by 6.9: White cannot checkmate before");
    let run = stillmate(&["check", "--75", "--json", SLOW]);
    let found = &run.exits(0).json()[0];
    assert_eq!(
        (&found["winnable"], &found["rule"]),
        (&"--".into(), &"9.6.2".into())
    );
    assert_eq!(
        (&found["dead"], &found["case"]),
        (&true.into(), &serde_json::Value::Null)
    );
    assert_eq!(found["white"]["verdict"], "unwinnable");
    assert_eq!(found["white"]["too_late"], true);
    assert_eq!(found["black"]["too_late"], false);
    // In time.
    let early = SLOW.replace("148", "100");
    let run = stillmate(&["check", "--75", &early]);
    run.exits(0).prints("White  can mate in").prints("Not dead");
    assert!(!run.stdout.contains("too long"));
    let input = format!("{SLOW}\n{early}\n");
    let run = stillmate_with(&["batch", "--75", "-q", "--only", "dead"], input.as_bytes());
    assert_eq!(run.exits(0).lines().len(), 1);
    run.prints("winnable \"--\"; dead 1;");
}

#[test]
fn us_chess_reads_fallen_flags_by_the_same_code_as_for_games() {
    let knight = "4k2r/8/8/8/8/8/8/4K1N1 b - -";
    let fide = stillmate(&["check", "--flag", "black", knight]);
    fide.exits(0)
        .prints("If Black's flag falls: White wins by 6.9: White can still checkmate.\n");
    let uscf = stillmate(&["check", "--flag", "black", "--rules", "uscf", knight]);
    uscf.exits(0)
        .prints("If Black's flag falls: draw by US 14E2: White has king and a single");
    let run = stillmate(&[
        "check", "--json", "--rules", "uscf", "--flag", "both", knight,
    ]);
    let found = &run.json()[0];
    assert_eq!(found["rule"], "US 14E2 if Black's flag falls");
    assert_eq!(found["flag"]["white"]["article"], "US 13C");
    // The Laws of the game itself don't depend on it.
    let run = stillmate(&["check", "--rules", "uscf", BARE]);
    run.prints("draw by 5.2.2: the game is over, the position is dead");
}
