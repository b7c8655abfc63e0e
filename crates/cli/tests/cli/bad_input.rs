//! Every kind of bad line gets one clear message, and the run goes on.

use crate::run::{BARE, file, stillmate, stillmate_with};

/// `bad` in the middle of a batch: the message must contain `message`, the lines around it
/// must be answered, and the exit status must be 2.
#[track_caller]
fn rejected(bad: impl AsRef<[u8]>, message: &str) {
    let mut input = format!("{BARE}\n").into_bytes();
    input.extend_from_slice(bad.as_ref());
    input.extend_from_slice(format!("\n{BARE}\n").as_bytes());
    let run = stillmate_with(&["batch", "-q"], &input);
    run.exits(2).reports(&format!("stdin:2: {message}"));
    assert_eq!(run.stderr.lines().count(), 1, "one line\n{run}");
    assert_eq!(run.lines().len(), 2, "the others are answered\n{run}");
}

#[test]
fn text_that_is_no_position() {
    rejected("8/8/4k3/8/8/3K4/8/8 w -", "3 of the 4 fields");
    rejected("hello", "1 of the 4 fields");
    rejected(
        "8/8/4k3/8/8/3K4/8 w - -",
        "a board has 8 ranks with \"/\" between them, this one has 7",
    );
    rejected(
        "8/8/4k3/8/8/3K4/8/8/8 w - -",
        "a board has 8 ranks with \"/\" between them, this one has 9",
    );
    rejected(
        "8/8/4k3/8/8/4p4/3K4/8 w - -",
        "rank 3 (\"4p4\") describes 9 squares, a rank has 8",
    );
    rejected(
        "8/8/4k3/8/8/3K3/8/8 w - -",
        "rank 3 (\"3K3\") describes 7 squares, a rank has 8",
    );
    rejected(
        "7x/8/4k3/8/8/3K4/8/8 w - -",
        "unknown man \"x\" in rank 8; use KQRBNP and kqrbnp",
    );
    rejected("9/8/4k3/8/8/3K4/8/8 w - -", "unknown man \"9\" in rank 8");
    rejected(
        "8/8/4k3/8/8/3K4/8/8[Q] w - -",
        "unknown man \"[\" in rank 1",
    );
    rejected(
        "8/8/4k3/8/8/3K4/8/8 x - -",
        "side to move is \"x\"; it must be w or b",
    );
    rejected(
        "8/8/4k3/8/8/3K4/8/8 w KX -",
        "castling is \"KX\"; it must be",
    );
    rejected(
        "8/8/4k3/8/8/3K4/8/8 w - e9",
        "en passant square is \"e9\"; it must be",
    );
    rejected(
        "8/8/4k3/8/8/3K4/8/8 w - - x 1",
        "\"x 1\" after the position is neither a move counter nor an operation",
    );
    rejected(
        "8/8/4k3/8/8/3K4/8/8 w - - 1.5 1",
        "halfmove clock is \"1.5\"; it must be a whole number",
    );
    rejected(
        "8/8/4k3/8/8/3K4/8/8 w - - 0 -1",
        "full move number is \"-1\"; it must be a whole number",
    );
    rejected(
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1 more",
        "\"more\" after the position is neither a move counter nor an operation",
    );
    rejected(
        "8/8/4k3/8/8/3K4/8/8 w - - id \"a;",
        "a quotation mark is missing after \"\\\"a;\"",
    );
    rejected(
        "8/8/4k3/8/8/3K4/8/8 w - - hmvc many;",
        "halfmove clock is \"many\"",
    );
}

#[test]
fn men_that_no_game_has() {
    rejected(
        "8/8/4k3/8/8/8/8/8 w - -",
        "White has no king; each side has exactly one",
    );
    rejected(
        "8/8/8/8/8/8/8/8 w - -",
        "White has no king; each side has exactly one; Black has no king",
    );
    rejected(
        "8/8/4k3/8/8/3KK3/8/8 w - -",
        "White has 2 kings; each side has exactly one",
    );
    rejected(
        "8/8/4k3/8/NNNNNNNN/NNNNNNNN/3K4/8 w - -",
        "White has 17 men; a side has at most 16",
    );
    rejected(
        "8/pppppppp/p3k3/8/8/3K4/8/8 w - -",
        "Black has 9 pawns; a side has at most 8",
    );
    rejected(
        "7P/8/4k3/8/8/3K4/8/p7 w - -",
        "pawn on a1 and h8; pawns stand on ranks 2 to 7",
    );
}

#[test]
fn a_check_that_was_ignored() {
    rejected(
        "4k3/8/8/8/4R3/8/8/4K3 w - -",
        "Black is in check although it is White's turn; the game could not be here",
    );
    rejected(
        "8/8/8/8/8/4k3/4K3/8 w - -",
        "Black is in check although it is White's turn",
    );
}

#[test]
fn castling_rights_that_do_not_fit() {
    rejected(
        "4k3/8/8/8/8/8/8/4K3 w K -",
        "castling right of White with the rook on h1, but there is no such rook",
    );
    rejected(
        "4k3/8/8/8/8/8/4K3/7R w K -",
        "castling right of White with the rook on h1, but the king is not at home",
    );
    rejected(
        "r2k4/8/8/8/8/8/8/R3K3 w Qq -",
        "castling right of Black with the rook on a8, but the other side castles from other files",
    );
    rejected(
        "4k3/8/8/8/8/8/8/4K1RR w GH -",
        "castling right of White with the rook on g1, but another rook on the same side",
    );
}

#[test]
fn en_passant_squares_that_do_not_fit() {
    rejected(
        "4k3/8/8/8/8/8/8/4K3 w - e3",
        "en passant square e3 with White to move, but it must be on rank 6",
    );
    rejected(
        "4k3/8/8/8/8/8/8/4K3 w - e6",
        "en passant square e6 with White to move, but no pawn of the other side stands on e5",
    );
    rejected(
        "4k3/4p3/8/4p3/8/8/8/4K3 w - e6",
        "en passant square e6 with White to move, but e7 is occupied",
    );
}

#[test]
fn an_en_passant_square_without_a_capture_is_no_fault() {
    // What many programs write after every double step.
    let fen = "8/8/8/4p3/8/8/5Kbp/7k w - e6";
    let run = stillmate(&["check", "--json", "--quick", "--nodes", "0", fen]);
    run.is_silent();
    assert_eq!(run.json()[0]["fen"], format!("{fen} 0 1"));
}

#[test]
fn lenient_drops_what_does_not_fit_and_says_so() {
    let line = "8/8/8/8/8/8/4k3/r3K3 b Q e3 3 9";
    stillmate(&["check", line]).exits(2);
    let run = stillmate(&[
        "check",
        "--json",
        "--lenient",
        "4k3/8/8/8/8/8/8/4K3 w K e6 3 9",
    ]);
    run.exits(0);
    let answer = &run.json()[0];
    assert_eq!(answer["fen"], "4k3/8/8/8/8/8/8/4K3 w - - 3 9");
    assert_eq!(
        answer["notes"],
        serde_json::json!([
            "dropped the impossible castling right of White with the rook on h1",
            "dropped the impossible en passant square e6"
        ])
    );
    let input = file("lenient.epd", "4k3/8/8/8/8/8/8/4K3 w K - id \"x\";");
    let run = stillmate(&["batch", "--lenient", &input]);
    run.exits(0)
        .reports("lenient.epd:1: note: dropped the impossible castling right")
        .prints("4k3/8/8/8/8/8/8/4K3 w - - id \"x\"; winnable \"--\";");
}

#[test]
fn positions_that_cannot_arise_are_answered_with_a_note() {
    let check = "cannot arise in a game: no last move gives this check";
    for (fen, note) in [
        (
            "4k3/8/8/8/1B1B1B1B/B1B1B1B1/1B1B4/4K3 w - -",
            "cannot arise in a game: more pieces than promotions allow",
        ),
        ("R2k3R/1R6/8/8/8/8/8/4K3 b - -", check),
        ("8/8/8/8/2N5/8/k1K5/1B6 b - -", check),
        ("8/8/8/8/8/2b1k1b1/8/3RKR2 w - -", check),
        ("8/8/8/8/8/1k6/b1b5/RKR5 w - -", check),
        ("5B2/7r/5K1k/7r/8/4B3/8/8 b - -", check),
        (
            "kB6/P7/1K6/8/8/8/8/8 w - -",
            "cannot arise in a game: no last move leads here",
        ),
    ] {
        stillmate(&["check", fen]).exits(0).prints(note);
        let run = stillmate(&["check", "--json", fen]);
        run.exits(0);
        assert_eq!(run.json()[0]["notes"], serde_json::json!([note]), "{run}");
        let input = format!("{fen}\n{BARE}\n");
        let run = stillmate_with(&["batch"], input.as_bytes());
        run.exits(0).reports("1 position cannot arise in a game");
    }
}

#[test]
fn chess960_castling_is_no_fault() {
    for fen in [
        "rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1",
        "rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1",
    ] {
        let run = stillmate(&["check", "-q", "--nodes", "0", "--quick", fen]);
        assert_ne!(run.code, Some(2), "{run}");
        run.is_silent();
    }
}

#[test]
fn what_editors_and_tools_leave_in_files_is_accepted() {
    let text = format!(
        "\u{feff}# a comment\r\n\r\n  \t\r\n{BARE}  \t\r\n\t{}\r\n   # another\n{BARE} 0 1",
        BARE.replace(' ', "\t")
    );
    let run = stillmate_with(&["batch", "--format", "csv", "-q"], text.as_bytes());
    run.exits(0).is_silent();
    let rows = run.csv();
    let lines: Vec<&str> = rows.iter().map(|row| &*row["line"]).collect();
    assert_eq!(lines, ["4", "5", "7"], "{run}");
}

#[test]
fn lines_that_are_no_text() {
    rejected(b"\xff\xfe8/8 w - -", "the line is not UTF-8 at byte 1");
    rejected(
        "8/8/4k3/8/8/3K4/8/8 w - -\0",
        "the line contains a NUL byte",
    );
    rejected(
        "8/".repeat(5_000_000),
        "the line has 10000000 bytes, more than 1000000; it is no position",
    );
}

#[test]
fn a_message_shows_little_of_a_long_line_and_no_control_characters() {
    let run = stillmate(&["check", &format!("\u{1b}[31m{} w - -", "x".repeat(5000))]);
    run.exits(2)
        .reports("a board has 8 ranks with \"/\" between them, this one has 1");
    let run = stillmate(&[
        "check",
        &format!("8/8/8/8/8/8/8/\u{1b}[31m{} w - -", "8".repeat(900)),
    ]);
    run.exits(2).reports("unknown man \"\\u{1b}\"");
    let run = stillmate(&["check", &format!("8/8/8/8/8/8/8/{} w - -", "8".repeat(900))]);
    run.exits(2).reports("describes 7200 squares");
    assert!(run.stderr.len() < 200, "{run}");
}

#[test]
fn a_file_in_utf16_is_reported_once() {
    let text: Vec<u8> = [0xfeff_u16]
        .into_iter()
        .chain(format!("{BARE}\n{BARE}\n").encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    let run = stillmate_with(&["batch", "-q"], &text);
    run.exits(2)
        .reports("stdin:1: the file is UTF-16; save it as UTF-8");
    assert_eq!(run.stderr.lines().count(), 1, "{run}");
}
