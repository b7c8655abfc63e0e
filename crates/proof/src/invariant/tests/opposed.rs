//! Telling pawns apart, held to its definition on random invariants.

use fastrand::Rng;
use stillmate_core::{Bitboard, Color, File, Piece, Position, Role, Square};

use super::invariant;
use crate::{
    certificate::{Invariant, Man},
    invariant::InductiveInvariant,
    limits::{Limits, Remaining},
};

/// Whether `position` fits, by trying every assignment. It has neither castling rights nor an en
/// passant square.
fn by_definition(invariant: &Invariant, position: &Position, in_order: bool) -> bool {
    let men: Vec<_> = position.pieces().collect();
    assign(
        invariant,
        &men,
        &mut vec![None; invariant.men.len()],
        in_order,
    )
}

/// Goes on with the first of `men`; `places` has the squares of those before by their men.
fn assign(
    invariant: &Invariant,
    men: &[(Square, Piece)],
    places: &mut Vec<Option<Square>>,
    in_order: bool,
) -> bool {
    let Some((&(square, piece), rest)) = men.split_first() else {
        let missing = invariant.men.iter().zip(&*places);
        let pairs = invariant.opposed.iter();
        let mut pairs = pairs.map(|&(white, black)| places[white].zip(places[black]));
        return missing
            .into_iter()
            .all(|(man, place)| man.lost || place.is_some())
            && (!in_order || pairs.all(|pair| pair.is_none_or(|(a, b)| a.rank() < b.rank())));
    };
    (0..invariant.men.len()).any(|man| {
        let wide = &invariant.men[man];
        let same = wide.piece == piece && wide.squares.contains(square);
        let promoted = wide.promotes
            && wide.piece.color == piece.color
            && !matches!(piece.role, Role::Pawn | Role::King);
        if places[man].is_some() || !same && !promoted {
            return false;
        }
        places[man] = Some(square);
        let found = assign(invariant, rest, places, in_order);
        places[man] = None;
        found
    })
}

/// Kings, and pawns and a few knights on neighbouring files, many of them alike.
fn random_invariant(rng: &mut Rng) -> Invariant {
    let mut invariant = invariant("K a1, k h8");
    for _ in 0..rng.usize(2..8) {
        if rng.u8(..4) == 0 {
            // One like another.
            let men = invariant.men[2..].to_vec();
            invariant.men.extend(rng.choice(men));
            continue;
        }
        let color = Color::from_white(rng.bool());
        let file = Bitboard::from_file(File::new(rng.u32(3..5)));
        let files = if rng.u8(..4) == 0 {
            Bitboard::from_file(File::D) | Bitboard::from_file(File::E)
        } else {
            file
        };
        let ranks = Bitboard(rng.u64(..) | rng.u64(..)) & !Bitboard::BACKRANKS;
        let promotes = rng.u8(..8) == 0 && color == Color::Black;
        invariant.men.push(Man {
            piece: Role::Pawn.of(color),
            squares: files & ranks,
            lost: promotes || rng.u8(..5) < 2,
            promotes,
        });
    }
    for white in 2..invariant.men.len() {
        for black in 2..invariant.men.len() {
            let [low, high] = [white, black].map(|man| invariant.men[man]);
            let pawns = low.piece.color.is_white() && high.piece.color.is_black();
            let both = low.squares | high.squares;
            let on_one_file = File::ALL
                .iter()
                .any(|&f| both.is_subset(Bitboard::from_file(f)));
            let opposed = pawns && on_one_file && !high.promotes && !(low.lost && high.lost);
            if opposed && rng.u8(..4) != 0 {
                invariant.opposed.push((white, black));
            }
        }
    }
    if invariant.men.iter().any(|man| man.promotes) {
        let own = |man: &&mut Man| man.piece == Role::Pawn.of(Color::White);
        invariant
            .men
            .iter_mut()
            .filter(own)
            .for_each(|man| man.lost = true);
        let men = &invariant.men;
        let check_reversible_moves =
            |&(white, black): &(usize, usize)| !(men[white].lost && men[black].lost);
        invariant.opposed.retain(check_reversible_moves);
    }
    invariant
}

/// Men of the invariant on squares of theirs, with now and then one elsewhere.
fn random_position(rng: &mut Rng, invariant: &Invariant) -> Option<Position> {
    let mut men = Vec::new();
    let mut free = Bitboard::FULL;
    for man in &invariant.men {
        if man.lost && rng.u8(..4) == 0 {
            continue;
        }
        let elsewhere = rng.u8(..30) == 0 && !man.is_king();
        let squares = if elsewhere {
            !Bitboard::BACKRANKS
        } else {
            man.squares
        };
        let role = if man.promotes && rng.bool() {
            Role::Knight
        } else {
            man.piece.role
        };
        let square = rng.choice(squares & free)?;
        free.discard(square);
        men.push((role.of(man.piece.color), square.into()));
    }
    Position::from_pieces(men, Color::from_white(rng.bool()))
}

#[test]
fn pawns_are_told_apart_as_by_definition() {
    let mut rng = Rng::with_seed(11);
    let (mut fitting, mut out_of_order, mut other) = (0, 0, 0);
    while fitting < 5_000 || out_of_order < 1_000 || other < 1_000 {
        let invariant = random_invariant(&mut rng);
        let inductive = InductiveInvariant::new(&invariant, Color::White).expect("well formed");
        for _ in 0..8 {
            let Some(position) = random_position(&mut rng, &invariant) else {
                continue;
            };
            let mut remaining = Remaining::new(&Limits::default());
            let fits = inductive
                .fits(&position, &mut remaining)
                .expect("within limits");
            let expected = by_definition(&invariant, &position, true);
            assert_eq!(fits, expected, "{position:?} in {invariant:?}");
            let any_order = by_definition(&invariant, &position, false);
            let tally = match (fits, any_order) {
                (true, _) => &mut fitting,
                (false, true) => &mut out_of_order,
                (false, false) => &mut other,
            };
            *tally += 1;
        }
    }
}
