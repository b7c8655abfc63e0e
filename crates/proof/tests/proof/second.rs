//! Both checkers, this one and the one in Python, on the same certificates, true and damaged.
//!
//! The other one was written from `docs/certificates.md` alone. Where the two differ, a checker
//! is wrong or the page is. It runs where Python and python-chess are.

use std::{
    env,
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
    thread,
};

use fastrand::Rng;
use stillmate_core::Color;
use stillmate_proof::{Certificate, Limits, Refusal, verify};

use crate::{
    classes::damage::{Case, cases, damage},
    damage::{WAYS, evidence},
    support::{Kind, long_run, random_position},
};

/// What the other checker says of each line; `None` where it can't run.
pub(crate) fn second_opinions(lines: &[String]) -> Option<Vec<String>> {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/second_checker/checker.py");
    let command = Command::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut child = command.ok()?;
    let mut to = child.stdin.take().expect("piped");
    let text = lines.join("\n") + "\n";
    let writing = thread::spawn(move || to.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    if output.status.code() == Some(3) {
        return None;
    }
    writing.join().expect("no panic").expect("all is read");
    let answers = String::from_utf8(output.stdout).expect("text");
    Some(answers.lines().map(str::to_owned).collect())
}

/// Says that there is nothing to compare with, past the test runner's capture of output; fails
/// where `NO_SKIP` is set.
fn skipped(why: &str) {
    assert!(
        env::var_os("NO_SKIP").is_none(),
        "must not be skipped: {why}"
    );
    writeln!(std::io::stderr(), "skipped: second checker: {why}").expect("standard error is open");
}

/// What this checker says of a certificate as it is written; `None` if a limit was reached.
fn verdict(text: &str) -> Option<Result<(), String>> {
    let limits = Limits {
        positions: 3_000,
        ..Limits::default()
    };
    let read = Certificate::from_json(text, &limits);
    match read.map(|read| verify(&read, &limits)) {
        Ok(Ok(_)) => Some(Ok(())),
        Ok(Err(Refusal::Unchecked { .. })) => None,
        Ok(Err(refusal)) => Some(Err(refusal.to_string())),
        Err(error) => Some(Err(error.to_string())),
    }
}

/// True certificates of all kinds and damaged ones, so many of both together.
fn certificates(rng: &mut Rng, wanted: usize) -> Vec<Certificate> {
    let mut all = Vec::new();
    let by_classes = cases(rng);
    while all.len() < wanted {
        let kind = match rng.u8(..5) {
            0 => Kind::Cage,
            1 | 2 => Kind::Open,
            _ => Kind::Wall,
        };
        let Some(position) = random_position(rng, kind) else {
            continue;
        };
        let claim = Color::from_white(rng.bool());
        for whole in evidence(rng, position, claim) {
            for (_, damage) in rng.choose_multiple(WAYS, 12) {
                let mut damaged = whole.clone();
                if damage(rng, &mut damaged).is_some() && damaged.steps.len() < 1_000 {
                    all.push(damaged);
                }
            }
            all.push(whole);
        }
        for _ in 0..4 {
            let mut case = rng.choice(&by_classes).expect("some").clone();
            if damage(rng, &mut case).is_some() {
                all.push(case.certificate());
            }
        }
    }
    all.extend(by_classes.iter().step_by(8).map(Case::certificate));
    all
}

/// Asks both about so many certificates; how many both accept and reject.
fn compare(seed: u64, wanted: usize) -> Option<(usize, usize)> {
    let mut rng = Rng::with_seed(seed);
    let (mut lines, mut verdicts) = (Vec::new(), Vec::new());
    for certificate in certificates(&mut rng, wanted) {
        let text = certificate.to_json();
        if let Some(verdict) = verdict(&text) {
            lines.push(text);
            verdicts.push(verdict);
        }
    }
    let Some(opinions) = second_opinions(&lines) else {
        skipped("python-chess is not installed");
        return None;
    };
    assert_eq!(opinions.len(), lines.len());
    let mut counts = (0, 0);
    for ((line, verdict), opinion) in lines.iter().zip(verdicts).zip(opinions) {
        let same = verdict.is_ok() == (opinion == "accepted");
        assert!(same, "{verdict:?} here, {opinion:?} there: {line}");
        match verdict {
            Ok(()) => counts.0 += 1,
            Err(_) => counts.1 += 1,
        }
    }
    println!("both accept {}, both reject {}", counts.0, counts.1);
    Some(counts)
}

#[test]
fn a_second_checker_agrees() {
    if let Some((accepted, rejected)) = compare(1, 500) {
        assert!(accepted > 60 && rejected > 300, "{accepted}, {rejected}");
    }
}

/// The same for many more; `CERTIFICATES` sets for how many.
#[test]
#[ignore = "runs for minutes"]
fn a_second_checker_agrees_at_length() {
    let (wanted, seed) = long_run("CERTIFICATES", 50_000);
    compare(seed, wanted);
}
