//! The same bound, sharper, where White has only a knight or a bishop beside its king.
//!
//! Such mates are the longest, since Black's men must take most squares around their king and
//! yet do nothing against the mate. So the whole picture is painted here, with every man on its
//! square: no man of Black in it may take the checking man, step between, or attack White's
//! king. An attack along a line may be blocked by one more man of Black, which then belongs to
//! the picture, too. Black's men outside of it are left alone, as before.

use std::sync::LazyLock;

use arrayvec::ArrayVec;
use shakmaty::{
    Bitboard, Square,
    attacks::{between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks},
};
use stillmate_core::Color;

use super::{
    bound::{PATIENCE, Ways},
    covers::{Kind, arrivals, moves_to, steps},
};

/// Pictures with more of Black's men aren't painted.
pub(super) const MOST_BLOCKERS: usize = 4;

/// Where White's men stand when Black's king is mated on some square.
struct Picture {
    king: Square,
    minor: Square,
    /// Squares next to Black's king that White doesn't guard.
    open: Bitboard,
}

/// All pictures for a knight and for a bishop, by the square of Black's king; those first that
/// need few men of Black.
static PICTURES: LazyLock<[Vec<Vec<Picture>>; 2]> = LazyLock::new(|| {
    [Kind::Knight, Kind::Bishop].map(|kind| {
        let of_target = |target| pictures(kind, target);
        Square::ALL.into_iter().map(of_target).collect()
    })
});

fn attacks(kind: Kind, from: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        Kind::Knight => knight_attacks(from),
        Kind::Bishop => bishop_attacks(from, occupied),
        Kind::Rook => rook_attacks(from, occupied),
        Kind::Queen => bishop_attacks(from, occupied) | rook_attacks(from, occupied),
        Kind::King => king_attacks(from),
        Kind::Pawn | Kind::Straight => pawn_attacks(Color::Black, from),
    }
}

fn pictures(kind: Kind, target: Square) -> Vec<Picture> {
    let mut found = Vec::new();
    for minor in attacks(kind, target, Bitboard::EMPTY) {
        for king in Square::ALL {
            let in_the_way = king == minor || between(minor, target).contains(king);
            if king.distance(target) <= 1 || in_the_way {
                continue;
            }
            // Black's king is no obstacle for a bishop.
            let guarded = king_attacks(king) | attacks(kind, minor, Bitboard::from_square(king));
            let flights = king_attacks(target) & !guarded;
            let open = flights.without(minor);
            // An unguarded man next to the king can be taken.
            if open == flights && open.count() <= MOST_BLOCKERS {
                found.push(Picture { king, minor, open });
            }
        }
    }
    found.sort_by_key(|picture| picture.open.count());
    found
}

/// White's king and its only other man.
pub(super) struct Minor {
    kind: Kind,
    king: Square,
    minor: Square,
}

impl Minor {
    /// If `one` and `other` are a king and a knight or bishop.
    pub(super) fn of(one: &Ways, other: &Ways) -> Option<Minor> {
        let ([one], [other]) = (&one[..], &other[..]) else {
            return None;
        };
        let (king, minor) = if one.kind == Kind::King {
            (one, other)
        } else {
            (other, one)
        };
        matches!(minor.kind, Kind::Knight | Kind::Bishop).then_some(Minor {
            kind: minor.kind,
            king: king.from,
            minor: minor.from,
        })
    }

    /// Whether Black's king can be mated on `target` with so many moves of White's men and of
    /// Black's `men` other than the king.
    pub(super) fn can_mate_on(&self, target: Square, men: &[Ways], white: u8, black: u8) -> bool {
        let pictures = &PICTURES[usize::from(self.kind == Kind::Bishop)][usize::from(target)];
        pictures
            .iter()
            .take_while(|picture| picture.open.count() <= men.len())
            .filter(|picture| {
                let king = steps(self.king, picture.king);
                let minor = moves_to(Color::White, self.kind, self.minor, picture.minor);
                king.saturating_add(minor) <= white
            })
            .any(|picture| {
                let mut arrangement = Arrangement {
                    picture,
                    line: between(picture.minor, target),
                    free: Bitboard::from_square(target)
                        .with(picture.king)
                        .with(picture.minor),
                    men,
                    placed: men.iter().map(|_| None).collect(),
                    patience: PATIENCE,
                };
                arrangement.free = !arrangement.free;
                arrangement.can_be_completed(black)
            })
    }
}

/// Black's men being put into a picture.
struct Arrangement<'a> {
    picture: &'a Picture,
    /// Squares between the checking man and the king.
    line: Bitboard,
    free: Bitboard,
    men: &'a [Ways],
    /// What each man is and where it stands, if it has been put somewhere.
    placed: ArrayVec<Option<(Kind, Square)>, MOST_BLOCKERS>,
    /// Steps until the picture is taken for possible.
    patience: u32,
}

impl Arrangement<'_> {
    fn can_be_completed(&mut self, moves: u8) -> bool {
        if self.patience == 0 {
            return true;
        }
        self.patience -= 1;
        let open = self.picture.open & self.free;
        if let Some(square) = open.first() {
            return self.can_place(square, moves);
        }
        match self.fault() {
            None => true,
            Some(between) => between
                .into_iter()
                .any(|square| self.can_place(square, moves)),
        }
    }

    /// Puts each man in turn on `square`, and tries to complete the picture.
    fn can_place(&mut self, square: Square, moves: u8) -> bool {
        let men = self.men;
        self.free.discard(square);
        for (index, ways) in men.iter().enumerate() {
            if self.placed[index].is_some() {
                continue;
            }
            for way in ways {
                for (kind, needed) in arrivals(Color::Black, way.kind, way.from, square) {
                    let Some(left) = moves.checked_sub(needed) else {
                        continue;
                    };
                    self.placed[index] = Some((kind, square));
                    if self.can_be_completed(left) {
                        return true;
                    }
                    self.placed[index] = None;
                }
            }
        }
        self.free.add(square);
        false
    }

    /// Something that a man in the picture could do against the mate: the squares on which
    /// another man would prevent it.
    fn fault(&self) -> Option<Bitboard> {
        let Picture { king, minor, .. } = *self.picture;
        for &(kind, square) in self.placed.iter().flatten() {
            let mut attacked = attacks(kind, square, !self.free);
            if matches!(kind, Kind::Pawn | Kind::Straight) {
                attacked &= !self.line;
            }
            let spoiled = attacked & self.line.with(king).with(minor);
            if let Some(spoiled) = spoiled.first() {
                return Some(between(square, spoiled) & !self.line);
            }
        }
        None
    }
}
