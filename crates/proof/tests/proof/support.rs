//! What the tests need beside the checker: an explorer, makers of positions and of
//! invariants. None of it shares code with the checker or the engine.

use std::collections::HashSet;

use fastrand::Rng;
use stillmate_core::{Bitboard, Color, Piece, Position, Rank, Role, Square};
use stillmate_proof::{
    Accepted, Certificate, Fault, Invariant, InvariantFault, Limits, Man, Refusal, Step, verify,
};

pub(crate) fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|err| panic!("{fen}: {err}"))
}

pub(crate) fn certificate(position: Position, claim: Color, steps: Vec<Step>) -> Certificate {
    Certificate {
        position,
        claim,
        steps,
    }
}

/// Whether `steps` prove that `claim` can't mate from `position`, under ordinary limits.
pub(crate) fn check(
    position: Position,
    claim: Color,
    steps: Vec<Step>,
) -> Result<Accepted, Refusal> {
    verify(&certificate(position, claim, steps), &Limits::default())
}

/// Whether `invariant` is accepted for `position`.
pub(crate) fn check_invariant(
    position: Position,
    claim: Color,
    invariant: &Invariant,
) -> Result<Accepted, Refusal> {
    check(position, claim, vec![Step::Invariant(invariant.clone())])
}

/// What play can reach, by the move generator of the core crate (the checker uses
/// shakmaty's).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// A mate by the colour asked about, and the positions visited up to then.
    Mate(Vec<Position>),
    /// All positions that can be reached, none of which is such a mate.
    All(Vec<Position>),
    /// The bound was reached before either.
    Unknown,
}

/// Visits breadth first what can be reached from `start`, at most `bound` positions.
pub(crate) fn explore(start: Position, winner: Color, bound: usize) -> Reach {
    let mut seen = HashSet::from([start]);
    let mut list = vec![start];
    let mut next = 0;
    while let Some(&position) = list.get(next) {
        next += 1;
        let moves = position.legal_moves();
        if moves.is_empty() && position.turn() != winner && position.checkers().any() {
            return Reach::Mate(list);
        }
        for m in moves {
            let after = position.after(m);
            if seen.insert(after) {
                list.push(after);
            }
        }
        if list.len() > bound {
            return Reach::Unknown;
        }
    }
    Reach::All(list)
}

/// The narrowest description of `position`: every man stays where it is for ever.
pub(crate) fn frozen(position: &Position) -> Invariant {
    let men = position.men().map(|(square, piece)| Man {
        piece,
        squares: square.into(),
        lost: false,
        promotes: false,
    });
    let mut invariant = Invariant {
        men: men.collect(),
        opposed: Vec::new(),
        castling: position.castling(),
        en_passant: position.ep_square(),
    };
    oppose(&mut invariant);
    invariant
}

/// Lists all pairs of pawns that can be opposed.
fn oppose(invariant: &mut Invariant) {
    let pawns = |color| {
        let men = invariant.men.iter().enumerate();
        men.filter(move |(_, man)| man.piece == Role::Pawn.of(color))
    };
    let mut pairs = Vec::new();
    for (white, lower) in pawns(Color::White) {
        for (black, upper) in pawns(Color::Black) {
            if let (Some(lower), Some(upper)) = (lower.squares.first(), upper.squares.first())
                && lower.file() == upper.file()
                && lower.rank() < upper.rank()
            {
                pairs.push((white, black));
            }
        }
    }
    invariant.opposed = pairs;
}

/// Widens `invariant` by what the checker finds missing, until it is accepted for
/// `position` or something can't be mended.
///
/// Nothing is added that the checker doesn't ask for: whatever it forgets to ask for is
/// missing from the result, and the tests can find a move that leads out.
pub(crate) fn widen(
    position: Position,
    claim: Color,
    mut invariant: Invariant,
) -> Option<Invariant> {
    loop {
        let fault = match check_invariant(position, claim, &invariant) {
            Ok(_) => return Some(invariant),
            Err(Refusal::Rejected {
                fault: Fault::Invariant(fault),
                ..
            }) => fault,
            Err(_) => return None,
        };
        if !mend(&mut invariant, fault) {
            return None;
        }
    }
}

/// Adds what `fault` misses; `false` if that can't help.
pub(crate) fn mend(invariant: &mut Invariant, fault: InvariantFault) -> bool {
    let men = &mut invariant.men;
    match fault {
        InvariantFault::Leaves { man, to, .. } => {
            let man = &mut men[man];
            if man.piece.role == Role::Pawn && Bitboard::BACKRANKS.contains(to) {
                man.promotes = true;
                man.lost = true;
            } else {
                man.squares.add(to);
            }
        }
        InvariantFault::Takes { victim, .. } => men[victim].lost = true,
        InvariantFault::Exposed(man) => men[man].lost = true,
        InvariantFault::Opposed(pair) => {
            invariant.opposed.remove(pair);
        }
        _ => return false,
    }
    true
}

/// A random position with a few men of which most pawns are locked; `None` if the draw is
/// no position.
pub(crate) fn random_position(rng: &mut Rng) -> Option<Position> {
    let mut board: [Option<Piece>; 64] = [None; 64];
    let mut castling = String::new();
    let mut passed = None;
    let mut turn = Color::from_white(rng.bool());
    let place = |board: &mut [Option<Piece>; 64], square: Option<Square>, piece: Piece| {
        let square = square?;
        let back = Bitboard::BACKRANKS.contains(square);
        (board[square as usize].is_none() && !(back && piece.role == Role::Pawn))
            .then(|| board[square as usize] = Some(piece))
    };
    let any = |rng: &mut Rng| Some(Square::new(rng.u32(..64)));
    if rng.u8(..8) == 0 {
        let white = rng.bool();
        let (king, rook, right) = if rng.bool() { (4, 7, 'K') } else { (4, 0, 'Q') };
        let (color, base) = (Color::from_white(white), if white { 0 } else { 56 });
        place(
            &mut board,
            Some(Square::new(base + king)),
            Role::King.of(color),
        )?;
        place(
            &mut board,
            Some(Square::new(base + rook)),
            Role::Rook.of(color),
        )?;
        place(&mut board, any(rng), Role::King.of(!color))?;
        castling.push(if white {
            right
        } else {
            right.to_ascii_lowercase()
        });
    } else {
        place(&mut board, any(rng), Role::King.of(Color::White))?;
        place(&mut board, any(rng), Role::King.of(Color::Black))?;
    }
    if rng.u8(..8) == 0 {
        // A pawn has just made a double step beside an enemy pawn.
        let file = rng.u32(..7);
        let (left, right) = if rng.bool() {
            (file, file + 1)
        } else {
            (file + 1, file)
        };
        place(
            &mut board,
            Some(Square::new(24 + left)),
            Role::Pawn.of(Color::White),
        )?;
        place(
            &mut board,
            Some(Square::new(24 + right)),
            Role::Pawn.of(Color::Black),
        )?;
        passed = Some(Square::new(16 + left));
        turn = Color::Black;
    }
    // Mostly a wall of locked pawns from file to file, with now and then a fault in it: it
    // keeps the kings apart and the play small. Neighbours on the same rank could take each
    // other.
    let (wall, mut rank) = (rng.u8(..4) != 0, 2 + rng.u32(..3));
    for file in 0..8 {
        if wall && rng.u8(..20) != 0 {
            rank = match rank {
                1 => 2,
                5 => 4,
                _ => rank + 1 - 2 * rng.u32(..2),
            };
        } else {
            rank = 1 + rng.u32(..5);
        }
        if rng.u8(..40) < if wall { 39 } else { 10 } {
            let lower = Square::new(8 * rank + file);
            place(&mut board, Some(lower), Role::Pawn.of(Color::White))?;
            let gap = if rng.u8(..30) == 0 { 16 } else { 8 };
            place(&mut board, lower.offset(gap), Role::Pawn.of(Color::Black))?;
        }
    }
    for _ in 0..rng.u8(0..3) {
        let roles = [
            Role::Pawn,
            Role::Bishop,
            Role::Bishop,
            Role::Knight,
            Role::Rook,
        ];
        let piece = rng.choice(roles)?.of(Color::from_white(rng.bool()));
        place(&mut board, any(rng), piece)?;
    }
    let position = set_up(&board, turn, &castling, passed)?;
    Some(if rng.bool() {
        position.mirrored()
    } else {
        position
    })
}

/// The position of a board, if it is one.
pub(crate) fn set_up(
    board: &[Option<Piece>; 64],
    turn: Color,
    castling: &str,
    passed: Option<Square>,
) -> Option<Position> {
    let mut fen = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        if rank != Rank::Eighth {
            fen.push('/');
        }
        for square in Bitboard::from_rank(rank) {
            fen.push(board[square as usize].map_or('1', Piece::char));
        }
    }
    let castling = if castling.is_empty() { "-" } else { castling };
    let passed = passed.map_or_else(|| "-".to_owned(), |square| square.to_string());
    Position::from_fen(&format!("{fen} {} {castling} {passed}", turn.char())).ok()
}

/// A random position that fits `invariant` when its men are placed as listed; `None` if the
/// draw is no position. Nothing says that play can reach it.
pub(crate) fn random_fitting(rng: &mut Rng, invariant: &Invariant) -> Option<Position> {
    let mut board: [Option<Piece>; 64] = [None; 64];
    let mut placed = Vec::new();
    for man in &invariant.men {
        if man.lost && rng.u8(..3) == 0 {
            placed.push(None);
            continue;
        }
        let promoted = man.promotes && rng.bool();
        let squares: Vec<_> = if promoted {
            Square::ALL.to_vec()
        } else {
            man.squares.into_iter().collect()
        };
        let square = rng.choice(squares)?;
        let piece = if promoted {
            rng.choice([Role::Queen, Role::Rook, Role::Bishop, Role::Knight])?
                .of(man.piece.color)
        } else {
            man.piece
        };
        if board[square as usize].replace(piece).is_some() {
            return None;
        }
        placed.push(Some((square, promoted)));
    }
    for &(white, black) in &invariant.opposed {
        if placed[white]?.0.rank() >= placed[black]?.0.rank() {
            return None;
        }
    }
    // Rights and en passant squares where they are granted or a pawn may have stepped.
    let mut castling = String::new();
    for right in invariant.castling {
        let rook = Role::Rook.of(Color::from_white(right.rank() == Rank::First));
        if board[right as usize] == Some(rook) && rng.bool() {
            let name = right.file().char();
            castling.push(if rook.color.is_white() {
                name.to_ascii_uppercase()
            } else {
                name
            });
        }
    }
    let turn = Color::from_white(rng.bool());
    let passed = invariant.men.iter().zip(&placed).find_map(|(man, place)| {
        let (square, promoted) = (*place)?;
        let (fourth, back) = man
            .piece
            .color
            .fold_wb((Rank::Fourth, -8), (Rank::Fifth, 8));
        let stepped = man.piece == Role::Pawn.of(!turn) && !promoted && square.rank() == fourth;
        let passed = square.offset(back).filter(|_| stepped)?;
        let origin = passed.offset(back)?;
        let empty = [passed, origin]
            .iter()
            .all(|&sq| board[sq as usize].is_none());
        let granted = invariant.en_passant == Some(passed) || man.squares.contains(origin);
        (empty && granted).then_some(passed)
    });
    set_up(&board, turn, &castling, passed.filter(|_| rng.bool()))
}

/// Whether `color` has nothing but its king.
pub(crate) fn is_bare(position: &Position, color: Color) -> bool {
    position.of(color).count() == 1
}
