//! Random positions, and random ones that belong to a class.

use fastrand::Rng;
use stillmate_core::{Color, File, Position, Role, Square};
use stillmate_testkit::set_up::SetUp;

use super::grow::{Proof, pairs};
use crate::support::position;

/// Positions that neither or only one colour can win and that take classes to prove it.
pub(super) const LOCKED: [&str; 18] = [
    "1K6/1p6/kPp5/2P5/p1P5/P7/8/8 w - -",
    "8/7p/k4p1P/5p1K/5Pp1/6P1/6P1/8 w - -",
    "8/8/7p/5p1P/5p1K/5Pp1/6P1/5kb1 w - -",
    "k1b5/1p1p4/1P1P4/B7/8/8/8/K7 w - -",
    "1kb5/1p1p4/1P1P2p1/6p1/6Pb/6p1/6P1/7K w - -",
    "5bk1/4p1p1/4P1P1/7K/8/8/8/8 w - -",
    "8/1p2k3/bPp5/BpP3K1/1P6/8/1P6/8 w - -",
    "8/1p2k3/8/1P1p2p1/1p1P2P1/1P3K2/8/8 b - -",
    "2k5/2p1p1p1/p1P1P1P1/P1p4K/8/8/2P5/8 w - -",
    "8/2p1k3/2p2p2/p1P2P1p/P4p1P/5P2/K1P5/8 b - -",
    "8/4k3/p1p1p1p1/P1P1P1P1/2p1p1p1/P1P1P1P1/4K3/8 w - -",
    "8/6p1/pp4P1/1p4PK/kp4P1/1p4PP/1P6/8 w - -",
    "k7/8/p1p3p1/2P1p1Pp/PpP1Pp2/1P1K1P1P/8/8 w - -",
    "8/8/8/7p/8/p1p2k2/PpP4P/1K6 b - -",
    "k7/1p6/1Pp5/n1P5/N1p5/1pPp4/1P1P4/K1B5 w - -",
    "1k6/b1b5/7p/5p1P/5p2/5PpK/6P1/8 w - -",
    "BbK1kb2/b1p1p1p1/1pP1P1P1/1P6/8/1B6/8/1B2b2B b - -",
    "8/1p6/kPp5/p1P5/2P5/P7/3K4/8 b - -",
];

/// One of these with some men moved, taken away or added; `None` if the draw fails.
pub(super) fn changed_position(rng: &mut Rng) -> Option<Position> {
    let position = position(rng.choice(LOCKED)?);
    changed(rng, &position)
}

/// `position` with up to three men moved, taken away or added; `None` if the draw fails.
pub(super) fn changed(rng: &mut Rng, position: &Position) -> Option<Position> {
    let mut draft = SetUp::of(position);
    let roles = [
        Role::Pawn,
        Role::Pawn,
        Role::Bishop,
        Role::Knight,
        Role::Rook,
    ];
    for _ in 0..rng.u8(..4) {
        let from = rng.choice(position.occupied())?;
        let change = rng.u8(..4);
        let piece = if change == 0 {
            rng.choice(roles)?.of(Color::from_white(rng.bool()))
        } else {
            draft.take(from)?
        };
        if change < 3 || piece.role == Role::King {
            // Mostly to a square nearby.
            let to = from.offset(rng.i32(-1..2) + 8 * rng.i32(-1..2));
            let to = to.filter(|_| rng.u8(..3) != 0);
            draft.try_put(to.unwrap_or(Square::new(rng.u32(..64))), piece)?;
        }
    }
    let turn = if rng.bool() {
        position.turn()
    } else {
        !position.turn()
    };
    let position = draft.position(turn)?;
    Some(if rng.bool() {
        position.mirrored()
    } else {
        position
    })
}

/// A random position with a wall of pawns, not without faults, and few other men; `None` if the draw fails.
pub(super) fn random_position(rng: &mut Rng) -> Option<Position> {
    let mut draft = SetUp::empty();
    let any = |rng: &mut Rng| Square::new(rng.u32(..64));
    for color in Color::ALL {
        draft.try_put(any(rng), Role::King.of(color))?;
    }
    // How many of eight files have pawns, how many of sixteen pairs are out of line (pawns on
    // neighbouring files that face others on one rank can take), apart or halved.
    let (files, faults) = (rng.u8(1..9), rng.u8(..3));
    let mut rank = rng.u32(2..5);
    for file in File::ALL {
        let mut faulty = || rng.u8(..16) < faults;
        rank = match rank {
            _ if faulty() => rank,
            1 => 2,
            5 => 4,
            _ => rank + 1 - 2 * u32::from(rng.bool()),
        };
        let mut faulty = || rng.u8(..16) < faults;
        let (apart, halved) = (faulty(), faulty());
        if rng.u8(..8) >= files {
            continue;
        }
        let lower = Square::new(8 * rank + u32::from(file));
        let half = halved.then(|| rng.bool());
        if half != Some(true) {
            draft.try_put(lower, Role::Pawn.of(Color::White))?;
        }
        if half != Some(false) {
            let upper = lower.offset(if apart { 16 } else { 8 })?;
            draft.try_put(upper, Role::Pawn.of(Color::Black))?;
        }
    }
    for _ in 0..rng.u8(0..4) {
        let roles = [
            Role::Bishop,
            Role::Bishop,
            Role::Knight,
            Role::Rook,
            Role::Queen,
        ];
        let piece = rng.choice(roles)?.of(Color::from_white(rng.bool()));
        draft.try_put(any(rng), piece)?;
    }
    draft.position(Color::from_white(rng.bool()))
}

/// A random position that belongs to a class when its men are placed as listed; `None` if the
/// draw fails. Play may be unable to reach it.
pub(super) fn random_fitting(rng: &mut Rng, proof: &Proof) -> Option<Position> {
    let class = rng.choice(&proof.classes)?;
    let (set, own, other) = rng.choice(pairs(class))?;
    let mut draft = SetUp::empty();
    draft.try_put(own, Role::King.of(proof.claim))?;
    draft.try_put(other, Role::King.of(!proof.claim))?;
    for man in &class.men {
        let piece = if man.promotes {
            let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
            rng.choice(roles)?.of(man.piece.color)
        } else {
            man.piece
        };
        draft.try_put(rng.choice(man.squares)?, piece)?;
    }
    draft.position(set.turn(proof.claim))
}
