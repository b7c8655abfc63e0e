//! What the tests need beside the checker: an explorer, makers of positions and of
//! invariants. None of it shares code with the checker or the engine.

use std::collections::HashSet;

use fastrand::Rng;
use stillmate_core::{Bitboard, Color, Position, Rank, Role, Square, insufficient_material};
use stillmate_proof::{
    Accepted, Certificate, Invariant, InvariantFault, Limits, Man, Refusal, Step, StepFault, verify,
};
pub(crate) use stillmate_testkit::position;
use stillmate_testkit::set_up::SetUp;

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

/// Visits breadth first what can be reached from `start`, at most `bound` positions, without
/// going beyond those in which the men of `winner` don't suffice.
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
        if insufficient_material(&position, winner).is_some() {
            continue;
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
    let men = position.pieces().map(|(square, piece)| Man {
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
                fault: StepFault::Invariant(fault),
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

/// What kind of position to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A wall of locked pawns from file to file, with now and then a fault in it: it keeps
    /// the kings apart and the play small.
    Wall,
    /// A few men anywhere.
    Open,
    /// Both kings shut in: checks at hand are mates, or must be answered by taking.
    Cage,
}

/// A random position; `None` if the draw fails. Castling rights and pawns that have just
/// made a double step beside an enemy pawn are more frequent than in games.
pub(crate) fn random_position(rng: &mut Rng, kind: Kind) -> Option<Position> {
    use Color::{Black, White};
    if kind == Kind::Cage {
        return random_cage(rng);
    }
    let mut draft = SetUp::empty();
    let turn = Color::from_white(rng.bool());
    let (mut turn, mut castling, mut passed) = (turn, Bitboard::EMPTY, None);
    if rng.u8(..if kind == Kind::Open { 2 } else { 8 }) == 0 {
        let rook = if rng.bool() { Square::H1 } else { Square::A1 };
        draft.try_put(Square::new(4), Role::King.of(White))?;
        draft.try_put(rook, Role::Rook.of(White))?;
        castling = rook.into();
    } else {
        draft.try_put(Square::new(rng.u32(..64)), Role::King.of(White))?;
    }
    draft.try_put(Square::new(rng.u32(..64)), Role::King.of(Black))?;
    if rng.u8(..8) == 0 {
        // A white pawn has just passed a black one.
        let file = rng.u32(..7);
        let (white, black) = if rng.bool() {
            (file, file + 1)
        } else {
            (file + 1, file)
        };
        draft.try_put(Square::new(24 + white), Role::Pawn.of(White))?;
        draft.try_put(Square::new(24 + black), Role::Pawn.of(Black))?;
        (turn, passed) = (Black, Some(Square::new(16 + white)));
    }
    let mut rank = rng.u32(2..5);
    for file in 0..8 {
        // Pawns on neighbouring files and the same rank could take each other.
        rank = match rank {
            _ if kind == Kind::Open || rng.u8(..20) == 0 => rng.u32(1..6),
            1 => 2,
            5 => 4,
            _ => rank + 1 - 2 * rng.u32(..2),
        };
        if rng.u8(..40) < if kind == Kind::Wall { 39 } else { 3 } {
            let gap = if rng.u8(..12) == 0 { 16 } else { 8 };
            draft.try_put(Square::new(8 * rank + file), Role::Pawn.of(White))?;
            draft.try_put(Square::new(8 * rank + file + gap), Role::Pawn.of(Black))?;
        }
    }
    for _ in 0..rng.u8(0..3) {
        let roles = [
            Role::Pawn,
            Role::Pawn,
            Role::Bishop,
            Role::Bishop,
            Role::Knight,
            Role::Rook,
        ];
        let color = Color::from_white(rng.bool());
        draft.try_put(Square::new(rng.u32(..64)), rng.choice(roles)?.of(color))?;
    }
    let position = draft.position_with(turn, castling, passed)?;
    Some(if rng.bool() {
        position.mirrored()
    } else {
        position
    })
}

/// Black's king on b3 has no move, nor has White's on c1, while most of these men stand; some are
/// changed, and White has a man that can check.
fn random_cage(rng: &mut Rng) -> Option<Position> {
    let mut draft = SetUp::empty();
    let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
    draft.try_put(Square::new(2), Role::King.of(Color::White))?;
    draft.try_put(Square::new(17), Role::King.of(Color::Black))?;
    let men = "p a4, p b4, p c4, p c3, p c2, b a3, q a2, n b2, n a1";
    for man in men.split(", ") {
        let (role, square) = man.split_once(' ')?;
        let square = square.parse::<Square>().ok()?;
        let role = match rng.u8(..12) {
            0 => continue,
            1 => rng.choice(roles)?,
            _ => Role::from_char(role.chars().next()?)?,
        };
        draft.try_put(square, role.of(Color::Black))?;
    }
    draft.try_put(
        Square::new(rng.u32(..64)),
        rng.choice(roles)?.of(Color::White),
    )?;
    for _ in 0..rng.u8(0..4) {
        let color = Color::from_white(rng.u8(..4) == 0);
        let square = Square::new(rng.u32(..64));
        let role = if rng.bool() {
            Role::Pawn
        } else {
            rng.choice(roles)?
        };
        draft.put(color, role, square);
    }
    let position = draft.position(Color::from_white(rng.bool()))?;
    Some(if rng.bool() {
        position.mirrored()
    } else {
        position
    })
}

/// A random position that fits `invariant` when its men are placed as listed; `None` if the
/// draw fails. Nothing says that play can reach it.
pub(crate) fn random_fitting(rng: &mut Rng, invariant: &Invariant) -> Option<Position> {
    let mut draft = SetUp::empty();
    // Where each man stands, if it is on the board, and whether it has promoted.
    let mut placed = Vec::new();
    for man in &invariant.men {
        if man.lost && rng.u8(..3) == 0 {
            placed.push(None);
            continue;
        }
        let promoted = man.promotes && rng.bool();
        let (squares, role) = if promoted {
            let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
            (Bitboard::FULL, rng.choice(roles)?)
        } else {
            // Kings and rooks often where they may castle.
            let home = match man.piece.role {
                Role::King => man.piece.color.fold_wb(Square::E1, Square::E8).into(),
                Role::Rook => invariant.castling,
                _ => Bitboard::EMPTY,
            };
            let home = man.squares & home;
            let castles = invariant.castling.any() && home.any() && rng.bool();
            (if castles { home } else { man.squares }, man.piece.role)
        };
        let square = rng.choice(squares)?;
        draft.try_put(square, role.of(man.piece.color))?;
        placed.push(Some((square, promoted)));
    }
    for &(white, black) in &invariant.opposed {
        // One of a pair may be gone.
        let pair = placed[white].zip(placed[black]);
        if pair.is_some_and(|((white, _), (black, _))| white.rank() >= black.rank()) {
            return None;
        }
    }
    // Rights and en passant squares where they are granted or a pawn may have stepped.
    let mut castling = Bitboard::EMPTY;
    for right in invariant.castling {
        let color = Color::from_white(right.rank() == Rank::First);
        if draft.piece_at(right) == Some(Role::Rook.of(color)) && rng.bool() {
            castling.add(right);
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
        let granted = invariant.en_passant == Some(passed) || man.squares.contains(origin);
        granted.then_some(passed)
    });
    draft.position_with(turn, castling, passed.filter(|_| rng.bool()))
}

/// Widens `invariant` here and there beyond need; what follows from it is still to be added.
pub(crate) fn loosen(rng: &mut Rng, invariant: &mut Invariant) {
    for man in &mut invariant.men {
        let pawn = man.piece.role == Role::Pawn;
        if rng.u8(..6) == 0 {
            let square = Square::new(rng.u32(if pawn { 8..56 } else { 0..64 }));
            man.squares.add(square);
        }
        if rng.u8(..6) == 0 && man.piece.role != Role::King {
            man.lost = true;
        }
    }
    if rng.u8(..6) == 0 {
        let rank = if rng.bool() { 16 } else { 40 };
        invariant.en_passant = Some(Square::new(rank + rng.u32(..8)));
    }
    if rng.u8(..6) == 0 {
        let rooks = [Square::A1, Square::H1, Square::A8, Square::H8];
        invariant.castling.add(rooks[rng.usize(..4)]);
    }
}

/// How long a long run is to be, from the environment variable `name` or else `usual`, and a
/// seed of its own, which is printed.
pub(crate) fn long_run(name: &str, usual: usize) -> (usize, u64) {
    let wanted = std::env::var(name).map_or(usual, |text| text.parse().expect("a number"));
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    (wanted, seed)
}

/// Whether `color` has nothing but its king.
pub(crate) fn is_bare(position: &Position, color: Color) -> bool {
    position.of(color).count() == 1
}
