//! How many moves a man needs to stand somewhere, or to guard squares around a king: on an
//! empty board, so that no man ever needs fewer.
//!
//! Guarding is always meant around a *target*, the square on which Black's king is to be mated:
//! bit *d* of a [`Cover`] is the neighbour in direction *d*, and [`CHECK`] the target itself.

use std::sync::{LazyLock, OnceLock};

use shakmaty::{
    Bitboard, Square,
    attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks},
};
use stillmate_core::{Color, Rank, Role};

/// What a man is, as far as its ways over an empty board are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
    /// A pawn that may find something to take.
    Pawn,
    /// A pawn that never leaves its file, as there is nothing to take.
    Straight,
}

const KINDS: [Kind; 7] = [
    Kind::Knight,
    Kind::Bishop,
    Kind::Rook,
    Kind::Queen,
    Kind::King,
    Kind::Pawn,
    Kind::Straight,
];
const OFFICERS: [Kind; 4] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];

impl Kind {
    /// The kind of a man of `role`; `can_take` tells whether pawns can take anything.
    pub(super) const fn of(role: Role, can_take: bool) -> Kind {
        match role {
            Role::Knight => Kind::Knight,
            Role::Bishop => Kind::Bishop,
            Role::Rook => Kind::Rook,
            Role::Queen => Kind::Queen,
            Role::King => Kind::King,
            Role::Pawn if can_take => Kind::Pawn,
            Role::Pawn => Kind::Straight,
        }
    }

    /// What a man of this kind is called.
    pub(super) const fn role(self) -> Role {
        match self {
            Kind::Knight => Role::Knight,
            Kind::Bishop => Role::Bishop,
            Kind::Rook => Role::Rook,
            Kind::Queen => Role::Queen,
            Kind::King => Role::King,
            Kind::Pawn | Kind::Straight => Role::Pawn,
        }
    }

    const fn is_pawn(self) -> bool {
        matches!(self, Kind::Pawn | Kind::Straight)
    }
}

/// More moves than any search goes deep.
pub(super) const NEVER: u8 = u8::MAX;

/// The bit of the target itself.
pub(super) const CHECK: u16 = 1 << 8;

/// The neighbours of a square, by direction; none off the board.
const DIRECTIONS: [i32; 8] = [-9, -8, -7, -1, 1, 7, 8, 9];

/// The neighbour of `target` in direction `d` of [`DIRECTIONS`].
pub(super) fn neighbour(target: Square, d: usize) -> Option<Square> {
    let square = target.offset(DIRECTIONS[d])?;
    (square.distance(target) == 1).then_some(square)
}

/// Squares that a man guards from somewhere, and the moves it takes to get there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cover {
    /// Directions that it guards, and [`CHECK`].
    pub(super) mask: u16,
    /// Moves until it does.
    pub(super) moves: u8,
}

/// Moves of a white man of `kind` from one square to another as what it is; for a pawn,
/// without promotion.
fn unpromoted(kind: Kind, from: Square, to: Square) -> u8 {
    if from == to {
        return 0;
    }
    let empty = Bitboard::EMPTY;
    let sees = |attacks: Bitboard| attacks.contains(to);
    match kind {
        Kind::King => steps(from, to),
        Kind::Rook => 2 - u8::from(sees(rook_attacks(from, empty))),
        Kind::Queen => {
            2 - u8::from(sees(rook_attacks(from, empty)) || sees(bishop_attacks(from, empty)))
        }
        Kind::Bishop if from.is_light() != to.is_light() => NEVER,
        Kind::Bishop => 2 - u8::from(sees(bishop_attacks(from, empty))),
        Kind::Knight => {
            let mut reached = Bitboard::from_square(from);
            let mut moves = 0;
            while !reached.contains(to) {
                moves += 1;
                reached = reached
                    .into_iter()
                    .fold(reached, |all, square| all | knight_attacks(square));
            }
            moves
        }
        Kind::Pawn | Kind::Straight => {
            let (aside, ranks) = (
                from.file().distance(to.file()),
                u32::from(to.rank()).checked_sub(u32::from(from.rank())),
            );
            let most = if kind == Kind::Pawn { 7 } else { 0 };
            match ranks {
                Some(ranks) if aside <= ranks.min(most) => {
                    // A double step goes straight on.
                    let twice = from.rank() == Rank::Second && ranks >= aside + 2;
                    (ranks - u32::from(twice)) as u8
                }
                _ => NEVER,
            }
        }
    }
}

type Distances = [[u8; 64]; 64];

/// Moves between any two squares, by kind of a white man.
static UNPROMOTED: LazyLock<Vec<Distances>> = LazyLock::new(|| {
    let table = |kind| Square::ALL.map(|from| Square::ALL.map(|to| unpromoted(kind, from, to)));
    KINDS.map(table).to_vec()
});

/// Moves of a white pawn until it stands somewhere as another man: for both kinds of pawns, by
/// what it becomes.
static PROMOTED: LazyLock<Vec<Distances>> = LazyLock::new(|| {
    let moves = |pawn: Kind, officer: Kind, from: usize, to: usize| {
        let way = |last: usize| {
            let pushes = UNPROMOTED[pawn as usize][from][last];
            pushes.saturating_add(UNPROMOTED[officer as usize][last][to])
        };
        (56..64).map(way).min().unwrap_or(NEVER)
    };
    let both = [Kind::Pawn, Kind::Straight].into_iter();
    both.flat_map(|pawn| OFFICERS.map(|officer| (pawn, officer)))
        .map(|(pawn, officer)| {
            std::array::from_fn(|from| std::array::from_fn(|to| moves(pawn, officer, from, to)))
        })
        .collect()
});

/// How `color`'s man of `kind` may come to stand on `to`: as what, and in how many moves.
pub(super) fn arrivals(
    color: Color,
    kind: Kind,
    from: Square,
    to: Square,
) -> impl Iterator<Item = (Kind, u8)> {
    let turn = |square: Square| color.fold_wb(square, square.flip_vertical());
    let (from, to) = (usize::from(turn(from)), usize::from(turn(to)));
    let first = OFFICERS.len() * usize::from(kind == Kind::Straight);
    let officers = if kind.is_pawn() { &OFFICERS[..] } else { &[] };
    let promoted = officers.iter().enumerate();
    let promoted = promoted.map(move |(nth, &officer)| (officer, PROMOTED[first + nth][from][to]));
    std::iter::once((kind, UNPROMOTED[kind as usize][from][to])).chain(promoted)
}

/// Moves of `color`'s man of `kind` until it stands on `to`, as whatever.
pub(super) fn moves_to(color: Color, kind: Kind, from: Square, to: Square) -> u8 {
    arrivals(color, kind, from, to)
        .map(|(_, moves)| moves)
        .min()
        .unwrap_or(NEVER)
}

/// Moves of a king between two squares.
pub(super) const fn steps(from: Square, to: Square) -> u8 {
    const STEPS: [[u8; 64]; 64] = {
        let mut steps = [[0; 64]; 64];
        let mut one = 0;
        while one < 64 {
            let mut other = 0;
            while other < 64 {
                let files = (one % 8_u8).abs_diff(other % 8);
                let ranks = (one / 8_u8).abs_diff(other / 8);
                steps[one as usize][other as usize] = if files > ranks { files } else { ranks };
                other += 1;
            }
            one += 1;
        }
        steps
    };
    STEPS[from as usize][to as usize]
}

/// What a white man of `kind` on `from` guards around `target` on an empty board; the king
/// there is no obstacle.
pub(super) fn guards(kind: Kind, from: Square, target: Square) -> u16 {
    let empty = Bitboard::EMPTY;
    let attacks = match kind {
        Kind::Knight => knight_attacks(from),
        Kind::Bishop => bishop_attacks(from, empty),
        Kind::Rook => rook_attacks(from, empty),
        Kind::Queen => bishop_attacks(from, empty) | rook_attacks(from, empty),
        Kind::King => king_attacks(from),
        Kind::Pawn | Kind::Straight => pawn_attacks(Color::White, from),
    };
    let around = (0..8).filter(|&d| neighbour(target, d).is_some_and(|sq| attacks.contains(sq)));
    let mask = around.fold(0, |mask, d| mask | 1 << d);
    if attacks.contains(target) {
        mask | CHECK
    } else {
        mask
    }
}

/// All covers by kind, square and target, made when they are first asked for.
static COVERS: LazyLock<Vec<OnceLock<Box<[Cover]>>>> = LazyLock::new(|| {
    let mut slots = Vec::new();
    slots.resize_with(KINDS.len() * 64 * 64, OnceLock::new);
    slots
});

/// What a white man of `kind` on `from` can come to guard around `target`, the soonest first;
/// without what something else guards as well and as soon. The first takes no move.
pub(super) fn covers(kind: Kind, from: Square, target: Square) -> &'static [Cover] {
    let slot = (kind as usize * 64 + usize::from(from)) * 64 + usize::from(target);
    COVERS[slot].get_or_init(|| {
        let mut found = Vec::new();
        let mut add = |kind, square: Square, moves: u8| {
            // Kings don't meet, and no man stands where the king is mated.
            let fits = square != target && (kind != Kind::King || square.distance(target) > 1);
            if moves != NEVER && fits {
                let mask = guards(kind, square, target);
                found.push(Cover { mask, moves });
            }
        };
        for square in Square::ALL {
            add(kind, square, unpromoted(kind, from, square));
        }
        if kind.is_pawn() {
            for last in Bitboard::from_rank(Rank::Eighth) {
                let pushed = unpromoted(kind, from, last);
                for (officer, square) in OFFICERS
                    .into_iter()
                    .flat_map(|officer| Square::ALL.map(|square| (officer, square)))
                {
                    let moves = unpromoted(officer, last, square);
                    add(officer, square, pushed.saturating_add(moves));
                }
            }
        }
        let now = Cover { mask: 0, moves: 0 };
        pareto(found, now)
    })
}

/// What is guarded by nothing else as soon; `now` comes first unless there is better.
fn pareto(mut found: Vec<Cover>, now: Cover) -> Box<[Cover]> {
    found.sort_unstable_by_key(|cover| (cover.moves, u16::MAX - cover.mask));
    let mut best: Vec<Cover> = Vec::new();
    if found.first().is_none_or(|first| first.moves > 0) {
        best.push(now);
    }
    for cover in found {
        // What guards more has the greater number, so that it has come before.
        if !best.iter().any(|other| cover.mask & !other.mask == 0) {
            best.push(cover);
        }
    }
    best.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_an_empty_board() {
        let moves = |kind, from, to| moves_to(Color::White, kind, from, to);
        assert_eq!(moves(Kind::Knight, Square::A1, Square::B2), 4);
        assert_eq!(moves(Kind::Bishop, Square::A1, Square::A2), NEVER);
        assert_eq!(moves(Kind::Bishop, Square::A1, Square::A3), 2);
        assert_eq!(moves(Kind::Queen, Square::A1, Square::B3), 2);
        assert_eq!(moves(Kind::Pawn, Square::E2, Square::E4), 1);
        assert_eq!(moves(Kind::Pawn, Square::E2, Square::F4), 2);
        // By way of e8: no pawn without captures leaves its file.
        assert_eq!(moves(Kind::Straight, Square::E2, Square::F4), 7);
        // Five moves to promote as a queen, and one of hers.
        assert_eq!(moves(Kind::Straight, Square::E2, Square::E1), 6);
        assert_eq!(
            moves_to(Color::Black, Kind::Straight, Square::E7, Square::E8),
            6
        );
    }

    #[test]
    fn covers_are_what_a_man_can_guard() {
        // A rook on a1 checks a king on h8 after one move, with one flight square guarded.
        let covers = covers(Kind::Rook, Square::A1, Square::H8);
        let checking: Vec<u8> = covers
            .iter()
            .filter(|cover| cover.mask & CHECK != 0)
            .map(|cover| cover.moves)
            .collect();
        assert_eq!(checking.iter().min(), Some(&1));
        assert_eq!(covers[0].moves, 0);
    }
}
