//! Building a table.
//!
//! A helpmate's distance is one more than the least among the positions after a legal move.
//! So the distances of a class are found by going forward once from every position, to see
//! mates and what captures and promotions lead to in smaller classes, and then backwards from
//! the nearest positions to the farther ones, within the class, one ply at a time.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use rayon::prelude::*;
use stillmate_core::{Color, Position};

use super::{
    class::Class,
    index::Indexing,
    table::{Code, Distance, MATE, NEVER, NO_POSITION, Table},
};

/// What building a class is doing, for progress bars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The class is begun: it has so many numbers.
    Started {
        /// The class.
        class: Class,
        /// Numbers of its positions, some of which belong to none.
        size: usize,
    },
    /// All positions at this distance are known and go backwards from here.
    Distance {
        /// The class.
        class: Class,
        /// Whose mate is meant, the stronger side as White.
        winner: Color,
        /// The distance.
        plies: u16,
    },
    /// The class is done.
    Finished {
        /// The class.
        class: Class,
    },
}

/// Told from the thread that builds.
pub type OnProgress<'a> = &'a (dyn Fn(Progress) + Sync);

/// Builds the table of `class`, whose numbering is `indexing`. `smaller` holds the tables of
/// all [`Class::conversions`].
pub(super) fn build(
    class: Class,
    indexing: Indexing,
    smaller: &Smaller<'_>,
    progress: OnProgress<'_>,
) -> Table {
    let size = indexing.size();
    progress(Progress::Started { class, size });
    let (mut white, mut black) = (Vec::new(), Vec::new());
    (0..size)
        .into_par_iter()
        .map(|number| {
            let [white, black] = match indexing.position(number) {
                Some(position) => first_codes(&position, smaller),
                None => [NO_POSITION; 2],
            };
            (AtomicU8::new(white), AtomicU8::new(black))
        })
        .unzip_into_vecs(&mut white, &mut black);
    let finish = |plane: Vec<AtomicU8>, winner| {
        let alive = spread(
            &indexing,
            &plane,
            class.has_pawns_on_both_sides(),
            |plies| {
                progress(Progress::Distance {
                    class,
                    winner,
                    plies,
                });
            },
        );
        alive.then(|| {
            let codes: Vec<Code> = plane.into_iter().map(AtomicU8::into_inner).collect();
            codes.into()
        })
    };
    let planes = [finish(white, Color::White), finish(black, Color::Black)];
    progress(Progress::Finished { class });
    Table {
        class,
        indexing,
        planes,
    }
}

/// The tables that captures and promotions lead into.
pub(super) struct Smaller<'a>(pub(super) Vec<&'a Table>);

impl Smaller<'_> {
    /// The code of a position from which `position`, which is in a smaller class, is `plies`
    /// away.
    fn code(&self, position: &Position, winner: Color, plies: u16) -> Code {
        let class = Class::of(position);
        let table = self.0.iter().find(|table| table.class == class);
        let table = table.expect("tables of all conversions are at hand");
        match table.distance(position, winner) {
            Distance::Plies(after) => Code::try_from(u16::from(MATE) + after + plies)
                .ok()
                .filter(|&code| code < NEVER)
                .expect("no helpmate of few men takes 250 plies"),
            Distance::Never => NEVER,
        }
    }
}

/// For White's and Black's mates: 1 for a mate; else the best that a capture or promotion
/// here, or an en passant capture in answer to a double step, leads to.
fn first_codes(position: &Position, smaller: &Smaller<'_>) -> [Code; 2] {
    let mut codes = [NEVER; 2];
    let moves = position.legal_moves();
    if moves.is_empty() && position.checkers().any() {
        codes[position.turn().fold_wb(1, 0)] = MATE;
    }
    let mut lower = |after: &Position, plies| {
        for (code, winner) in codes.iter_mut().zip([Color::White, Color::Black]) {
            *code = smaller.code(after, winner, plies).min(*code);
        }
    };
    for m in moves {
        if m.capture().is_some() || m.promotion().is_some() {
            lower(&position.after(m), 1);
        } else if m.is_zeroing() {
            let after = position.after(m);
            if after.ep_square().is_some() {
                for answer in after.legal_moves() {
                    if answer.is_en_passant() {
                        lower(&after.after(answer), 2);
                    }
                }
            }
        }
    }
    codes
}

/// Completes a plane, of which [`first_codes`] are known. Tells whether there is a mate at
/// all.
fn spread(
    indexing: &Indexing,
    plane: &[AtomicU8],
    en_passant: bool,
    mut at_distance: impl FnMut(u16),
) -> bool {
    let farther = |code: Code| {
        plane.par_iter().any(|other| {
            let other = other.load(Relaxed);
            other > code && other != NEVER
        })
    };
    let mut code = NO_POSITION;
    while farther(code) {
        code += 1;
        at_distance(u16::from(code - MATE));
        assert!(code + 1 < NEVER, "no helpmate of few men takes 250 plies");
        // Only codes above `code + 1` are changed, to `code + 1`, so that it doesn't matter
        // in which order and by how many threads this is done.
        let lower = |before: Position| {
            let before = &plane[indexing.number(&before)];
            if before.load(Relaxed) > code + 1 {
                before.store(code + 1, Relaxed);
            }
        };
        plane
            .par_iter()
            .enumerate()
            .filter(|(_, here)| here.load(Relaxed) == code)
            .filter_map(|(number, _)| indexing.position(number))
            .for_each(|position| {
                position.quiet_predecessors(&mut { lower });
                // A double step that can be answered en passant leads to a position that
                // isn't in the table. Its distance is at most this one's, as it has the same
                // moves and more; unless this is mate, which it isn't.
                if en_passant && code > MATE {
                    for variant in position.en_passant_variants() {
                        variant.quiet_predecessors(&mut { lower });
                    }
                }
            });
    }
    code > NO_POSITION
}
