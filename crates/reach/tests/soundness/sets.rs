//! What the static proofs say of everything that can happen, held against what does happen.
//!
//! A proof of "never" rests on sets that are meant to hold whatever play may come. Here they
//! are asked for in every position, whether anything is proved there or not, and games are
//! followed through them move by move: a set that is too small shows long before it leads to
//! a false verdict.

use fastrand::Rng;
use stillmate_core::{Color, Move, Piece, Position, Role, Square};
use stillmate_proof::{Class, Invariant};
use stillmate_reach::rungs::{Relaxed, ReversibleClass, relaxed, seen_by};
use stillmate_testkit::generate::{self, choose, rng};

use crate::claims::Faults;

/// Which man of the first position stands on each square.
struct Identities {
    at: [Option<usize>; 64],
    promoted: Vec<bool>,
}

/// What one move did to the men known by their numbers.
struct Effect {
    moved: Vec<(usize, Square)>,
    taken: Option<usize>,
}

impl Identities {
    fn new(position: &Position) -> Identities {
        let mut at = [None; 64];
        let mut count = 0;
        for (square, _) in position.pieces() {
            at[usize::from(square)] = Some(count);
            count += 1;
        }
        Identities {
            at,
            promoted: vec![false; count],
        }
    }

    fn lift(&mut self, square: Square) -> usize {
        self.at[usize::from(square)]
            .take()
            .expect("a man stands there")
    }

    fn play(&mut self, before: &Position, after: &Position, m: Move) -> Effect {
        if m.is_castle() {
            let color = before.turn();
            let king = self.lift(m.from());
            let rook = self.lift(m.to());
            let king_to = after.king(color);
            // The rook is next to the king, on the side it came over from.
            let rook_to = if m.to() > m.from() {
                king_to.offset(-1)
            } else {
                king_to.offset(1)
            }
            .expect("castled kings stand on the c or g file");
            self.at[usize::from(king_to)] = Some(king);
            self.at[usize::from(rook_to)] = Some(rook);
            return Effect {
                moved: vec![(king, king_to), (rook, rook_to)],
                taken: None,
            };
        }
        let taken = if m.is_en_passant() {
            let square = Square::from_coords(m.to().file(), m.from().rank());
            Some(self.lift(square))
        } else {
            self.at[usize::from(m.to())].take()
        };
        let man = self.lift(m.from());
        self.at[usize::from(m.to())] = Some(man);
        if m.promotion().is_some() {
            self.promoted[man] = true;
        }
        Effect {
            moved: vec![(man, m.to())],
            taken,
        }
    }
}

fn white_mates(position: &Position) -> bool {
    position.turn() == Color::Black && position.is_checkmate()
}

/// Whether White is left with its king, or nothing can follow but that.
fn is_over(position: &Position) -> bool {
    let bare = |position: &Position| position.of(Color::White).count() == 1;
    let mut moves = position.legal_moves().into_iter();
    bare(position) || !white_mates(position) && moves.all(|m| bare(&position.after(m)))
}

/// Follows one random game from `board` through the sets of its relaxation.
fn follow_relaxation(
    rng: &mut Rng,
    board: &Position,
    relaxed: &Relaxed,
    plies: usize,
) -> Result<(), String> {
    let invariant: &Invariant = &relaxed.invariant;
    let mut men = Identities::new(board);
    let mut here = *board;
    for _ in 0..plies {
        let moves = here.legal_moves();
        let Some(&m) = choose(rng, &moves) else { break };
        let after = here.after(m);
        let effect = men.play(&here, &after, m);
        let leaves = effect.moved.into_iter().find(|&(man, to)| {
            let entry = &invariant.men[man];
            let allowed = if men.promoted[man] {
                entry.promotes
            } else {
                entry.squares.contains(to)
            };
            !allowed
        });
        let taken = effect.taken.filter(|&man| !invariant.men[man].lost);
        if leaves.is_some() || taken.is_some() {
            // Nothing is said of what comes after White's last man.
            if is_over(&after) {
                return Ok(());
            }
            let what = format!("leaves {leaves:?}, taken {taken:?}");
            return Err(format!("{what} by {m}: {}", here.fen()));
        }
        if white_mates(&after) && !relaxed.allows_mate {
            return Err(format!("mate by {m}: {}", here.fen()));
        }
        here = after;
    }
    Ok(())
}

/// Follows a game as in [`follow_relaxation`] for each colour; tells how many there were.
pub(crate) fn games_stay_in_relaxations(
    rng: &mut Rng,
    position: &Position,
    games: usize,
    faults: &Faults,
) -> usize {
    let mut followed = 0;
    for winner in Color::ALL {
        let Some(relaxed) = relaxed(position, winner) else {
            continue;
        };
        let board = seen_by(position, winner);
        for _ in 0..games {
            followed += 1;
            if let Err(fault) = follow_relaxation(rng, &board, &relaxed, 80) {
                faults.add(format!(
                    "relaxation for {winner} of {}: {fault}",
                    position.fen()
                ));
                break;
            }
        }
    }
    followed
}

/// Whether the position belongs to the class, by `docs/certificates.md`.
fn belongs(class: &Class, position: &Position, after_king: bool) -> bool {
    let (white, black) = (position.king(Color::White), position.king(Color::Black));
    let kings = &class.kings;
    let rows = match (position.turn(), after_king) {
        (Color::White, _) => &kings.claim_to_move,
        (Color::Black, false) => &kings.other_to_move,
        (Color::Black, true) => &kings.after_king,
    };
    if !rows[usize::from(white)].contains(black) {
        return false;
    }
    let men: Vec<(Square, Piece)> = position
        .pieces()
        .filter(|(_, piece)| piece.role != Role::King)
        .collect();
    men.len() == class.men.len() && assign(class, &men, 0)
}

fn assign(class: &Class, men: &[(Square, Piece)], used: u64) -> bool {
    let Some((&(square, piece), rest)) = men.split_first() else {
        return true;
    };
    class.men.iter().enumerate().any(|(place, man)| {
        let fits = if man.promotes {
            man.piece.color == piece.color && piece.role != Role::Pawn
        } else {
            man.piece == piece && man.squares.contains(square)
        };
        used >> place & 1 == 0 && fits && assign(class, rest, used | 1 << place)
    })
}

/// Follows one random game from `board` through the classes that it enters, as far as they are
/// known; tells how many irreversible moves that were.
fn follow_classes(rng: &mut Rng, board: &Position, plies: usize) -> Result<usize, String> {
    let Some(mut stretch) = ReversibleClass::root(board) else {
        return Ok(0);
    };
    let mut insufficient = stretch.is_insufficient();
    let (mut allows_mate, mut entered) = stretch.close();
    let mut class = stretch.class();
    let mut here = *board;
    let mut irreversible = 0;
    for _ in 0..plies {
        // Classes know no en passant capture at hand, only the one that follows at once.
        let mut moves = here.legal_moves();
        moves.retain(|m| !m.is_en_passant());
        // Irreversible moves end a stretch; they are tried less often.
        let quiet: Vec<_> = moves.iter().filter(|m| !m.is_zeroing()).collect();
        let m = match choose(rng, &quiet) {
            Some(&&m) if rng.u8(..8) > 0 => m,
            _ => match choose(rng, &moves) {
                Some(&m) => m,
                None => break,
            },
        };
        let after = here.after(m);
        let by_king = m.role() == Role::King && here.turn() == Color::White;
        if insufficient && white_mates(&after) {
            return Err(format!("mate without material by {m}: {}", here.fen()));
        }
        if !m.is_zeroing() {
            if !belongs(&class, &after, by_king) {
                return Err(format!("{m} leaves the class: {}", here.fen()));
            }
            here = after;
        } else {
            let Some(next) = entered else { break };
            irreversible += 1;
            // An answer en passant is an event of the class before.
            let answers = after.legal_moves();
            let answer = answers.iter().find(|answer| answer.is_en_passant());
            let (position, by_king) = match answer {
                Some(&answer) if rng.bool() => (after.after(answer), false),
                _ => (after, by_king),
            };
            // Right after the move, before the class is closed.
            let found = next
                .into_iter()
                .find(|next| belongs(&next.class(), &position, by_king));
            let Some(found) = found else {
                return Err(format!("{m} enters no class: {}", here.fen()));
            };
            stretch = found;
            insufficient = stretch.is_insufficient();
            (allows_mate, entered) = stretch.close();
            class = stretch.class();
            here = position;
        }
        if white_mates(&here) && !allows_mate {
            return Err(format!("mate in a class without: {}", here.fen()));
        }
    }
    Ok(irreversible)
}

/// Follows games as in [`follow_classes`] for each colour; tells how many irreversible moves
/// there were.
pub(crate) fn games_stay_in_classes(
    rng: &mut Rng,
    position: &Position,
    games: usize,
    faults: &Faults,
) -> usize {
    let mut entered = 0;
    for winner in Color::ALL {
        let board = seen_by(position, winner);
        for _ in 0..games {
            match follow_classes(rng, &board, 60) {
                Ok(count) => entered += count,
                Err(fault) => {
                    faults.add(format!(
                        "classes for {winner} of {}: {fault}",
                        position.fen()
                    ));
                    break;
                }
            }
        }
    }
    entered
}

#[test]
fn games_stay_in_the_relaxation() {
    let faults = Faults::default();
    let mut followed = 0;
    for number in 0..12_000 {
        let mut rng = rng(20, number);
        let position = generate::some(&mut rng, generate::any);
        followed += games_stay_in_relaxations(&mut rng, &position, 3, &faults);
    }
    assert!(followed > 10_000, "{followed}");
    faults.none();
}

#[test]
fn games_stay_in_the_classes() {
    let faults = Faults::default();
    let mut entered = 0;
    for number in 0..8_000 {
        let mut rng = rng(21, number);
        let position = generate::some(&mut rng, generate::any);
        entered += games_stay_in_classes(&mut rng, &position, 2, &faults);
    }
    assert!(entered > 10_000, "{entered}");
    faults.none();
}
