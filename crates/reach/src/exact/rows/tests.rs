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

/// A random position: kings, some pieces, pawns that mostly stand before each other, and now and
/// then castling rights.
fn random(rng: &mut fastrand::Rng) -> Option<Position> {
    let mut board = [None::<char>; 64];
    let mut rights = String::new();
    if rng.u8(..4) == 0 {
        board[4] = Some('K');
        board[if rng.bool() { 7 } else { 0 }] = Some('R');
        rights.push(if board[7].is_some() { 'K' } else { 'Q' });
    }
    if rng.u8(..4) == 0 {
        board[60] = Some('k');
        board[if rng.bool() { 63 } else { 56 }] = Some('r');
        rights.push(if board[63].is_some() { 'k' } else { 'q' });
    }
    let mut put = |man: char, squares: std::ops::Range<usize>, rng: &mut fastrand::Rng| {
        for _ in 0..20 {
            let square = rng.usize(squares.clone());
            if board[square].is_none() {
                board[square] = Some(man);
                return;
            }
        }
    };
    for king in ['K', 'k'] {
        if !rights.to_lowercase().is_empty() && board_has(&rights, king) {
            continue;
        }
        put(king, 0..64, rng);
    }
    let pieces = b"NBRQnbrq";
    for _ in 0..rng.usize(..3) {
        let piece = pieces[rng.usize(..pieces.len())] as char;
        put(piece, 0..64, rng);
    }
    for _ in 0..rng.usize(..6) {
        let rank = rng.usize(1..6);
        let file = rng.usize(..8);
        let (below, above) = (8 * rank + file, 8 * rank + 8 + file);
        if rng.u8(..5) == 0 {
            put(if rng.bool() { 'P' } else { 'p' }, 8..56, rng);
        } else {
            put('P', below..below + 1, rng);
            put('p', above..above + 1, rng);
        }
    }
    let mut fen = String::new();
    for rank in (0..8).rev() {
        for file in 0..8 {
            match board[8 * rank + file] {
                Some(man) => fen.push(man),
                None => fen.push('1'),
            }
        }
        if rank > 0 {
            fen.push('/');
        }
    }
    let turn = if rng.bool() { 'w' } else { 'b' };
    let rights = if rights.is_empty() { "-" } else { &rights };
    Position::from_fen(&format!("{fen} {turn} {rights} -")).ok()
}

fn board_has(rights: &str, king: char) -> bool {
    let of = |right: char| right.is_ascii_uppercase() == king.is_ascii_uppercase();
    rights.chars().any(of)
}

#[test]
fn it_counts_what_enumeration_counts_and_finds_a_mate_where_there_is_one() {
    let (mut nevers, mut mates, mut rights) = (0, 0, 0);
    for seed in 0..3_000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let Some(position) = random(&mut rng) else {
            continue;
        };
        let lost = stillmate_core::insufficient_material(&position, Color::White).is_some();
        if lost || !position.has_legal_move() {
            continue;
        }
        // Also with a change of the row man in the middle.
        let review_from = if rng.bool() { 5 } else { usize::MAX };
        match compare(&position, 6_000, review_from) {
            Some(Said::Mate) => mates += 1,
            Some(Said::Never(_)) => nevers += 1,
            None => continue,
        }
        rights += u32::from(position.castling().any());
    }
    assert!(
        nevers > 30 && mates > 300 && rights > 50,
        "{nevers} {mates} {rights}"
    );
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
