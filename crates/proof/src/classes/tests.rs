//! The obligations against real moves, on random classes and random positions that belong to
//! them. These classes prove nothing; each obligation is held to its own promise.

use fastrand::Rng;
use stillmate_core::{
    Bitboard, ByColor, Color, File, Move, Piece, Position, Rank, Role, Square,
    insufficient_material,
};

use super::{
    ClassGraph,
    king_pairs::KingPairs,
    position_set::{Checks, PositionSet},
    reversible_class::ReversibleClass,
};
use crate::{
    certificate::{Class, Invariant, Kings, Man},
    invariant::InductiveInvariant,
    limits::{Limits, Remaining},
    refusal::{ClassFault, IrreversibleMove},
};

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Whether the class includes all positions of `positions`.
fn includes(checked: &ReversibleClass, positions: &PositionSet) -> bool {
    checked.includes(positions, &mut remaining()).unwrap()
}

fn remaining() -> Remaining {
    Remaining::new(&Limits::default())
}

fn no_kings() -> Kings {
    Kings {
        claim_to_move: [Bitboard::EMPTY; 64],
        other_to_move: [Bitboard::EMPTY; 64],
        after_king: [Bitboard::EMPTY; 64],
    }
}

/// A class of a few men, closed under reversible moves as far as the checker asks for it.
fn random_class(rng: &mut Rng, winner: Color) -> Class {
    let mut men = Vec::new();
    let mut taken = Bitboard::EMPTY;
    let mut add = |piece: Piece, squares: Bitboard, promotes| {
        men.push(Man {
            piece,
            squares,
            lost: false,
            promotes,
        });
    };
    for file in File::ALL {
        let square = Square::from_coords(file, Rank::new(rng.u32(1..6)));
        let (color, apart) = (Color::from_white(rng.bool()), rng.u8(..6) == 0);
        // A pawn, mostly blocked by another.
        let ahead = square.offset(color.fold_wb(8, -8) * if apart { 2 } else { 1 });
        let pawns = [(square, color)]
            .into_iter()
            .chain(ahead.map(|sq| (sq, !color)));
        for (square, color) in pawns {
            if rng.u8(..5) != 0 && !Bitboard::BACKRANKS.contains(square) {
                taken.add(square);
                add(Role::Pawn.of(color), square.into(), false);
            }
        }
    }
    for _ in 0..rng.u8(1..5) {
        let square = Square::new(rng.u32(..64));
        let (role, color) = (PROMOTIONS[rng.usize(..4)], Color::from_white(rng.bool()));
        if !taken.contains(square) {
            add(role.of(color), square.into(), false);
        }
    }
    for _ in 0..rng.u8(..8) / 5 {
        add(Role::Pawn.of(!winner), Bitboard::FULL, true);
    }
    let mut kings = no_kings();
    for _ in 0..rng.u8(1..3) {
        let (own, other) = (Square::new(rng.u32(..64)), Square::new(rng.u32(..64)));
        if own.distance(other) > 1 && !taken.contains(own) && !taken.contains(other) {
            let rows = match rng.u8(..3) {
                0 => &mut kings.claim_to_move,
                1 => &mut kings.other_to_move,
                _ => &mut kings.after_king,
            };
            rows[own as usize].add(other);
        }
    }
    let kings = Box::new(kings);
    close(Class { men, kings }, winner)
}

/// Adds what the first obligation asks for and nothing else.
fn close(mut class: Class, winner: Color) -> Class {
    while let Err(fault) = ReversibleClass::new(&class, winner)
        .unwrap()
        .check_reversible_moves()
    {
        // It is new, or this would go on for ever.
        let new = match fault {
            ClassFault::Leaves { man, to, .. } => class.men[man].squares.insert(to),
            ClassFault::Steps {
                king,
                from,
                to,
                other,
            } => {
                let (own, other) = if king == winner {
                    (to, other)
                } else {
                    (other, to)
                };
                let rows = if king != winner {
                    &mut class.kings.claim_to_move
                } else if from == to {
                    &mut class.kings.other_to_move
                } else {
                    &mut class.kings.after_king
                };
                rows[own as usize].insert(other)
            }
            fault => panic!("{fault}"),
        };
        assert!(new, "{fault} in {class:?}");
    }
    class
}

/// A position with these men and kings, each somewhere on its squares; `None` if the draw
/// fails.
fn random_position(rng: &mut Rng, positions: &PositionSet, winner: Color) -> Option<Position> {
    let mut board: [Option<Piece>; 64] = [None; 64];
    let mut put = |square: Square, piece| {
        let place = &mut board[square as usize];
        place.is_none().then(|| *place = Some(piece))
    };
    let pairs: Vec<_> = positions
        .kings
        .rows()
        .flat_map(|(own, others)| others.into_iter().map(move |other| (own, other)))
        .collect();
    let (own, other) = rng.choice(pairs)?;
    put(own, Role::King.of(winner))?;
    put(other, Role::King.of(!winner))?;
    for man in &positions.men {
        let squares = man.may_stand();
        // Captures next to a king and along short lines are the point.
        let near =
            squares & (super::king_pairs::too_near(own) | super::king_pairs::too_near(other));
        let squares = if near.any() && rng.bool() {
            near
        } else {
            squares
        };
        let piece = if man.promotes {
            PROMOTIONS[rng.usize(..4)].of(man.piece.color)
        } else {
            man.piece
        };
        put(rng.choice(squares)?, piece)?;
    }
    let rank = |rank| {
        let letters = Bitboard::from_rank(rank).into_iter();
        letters
            .map(|square| board[square as usize].map_or('1', Piece::char))
            .collect::<String>()
    };
    let ranks: Vec<_> = Rank::ALL.into_iter().rev().map(rank).collect();
    Position::from_fen(&format!(
        "{} {} - -",
        ranks.join("/"),
        positions.turn.char()
    ))
    .ok()
}

/// All positions of a class with this side to move.
fn whole(checked: &ReversibleClass, turn: Color) -> PositionSet {
    PositionSet {
        men: checked.men.clone(),
        turn,
        kings: checked.kings[turn].clone(),
        checks: Checks::Discovered,
    }
}

/// The positions of `positions` as a class; `None` if one of `winner`'s pawns has promoted.
fn class_of(positions: &PositionSet, winner: Color) -> Option<ReversibleClass> {
    let mut kings = no_kings();
    let rows = match positions.checks {
        _ if positions.turn == winner => &mut kings.claim_to_move,
        Checks::Any => &mut kings.other_to_move,
        Checks::Discovered => &mut kings.after_king,
    };
    for (own, others) in positions.kings.rows() {
        rows[own as usize] = others;
    }
    let men = positions.men.clone();
    let kings = Box::new(kings);
    ReversibleClass::new(&Class { men, kings }, winner).ok()
}

/// Whether `single`, a position after some move, is among those of `positions`.
fn has(positions: &PositionSet, single: &PositionSet, winner: Color) -> bool {
    class_of(positions, winner).is_some_and(|checked| includes(&checked, single))
}

/// The position after `m` as the obligations speak of it.
fn single(position: &Position, m: Move, winner: Color) -> PositionSet {
    let mut single = PositionSet::at(position, winner).unwrap();
    if m.role() != Role::King {
        single.checks = Checks::Any;
    }
    single
}

/// Whether the third obligation sees that a mate may be among the positions of `positions`.
fn sees_mate(positions: &PositionSet, winner: Color) -> bool {
    let checked = class_of(positions, winner);
    checked.is_some_and(|checked| checked.check_safety(0, &mut remaining()).is_err())
}

/// What was met of each kind.
#[derive(Debug, Default)]
struct Tally {
    reversible: usize,
    king_captures: usize,
    captures: usize,
    pawn_moves: usize,
    promotions: usize,
    en_passant: usize,
    mates: usize,
    discovered: usize,
}

/// Holds the obligations of a random class against all moves from random positions of it.
fn hold(rng: &mut Rng, tally: &mut Tally) {
    let winner = Color::from_white(rng.bool());
    let class = random_class(rng, winner);
    let checked = ReversibleClass::new(&class, winner).unwrap();
    let irreversible = checked.irreversible_moves();
    let results: Vec<_> = irreversible
        .iter()
        .map(|&irreversible_move| checked.after(irreversible_move))
        .collect();
    for _ in 0..100 {
        let turn = Color::from_white(rng.bool());
        let Some(position) = random_position(rng, &whole(&checked, turn), winner) else {
            continue;
        };
        let context = || format!("{position:?} of {class:?}");
        let start = PositionSet::at(&position, winner).unwrap();
        assert!(includes(&checked, &start), "{}", context());
        for m in position.legal_moves() {
            let context = || format!("{m} in {}", context());
            let after = position.after(m);
            let mate = after.turn() != winner && after.is_checkmate();
            tally.mates += usize::from(mate);
            tally.discovered += usize::from(mate && m.role() == Role::King);
            if !m.is_zeroing() {
                tally.reversible += 1;
                let mut next = single(&after, m, winner);
                assert!(includes(&checked, &next), "{}", context());
                next.men.clone_from(&checked.men);
                assert!(!mate || sees_mate(&next, winner), "mate by {}", context());
                continue;
            }
            if m.promotion().is_some() && turn == winner {
                let is_it = |&irreversible_move: &IrreversibleMove| matches!(irreversible_move, IrreversibleMove::Pawn { to, .. } if to == m.to());
                let place = irreversible.iter().position(is_it).unwrap();
                let men = &results[place].men;
                assert!(
                    men.iter()
                        .any(|man| man.promotes && man.piece.color == winner)
                );
                continue;
            }
            for reply in after.legal_moves() {
                if !reply.is_en_passant() {
                    continue;
                }
                tally.en_passant += 1;
                let end = single(&after.after(reply), reply, winner);
                let all = irreversible.iter().zip(&results);
                let mut passing = all.filter(|(irreversible_move, _)| {
                    matches!(irreversible_move, IrreversibleMove::EnPassant { .. })
                });
                let found = passing.any(|(_, positions)| has(positions, &end, winner));
                assert!(found, "{reply} after {}", context());
            }
            // The same position without an en passant capture.
            let fen = after.fen();
            let fields: Vec<_> = fen.split(' ').take(2).collect();
            let plain = Position::from_fen(&format!("{} - -", fields.join(" "))).unwrap();
            let next = single(&plain, m, winner);
            let found = results
                .iter()
                .find(|positions| has(positions, &next, winner));
            let found = found.unwrap_or_else(|| panic!("{}", context()));
            assert!(!mate || sees_mate(found, winner), "mate by {}", context());
            match m.role() {
                Role::King => tally.king_captures += 1,
                Role::Pawn if m.promotion().is_some() => tally.promotions += 1,
                Role::Pawn => tally.pawn_moves += 1,
                _ => tally.captures += 1,
            }
        }
    }
}

#[test]
fn every_move_stays_or_is_an_event() {
    let (mut rng, mut tally) = (Rng::with_seed(5), Tally::default());
    for _ in 0..250 {
        hold(&mut rng, &mut tally);
    }
    assert!(
        tally.reversible > 50_000 && tally.captures > 5_000,
        "{tally:?}"
    );
    assert!(
        tally.king_captures > 5_000 && tally.pawn_moves > 10_000,
        "{tally:?}"
    );
    assert!(
        tally.promotions > 2_000 && tally.en_passant > 100,
        "{tally:?}"
    );
    assert!(tally.mates > 100, "{tally:?}");
}

/// The same for many more classes; `CLASSES` sets how many.
#[test]
#[ignore = "runs for minutes"]
fn every_move_stays_or_is_an_event_at_length() {
    let wanted = std::env::var("CLASSES").map_or(20_000, |text| text.parse().expect("a number"));
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let (mut rng, mut tally) = (Rng::with_seed(seed), Tally::default());
    for _ in 0..wanted {
        hold(&mut rng, &mut tally);
    }
    println!("{tally:?}");
}

/// A few men without pawns, each on several squares.
fn random_officers(rng: &mut Rng, winner: Color) -> PositionSet {
    let mut men = Vec::new();
    let only = PROMOTIONS[rng.usize(..4)];
    let colour = if rng.bool() {
        Bitboard::LIGHT_SQUARES
    } else {
        Bitboard::DARK_SQUARES
    };
    for _ in 0..rng.u8(..4) {
        let role = if rng.bool() {
            only
        } else {
            PROMOTIONS[rng.usize(..4)]
        };
        let squares = Bitboard(rng.u64(..) & rng.u64(..) & rng.u64(..));
        let squares = if rng.u8(..4) == 0 {
            squares
        } else {
            squares & colour
        };
        let promotes = rng.u8(..8) == 0;
        let color = if promotes {
            !winner
        } else {
            Color::from_white(rng.bool())
        };
        men.push(Man {
            piece: if promotes { Role::Pawn } else { role }.of(color),
            squares: if promotes { Bitboard::EMPTY } else { squares },
            lost: false,
            promotes,
        });
    }
    let mut kings = KingPairs::NONE;
    kings.add(Square::new(rng.u32(..64)), Bitboard(rng.u64(..)));
    PositionSet {
        men,
        turn: Color::from_white(rng.bool()),
        kings,
        checks: Checks::Any,
    }
}

#[test]
fn what_has_too_few_men_has_too_few_in_every_position() {
    let mut rng = Rng::with_seed(6);
    let (mut insufficient, mut others) = (0, 0);
    for _ in 0..30_000 {
        let winner = Color::from_white(rng.bool());
        let positions = random_officers(&mut rng, winner);
        let Some(position) = random_position(&mut rng, &positions, winner) else {
            continue;
        };
        let told = insufficient_material(&position, winner).is_some();
        let single = PositionSet::at(&position, winner).unwrap();
        assert_eq!(single.is_insufficient(winner), told, "{position:?}");
        if positions.is_insufficient(winner) {
            assert!(told, "{position:?}");
            insufficient += usize::from(positions.men.iter().any(|man| man.piece.color == winner));
        } else {
            others += 1;
        }
    }
    assert!(
        insufficient > 500 && others > 5_000,
        "{insufficient} and {others}"
    );
}

/// An invariant that may or may not include `positions`, and may or may not be well formed.
fn random_invariant(rng: &mut Rng, positions: &PositionSet, winner: Color) -> Invariant {
    let mut men = positions.with_kings(winner);
    if rng.u8(..4) == 0 {
        let squares = Bitboard(rng.u64(..));
        let piece = Role::Bishop.of(Color::from_white(rng.bool()));
        men.push(Man {
            piece,
            squares,
            lost: false,
            promotes: false,
        });
    }
    for man in &mut men {
        let more = match (man.is_pawn(), man.squares.first()) {
            (true, Some(square)) => Bitboard::from_file(square.file()),
            _ => Bitboard::FULL,
        };
        man.squares |= more & Bitboard(rng.u64(..) & rng.u64(..));
        man.lost |= !man.is_king() && rng.u8(..3) == 0;
        if !man.is_king() && man.piece.color != winner && rng.u8(..4) == 0 {
            man.piece = Role::Pawn.of(!winner);
            (man.lost, man.promotes) = (true, true);
        }
        if man.is_pawn() {
            man.squares &= !Bitboard::BACKRANKS;
        }
    }
    if men.iter().any(|man| man.promotes) {
        let own = |man: &&mut Man| man.piece.color == winner && !man.is_king();
        men.iter_mut().filter(own).for_each(|man| man.lost = true);
    }
    let pawns = |color| {
        let men = men.iter().enumerate();
        men.filter(move |(_, man)| man.piece == Role::Pawn.of(color) && man.is_steady())
    };
    let mut opposed = Vec::new();
    for (white, lower) in pawns(Color::White) {
        for (black, upper) in pawns(Color::Black) {
            let files = [lower, upper].map(|man| man.squares.first().map(Square::file));
            if files[0] == files[1] && rng.bool() {
                opposed.push((white, black));
            }
        }
    }
    Invariant {
        men,
        opposed,
        ..Invariant::default()
    }
}

#[test]
fn what_includes_an_outcome_includes_all_its_positions() {
    let mut rng = Rng::with_seed(7);
    let (mut classes, mut invariants, mut opposed, mut neither) = (0, 0, 0, 0);

    for _ in 0..300 {
        let winner = Color::from_white(rng.bool());
        let class = random_class(&mut rng, winner);
        let checked = ReversibleClass::new(&class, winner).unwrap();
        let irreversible = checked.irreversible_moves();
        let Some(irreversible_move) = rng.choice(&irreversible) else {
            continue;
        };
        let positions = checked.after(*irreversible_move);
        for _ in 0..20 {
            // A class that is wider in places and now and then narrower.
            let mut wide = positions.men.clone();
            for man in wide.iter_mut().filter(|man| !man.is_pawn()) {
                if man.piece.color != winner && rng.u8(..8) == 0 {
                    (man.piece.role, man.promotes) = (Role::Pawn, true);
                } else if rng.u8(..16) == 0 {
                    man.squares &= Bitboard(rng.u64(..));
                } else {
                    man.squares |= Bitboard(rng.u64(..) & rng.u64(..));
                }
            }
            rng.shuffle(&mut wide);
            let mut checked = class_of(&positions, winner);
            if let Some(checked) = &mut checked {
                checked.men = wide;
            }
            let invariant = random_invariant(&mut rng, &positions, winner);
            let inductive = InductiveInvariant::new(&invariant, winner).ok();
            let included = inductive.as_ref().is_some_and(|inductive| {
                inductive
                    .includes(&positions.with_kings(winner), &mut remaining())
                    .unwrap()
            });
            let in_class = checked
                .as_ref()
                .is_some_and(|checked| includes(checked, &positions));
            classes += usize::from(in_class);
            invariants += usize::from(included);
            opposed += usize::from(included && !invariant.opposed.is_empty());
            neither += usize::from(!included && !in_class);
            for _ in 0..10 {
                let Some(position) = random_position(&mut rng, &positions, winner) else {
                    continue;
                };
                let mut single = PositionSet::at(&position, winner).unwrap();
                single.checks = positions.checks;
                if let Some(checked) = &checked {
                    assert!(
                        !in_class || includes(checked, &single),
                        "{position:?} of {positions:?}"
                    );
                }
                if let Some(inductive) = &inductive {
                    let fits = inductive.fits(&position, &mut remaining()).unwrap();
                    let context = || format!("{position:?} of {positions:?} in {invariant:?}");
                    assert!(!included || fits, "{}", context());
                    let men = single.with_kings(winner);
                    let alone = inductive.includes(&men, &mut remaining()).unwrap();
                    assert_eq!(alone, fits, "{}", context());
                }
            }
        }
    }
    let tally = (classes, invariants, opposed, neither);
    assert!(
        classes > 100 && invariants > 100 && opposed > 20 && neither > 100,
        "{tally:?}"
    );
}

/// Lemmas are ruled out by the pawns and the number of men only if nothing else can save them.
#[test]
fn what_covers_a_position_allows_its_pawns() {
    let mut rng = Rng::with_seed(8);
    let (mut covered, mut unlikely) = (0, 0);
    for _ in 0..300 {
        let winner = Color::from_white(rng.bool());
        let class = random_class(&mut rng, winner);
        let checked = ReversibleClass::new(&class, winner).unwrap();
        let irreversible = checked.irreversible_moves();
        let Some(irreversible_move) = rng.choice(&irreversible) else {
            continue;
        };
        let graph = ClassGraph::new(&[class], winner, &mut remaining()).unwrap();
        // The positions of the class and what follows from it by some irreversible_move.
        let invariant = random_invariant(&mut rng, &checked.after(*irreversible_move), winner);
        let Ok(inductive) = InductiveInvariant::new(&invariant, winner) else {
            continue;
        };
        for _ in 0..40 {
            let turn = Color::from_white(rng.bool());
            let positions = match rng.choice(&irreversible) {
                Some(irreversible_move) if rng.u8(..4) != 0 => checked.after(*irreversible_move),
                _ => whole(&checked, turn),
            };
            let Some(position) = random_position(&mut rng, &positions, winner) else {
                continue;
            };
            let pawns = ByColor::new_with(|color: Color| position.pieces_of(color, Role::Pawn));
            let count = position.occupied().count();
            let fits = inductive.fits(&position, &mut remaining()).unwrap();
            let has = graph.has(&position, &mut remaining()).unwrap();
            covered += usize::from(fits) + usize::from(has);
            for (covers, allows) in [
                (
                    fits,
                    inductive.allows(pawns, count, &mut remaining()).unwrap(),
                ),
                (has, graph.allows(pawns, count, &mut remaining()).unwrap()),
            ] {
                assert!(!covers || allows, "{position:?}");
                unlikely += usize::from(!allows);
            }
        }
    }
    assert!(covered > 1_000 && unlikely > 1_000, "{covered} {unlikely}");
}

/// A man of unknown kind is listed as a pawn, but isn't one.
#[test]
fn no_pawn_stands_for_a_man_of_unknown_kind() {
    let winner = Color::White;
    let man = |piece, squares, promotes| Man {
        piece,
        squares,
        lost: promotes,
        promotes,
    };
    let unknown = man(Role::Pawn.of(!winner), Bitboard::EMPTY, true);
    let pawn = man(unknown.piece, Square::E5.into(), false);
    let mut kings = KingPairs::NONE;
    kings.add(Square::A1, Square::A8.into());
    let positions = |listed: Man| PositionSet {
        men: vec![Man {
            lost: false,
            ..listed
        }],
        turn: winner,
        kings: kings.clone(),
        checks: Checks::Any,
    };
    let king = |color, square: Square| man(Role::King.of(color), square.into(), false);
    let invariant = |listed| Invariant {
        men: vec![listed, king(winner, Square::A1), king(!winner, Square::A8)],
        ..Invariant::default()
    };
    // What each is listed as in the class or the invariant.
    let promoting = Man {
        squares: Square::E5.into(),
        ..unknown
    };
    for (narrow, wide, in_class, in_invariant) in [
        (unknown, unknown, true, true),
        (unknown, pawn, false, false),
        (pawn, unknown, false, false),
        (pawn, pawn, true, true),
        // A pawn that may promote may be one still.
        (pawn, promoting, false, true),
        (unknown, promoting, true, true),
    ] {
        let narrow = positions(narrow);
        let class = class_of(&positions(wide), winner).unwrap();
        assert_eq!(
            includes(&class, &narrow),
            in_class,
            "{narrow:?} in {wide:?}"
        );
        let invariant = invariant(wide);
        let inductive = InductiveInvariant::new(&invariant, winner).unwrap();
        let included = inductive.includes(&narrow.with_kings(winner), &mut remaining());
        assert_eq!(included.unwrap(), in_invariant, "{narrow:?} in {wide:?}");
    }
}
