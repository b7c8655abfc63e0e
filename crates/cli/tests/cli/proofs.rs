//! Certificates: written by `check --proof` and `batch --proofs`, checked by `verify`.

use serde_json::{Value, json};

use crate::run::{BARE, BISHOP, MATED, QUEEN, Run, STALEMATE, file, stillmate, stillmate_with};

/// Closed for both: an invariant.
const LOCKED: &str = "8/8/3k1p1p/2p1pPpP/1pP1P1P1/pP1B4/P3K3/8 w - -";
/// Another, with bare kings between the pawns.
const PAWNS: &str = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - -";
/// Closed for White by several classes of positions.
const CLASSES: &str = "8/7p/k4p1P/5p1K/5Pp1/6P1/6P1/8 w - -";
/// Black's only move takes the queen.
const FORCED: &str = "6Qk/8/8/8/8/8/8/4K3 b - -";

/// A name for a file of this test alone.
fn path(name: &str) -> String {
    file(name, "")
}

/// The certificates that `check --proof` prints for `fen`.
#[track_caller]
fn certificates(fen: &str) -> Vec<Value> {
    let run = stillmate(&["check", "--proof", "-", fen]);
    run.exits(0).json()
}

/// The words of a run of `verify` that say what became of each certificate.
fn verdicts(run: &Run) -> Vec<String> {
    let verdict = |answer: &Value| answer["verdict"].as_str().unwrap_or("bad").to_owned();
    run.json().iter().map(verdict).collect()
}

/// Checks that `verify` says so of `certificate`, and why.
#[track_caller]
fn refused(certificate: &Value, code: i32, verdict: &str, reason: &str) {
    let text = certificate.to_string();
    let run = stillmate_with(&["verify", "--json", "-"], text.as_bytes());
    run.exits(code);
    assert_eq!(verdicts(&run), [verdict], "{run}");
    run.prints(reason);
}

#[test]
fn what_check_writes_is_accepted() {
    let proofs = path("accepted.json");
    let positions = [LOCKED, BARE, MATED, STALEMATE, FORCED, PAWNS];
    let run = stillmate(&[&["check", "-q", "--proof", &proofs], &positions[..]].concat());
    assert_eq!(run.exits(0).stdout, "--\n--\nW-\n--\n--\n--\n");
    let run = stillmate(&["verify", &proofs]);
    run.exits(0)
        .prints(&format!(
            "{proofs}:1: accepted: White can never mate from {LOCKED} 0 1  (1 step, "
        ))
        .prints(&format!(
            "{proofs}:5: accepted: Black can never mate from {MATED} 0 1  (1 step, "
        ))
        .reports("11 certificates in ")
        .reports("11 accepted, 0 rejected, 0 could not be checked\n");
    assert_eq!(run.lines().len(), 11, "{run}");
    // Quiet about what is in order.
    let run = stillmate(&["verify", "-q", &proofs]);
    assert_eq!(run.exits(0).is_silent().stdout, "");
}

#[test]
fn what_batch_writes_is_the_same_in_bytes() {
    let input = format!("{LOCKED}\nnonsense\n{MATED}\n{FORCED}\n{QUEEN}\n").repeat(50);
    let bytes = path("batch.proofs");
    for threads in ["1", "3"] {
        let args = ["batch", "--winner", "black", "--threads", threads];
        let args = [&args[..], &["--proofs", &bytes, "--format", "csv"]].concat();
        let run = stillmate_with(&args, input.as_bytes());
        assert_eq!(run.exits(2).lines().len(), 251, "{run}");
        let verify = stillmate(&["verify", "--json", &bytes]);
        let answers = verify.exits(0).json();
        let position = |answer: &Value| answer["position"].as_str().unwrap().to_owned();
        let found: Vec<String> = answers.iter().map(position).collect();
        let positions = [LOCKED, MATED, FORCED, QUEEN].map(|fen| format!("{fen} 0 1"));
        let expected = positions.iter().cycle().take(200);
        assert!(found.iter().eq(expected), "not in order\n{verify}");
    }
    let batch = std::fs::read(&bytes).unwrap();
    assert!(batch.starts_with(b"STMC\x01"));
    // Where it was cut, or something isn't a certificate, the rest is known to be missing.
    let run = stillmate_with(&["verify", "-"], &batch[..batch.len() - 1]);
    run.exits(2).reports("stdin:200: the data ends too early");
    assert_eq!(run.lines().len(), 199, "{run}");
    let mut other = batch.clone();
    other[4] = 9;
    stillmate_with(&["verify", "-"], &other)
        .exits(2)
        .reports("stdin: not format 1");
}

#[test]
fn a_damaged_certificate_does_not_hide_those_after_it() {
    let good = certificates(LOCKED);
    let cut = good[0].to_string();
    let text = format!("{}\n{}\n{}\n", good[0], &cut[..cut.len() / 2], good[1]);
    let damaged = file("damaged.json", text);
    let pretty = serde_json::to_string_pretty(&good[1]).unwrap();
    let pretty = file("pretty.json", pretty);
    let run = stillmate(&["verify", "--json", &damaged, "no-such.json", &pretty]);
    run.exits(2)
        .reports("damaged.json:2: not the JSON of a certificate: line 2, column ")
        .reports("no-such.json: no such file")
        .reports("3 certificates in ")
        .reports("3 accepted, 0 rejected, 0 could not be checked, 2 unreadable\n");
    let expected = ["accepted", "bad", "accepted", "bad", "accepted"];
    assert_eq!(verdicts(&run), expected, "{run}");
    let answers = run.json();
    assert_eq!(answers[1]["number"], 2, "{run}");
    assert_eq!(answers[3]["error"], "no such file", "{run}");
    assert_eq!(answers[4]["file"], pretty, "{run}");
    // Nothing else than these files is reported, a line for each, and the summary.
    assert_eq!(run.stderr.lines().count(), 3, "{run}");
}

#[test]
fn altered_certificates_are_rejected() {
    let mut other_men = certificates(BARE).remove(0);
    other_men["position"] = json!(format!("{QUEEN} 0 1"));
    refused(&other_men, 1, "rejected", "the men on the board");

    let mut smaller = certificates(LOCKED).remove(0);
    let men = smaller["steps"][0]["invariant"]["men"].as_array_mut();
    let king = men.unwrap().iter_mut().find(|man| man["piece"] == "k");
    king.unwrap()["squares"] = json!("d6");
    refused(&smaller, 1, "rejected", "not a valid invariant: man ");

    let mut fewer = certificates(FORCED).remove(0);
    assert_eq!(fewer["steps"][0]["moves"][0][0], "h8g8");
    let mut illegal = fewer.clone();
    fewer["steps"][0]["moves"] = json!([]);
    refused(&fewer, 1, "rejected", "h8g8 is legal and not listed");
    illegal["steps"][0]["moves"][0][0] = json!("h8h7");
    refused(&illegal, 1, "rejected", "move 0 of its list is not legal");

    let mut stalemate = certificates(STALEMATE).remove(0);
    stalemate["steps"] = json!([]);
    refused(&stalemate, 1, "rejected", "the step is missing");
}

#[test]
fn what_is_no_certificate_is_bad_input() {
    let good = certificates(BARE).remove(0);
    for (field, value, message) in [
        ("claim", json!("nobody"), "unknown variant `nobody`"),
        ("position", json!("8/8 w - -"), "the certificate's position"),
        ("extra", json!(1), "unknown field `extra`"),
        ("format", json!(2), "not format 1"),
    ] {
        let mut bad = good.clone();
        bad[field] = value;
        refused(&bad, 2, "bad", message);
    }
    for (bytes, message) in [
        (&b""[..], "stdin: there is no certificate in it"),
        (BARE.as_bytes(), "stdin:1: not the JSON of a certificate"),
        (b"{\"format\": \"\xff\"}", "stdin:1: line 1 is not UTF-8"),
        (b"\xff\xfe{\0", "stdin: the file is UTF-16"),
        (b"STMC", "stdin: the data ends too early"),
        (&[b'['; 100_000], "stdin:1: not the JSON of a certificate"),
    ] {
        let run = stillmate_with(&["verify", "-q", "-"], bytes);
        run.exits(2).reports(message);
        assert_eq!(run.stderr.lines().count(), 1, "{run}");
    }
    stillmate(&["verify"]).exits(2).reports("<FILE>");
}

#[test]
fn limits_leave_certificates_unchecked() {
    let good = certificates(LOCKED).remove(0).to_string();
    for (limit, step, reason) in [
        ("--max-positions", json!(0), "too many positions"),
        ("--max-steps", json!(null), "1 steps; the limit is 0"),
        ("--max-bytes", json!(null), "bytes; the limit is 0"),
        ("--max-work", json!(null), "reading it takes too much work"),
        ("--memory", json!(null), "reading it takes too much memory"),
    ] {
        let args = ["verify", "--json", limit, "0", "-"];
        let run = stillmate_with(&args, good.as_bytes());
        run.exits(3).prints(reason);
        assert_eq!(verdicts(&run), ["unchecked"], "{run}");
        assert_eq!(run.json()[0]["step"], step, "{run}");
    }
    let run = stillmate_with(&["verify", "--max-positions", "0", "-"], good.as_bytes());
    run.exits(3)
        .prints("stdin:1: could not be checked: White can never mate from ")
        .prints(": step 0: too many positions  (1 step, ");
    let classes = certificates(CLASSES).remove(0).to_string();
    let run = stillmate_with(&["verify", "--max-classes", "1", "-"], classes.as_bytes());
    run.exits(3)
        .prints("stdin:1: could not be checked: more than 1 classes, which is the limit\n");
    // Bad input is more important, a rejected certificate most important.
    let input = format!("{good}\n{{\n");
    let args = ["verify", "--max-positions", "0", "-"];
    stillmate_with(&args, input.as_bytes()).exits(2);
    let mut wrong = certificates(FORCED).remove(0);
    wrong["steps"][0]["moves"][0][0] = json!("h8h7");
    stillmate_with(&args, format!("{input}{wrong}").as_bytes()).exits(1);
}

#[test]
fn proofs_are_explained() {
    let proofs = path("explained.json");
    let says = "No man of White can ever give check.";
    stillmate(&["check", "-v", "--proof", &proofs, LOCKED])
        .exits(0)
        .prints("White can never move: pawns a2 b3 c4 e4 g4 f5 h5.")
        .prints(says);
    let run = stillmate(&["verify", "-v", &proofs]);
    run.exits(0).prints(&format!("\n  {says}\n"));
    let run = stillmate(&["verify", "-v", "--json", &proofs]);
    let explanation = &run.exits(0).json()[0]["explanation"];
    assert!(
        explanation.as_array().unwrap().contains(&json!(says)),
        "{run}"
    );
    assert!(!stillmate(&["verify", &proofs]).stdout.contains(says));
}

#[test]
fn certificates_and_answers_do_not_mix() {
    stillmate(&["check", "--json", "--proof", "-", BARE])
        .exits(2)
        .reports("--proof - prints certificates in the place of answers");
    for option in [&["--format", "csv"][..], &["--expect"]] {
        let run = stillmate(&[&["batch", "--proofs", "-"], option].concat());
        run.exits(2)
            .reports("--proofs - prints certificates in the place of answers");
    }
    let proofs = path("beside.json");
    let run = stillmate(&["check", "--json", "--proof", &proofs, MATED]);
    let answer = run.exits(0).json().remove(0);
    assert_eq!(answer["white"]["certificate"], Value::Null, "{run}");
    let written = std::fs::read_to_string(&proofs).unwrap();
    let written: Value = serde_json::from_str(&written).unwrap();
    assert_eq!(answer["black"]["certificate"], written, "{run}");
    // Without the option there are none, and nothing is decided if they can't be written.
    let plain = &stillmate(&["check", "--json", BISHOP]).json()[0];
    assert_eq!(plain["white"]["certificate"], Value::Null);
    let run = stillmate(&["check", "--proof", "no-such-directory/x", BARE]);
    run.exits(4)
        .reports("stillmate: writing certificates to no-such-directory/x.partial: ");
    assert_eq!(run.stdout, "");
}
