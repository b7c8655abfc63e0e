//! Certificates as text and bytes: nothing is lost, and nothing that can be read panics.

use std::time::{Duration, Instant};

use fastrand::Rng;
use shakmaty::attacks;
use stillmate_core::{Bitboard, Color, MaterialRule, Role, Square};
use stillmate_proof::{
    BatchReader, BatchWriter, Certificate, Class, FormatError, Invariant, Kings, Limits, Man,
    Refusal, Step, verify,
};

use crate::{
    classes::damage::{Case, cases},
    damage::evidence,
    support::{Kind, certificate, frozen, long_run, position, random_position},
};

fn from_json(text: &str) -> Result<Certificate, FormatError> {
    Certificate::from_json(text, &Limits::default())
}

fn from_bytes(bytes: &[u8]) -> Result<Certificate, FormatError> {
    Certificate::from_bytes(bytes, &Limits::default())
}

/// True certificates with steps of all kinds.
fn samples() -> Vec<Certificate> {
    let mut rng = Rng::with_seed(3);
    let mut samples = Vec::new();
    while samples.len() < 120 {
        let kind = if rng.bool() { Kind::Wall } else { Kind::Open };
        if let Some(position) = random_position(&mut rng, kind) {
            let claim = Color::from_white(rng.bool());
            samples.extend(evidence(&mut rng, position, claim));
        }
    }
    samples
}

/// All legal moves of a position, to steps that say something each.
fn all_moves(fen: &str) -> Certificate {
    let start = position(fen);
    let mut moves = Vec::new();
    let mut steps = vec![Step::Moves(vec![])];
    for m in start.legal_moves() {
        moves.push((m, steps.len()));
        let next = start.after(m).legal_moves().into_iter();
        steps.push(Step::Moves(next.map(|m| (m, usize::MAX)).collect()));
    }
    steps[0] = Step::Moves(moves);
    certificate(start, Color::White, steps)
}

/// One certificate, true or not, with everything in it that the formats can write.
fn everything() -> Certificate {
    let start = position("7k/8/8/8/8/8/8/K7 w - -");
    let mut invariant = frozen(&start);
    invariant.men.push(Man {
        piece: Role::Pawn.of(Color::Black),
        squares: Bitboard::FULL,
        lost: true,
        promotes: true,
    });
    invariant.opposed = vec![(0, 1), (usize::MAX, 3)];
    invariant.castling = Square::A1.into();
    invariant.en_passant = Some(Square::A1);
    let mut kings = Kings {
        claim_to_move: [Bitboard::FULL; 64],
        other_to_move: [Bitboard::EMPTY; 64],
        after_king: [Bitboard::EMPTY; 64],
    };
    kings.after_king[3] = Bitboard::DARK_SQUARES;
    let class = Class {
        men: invariant.men.clone(),
        kings: Box::new(kings),
    };
    let moves = start.legal_moves().into_iter();
    let exits = vec![0, usize::MAX];
    let mut steps = vec![
        Step::Moves(moves.zip(5..).collect()),
        Step::Terminal,
        Step::Closed {
            positions: u64::MAX,
            exits,
        },
        Step::Classes {
            classes: vec![class],
            exits: vec![3],
        },
        Step::Invariant(invariant),
        Step::Invariant(Invariant::default()),
    ];
    steps.extend(
        [
            MaterialRule::BareKing,
            MaterialRule::KnightAgainstQueens,
            MaterialRule::BishopsOfOneColour,
        ]
        .map(Step::Material),
    );
    certificate(start, Color::Black, steps)
}

/// A certificate by classes, not a true one, in which the kings may stand wherever they can.
fn by_a_class() -> Certificate {
    let start = position("4k3/8/8/p7/P7/8/8/4KN2 w - -");
    let mut pairs = [Bitboard::EMPTY; 64];
    for square in Square::ALL {
        pairs[usize::from(square)] = !attacks::king_attacks(square).with(square);
    }
    let kings = Kings {
        claim_to_move: pairs,
        other_to_move: pairs,
        after_king: pairs,
    };
    let mut men = frozen(&start).men;
    men.retain(|man| man.piece.role != Role::King);
    let class = Class {
        men,
        kings: Box::new(kings),
    };
    let classes = vec![class];
    let exits = vec![];
    certificate(start, Color::White, vec![Step::Classes { classes, exits }])
}

#[test]
fn nothing_is_lost() {
    let special = [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -",
        // Rooks and kings where only Chess960 has them.
        "1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb -",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf -",
        "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3",
        "4k3/8/8/2pPp3/8/8/8/4K3 w - e6",
        "1n2k3/P7/8/8/8/8/p7/1N2K3 w - -",
    ];
    let special = special.iter().map(|fen| all_moves(fen));
    for whole in samples()
        .into_iter()
        .chain(special)
        .chain([everything(), by_a_class()])
    {
        let text = whole.to_json();
        let read = from_json(&text).unwrap_or_else(|err| panic!("{err}: {text}"));
        assert_eq!(read, whole, "{text}");
        assert_eq!(read.to_json(), text);
        let bytes = whole.to_bytes();
        let read = from_bytes(&bytes).unwrap_or_else(|err| panic!("{err}: {whole:?}"));
        assert_eq!(read, whole);
    }
}

/// The format is a contract: this text is in `docs/certificates.md`.
#[test]
fn the_documented_example_is_read_written_and_accepted() {
    let page = include_str!("../../../../docs/certificates.md");
    let (_, rest) = page.split_once("```json\n").expect("an example");
    let (example, _) = rest.split_once("```").expect("its end");
    let read = from_json(example).expect("a certificate");
    assert!(verify(&read, &Limits::default()).is_ok());
    // Written again it is the same but for spaces and the version of the program.
    let value = |text: &str| {
        let mut value: serde_json::Value = serde_json::from_str(text).expect("JSON");
        value["program"].take();
        value
    };
    assert_eq!(value(&read.to_json()), value(example));
}

/// The same for the binary form.
#[test]
fn bytes_are_as_documented() {
    let start = position("7k/8/8/8/8/8/8/K7 w - -");
    let mut invariant = frozen(&start);
    invariant.men[1].lost = true;
    let steps = vec![
        Step::Material(MaterialRule::BareKing),
        Step::Invariant(invariant),
    ];
    let bytes = certificate(start, Color::Black, steps).to_bytes();
    let fen = b"7k/8/8/8/8/8/8/K7 w - - 0 1";
    let mut expected = vec![fen.len() as u8];
    expected.extend_from_slice(fen);
    expected.extend([1, 2, 1, 0, 4, 2]);
    expected.extend([0x06, 1, 0, 0, 0, 0, 0, 0, 0]);
    expected.extend([0x1e, 0, 0, 0, 0, 0, 0, 0, 0x80]);
    expected.extend([0, 0, 0, 0, 0, 0, 0, 0, 0, 64]);
    assert_eq!(bytes, expected);
}

#[test]
fn batches_hold_certificates_in_order() {
    let samples = samples();
    let mut writer = BatchWriter::new(Vec::new()).expect("memory");
    for sample in &samples {
        writer.write(sample).expect("memory");
    }
    let bytes = writer.into_inner();
    let reader = BatchReader::new(&bytes[..], Limits::default()).expect("a batch");
    assert!(reader.program().starts_with("stillmate "));
    let read: Vec<_> = reader.map(|read| read.expect("a certificate")).collect();
    assert_eq!(read, samples);

    // Wherever the batch is cut, what is whole is read and the rest is an error.
    let first = 4 + samples[0].to_bytes().len();
    let heading = 4 + 2 + usize::from(bytes[5]);
    for cut in 0..heading + first + 10 {
        let Ok(reader) = BatchReader::new(&bytes[..cut], Limits::default()) else {
            assert!(cut < heading);
            continue;
        };
        let read: Vec<_> = reader.collect();
        let whole = usize::from(cut >= heading + first);
        let between = cut == heading || cut == heading + first;
        assert_eq!(read.len(), whole + usize::from(!between), "cut at {cut}");
        assert!(read.iter().take(whole).all(Result::is_ok));
        assert!(read.iter().skip(whole).all(Result::is_err));
    }
}

#[test]
fn a_bad_certificate_in_a_batch_does_not_hide_the_next() {
    let good = everything();
    let mut writer = BatchWriter::new(Vec::new()).expect("memory");
    writer.write(&good).expect("memory");
    writer.write(&good).expect("memory");
    let mut bytes = writer.into_inner();
    let heading = 4 + 2 + usize::from(bytes[5]);
    bytes[heading + 4 + 1] = b'x';
    let read: Vec<_> = BatchReader::new(&bytes[..], Limits::default())
        .expect("a batch")
        .collect();
    assert!(matches!(&read[..], [Err(FormatError::Fen(_)), Ok(read)] if *read == good));
    // A length beyond the limit ends it: what follows can't be trusted to be there.
    bytes[heading..heading + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    let read: Vec<_> = BatchReader::new(&bytes[..], Limits::default())
        .expect("a batch")
        .collect();
    assert!(matches!(read[..], [Err(FormatError::Length { .. })]));
    bytes[4] = 2;
    let other = BatchReader::new(&bytes[..], Limits::default());
    assert!(matches!(other, Err(FormatError::Version)));
}

#[test]
fn faults_are_told_apart() {
    let text = everything().to_json();
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} in {text}");
        from_json(&text.replacen(from, to, 1)).expect_err(to)
    };
    use FormatError as E;
    assert!(matches!(with("\"format\":1", "\"format\":2"), E::Version));
    assert!(matches!(with("8/8/8", "8/8/9"), E::Fen(_)));
    assert!(matches!(with("/K7 w", "/KK6 w"), E::Position(_)));
    assert!(matches!(with("a1b1", "a1c1"), E::Move { step: 0, .. }));
    for (from, to) in [
        ("\"format\"", "\"extra\":0,\"format\""),
        ("\"format\":1,", ""),
        ("\"men\"", "\"extra\":0,\"men\""),
        ("\"lost\":true", "\"lost\":true,\"extra\":0"),
        ("\"lost\":true", "\"lost\":1"),
        ("\"lost\":true", "\"lost\":true,\"lost\":false"),
        ("\"claim\"", "\"claim\":\"white\",\"claim\""),
        ("\"steps\"", "\"steps\":[],\"steps\""),
        (
            "{\"invariant\"",
            "{\"closed\":{\"positions\":1,\"exits\":[]},\"invariant\"",
        ),
        ("\"terminal\"", "\"final\""),
        ("\"bare-king\"", "\"bare\""),
        ("\"black\"", "\"red\""),
        ("\"piece\":\"k\"", "\"piece\":\"x\""),
        ("\"piece\":\"k\"", "\"piece\":\"kk\""),
        ("a1 b1 c1", "a1 b1 c0"),
        ("a1 b1 c1", "a1 b1 b1"),
        ("[[\"d1\",\"", "[[\"d1\",\"a1\"],[\"d1\",\""),
        ("\"after_king\"", "\"before_king\""),
        ("\"en_passant\":\"a1\"", "\"en_passant\":\"a1 b1\""),
        ("18446744073709551615", "18446744073709551616"),
        ("18446744073709551615", "-1"),
        ("]}", "]}}"),
    ] {
        assert!(matches!(with(from, to), E::Json(_)), "{to}");
    }
    // Moves of a step to which nothing leads.
    let mut unreached = everything();
    unreached.steps.swap(0, 1);
    let err = from_json(&unreached.to_json());
    assert!(matches!(err, Err(E::Unreached { step: 1 })));
    let err = from_bytes(&unreached.to_bytes());
    assert!(matches!(err, Err(E::Unreached { step: 1 })));
}

#[test]
fn size_and_depth_are_limited() {
    let whole = everything();
    let (text, bytes) = (whole.to_json(), whole.to_bytes());
    let limits = |bytes, steps| Limits {
        bytes,
        steps,
        ..Limits::default()
    };
    let steps = whole.steps.len();
    assert!(Certificate::from_json(&text, &limits(text.len(), steps)).is_ok());
    assert!(Certificate::from_bytes(&bytes, &limits(bytes.len(), steps)).is_ok());
    let long = Certificate::from_json(&text, &limits(text.len() - 1, steps));
    assert!(matches!(long, Err(FormatError::Length { .. })));
    let long = Certificate::from_bytes(&bytes, &limits(bytes.len() - 1, steps));
    assert!(matches!(long, Err(FormatError::Length { .. })));
    let many = Certificate::from_json(&text, &limits(text.len(), steps - 1));
    assert!(matches!(many, Err(FormatError::Steps { .. })));
    let many = Certificate::from_bytes(&bytes, &limits(bytes.len(), steps - 1));
    assert!(matches!(many, Err(FormatError::Steps { .. })));
    let none = Limits {
        classes: 0,
        ..Limits::default()
    };
    let many = Certificate::from_json(&text, &none);
    assert!(matches!(many, Err(FormatError::Classes { limit: 0 })));
    let many = Certificate::from_bytes(&bytes, &none);
    assert!(matches!(many, Err(FormatError::Classes { limit: 0 })));
    let deep = "[".repeat(1_000_000);
    assert!(matches!(from_json(&deep), Err(FormatError::Json(_))));
    let deep = format!("{{\"format\":1,\"steps\":{deep}");
    assert!(matches!(from_json(&deep), Err(FormatError::Json(_))));
}

/// Changes `bytes` here and there.
fn garble(rng: &mut Rng, bytes: &mut Vec<u8>) {
    for _ in 0..1 + rng.usize(..4) {
        let place = rng.usize(..=bytes.len());
        match rng.u8(..5) {
            0 => bytes.truncate(place),
            1 => bytes.insert(place, rng.u8(..)),
            2 if place < bytes.len() => bytes[place] = rng.u8(..),
            3 if place < bytes.len() => bytes[place] ^= 1 << rng.u8(..8),
            _ => {
                let end = rng.usize(place..=bytes.len().min(place + 40));
                let piece = bytes[place..end].to_vec();
                let to = rng.usize(..=bytes.len());
                bytes.splice(to..to, piece);
            }
        }
    }
}

/// What became of garbled certificates.
#[derive(Debug, Default)]
struct Garbled {
    strings: usize,
    /// Certificates that could still be read.
    read: usize,
    /// Of these, those accepted, and those that a limit was reached with.
    accepted: usize,
    unchecked: usize,
}

/// Reads and checks garbled certificates for as long as `more` says so.
fn fuzz(seed: u64, more: impl Fn(&Garbled) -> bool) -> Garbled {
    let mut rng = Rng::with_seed(seed);
    let mut samples = samples();
    samples.extend(std::iter::repeat_n(by_a_class(), samples.len() / 4));
    let cases = cases(&mut rng);
    samples.extend(cases.iter().step_by(4).map(Case::certificate));
    let limits = Limits {
        positions: 5_000,
        work: 20_000,
        ..Limits::default()
    };
    let mut writer = BatchWriter::new(Vec::new()).expect("memory");
    let some = samples.iter().take(5);
    some.for_each(|sample| writer.write(sample).expect("memory"));
    let batch = writer.into_inner();
    let mut tally = Garbled::default();
    while more(&tally) {
        tally.strings += 1;
        let whole = rng.choice(&samples).expect("some");
        let mut bytes = match rng.u8(..10) {
            0 => (0..rng.usize(..200)).map(|_| rng.u8(..)).collect(),
            1..5 => whole.to_json().into_bytes(),
            5 => batch.clone(),
            _ => whole.to_bytes(),
        };
        garble(&mut rng, &mut bytes);
        if let Ok(batch) = BatchReader::new(&bytes[..], limits) {
            tally.read += batch.filter(Result::is_ok).count();
        }
        let garbled = Certificate::from_bytes(&bytes, &limits)
            .or_else(|_| Certificate::from_json(&String::from_utf8_lossy(&bytes), &limits));
        if let Ok(garbled) = garbled {
            tally.read += 1;
            // Any answer is right that is one.
            match verify(&garbled, &limits) {
                Ok(_) => tally.accepted += 1,
                Err(Refusal::Rejected { .. }) => {}
                Err(Refusal::Unchecked { .. }) => tally.unchecked += 1,
            }
        }
    }
    tally
}

#[test]
fn no_bytes_make_it_panic() {
    let tally = fuzz(4, |tally| tally.strings < 20_000);
    assert!(tally.read > 200 && tally.accepted > 20, "{tally:?}");
}

/// The same for as long as is wanted; `SECONDS` sets how long.
#[test]
#[ignore = "runs for minutes"]
fn no_bytes_make_it_panic_at_length() {
    let (seconds, seed) = long_run("SECONDS", 600);
    let start = Instant::now();
    let in_time = |_: &Garbled| start.elapsed() < Duration::from_secs(seconds as u64);
    println!("{:?}", fuzz(seed, in_time));
}
