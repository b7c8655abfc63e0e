//! What the engine says against the independent checker: certificates verified, lines replayed.

use std::collections::BTreeMap;

use stillmate_core::{Color, Position};
use stillmate_proof::{Certificate, Limits, replay, verify};
use stillmate_reach::{Analyzer, Method, Verdict, rungs};
use stillmate_testkit::labels;

/// Positions in which mostly little can move, and what White and Black can still do: `W` or `B`
/// if it can mate, else `-`; `?` if that isn't asked here.
const LOCKED: [(&str, &str); 40] = [
    ("3k1b2/2p1pBp1/KpP1P1P1/1P3B2/4B1B1/5B2/8/8 w - -", "--"),
    ("8/8/3k1p1p/2p1pPpP/1pP1P1P1/pP1B4/P3K3/8 w - -", "--"),
    ("8/1p2k3/bP6/Pp6/pP6/Bp6/1P2K3/8 w - -", "--"),
    ("rnb1b3/pk1p4/p1pPp1p1/P1P1P1P1/RBP5/P7/8/4B2K b - -", "W-"),
    ("1K6/1p6/kPp5/2P5/p1P5/P7/8/8 w - -", "--"),
    ("8/7p/k4p1P/5p1K/5Pp1/6P1/6P1/8 w - -", "--"),
    ("8/8/7p/5p1P/5p1K/5Pp1/6P1/5kb1 w - -", "--"),
    ("k1b5/1p1p4/1P1P4/B7/8/8/8/K7 w - -", "--"),
    ("k1b5/1p1p4/1P1P4/8/B7/8/8/K7 w - -", "WB"),
    ("1kb5/1p1p4/1P1P2p1/6p1/6Pb/6p1/6P1/7K w - -", "--"),
    ("5bk1/4p1p1/4P1P1/7K/8/8/8/8 w - -", "--"),
    ("5bk1/4p1p1/3P2P1/7K/8/8/8/8 w - -", "WB"),
    ("8/1p2k3/bPp5/BpP3K1/1P6/8/1P6/8 w - -", "--"),
    ("8/1p2k3/8/1P1p2p1/1p1P2P1/1P3K2/8/8 b - -", "--"),
    ("2k5/2p1p1p1/p1P1P1P1/P1p4K/8/8/2P5/8 w - -", "--"),
    ("2k5/p1p1p1p1/P1P1P1P1/2p1p2K/8/8/2P1P1P1/8 w - -", "--"),
    ("8/2p1k3/2p2p2/p1P2P1p/P4p1P/5P2/K1P5/8 b - -", "--"),
    ("8/4k3/p1p1p1p1/P1P1P1P1/2p1p1p1/P1P1P1P1/4K3/8 w - -", "--"),
    ("8/6p1/pp4P1/1p4PK/kp4P1/1p4PP/1P6/8 w - -", "--"),
    ("k7/8/p1p3p1/2P1p1Pp/PpP1Pp2/1P1K1P1P/8/8 w - -", "--"),
    ("8/8/8/7p/8/p1p2k2/PpP4P/1K6 b - -", "--"),
    ("k7/1p6/1Pp5/n1P5/N1p5/1pPp4/1P1P4/K1B5 w - -", "--"),
    ("1k6/b1b5/7p/5p1P/5p2/5PpK/6P1/8 w - -", "--"),
    ("BbK1kb2/b1p1p1p1/1pP1P1P1/1P6/8/1B6/8/1B2b2B b - -", "?-"),
    ("8/1p6/kPp5/p1P5/2P5/P7/3K4/8 b - -", "--"),
    ("3b1kBR/4pP1P/1pBpP2P/1P1P4/6p1/6p1/KP4P1/8 b - -", "W-"),
    ("3b1kBR/4pP1P/1pBpP1pP/1P1P2p1/6p1/8/KP4P1/8 b - -", "W-"),
    ("8/8/3b3p/2b2p1P/1b1b1p1K/b1b2Pp1/1b1b2P1/b4kb1 w - -", "--"),
    ("5k2/p1p5/8/8/8/6p1/P1P3Pp/7K w - -", "--"),
    ("1k6/1P5p/BP3p2/1P6/8/8/5PKP/8 b - -", "--"),
    ("1k4b1/1P1p4/BP1Pp1pB/1P2P1P1/pB6/Pp2K3/1P6/8 b - -", "W-"),
    ("nb2kBN1/2p1PRRN/1pP2PPQ/1P2p1PP/8/8/4P3/6K1 w - -", "--"),
    ("4k3/8/8/8/p1p1p1p1/P1P1P1P1/8/4K3 w - -", "--"),
    ("4k3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/4K3 w - -", "--"),
    // En passant, castling and a check to begin with.
    ("8/7p/k4p1P/5p1K/5Pp1/6P1/6P1/8 b - f3", "WB"),
    ("4k3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/4K2R w K -", "WB"),
    ("8/8/8/8/1K6/Q7/3N4/k1n5 b - -", "--"),
    ("8/8/8/8/pp6/kp6/1P6/1K6 b - -", "W-"),
    ("k7/p7/8/2N5/8/8/8/K7 w - -", "WB"),
    ("8/8/8/8/8/1k6/8/KN6 w - -", "--"),
];

/// Asks about both colours and checks the evidence; what the answer is, `?` if there is none,
/// and what settled it.
fn ask(analyzer: &Analyzer, position: &Position) -> (String, [Method; 2]) {
    let findings = Color::ALL.map(|color| (color, analyzer.decide(position, color)));
    let answer = findings.iter().map(|(color, finding)| {
        let context = || format!("{color} in {}", position.fen());
        match &finding.verdict {
            Verdict::Winnable(line) => {
                let replayed = replay(position, *color, &line.0);
                assert_eq!(replayed, Ok(()), "{}", context());
                color.fold_wb('W', 'B')
            }
            Verdict::Unwinnable(certificate) => {
                assert_eq!(certificate.position, *position, "{}", context());
                assert_eq!(certificate.claim, *color, "{}", context());
                let verdict = verify(certificate, &Limits::default());
                assert!(verdict.is_ok(), "{}: {verdict:?}", context());
                '-'
            }
            Verdict::Undetermined(_) => '?',
        }
    });
    (
        answer.collect(),
        findings.each_ref().map(|(_, finding)| finding.method),
    )
}

fn analyzer() -> Analyzer {
    Analyzer::new(stillmate_reach::Budget {
        nodes: 400_000,
        ..stillmate_reach::Budget::default()
    })
}

/// Whether `answer` says what is expected; `?` expects nothing.
fn agrees(answer: &str, expected: &str) -> bool {
    let mut letters = answer.chars().zip(expected.chars());
    letters.all(|(said, expected)| expected == '?' || said == expected)
}

#[test]
fn locked_positions_are_settled_with_evidence() {
    let analyzer = analyzer();
    let mut by: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (fen, expected) in LOCKED {
        let position = Position::from_fen(fen).unwrap();
        let (answer, methods) = ask(&analyzer, &position);
        for method in methods {
            *by.entry(method.name()).or_default() += 1;
        }
        if !agrees(&answer, expected) {
            wrong.push(format!("{fen}: {answer}, not {expected}"));
        }
        // Turned over, the other colour has each answer.
        let (turned, _) = ask(&analyzer, &position.mirrored());
        let swap = |letter| match letter {
            'W' => 'B',
            'B' => 'W',
            other => other,
        };
        let turned: String = turned.chars().rev().map(swap).collect();
        if !agrees(&turned, expected) {
            wrong.push(format!("{fen}: {turned} when turned over, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let methods = [
        "terminal",
        "material",
        "invariant",
        "classes",
        "best-first",
        "closure",
    ];
    for method in methods {
        assert!(by.contains_key(method), "nothing by {method}: {by:?}");
    }
    assert!(by["classes"] > 10 && by["closure"] > 10, "{by:?}");
}

/// What is measured as the engine without evidence is the engine.
#[test]
fn the_answer_does_not_depend_on_the_evidence() {
    let analyzer = analyzer();
    for (fen, _) in LOCKED {
        let position = Position::from_fen(fen).unwrap();
        for color in Color::ALL {
            let can = match analyzer.decide(&position, color).verdict {
                Verdict::Winnable(_) => Some(true),
                Verdict::Unwinnable(_) => Some(false),
                Verdict::Undetermined(_) => None,
            };
            let without = rungs::without_evidence(&position, color, analyzer.budget());
            assert_eq!(without, can, "{color} in {fen}");
        }
    }
}

#[test]
fn seed_examples_are_settled_with_evidence() {
    let analyzer = analyzer();
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in labels::seed_examples() {
        let label = line.record.value("winnable").unwrap();
        let (answer, _) = ask(&analyzer, &line.position());
        count += 1;
        if !agrees(&answer, &label) {
            wrong.push(format!("{answer}: {}", line.record));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 50, "only {count} positions");
}

/// Every proof as one of every false claim about another position.
#[test]
fn proofs_do_not_prove_what_is_false() {
    let analyzer = analyzer();
    let mut proofs = Vec::new();
    let mut winnable = Vec::new();
    for (fen, _) in LOCKED {
        let position = Position::from_fen(fen).unwrap();
        for color in Color::ALL {
            match analyzer.decide(&position, color).verdict {
                Verdict::Winnable(_) => winnable.push((position, color)),
                Verdict::Unwinnable(certificate) => proofs.push(certificate),
                Verdict::Undetermined(_) => {}
            }
        }
    }
    // Some claims that are near misses of what is proved.
    for certificate in &proofs {
        let position = certificate.position;
        for m in position.legal_moves().into_iter().take(2) {
            let next = position.after(m);
            for color in Color::ALL {
                if let Verdict::Winnable(_) = analyzer.decide(&next, color).verdict {
                    winnable.push((next, color));
                }
            }
        }
    }
    assert!(
        proofs.len() > 40 && winnable.len() > 20,
        "{} {}",
        proofs.len(),
        winnable.len()
    );
    let limits = Limits {
        positions: 20_000,
        ..Limits::default()
    };
    for mut certificate in proofs {
        let of = certificate.position;
        for &(position, claim) in &winnable {
            (certificate.position, certificate.claim) = (position, claim);
            let verdict = verify(&certificate, &limits);
            assert!(
                verdict.is_err(),
                "{claim} in {position:?} by a proof of {of:?}"
            );
            // The steps also as they are in the eyes of the other colour.
            let steps = certificate.mirrored().steps;
            let turned = Certificate {
                steps,
                ..certificate.clone()
            };
            assert!(verify(&turned, &limits).is_err(), "{claim} in {position:?}");
        }
    }
}
