use stillmate_proof::replay;

use super::*;
use crate::exact::enumerate;

/// What a search says without shortcuts: a mate, or how many positions there are.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    Mate,
    Never(u64),
}

/// Asks both searches, unless there are more than `most` positions; both must say the same.
fn compare(position: &Position, most: u64, review_from: usize) -> Option<Said> {
    let meter = Meter::of_nodes(most);
    let told = enumerate::enumerate(position, &meter).ok()?;
    let told = match told {
        Settled::Can(_) => Said::Mate,
        Settled::Never(steps) => match steps[..] {
            [Step::Closed { positions, .. }] => Said::Never(positions),
            _ => panic!("{steps:?}"),
        },
    };
    let meter = Meter::of_nodes(u64::MAX);
    let mut search = Search::new(30_000, &meter);
    search.shortcuts = false;
    search.review_from = review_from;
    let said = match search.run(position).unwrap() {
        End::Mate(line) => {
            replay(position, Color::White, &line).unwrap();
            Said::Mate
        }
        End::Never => Said::Never(search.positions),
        // Level by level a near mate is found sooner than structure by structure.
        End::Open if told == Said::Mate => return None,
        End::Open => panic!("{}", position.fen()),
    };
    assert_eq!(said, told, "{}", position.fen());
    Some(said)
}

#[test]
fn en_passant_is_exact() {
    // The double step looks like mate, but for the capture in passing.
    for fen in [
        "8/8/8/8/1p1p4/kPp1p3/2P1P3/1K6 w - -",
        "8/8/8/k7/1p6/1P6/K1P5/8 w - -",
        "8/p7/1p6/kP6/1p6/1P6/2P5/K7 w - -",
        "7k/5p1p/5P1P/8/1p6/1P6/P7/K7 w - -",
    ] {
        let position = Position::from_fen(fen).unwrap();
        compare(&position, 300_000, usize::MAX);
    }
}

#[test]
fn locked_positions_with_pieces_are_counted() {
    for fen in [
        "8/8/3k1p1p/2p1pPpP/1pP1P1P1/pP1B4/P3K3/8 w - -",
        "8/8/1b1k1p1p/2p1pPpP/1pP1P1P1/pP1B4/P3K3/8 w - -",
        "6B1/8/3k1p1p/2p1pPpP/1pP1P1P1/pP1B4/P3K3/8 w - -",
    ] {
        let position = Position::from_fen(fen).unwrap();
        assert!(
            matches!(compare(&position, 300_000, 100), Some(Said::Never(_))),
            "{fen}"
        );
    }
}

#[test]
fn a_limit_is_no_proof() {
    let locked = Position::from_fen("8/8/3k1p1p/2p1pPpP/1pP1P1P1/pP1B4/P3K3/8 w - -").unwrap();
    let meter = Meter::of_nodes(u64::MAX);
    let mut search = Search::new(10, &meter);
    search.shortcuts = false;
    assert!(matches!(search.run(&locked), Ok(End::Open)));
}
