//! What is read and what is refused: each sentence of `docs/certificates.md` about the formats,
//! by both checkers.

use stillmate_core::{Color, MaterialRule};
use stillmate_proof::{BatchReader, Certificate, FormatError, Limits, Step, verify};

use crate::{
    second::second_opinions,
    support::{certificate, position},
};

/// White has a bare king.
const BARE: &str = r#"{"format":1,"program":"x","position":"4k3/8/8/8/8/8/8/4K3 w - - 0 1","claim":"white","steps":[{"material":"bare-king"}]}"#;

/// The same with another position.
fn with_position(fen: &str) -> String {
    BARE.replace("4k3/8/8/8/8/8/8/4K3 w - - 0 1", fen)
}

/// The same with other steps, or one of its steps more.
fn with_steps(steps: &str) -> String {
    BARE.replace(r#"[{"material":"bare-king"}]"#, steps)
}

/// The same with a step that nothing refers to, so that it need only be readable.
fn beside(step: &str) -> String {
    with_steps(&format!(r#"[{{"material":"bare-king"}},{step}]"#))
}

/// One that lists the moves of a rook and a king that may castle, after which Black still has a
/// bare king.
fn moves(fen: &str) -> String {
    let start = position(fen);
    let moves = start.legal_moves().into_iter().map(|m| (m, 1));
    let steps = vec![
        Step::Moves(moves.collect()),
        Step::Material(MaterialRule::BareKing),
    ];
    certificate(start, Color::Black, steps).to_json()
}

/// What of certificates is accepted, and why.
fn accepted() -> Vec<String> {
    let castling = moves("4k3/8/8/8/8/8/8/4K2R w K -");
    assert!(castling.contains("e1g1"), "{castling}");
    let by_rook = moves("4k3/8/8/8/8/8/8/5K1R w K -");
    assert!(by_rook.contains("f1h1"), "{by_rook}");
    let men = r#"[{"piece":"K","squares":"a1 b1"},{"piece":"k","squares":""}]"#;
    let kings = r#"{"claim_to_move":[["a1","c3"],["b1",""]],"other_to_move":[],"after_king":[]}"#;
    let mut all = vec![BARE.to_owned(), castling, by_rook];
    // Spaces between, fields in any order, letters written by their number.
    all.push(format!(
        " \t\r\n{} ",
        BARE.replace(',', " ,\n").replace(':', ": ")
    ));
    all.push(
        BARE.replace(r#""format":1,"#, "")
            .replace("]}", r#"],"format":1}"#),
    );
    all.push(BARE.replace("bare-king", r"b\u0061re-king"));
    // Four fields, five or six.
    for fen in [
        "4k3/8/8/8/8/8/8/4K3 w - -",
        "4k3/8/8/8/8/8/8/4K3 w - - 0",
        "4k3/8/8/8/8/8/8/4K3 w - - 00 0",
        "4k3/8/8/8/8/8/8/4K3 w - - 99999999999999999999 1",
        // What no game leads to: nine pawns, three checks, rights of a king beside no rook's
        // file and of kings on different files, and of kings on the a file.
        "4k3/pppppppp/p7/8/8/8/8/4K3 w - -",
        "4k3/8/8/8/4r3/8/6n1/r3K3 w - -",
        "3k3r/8/8/8/8/8/8/4K3 w k -",
        "k6r/8/8/8/8/8/8/4K3 w k -",
        // Rights by the outermost rook or by the file.
        "r3k2r/8/8/8/8/8/8/4K3 w kq -",
        "r3k2r/8/8/8/8/8/8/4K3 w qk -",
        "r3k2r/8/8/8/8/8/8/4K3 w ah -",
        "1r2kr1r/8/8/8/8/8/8/4K3 w fq -",
        // An en passant square, though there is nothing to take.
        "4k3/8/8/3p4/8/8/8/4K3 w - d6",
    ] {
        all.push(with_position(fen));
    }
    for step in [
        r#""terminal""#.to_owned(),
        // Invariants and classes that make no sense, and empty lists.
        r#"{"invariant":{"men":[]}}"#.to_owned(),
        r#"{"classes":{"classes":[],"exits":[]}}"#.to_owned(),
        format!(r#"{{"invariant":{{"men":{men},"opposed":[],"castling":""}}}}"#),
        format!(r#"{{"invariant":{{"men":{men},"opposed":[[0,7]],"en_passant":"e4"}}}}"#),
        r#"{"invariant":{"men":[{"piece":"p","squares":"a1","lost":false,"promotes":true}]}}"#
            .to_owned(),
        format!(r#"{{"classes":{{"classes":[{{"men":{men},"kings":{kings}}}],"exits":[]}}}}"#),
        r#"{"closed":{"positions":18446744073709551615,"exits":[]}}"#.to_owned(),
        // The same exit twice.
        r#"{"closed":{"positions":0,"exits":[2,2]}},{"invariant":{"men":[]}}"#.to_owned(),
    ] {
        all.push(beside(&step));
    }
    // More positions than there are; no moves in a stalemate.
    all.push(with_steps(r#"[{"closed":{"positions":5,"exits":[]}}]"#));
    let stalemate = with_position("4k3/8/8/8/8/1q6/8/K7 w - -");
    all.push(stalemate.replace(r#"{"material":"bare-king"}"#, r#"{"moves":[]}"#));
    all
}

/// What is refused.
fn refused() -> Vec<String> {
    let castling = moves("4k3/8/8/8/8/8/8/4K2R w K -");
    let mut all = vec![
        format!("{BARE} x"),
        format!("{BARE}{BARE}"),
        format!("[{BARE}]"),
        BARE.replace('{', "[").replace('}', "]"),
        r#"[1,"x","4k3/8/8/8/8/8/8/4K3 w - - 0 1","white",[{"material":"bare-king"}]]"#.to_owned(),
        BARE.replace(r#""format":1"#, r#""format":1,"format":1"#),
        BARE.replace(r#""format":1"#, r#""format":1.0"#),
        BARE.replace(r#""format":1"#, r#""format":"1""#),
        BARE.replace(r#""format":1"#, r#""format":true"#),
        BARE.replace(r#""program":"x","#, ""),
        BARE.replace(r#""x""#, "null"),
        BARE.replace(r#""x""#, r#""x","date":"today""#),
        BARE.replace(r#""white""#, r#""White""#),
        // A move named in another way.
        castling.replace("e1g1", "e1h1"),
        castling.replace("e1g1", "O-O"),
        castling.replace("e1g1", "E1G1"),
        castling.replace("e1g1", " e1g1"),
        castling.replace(r#"["e1g1",1]"#, r#"["e1g1",1,1]"#),
        castling.replace(r#"["e1g1",1]"#, r#"["e1g1"]"#),
        castling.replace(r#"["e1g1",1]"#, r#"["e1g1",1],["e1g1",1]"#),
    ];
    for fen in [
        "",
        "4k3/8/8/8/8/8/8/4K3",
        "4k3/8/8/8/8/8/8/4K3 w",
        "4k3/8/8/8/8/8/8/4K3 w -",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 1",
        " 4k3/8/8/8/8/8/8/4K3 w - -",
        "4k3/8/8/8/8/8/8/4K3 w - - ",
        "4k3/8/8/8/8/8/8/4K3  w - -",
        r"4k3/8/8/8/8/8/8/4K3\tw - -",
        "4k3/8/8/8/8/8/8/4K3_w_-_-",
        // Fields of variants.
        "4k3/8/8/8/8/8/q~7/4K3 w - -",
        "4k3/8/8/8/8/8/8/4K3[] w - -",
        "4k3/8/8/8/8/8/8/4K3/q w - -",
        "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1",
        // Fields that are none.
        "4k3/8/8/8/8/8/4K3 w - -",
        "4k3/8/8/8/8/8/8/4K2 w - -",
        "4k3/8/8/8/8/8/8/4K4 w - -",
        "4k3/8/8/44/8/8/8/4K3 w - -",
        "4k3/8/8/0p7/8/8/8/4K3 w - -",
        "4k3/8/8/x7/8/8/8/4K3 w - -",
        "4k3/8/8/8/8/8/8/4K3 W - -",
        "4k3/8/8/8/8/8/8/4K3 - - -",
        "4k3/8/8/8/8/8/8/4K3 w  -",
        "4k3/8/8/8/8/8/8/4K3 w -- -",
        "r3k2r/8/8/8/8/8/8/4K3 w kk -",
        "r3k2r/8/8/8/8/8/8/4K3 w kh -",
        "r3k2r/8/8/8/8/8/8/4K3 w kq- -",
        "r3k2r/8/8/8/8/8/8/R3K3 w kQ -",
        "r1r1k2r/8/8/8/8/8/8/4K3 w ach -",
        "4k3/8/8/3p4/8/8/8/4K3 w - D6",
        "4k3/8/8/3p4/8/8/8/4K3 w - d7",
        "4k3/8/8/8/8/8/8/4K3 w - - -1",
        "4k3/8/8/8/8/8/8/4K3 w - - +1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1.5",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 x",
        // Positions that are none: men, kings, pawns, a check to who has moved.
        "4k3/rrrrrrrr/rrrrrrrr/8/8/8/8/4K3 w - -",
        "8/8/8/8/8/8/8/4K3 w - -",
        "4k3/8/8/8/8/8/8/3KK3 w - -",
        "4k3/8/8/8/8/8/8/p3K3 w - -",
        "3kK3/8/8/8/8/8/8/8 w - -",
        "4k3/8/8/8/8/8/8/4K3 w k -",
        "8/4k3/8/8/8/8/8/4K2r w k -",
        "8/4k2r/8/8/8/8/8/4K3 w k -",
        "rr2k3/8/8/8/8/8/8/4K3 w ab -",
        "4k3/8/8/8/8/8/8/4K3 w - d6",
        "4k3/8/3n4/3p4/8/8/8/4K3 w - d6",
        "4k3/3n4/8/3p4/8/8/8/4K3 w - d6",
        "4k3/8/8/8/8/3p4/8/4K3 w - d3",
    ] {
        all.push(with_position(fen));
    }
    for step in [
        r#"{"terminal":null}"#,
        r#"{"terminal":[]}"#,
        r#"["terminal"]"#,
        r#""material""#,
        r#""moves""#,
        r#""Terminal""#,
        "null",
        "{}",
        r#"{"material":"bare-king","terminal":null}"#,
        r#"{"material":"bare-king","material":"bare-king"}"#,
        r#"{"material":null}"#,
        r#"{"moves":{}}"#,
        // A list of moves that no moves lead to.
        r#"{"moves":[]}"#,
        r#"{"closed":{"positions":1}}"#,
        r#"{"closed":{"exits":[]}}"#,
        r#"{"closed":{"positions":1,"exits":null}}"#,
        r#"{"closed":{"positions":1,"exits":[],"exits":[]}}"#,
        r#"{"closed":[1,[]]}"#,
        r#"{"closed":{"positions":1.0,"exits":[]}}"#,
        r#"{"closed":{"positions":1e0,"exits":[]}}"#,
        r#"{"closed":{"positions":-0,"exits":[]}}"#,
        r#"{"closed":{"positions":-1,"exits":[]}}"#,
        r#"{"closed":{"positions":01,"exits":[]}}"#,
        r#"{"closed":{"positions":"1","exits":[]}}"#,
        r#"{"closed":{"positions":true,"exits":[]}}"#,
        r#"{"closed":{"positions":18446744073709551616,"exits":[]}}"#,
        r#"{"classes":{"classes":[]}}"#,
        r#"{"classes":[[],[]]}"#,
        // References that aren't to later steps or to such as may be exits.
        r#"{"closed":{"positions":1,"exits":[1]}}"#,
        r#"{"closed":{"positions":1,"exits":[0]}}"#,
        r#"{"closed":{"positions":1,"exits":[2]}},"terminal""#,
        r#"{"classes":{"classes":[],"exits":[3]}}"#,
        r#"{"classes":{"classes":[],"exits":[2]}},{"classes":{"classes":[],"exits":[]}}"#,
    ] {
        all.push(beside(step));
    }
    for (from, to) in [
        (r#""lost":true"#, r#""lost":null"#),
        (r#""lost":true"#, r#""lost":1"#),
        (r#""lost":true"#, r#""lost":"true""#),
        (r#""lost":true"#, r#""lost":true,"lost":true"#),
        (r#""lost":true"#, r#""taken":true"#),
        (r#""piece":"K""#, r#""piece":"KK""#),
        (r#""piece":"K""#, r#""piece":"X""#),
        (r#""piece":"K""#, r#""piece":"""#),
        (r#""piece":"K","#, ""),
        (
            r#"{"piece":"K","squares":"a1 b1","lost":true}"#,
            r#"["K","a1 b1",true]"#,
        ),
        (r#""squares":"a1 b1""#, r#""squares":null"#),
        (r#""squares":"a1 b1""#, r#""squares":["a1","b1"]"#),
        (r#""squares":"a1 b1","#, ""),
        ("a1 b1", "a1  b1"),
        ("a1 b1", " a1 b1"),
        ("a1 b1", "a1 b1 "),
        ("a1 b1", r"a1\tb1"),
        ("a1 b1", "a1,b1"),
        ("a1 b1", "a1 a1"),
        ("a1 b1", "A1 b1"),
        ("a1 b1", "a1 b9"),
        (r#""opposed":[[0,1]]"#, r#""opposed":null"#),
        (r#""opposed":[[0,1]]"#, r#""opposed":[0,1]"#),
        (r#""opposed":[[0,1]]"#, r#""opposed":[[0,1,2]]"#),
        (r#""opposed":[[0,1]]"#, r#""opposed":[[0,-1]]"#),
        (r#""castling":"h1""#, r#""castling":null"#),
        (r#""castling":"h1""#, r#""castling":"K""#),
        (r#""en_passant":"e3""#, r#""en_passant":null"#),
        (r#""en_passant":"e3""#, r#""en_passant":"""#),
        (r#""en_passant":"e3""#, r#""en_passant":"-""#),
        (r#""en_passant":"e3""#, r#""en_passant":"e3 e6""#),
    ] {
        let step = r#"{"invariant":{"men":[{"piece":"K","squares":"a1 b1","lost":true}],"opposed":[[0,1]],"castling":"h1","en_passant":"e3"}}"#;
        assert!(step.contains(from), "{from}");
        all.push(beside(&step.replace(from, to)));
    }
    for (from, to) in [
        (r#"[["e1","c3"]]"#, r#"[["e1","c3"],["e1","c4"]]"#),
        (r#"[["e1","c3"]]"#, r#"[["e1","c3",""]]"#),
        (r#"[["e1","c3"]]"#, r#"[["e1 e2","c3"]]"#),
        (r#"[["e1","c3"]]"#, r#"{"e1":"c3"}"#),
        (r#","after_king":[]"#, ""),
        (r#","after_king":[]"#, r#","after_king":null"#),
        (r#","after_king":[]"#, r#","after_king":[],"then":[]"#),
        (
            r#"{"claim_to_move":[["e1","c3"]],"other_to_move":[],"after_king":[]}"#,
            r#"[[["e1","c3"]],[],[]]"#,
        ),
        (r#""men":[],"#, ""),
    ] {
        let step = r#"{"classes":{"classes":[{"men":[],"kings":{"claim_to_move":[["e1","c3"]],"other_to_move":[],"after_king":[]}}],"exits":[]}}"#;
        assert!(step.contains(from), "{from}");
        all.push(beside(&step.replace(from, to)));
    }
    all.push(with_steps("[]"));
    all.push(with_steps("null"));
    all.push(with_steps("{}"));
    all
}

/// What this checker says of a text.
fn verdict(text: &str) -> Result<(), String> {
    let limits = Limits::default();
    let read = Certificate::from_json(text, &limits).map_err(|error| error.to_string())?;
    let verdict = verify(&read, &limits).map_err(|refusal| refusal.to_string());
    verdict.map(drop)
}

#[test]
fn what_the_page_says_is_accepted_and_refused() {
    let (accepted, refused) = (accepted(), refused());
    let mut wrong = Vec::new();
    for text in &accepted {
        wrong.extend(verdict(text).err().map(|fault| format!("{fault}: {text}")));
    }
    wrong.extend(refused.iter().filter(|text| verdict(text).is_ok()).cloned());
    // A line is a certificate for the other checker.
    let one_line = |text: &String| text.replace(['\n', '\r'], " ");
    let lines: Vec<_> = accepted.iter().chain(&refused).map(one_line).collect();
    if let Some(opinions) = second_opinions(&lines) {
        assert_eq!(opinions.len(), lines.len());
        for (place, (line, opinion)) in lines.iter().zip(opinions).enumerate() {
            let expected = place < accepted.len();
            if (opinion == "accepted") != expected {
                wrong.push(format!("{opinion}: {line}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The same of bytes: one way to write each number, and nothing where nothing is.
#[test]
fn bytes_are_written_in_one_way() {
    let steps = vec![
        Step::Material(MaterialRule::BareKing),
        Step::Closed {
            positions: 1,
            exits: vec![],
        },
    ];
    let whole = certificate(position("4k3/8/8/8/8/8/8/4K3 w - -"), Color::White, steps);
    let bytes = whole.to_bytes();
    let read = |bytes: &[u8]| Certificate::from_bytes(bytes, &Limits::default());
    assert_eq!(read(&bytes).expect("a certificate"), whole);
    // The last four bytes are the kind, the positions and the number of exits, of which the
    // positions can be written longer.
    let closed = bytes.len() - 3;
    assert_eq!(bytes[closed..], [3, 1, 0]);
    for (end, good) in [
        (&[3, 1, 0][..], true),
        (&[3, 0x7f, 0], true),
        (&[3, 0x80, 1, 0], true),
        (&[3, 0x81, 0, 0], false),
        (&[3, 1, 0x80, 0], false),
        (
            &[
                3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0,
            ],
            true,
        ),
        (
            &[
                3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0,
            ],
            false,
        ),
        (
            &[
                3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x81, 0, 0,
            ],
            false,
        ),
        (&[3, 1, 0, 0], false),
        (&[3, 1], false),
        (&[6, 1, 0], false),
        // An invariant with a man: a kind and marks that don't exist.
        (
            &[
                4, 1, 0x16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64,
            ],
            true,
        ),
        (
            &[
                4, 1, 0x17, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64,
            ],
            false,
        ),
        (
            &[
                4, 1, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64,
            ],
            false,
        ),
        (
            &[
                4, 1, 0x46, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64,
            ],
            false,
        ),
        (
            &[
                4, 1, 0x86, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64,
            ],
            false,
        ),
        (
            &[
                4, 1, 0x16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 65,
            ],
            false,
        ),
    ] {
        let changed = [&bytes[..closed], end].concat();
        assert_eq!(read(&changed).is_ok(), good, "{end:x?}");
    }
    // The position is read as in JSON.
    let mut underscored = bytes.clone();
    underscored[21] = b'_';
    assert!(matches!(read(&underscored), Err(FormatError::Fen(_))));
    // A batch may be by any program, and of no other version.
    let batch = [
        &b"STMC\x01\x02\xff\xff"[..],
        &(bytes.len() as u32).to_le_bytes(),
        &bytes,
    ];
    let batch = batch.concat();
    let all = BatchReader::new(&batch[..], Limits::default()).expect("a batch");
    assert_eq!(all.filter(Result::is_ok).count(), 1);
    let other = [&b"STMC\x02"[..], &batch[5..]].concat();
    assert!(BatchReader::new(&other[..], Limits::default()).is_err());
}
