//! The parts of the engine, each timed alone.
//!
//! ```text
//! cargo bench -p stillmate-benches --bench parts
//! ```
//!
//! Names are `part/case`. Everything timed is checked once before, so that no wrong answer is
//! given fast. The enumeration of all positions takes as many threads as `RAYON_NUM_THREADS`
//! says.

use std::hint::black_box;

use criterion::{BenchmarkGroup, Criterion, Throughput, measurement::WallTime};
use stillmate_core::{Color, Move, Position};
use stillmate_proof::{self as proof, Certificate};
use stillmate_reach::{
    Analyzer, Budget, Verdict, quick_unwinnable,
    rungs::{self, Rung},
};

/// Positions that everybody knows, with the number of their legal moves.
const KNOWN: [(&str, usize); 3] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        20,
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        48,
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 14),
];
/// Both can mate here.
const ORDINARY: &str = "6k1/5ppp/8/8/2r5/8/1P3PPP/3R2K1 w - - 0 1";
/// Both can mate here, too, but without pawns or heavy pieces.
const MINORS: &str = "4k3/8/3bn3/8/8/3BN3/8/4K3 w - - 0 1";
/// Rammed pawns and kings: dead, without a class to split.
const WALL: &str = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1";
/// Dead, by classes; every one of its 972,876 positions can be visited, too.
const CLASSES: &str = "3k1b2/2p1pBp1/KpP1P1P1/1P3B2/4B1B1/5B2/8/8 w - - 0 1";
/// Dead: whatever White plays is stalemate, or lets the last man be taken.
const FORCED: &str = "K1k5/P1P5/2P3p1/4q3/8/8/8/8 b - - 0 1";

fn at(fen: &str) -> Position {
    Position::from_fen(fen).expect("a position")
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    moves(&mut criterion);
    rungs(&mut criterion);
    closure(&mut criterion);
    questions(&mut criterion);
    certificates(&mut criterion);
    criterion.final_summary();
}

/// Successors: the legal moves, and playing them.
fn moves(criterion: &mut Criterion) {
    let positions = KNOWN.map(|(fen, count)| {
        let position = at(fen);
        assert_eq!(position.legal_moves().len(), count, "{fen}");
        position
    });
    let all = KNOWN.iter().map(|(_, count)| *count as u64).sum();
    let mut group = criterion.benchmark_group("moves");
    group.throughput(Throughput::Elements(all));
    group.bench_function("generate", |bencher| {
        bencher.iter(|| {
            let count = |position: &Position| black_box(position).legal_moves().len();
            positions.iter().map(count).sum::<usize>()
        });
    });
    let moves: Vec<(Position, Vec<Move>)> = positions
        .iter()
        .map(|position| (*position, position.legal_moves().to_vec()))
        .collect();
    group.bench_function("make", |bencher| {
        bencher.iter(|| {
            for (position, moves) in &moves {
                for &m in moves {
                    black_box(black_box(position).after(m));
                }
            }
        });
    });
    group.finish();
}

/// Rungs of the ladder, with White as the intended winner unless Black is named.
fn rungs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("rung");
    let mut case = |name: &str, rung: Rung, fen: &str, winner: Color, can: bool| {
        let position = at(fen);
        let ask = || rung.ask(black_box(&position), winner, 3_000);
        let settled = match ask().expect("settled") {
            Verdict::Winnable(_) => true,
            Verdict::Unwinnable(_) => false,
            Verdict::Undetermined(_) => panic!("a rung alone has no budget"),
        };
        assert_eq!(settled, can, "{name}");
        group.bench_function(name, |bencher| bencher.iter(ask));
    };
    case("forced", Rung::Forced, FORCED, Color::Black, false);
    case("rollout", Rung::Rollouts, ORDINARY, Color::White, true);
    case("fix-point", Rung::Relaxation, WALL, Color::White, false);
    case("classes", Rung::Classes, CLASSES, Color::White, false);
    group.finish();

    // The fix-point where it proves nothing, which is what searches mostly pay for.
    let position = at(MINORS);
    let relax = || rungs::relaxed(black_box(&position), Color::White);
    assert!(relax().is_some_and(|relaxed| relaxed.allows_mate));
    let mut group = criterion.benchmark_group("fix-point");
    group.bench_function("fails", |bencher| bencher.iter(relax));
    group.finish();
}

/// Exact enumeration, in positions a second.
fn closure(criterion: &mut Criterion) {
    const NODES: usize = 100_000;
    let position = at(CLASSES);
    let mut group = criterion.benchmark_group("closure");
    group.throughput(Throughput::Elements(NODES as u64));
    group.sample_size(10);
    let enumerate = || Rung::Closure.ask(black_box(&position), Color::White, NODES);
    assert!(enumerate().is_none(), "there are more positions than that");
    group.bench_function("nodes", |bencher| bencher.iter(enumerate));
    group.finish();
}

/// Whole questions.
fn questions(criterion: &mut Criterion) {
    let full = Analyzer::new(Budget::default());
    let mut group = criterion.benchmark_group("question");
    let (ordinary, wall) = (at(ORDINARY), at(WALL));
    let decide = || full.decide(black_box(&ordinary), Color::White);
    assert!(matches!(decide().verdict, Verdict::Winnable(_)));
    group.bench_function("ordinary", |bencher| bencher.iter(decide));
    let refuse = || quick_unwinnable(black_box(&ordinary), Color::White);
    assert!(!refuse());
    group.bench_function("quick, ordinary", |bencher| bencher.iter(refuse));
    let prove = || quick_unwinnable(black_box(&wall), Color::White);
    assert!(prove());
    group.bench_function("quick, dead", |bencher| bencher.iter(prove));
    group.finish();
}

/// Checking certificates of each form.
fn certificates(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("verify");
    let by = |rung: Rung, fen: &str, winner: Color| -> Certificate {
        match rung.ask(&at(fen), winner, 3_000) {
            Some(Verdict::Unwinnable(certificate)) => certificate,
            other => panic!("{fen}: {other:?}"),
        }
    };
    verify(&mut group, "moves", &by(Rung::Forced, FORCED, Color::Black));
    verify(
        &mut group,
        "invariant",
        &by(Rung::Relaxation, WALL, Color::White),
    );
    verify(
        &mut group,
        "classes",
        &by(Rung::Classes, CLASSES, Color::White),
    );
    verify(&mut group, "closed", &by(Rung::Closure, WALL, Color::White));
    group.finish();
}

fn verify(group: &mut BenchmarkGroup<'_, WallTime>, form: &str, certificate: &Certificate) {
    let limits = proof::Limits::default();
    let check = || proof::verify(black_box(certificate), &limits);
    if let Err(refusal) = check() {
        panic!("{form}: {refusal}");
    }
    group.bench_function(form, |bencher| bencher.iter(check));
}
