//! The move generator of this crate against shakmaty's, over random games.

use shakmaty::{CastlingMode, Chess, FromSetup, Position as _, PositionError, fen::Fen};
use stillmate_core::{Key, Move, Position};
use stillmate_testkit::walk::STARTS;

fn chess(fen: &str) -> Chess {
    let setup = fen.parse::<Fen>().unwrap().into_setup();
    Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .unwrap()
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort();
    moves
}

/// Moves of other positions of the same games, castling and en passant among them.
#[test]
fn a_move_from_elsewhere_is_legal_if_it_is_among_the_legal_moves() {
    let mut rng = fastrand::Rng::with_seed(3);
    let (mut legal, mut illegal) = (0, 0);
    for _ in 0..10 {
        for fen in STARTS {
            let mut position = Position::from_fen(fen).unwrap();
            let mut elsewhere: Vec<Move> = Vec::new();
            for _ in 0..100 {
                let moves = position.legal_moves();
                let Some(&next) = moves.get(rng.usize(..moves.len().max(1))) else {
                    break;
                };
                elsewhere.extend(&moves);
                elsewhere.extend(moves.iter().map(|m| m.mirrored()));
                for _ in 0..100 {
                    let m = elsewhere[rng.usize(..elsewhere.len())];
                    let expected = moves.contains(&m).then(|| position.after(m));
                    assert_eq!(position.after_if_legal(m), expected, "{m} in {position:?}");
                    *(if expected.is_some() {
                        &mut legal
                    } else {
                        &mut illegal
                    }) += 1;
                }
                elsewhere.extend(&moves);
                position.play(next);
            }
        }
    }
    assert!(legal > 10_000 && illegal > 10_000, "{legal}, {illegal}");
}

#[test]
fn moves_and_positions_agree_with_shakmaty() {
    let mut rng = fastrand::Rng::with_seed(1);
    let mut seen = 0;
    for round in 0..60 {
        for fen in STARTS {
            let mut theirs = chess(fen);
            let mut ours = Position::from_fen(fen).unwrap();
            for ply in 0..120 {
                assert_eq!(
                    ours,
                    Position::from_chess(&theirs),
                    "{fen}, round {round}, ply {ply}"
                );
                let expected = sorted(theirs.legal_moves().into_iter().map(Move::from_shakmaty));
                assert_eq!(sorted(ours.legal_moves()), expected, "moves of {ours:?}");
                assert_eq!(ours.is_checkmate(), theirs.is_checkmate(), "{ours:?}");
                assert_eq!(ours.is_stalemate(), theirs.is_stalemate(), "{ours:?}");
                assert_eq!(ours.has_legal_move(), !expected.is_empty(), "{ours:?}");
                assert_eq!(ours.checkers(), theirs.checkers(), "{ours:?}");
                assert_eq!(Key::new(&ours).position(), ours);
                assert_eq!(ours.mirrored().mirrored(), ours);
                let mirrored = expected.iter().map(|m| m.mirrored());
                assert_eq!(
                    sorted(ours.mirrored().legal_moves()),
                    sorted(mirrored),
                    "{ours:?}"
                );
                assert_eq!(Position::from_chess(&ours.to_chess()), ours);
                let Some(&m) = expected.get(rng.usize(..expected.len().max(1))) else {
                    break;
                };
                ours.play(m);
                theirs.play_unchecked(m.to_shakmaty());
                seen += 1;
            }
        }
    }
    assert!(seen > 50_000, "only {seen} positions");
}

#[test]
fn perft_agrees_with_shakmaty() {
    fn perft(position: &Position, depth: u32) -> u64 {
        let moves = position.legal_moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        moves
            .iter()
            .map(|&m| perft(&position.after(m), depth - 1))
            .sum()
    }
    for fen in STARTS {
        let depth = if fen.starts_with('q') { 2 } else { 3 };
        let expected = shakmaty::perft(&chess(fen), depth);
        assert_eq!(
            perft(&Position::from_fen(fen).unwrap(), depth),
            expected,
            "{fen}"
        );
    }
}

#[test]
fn an_en_passant_square_without_a_legal_capture_is_no_part_of_the_position() {
    // The pawn is pinned along the rank once both pawns leave it.
    let pinned = Position::from_fen("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1").unwrap();
    assert_eq!(pinned.ep_square(), None);
    assert_eq!(
        pinned,
        Position::from_fen("8/8/8/K2pP2r/8/8/8/4k3 w - -").unwrap()
    );
    let free = Position::from_fen("8/8/8/3pP2r/K7/8/8/4k3 w - d6 0 1").unwrap();
    assert_ne!(
        free,
        Position::from_fen("8/8/8/3pP2r/K7/8/8/4k3 w - -").unwrap()
    );
}

#[test]
fn positions_of_shakmaty_are_taken_unless_they_are_too_crowded() {
    for fen in STARTS {
        let position = Position::try_from(chess(fen)).unwrap();
        assert_eq!(Chess::from(&position), position.to_chess());
        assert_eq!(Position::try_from(*fen), Ok(position));
        assert_eq!(fen.parse(), Ok(position));
    }
    let crowd = "4k3/8/8/8/NNNNNNNN/NNNNNNNN/8/4K3 w - - 0 1";
    let error = Position::try_from(&chess(crowd)).unwrap_err();
    assert_eq!(error.to_string(), "more than 16 pieces of a colour");
    assert_eq!(Position::try_from(crowd), Err(error));
}
