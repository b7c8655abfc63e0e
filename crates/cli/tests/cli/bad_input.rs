//! Every kind of bad line gets one clear message, and the run goes on.

use crate::run::{BARE, QUEEN, command, file, stillmate, stillmate_with};

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
fn notes_on_the_set_up_of_a_game_are_told() {
    let game = |fen: &str| format!("\n[White \"A\"]\n[FEN \"{fen}\"]\n\n*\n");
    let mended = game("4k3/8/8/8/8/8/8/4K3 w K - 0 1");
    stillmate_with(&["game", "-q"], mended.as_bytes()).exits(2);
    let note = "stdin:2: note: dropped the impossible castling right of White";
    stillmate_with(&["game", "--lenient"], mended.as_bytes())
        .exits(0)
        .reports(note);
    let quiet = stillmate_with(&["game", "-q", "--lenient"], mended.as_bytes());
    quiet.exits(0).is_silent();
    let impossible = game("8/8/8/8/2N5/8/k1K5/1B6 b - - 0 1");
    stillmate_with(&["game", "-v"], impossible.as_bytes())
        .exits(0)
        .reports("stdin:2: note: cannot arise in a game");
    // The whole message, with what would be right at its end.
    let link = game("https://lichess.org/8/8/4k3/8/8/3K4/8/8_w_-_-_0_1");
    stillmate_with(&["game", "-q"], link.as_bytes())
        .exits(2)
        .reports("perhaps \"8/8/4k3/8/8/3K4/8/8 w - - 0 1\" is meant\n");
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
fn a_file_in_another_encoding_is_reported_once() {
    fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }
    fn utf32(text: &str, bytes: fn(u32) -> [u8; 4]) -> Vec<u8> {
        text.chars().map(u32::from).flat_map(bytes).collect()
    }
    let plain = format!("{BARE}\n{BARE}\n{BARE}\n");
    let marked = format!("\u{feff}{plain}");
    let game = "[Event \"?\"]\n\n1. e4 e5 *\n";
    for (bytes, name) in [
        (utf16(&marked, u16::to_le_bytes), "UTF-16"),
        (utf16(&marked, u16::to_be_bytes), "UTF-16"),
        (utf16(&plain, u16::to_le_bytes), "UTF-16"),
        (utf16(&plain, u16::to_be_bytes), "UTF-16"),
        (utf16(game, u16::to_le_bytes), "UTF-16"),
        (utf32(&marked, u32::to_le_bytes), "UTF-32"),
        (utf32(&marked, u32::to_be_bytes), "UTF-32"),
        (utf32(&plain, u32::to_le_bytes), "UTF-32"),
        (utf32(&plain, u32::to_be_bytes), "UTF-32"),
    ] {
        let message = format!("stdin: the file is {name}; save it as UTF-8\n");
        for command in [&["batch", "-q"][..], &["check"], &["game", "-q"]] {
            let run = stillmate_with(command, &bytes);
            run.exits(2);
            assert_eq!(run.stderr, message, "{run}");
        }
        let run = stillmate_with(&["verify", "-"], &bytes);
        run.exits(2).reports(&format!("the file is {name}"));
    }
}

#[test]
fn lines_may_end_with_carriage_returns() {
    let text = format!("# Macintosh\r\r{BARE} id \"1\";\r{BARE} id \"2\";\r");
    let run = stillmate_with(&["batch", "-q", "--format", "csv"], text.as_bytes());
    let rows = run.exits(0).lines();
    assert!(
        rows[1].starts_with("stdin,3,1,") && rows[2].starts_with("stdin,4,2,"),
        "{run}"
    );
    let run = stillmate_with(&["check", "-q"], text.as_bytes());
    assert_eq!(run.exits(0).stdout, "--\n--\n");
    let games = "[White \"A\"]\r\r1. e4 *\r\r[White \"B\"]\r\r1. Ke3 *\r";
    let run = stillmate_with(&["game", "-q"], games.as_bytes());
    run.exits(2)
        .reports("stdin:7: ply 1 (1.): Ke3 is not a legal move");
    // Where other lines end otherwise, it is a fault.
    rejected(
        format!("{BARE}\r{BARE}"),
        "the line contains a carriage return (CR); lines end with LF or CRLF",
    );
}

#[test]
fn what_was_perhaps_meant_is_told() {
    let bare = format!("{BARE} 0 1");
    let meant = format!("; perhaps \"{bare}\" is meant");
    for line in [
        format!("position fen {bare}"),
        format!("\"{bare}\""),
        format!("fen={bare}"),
        bare.replace(' ', "_"),
        format!("https://lichess.org/analysis/{}", bare.replace(' ', "_")),
        format!("lichess.org/editor/{}?color=white", bare.replace(' ', "_")),
        format!("https://chess.com/?fen={}", bare.replace(' ', "%20")),
        format!("[FEN \"{bare}\"]"),
        format!("17,{bare},draw"),
    ] {
        rejected(&line, "");
        let run = stillmate(&["check", &line]);
        run.exits(2).reports(&meant);
        assert_eq!(run.stderr.lines().count(), 1, "{run}");
    }
    let start = "perhaps \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\" is meant";
    for words in [
        &["check", "startpos"][..],
        &["check", "position", "startpos"],
    ] {
        stillmate(words).exits(2).reports(start);
    }
    for line in [
        "position startpos moves e2e4",
        &format!("{BARE} moves d3d4"),
    ] {
        rejected(line, "");
        let run = stillmate_with(&["check"], line.as_bytes());
        run.exits(2)
            .reports("moves are not played; give the position after them");
    }
    for line in ["[Event \"?\"]", "1. e4 e5 2. Nf3 Nc6", "3... Bb4 4. Nf3"] {
        rejected(line, "");
        stillmate_with(&["batch"], line.as_bytes())
            .exits(2)
            .reports("this looks like a game record (PGN); games are read by stillmate game");
    }
}

#[test]
fn the_board_is_judged_first() {
    rejected(
        "position fen 8/8/4k3/8/8/3K4/8/8 w - -",
        "a board has 8 ranks",
    );
    rejected("1. e4 e5 2. Nf3 Nc6", "a board has 8 ranks");
    rejected("8/8/4k3/8/8/8/8/8 w - - 0 1; x", "White has no king");
    rejected(
        "8/8/4k3/8/8/3K4/8/9 white - - x",
        "unknown man \"9\" in rank 1",
    );
    rejected("8/8/4k3/8/8/3K4/8 w", "a board has 8 ranks");
    // A semicolon may end the counters.
    let run = stillmate_with(&["batch", "-q"], format!("{BARE} 0 1;\n").as_bytes());
    run.exits(0).prints("hmvc 0; fmvn 1;");
}

#[test]
fn counters_out_of_range_are_rejected() {
    let range = "it must be a whole number, at most 4294967295";
    for (counters, message) in [
        ("4294967296 1", "halfmove clock is \"4294967296\""),
        (
            "0 99999999999999999999",
            "full move number is \"99999999999999999999\"",
        ),
        ("fmvn 4294967296;", "full move number is \"4294967296\""),
    ] {
        rejected(format!("{BARE} {counters}"), &format!("{message}; {range}"));
    }
    let run = stillmate(&["check", "--json", &format!("{BARE} 4294967295 4294967295")]);
    let fen = run.exits(0).json()[0]["fen"].clone();
    assert_eq!(fen, format!("{BARE} 4294967295 4294967295"));
    // Nothing is added to them beyond their range.
    let run = stillmate(&[
        "check",
        &format!("{} 4294967295 4294967295", QUEEN.replace(" w ", " b ")),
    ]);
    run.exits(0).prints("4294967295... ");
    for rule in ["--75", "--shortest"] {
        stillmate(&["check", rule, &format!("{QUEEN} 4294967295 4294967295")]).exits(0);
    }
    let game = format!("[FEN \"{QUEEN} 4294967295 4294967295\"]\n\n1. Kf7 Kh7 *\n");
    stillmate_with(&["game", "-q"], game.as_bytes()).exits(0);
}

#[test]
fn odd_spellings_get_a_note() {
    for (line, fen, note) in [
        (
            "8/8/4k3/8/17/3K4/8/8 w - - 0 1",
            "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
            "rank 4 counts empty squares by several numbers in a row, where one is usual",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K2R w KKQ - 0 1",
            "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            "a castling right is written twice",
        ),
        (
            "8/8/4k3/8/8/3K4/8/8 w - - 500 50",
            "8/8/4k3/8/8/3K4/8/8 w - - 500 50",
            "halfmove clock 500 at move 50, before which come at most 98 plies",
        ),
    ] {
        stillmate(&["check", line]).exits(0).prints(note);
        let run = stillmate(&["check", "--json", line]);
        let answer = &run.exits(0).json()[0];
        assert_eq!(answer["notes"], serde_json::json!([note]), "{run}");
        assert_eq!(answer["fen"], fen, "{run}");
        let run = stillmate_with(&["batch", "-v"], line.as_bytes());
        run.exits(0).reports(&format!("stdin:1: note: {note}"));
        assert!(!run.stderr.contains("cannot arise"), "{run}");
    }
}

/// An identifier that makes the line as long as it may be, and answers of every kind.
#[test]
fn what_is_written_can_be_read_again_at_any_length() {
    const LONGEST: usize = 1_000_000;
    let line = |length: usize| {
        let name = "x".repeat(length - QUEEN.len() - " id \"\";".len());
        format!("{QUEEN} id \"{name}\";")
    };
    // Without spaces between the operations, which are written.
    let dense = format!("{QUEEN} {}", "a;".repeat(LONGEST / 3 - 50));
    for (line, options) in [
        (line(LONGEST), &["--flag", "both"][..]),
        (
            line(LONGEST),
            &["--shortest", "--count", "--winner", "white"],
        ),
        (dense, &[]),
    ] {
        let command: Vec<&str> = [&["batch", "-q", "--threads", "1"], options].concat();
        let first = stillmate_with(&command, line.as_bytes());
        first.exits(0);
        let again = stillmate_with(&command, first.stdout.as_bytes());
        assert_eq!(again.exits(0).stdout, first.stdout, "{again}");
        let other = stillmate_with(&["batch", "-q", "--flag", "both"], first.stdout.as_bytes());
        stillmate_with(&["check", "-q"], other.exits(0).stdout.as_bytes()).exits(0);
    }
    rejected(
        line(LONGEST + 1),
        "the line has 1000001 bytes, more than 1000000",
    );
    // An answer of others, as long as a line can be: ours doesn't fit beside it.
    let full = format!("{QUEEN} pv {};", "x".repeat(4 * LONGEST - QUEEN.len() - 5));
    rejected(full, "the answer has 4000");
}

/// Parts of good and bad input of every kind, put together at random.
#[test]
fn whatever_the_bytes_are_there_is_one_message_for_a_line_or_file() {
    let parts: [&[u8]; 28] = [
        BARE.as_bytes(),
        QUEEN.as_bytes(),
        b"8/8/4k3/8/8/3K4/8/8",
        b" w - -",
        b" 0 1",
        b" 99999999999",
        b" id \"x\";",
        b" pv",
        b"\"",
        b";",
        b"\\",
        b"\r",
        b"\r\n",
        b"\0",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\x1f\x8b\x08",
        b"\x28\xb5\x2f\xfd",
        b"BZh91AY&SY",
        b"PK\x03\x04",
        b"startpos",
        b"moves",
        b"[FEN \"",
        b"1. e4",
        b"https://lichess.org/",
        b"%2",
        "é\u{2028}".as_bytes(),
        b"{\"format\":1}",
    ];
    let mut rng = fastrand::Rng::with_seed(13);
    let (mut lines, mut files) = (0, 0);
    for round in 0..150 {
        let mut input = Vec::new();
        for _ in 0..rng.usize(1..30) {
            for _ in 0..rng.usize(0..6) {
                match rng.u8(..8) {
                    0 => input.push(rng.u8(..)),
                    _ => input.extend_from_slice(parts[rng.usize(..parts.len())]),
                }
            }
            input.push(b'\n');
        }
        let command: &[&str] = match round % 3 {
            0 => &["batch", "-q", "--quick", "--nodes", "0"],
            1 => &["check", "-q", "--quick", "--nodes", "0"],
            _ => &["batch", "-q", "--quick", "--nodes", "0", "--lenient"],
        };
        let run = stillmate_with(command, &input);
        let input = input.escape_ascii();
        assert!(matches!(run.code, Some(0 | 2 | 3)), "{input}\n{run}");
        assert!(!run.stderr.contains("internal error"), "{input}\n{run}");
        let place = |message: &str| {
            let place = message.split(": ").next().unwrap_or_default();
            let number = place.strip_prefix("stdin:").map(str::parse::<u64>);
            let is_place = place == "stdin" || matches!(number, Some(Ok(_)));
            assert!(is_place, "{message}\n{input}\n{run}");
            place.to_owned()
        };
        let errors = run.stderr.lines().filter(|line| !line.contains(": note: "));
        let mut places: Vec<String> = errors.map(place).collect();
        files += usize::from(places == ["stdin"]);
        lines += usize::from(places.len() > 1);
        places.sort();
        places.dedup();
        let messages = run.stderr.lines().filter(|line| !line.contains(": note: "));
        assert_eq!(places.len(), messages.count(), "{input}\n{run}");
    }
    assert!(lines > 30 && files > 5, "{lines}, {files}");
}

/// What is waited for is told where somebody can read it.
#[cfg(unix)]
#[test]
fn a_terminal_is_told_what_is_waited_for() {
    use std::{
        fs::File,
        io::{BufRead, BufReader, Write},
        process::Stdio,
    };

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    for (args, message) in [
        (
            &["batch"][..],
            "stillmate: no file given; reading positions, one on a line, from the terminal",
        ),
        (
            &["game"],
            "stillmate: no file given; reading games in PGN from the terminal",
        ),
    ] {
        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&controller).unwrap();
        unlockpt(&controller).unwrap();
        let name = ptsname(&controller, Vec::new())
            .unwrap()
            .into_string()
            .unwrap();
        let terminal = File::options().read(true).write(true).open(name).unwrap();
        let mut child = command(args).stdin(Stdio::from(terminal)).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        assert!(line.starts_with(message), "{line}");
        // Ctrl-D.
        let mut controller = File::from(controller);
        controller.write_all(b"\x04").unwrap();
        assert!(child.wait().unwrap().success());
    }
    // Nothing is waited for silently, and nothing said, when the input is a pipe.
    stillmate_with(&["batch"], BARE.as_bytes()).exits(0);
    let run = stillmate_with(&["batch", "-q"], BARE.as_bytes());
    run.exits(0).is_silent();
}
