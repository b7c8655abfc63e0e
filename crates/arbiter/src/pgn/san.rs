//! What a written move means on the board.

use shakmaty::{
    Bitboard, CastlingSide, File, Move as Play, Rank, Role, Square,
    attacks::{
        between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, queen_attacks,
        rook_attacks,
    },
};
use stillmate_core::{Move, Position};

use super::fault::FaultKind;

/// A move as it is written: `Nbd7`, `exd8=Q+`, `O-O`, `e2-e4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum San {
    /// A man goes to a square.
    Normal {
        /// `None` where only squares are given, as in `e2e4`.
        role: Option<Role>,
        /// Where it may come from: a square, a file, a rank, or anywhere.
        from: Bitboard,
        to: Square,
        promotion: Option<Role>,
    },
    Castle(CastlingSide),
}

const fn file(byte: u8) -> Option<File> {
    match byte {
        b'a'..=b'h' => Some(File::new((byte - b'a') as u32)),
        _ => None,
    }
}

const fn rank(byte: u8) -> Option<Rank> {
    match byte {
        b'1'..=b'8' => Some(Rank::new((byte - b'1') as u32)),
        _ => None,
    }
}

const fn piece(byte: u8) -> Option<Role> {
    match byte {
        b'N' => Some(Role::Knight),
        b'B' => Some(Role::Bishop),
        b'R' => Some(Role::Rook),
        b'Q' => Some(Role::Queen),
        b'K' => Some(Role::King),
        _ => None,
    }
}

/// The man whose plain move begins with a byte; a pawn's begins with its file.
const ROLES: [Option<Role>; 256] = {
    let mut table = [None; 256];
    let mut index = 0;
    while index < 256 {
        let byte = index as u8;
        table[index] = match (piece(byte), file(byte)) {
            (None, Some(_)) => Some(Role::Pawn),
            (piece, _) => piece,
        };
        index += 1;
    }
    table
};

/// The squares that a file or rank leaves; all if nothing, 0, is said, and none for nonsense.
const AMONG: [Bitboard; 256] = {
    let mut table = [Bitboard::EMPTY; 256];
    table[0] = Bitboard::FULL;
    let mut index = 1;
    while index < 256 {
        let byte = index as u8;
        table[index] = match (file(byte), rank(byte)) {
            (Some(file), _) => Bitboard::from_file(file),
            (_, Some(rank)) => Bitboard::from_rank(rank),
            _ => Bitboard::EMPTY,
        };
        index += 1;
    }
    table
};

/// What a piece reaches from each square of an empty board; nothing for a pawn.
static REACH: [[Bitboard; 64]; 6] = {
    let mut table = [[Bitboard::EMPTY; 64]; 6];
    let mut index = 0;
    while index < 64 {
        let square = Square::new(index as u32);
        table[1][index] = knight_attacks(square);
        table[2][index] = bishop_attacks(square, Bitboard::EMPTY);
        table[3][index] = rook_attacks(square, Bitboard::EMPTY);
        table[4][index] = queen_attacks(square, Bitboard::EMPTY);
        table[5][index] = king_attacks(square);
        index += 1;
    }
    table
};

/// Splits off the last byte if it means something.
fn last<T>(text: &[u8], meaning: impl Fn(u8) -> Option<T>) -> (&[u8], Option<T>) {
    match text.split_last() {
        Some((&byte, rest)) => match meaning(byte) {
            Some(value) => (rest, Some(value)),
            None => (text, None),
        },
        None => (text, None),
    }
}

impl San {
    /// Reads a word.
    #[inline]
    pub(super) fn read(word: &[u8]) -> Option<San> {
        let mut text = word;
        // Check, mate, and signs of evaluation written without a space.
        while let [rest @ .., b'+' | b'#' | b'-' | b'='] = text {
            text = rest;
        }
        // In passing: `exd6ep`, and what is left of `exd6e.p.` before its first dot.
        if let [rest @ .., b'1'..=b'8', b'e', b'p'] | [rest @ .., b'1'..=b'8', b'e'] = text {
            text = &text[..=rest.len()];
        }
        let (&first, rest) = text.split_first()?;
        if matches!(first, b'O' | b'0' | b'o') {
            return castle(text);
        }
        let mut role = piece(first);
        if role.is_some() {
            text = rest;
        } else if first == b'P' {
            role = Some(Role::Pawn);
            text = rest;
        }
        let (before, promotion) = last(text, |byte| {
            piece(byte.to_ascii_uppercase()).filter(|_| text.len() > 2)
        });
        text = before.strip_suffix(b"=").unwrap_or(before);
        let (text, to_rank) = last(text, rank);
        let (text, to_file) = last(text, file);
        let to = Square::from_coords(to_file?, to_rank?);
        let (text, _) = last(text, |byte| b"x-:".contains(&byte).then_some(()));
        let (text, from_rank) = last(text, rank);
        let (text, from_file) = last(text, file);
        if role.is_none() && (from_rank.is_none() || from_file.is_none()) {
            role = Some(Role::Pawn);
        }
        let on_file = from_file.map_or(Bitboard::FULL, Bitboard::from_file);
        let on_rank = from_rank.map_or(Bitboard::FULL, Bitboard::from_rank);
        text.is_empty().then_some(San::Normal {
            role,
            from: on_file & on_rank,
            to,
            promotion,
        })
    }

    /// Reads the word that `text` begins with, and its length, if it is written as most moves are:
    /// `e4`, `exd5+`, `Nf3`, `R1xd7#`. [`San::read`] says the same of it in several times the
    /// time: which form comes next can't be foreseen, so that nothing here branches on it.
    /// `None` for anything else, and within eight bytes of the end.
    #[inline]
    pub(super) fn plain(text: &[u8]) -> Option<(San, usize)> {
        let word = u64::from_le_bytes(*text.first_chunk()?);
        let byte = |at: u32| word.wrapping_shr(8 * at) as u8;
        // The lowest byte below 0x21, where the word ends; 8 if there is none.
        let low = word.wrapping_sub(0x2121_2121_2121_2121) & !word & 0x8080_8080_8080_8080;
        let length = low.trailing_zeros() / 8;
        let role = ROLES[usize::from(byte(0))]?;
        let signs = u32::from(matches!(byte(length - 1), b'+' | b'#'));
        let piece = u32::from(role != Role::Pawn);
        // What stands between the piece and the target, without the cross.
        let between = length.checked_sub(2 + signs + piece)?;
        let target = piece + between;
        let takes = u32::from(between > 0 && byte(target - 1) == b'x');
        let told = between - takes;
        let from = AMONG[usize::from(byte(piece)) * told as usize % 256];
        let (file, rank) = (
            byte(target).wrapping_sub(b'a'),
            byte(target + 1).wrapping_sub(b'1'),
        );
        let ends = matches!(byte(length), b' ' | b'\n' | b'\r');
        let fits = told <= 1 && (piece == 1 || told == takes) && from.any();
        let san = San::Normal {
            role: Some(role),
            from,
            to: Square::from_coords(
                File::new(u32::from(file & 7)),
                Rank::new(u32::from(rank & 7)),
            ),
            promotion: None,
        };
        (length < 8 && ends && fits && file < 8 && rank < 8).then_some((san, length as usize))
    }

    /// The move that this means in `position`.
    ///
    /// # Errors
    ///
    /// When no legal move, or more than one, is meant.
    #[inline]
    pub(super) fn find(self, position: &Position) -> Result<Move, FaultKind> {
        match self {
            San::Normal {
                role,
                from,
                to,
                promotion,
            } => {
                let role = match role {
                    Some(role) => role,
                    None => {
                        let from = from & position.of(position.turn());
                        let from = from.first().ok_or(FaultKind::Illegal)?;
                        // Squares alone can also mean castling: the king's way, or to the rook.
                        if let Some(castle) = castle_by_squares(position, from, to) {
                            return Ok(castle);
                        }
                        position.role_at(from).ok_or(FaultKind::Illegal)?
                    }
                };
                if role == Role::Pawn {
                    pawn(position, from, to, promotion)
                } else if promotion.is_some() {
                    Err(FaultKind::Illegal)
                } else {
                    man(position, role, from, to)
                }
            }
            San::Castle(side) => position
                .castling_moves()
                .find(|m| CastlingSide::from_king_side(m.from() < m.to()) == side)
                .ok_or(FaultKind::Illegal),
        }
    }
}

/// Castling with letters or zeros, with dashes of any kind or none.
fn castle(text: &[u8]) -> Option<San> {
    let signs = text.iter().filter(|byte| byte.is_ascii_alphanumeric());
    let dashes = text
        .iter()
        .all(|byte| b"O0o-".contains(byte) || !byte.is_ascii());
    match (signs.count(), dashes) {
        (2, true) => Some(San::Castle(CastlingSide::KingSide)),
        (3, true) => Some(San::Castle(CastlingSide::QueenSide)),
        _ => None,
    }
}

fn castle_by_squares(position: &Position, king: Square, to: Square) -> Option<Move> {
    let us = position.turn();
    let onto_rook = (position.castling() & position.of(us)).contains(to);
    let steps = king.file().distance(to.file());
    if king != position.king(us) || king.rank() != to.rank() || !onto_rook && steps < 2 {
        return None;
    }
    position.castling_moves().find(|m| {
        let side = CastlingSide::from_king_side(m.from() < m.to());
        m.to() == to || !onto_rook && side.king_to(us) == to
    })
}

/// A move of a piece or the king, from one of the squares `from`.
#[inline]
fn man(position: &Position, role: Role, from: Bitboard, to: Square) -> Result<Move, FaultKind> {
    let us = position.turn();
    let own = position.of(us);
    if own.contains(to) {
        return Err(FaultKind::Illegal);
    }
    let from = from & own & position.with_role(role) & REACH[role as usize - 1][to as usize];
    let from = only(position, from, to, to)?;
    Ok(position.move_of(role, from, to, None))
}

/// A move of a pawn, from one of the squares `from`; on another file when it takes.
#[inline]
fn pawn(
    position: &Position,
    from: Bitboard,
    to: Square,
    promotion: Option<Role>,
) -> Result<Move, FaultKind> {
    let us = position.turn();
    let pawns = from & position.men_of(us, Role::Pawn);
    let promotes = matches!(to.rank(), Rank::First | Rank::Eighth);
    if promotes != promotion.is_some() || promotion == Some(Role::King) {
        return Err(FaultKind::Illegal);
    }
    let takes = !from.intersects(Bitboard::from_file(to.file()));
    let in_passing = takes && position.ep_square() == Some(to);
    let possible = if takes {
        position.of(!us).contains(to) || in_passing
    } else {
        !position.occupied().contains(to)
    };
    if !possible {
        return Err(FaultKind::Illegal);
    }
    let from = if takes {
        pawn_attacks(!us, to) & pawns
    } else {
        pushed_from(position, to) & pawns
    };
    let victim = if in_passing {
        Square::from_coords(to.file(), us.fold_wb(Rank::Fifth, Rank::Fourth))
    } else {
        to
    };
    let from = only(position, from, to, victim)?;
    Ok(if in_passing {
        Move::from_shakmaty(Play::EnPassant { from, to })
    } else {
        position.move_of(Role::Pawn, from, to, promotion)
    })
}

/// The one square behind an empty `to` from which a pawn would come, if there is one.
fn pushed_from(position: &Position, to: Square) -> Bitboard {
    let us = position.turn();
    let back = |square: Bitboard| square.shift(us.fold_wb(-8, 8));
    let one = back(to.into());
    if to.rank() == us.fold_wb(Rank::Fourth, Rank::Fifth) && !one.intersects(position.occupied()) {
        back(one)
    } else {
        one
    }
}

/// Whether the own king isn't attacked after a man has gone from `from` to `to` and the
/// other side's man on `victim`, if any, is gone.
#[inline]
fn is_safe(position: &Position, from: Square, to: Square, victim: Square) -> bool {
    let us = position.turn();
    let king = position.king(us);
    let king = if king == from { to } else { king };
    let occupied = position.occupied().without(from).without(victim).with(to);
    position
        .attackers(king, !us, occupied)
        .without(victim)
        .is_empty()
}

/// The only one of the squares from which a man may go to `to` without leaving its king in
/// check.
#[inline(always)]
fn only(
    position: &Position,
    mut from: Bitboard,
    to: Square,
    victim: Square,
) -> Result<Square, FaultKind> {
    let mut found = None;
    while let Some(square) = from.pop_front() {
        let free = !between(square, to).intersects(position.occupied());
        if free && is_safe(position, square, to, victim) && found.replace(square).is_some() {
            return Err(FaultKind::Ambiguous);
        }
    }
    found.ok_or(FaultKind::Illegal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uci(fen: &str, word: &str) -> Result<String, FaultKind> {
        let position = Position::from_fen(fen).unwrap();
        let san = San::read(word.as_bytes()).ok_or(FaultKind::Unreadable)?;
        san.find(&position).map(Move::uci)
    }

    /// The plain move that a text begins with.
    fn first_plain(word: &str) -> Option<(San, usize)> {
        San::plain(format!("{word} and some more").as_bytes())
    }

    /// Every legal move of random games is found by its SAN, its UCI form and its squares
    /// with a dash, and shakmaty's SAN is as good as a made-up one is bad.
    #[test]
    fn moves_are_found_however_they_are_written() {
        let mut rng = fastrand::Rng::with_seed(7);
        let starts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq -",
            "r3k2r/P1P5/8/2Pp4/4pP2/8/1p1p4/R3K2R w KQkq d6",
        ];
        let (mut found, mut plain) = (0, 0);
        for round in 0..60 {
            let mut position = Position::from_fen(starts[round % 3]).unwrap();
            for _ in 0..60 {
                let moves = position.legal_moves();
                let Some(&next) = moves.get(rng.usize(..moves.len().max(1))) else {
                    break;
                };
                let chess = position.to_chess();
                for &m in &moves {
                    let play = m.to_shakmaty();
                    let san = shakmaty::san::SanPlus::from_move(chess.clone(), play).to_string();
                    let long = m.uci();
                    let dashed = format!("{}-{}", &long[..2], &long[2..]);
                    for word in [san, long, dashed] {
                        if let Some((san, length)) = first_plain(&word) {
                            assert_eq!(San::read(word.as_bytes()), Some(san), "{word}");
                            assert_eq!(length, word.len());
                            plain += 1;
                        }
                        let meant = San::read(word.as_bytes()).map(|san| san.find(&position));
                        assert_eq!(meant, Some(Ok(m)), "{word} in {}", position.fen());
                        found += 1;
                    }
                }
                position.play(next);
            }
        }
        assert!(found > 100_000, "only {found} moves");
        // Nearly all that are in algebraic notation.
        assert!(4 * plain > found, "only {plain} of {found}");
    }

    #[test]
    fn nothing_illegal_is_found() {
        let mut rng = fastrand::Rng::with_seed(8);
        let mut refused = 0;
        for _ in 0..40 {
            let mut position =
                Position::from_fen("r1b1k2r/pp3ppp/2n5/1Bpp4/3Pn3/2N2N2/PPP2PPP/R1B1K2R w KQkq -")
                    .unwrap();
            for _ in 0..50 {
                let moves = position.legal_moves();
                for from in Square::ALL {
                    let to = Square::ALL[rng.usize(..64)];
                    let word = format!("{from}{to}");
                    let meant = San::read(word.as_bytes()).unwrap().find(&position);
                    match meant {
                        Ok(m) => assert!(moves.contains(&m), "{word} in {}", position.fen()),
                        Err(_) => refused += 1,
                    }
                }
                let Some(&next) = moves.get(rng.usize(..moves.len().max(1))) else {
                    break;
                };
                position.play(next);
            }
        }
        assert!(refused > 10_000);
    }

    #[test]
    fn forms_that_people_write() {
        let castle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
        for word in [
            "O-O", "0-0", "OO", "o-o", "0–0", "O-O+", "e1g1", "e1h1", "Ke1-g1",
        ] {
            let expected = if word.starts_with('K') {
                "illegal"
            } else {
                "e1g1"
            };
            let found = uci(castle, word).unwrap_or("illegal".to_owned());
            assert_eq!(found, expected, "{word}");
        }
        assert_eq!(uci(castle, "0-0-0").as_deref(), Ok("e1c1"));
        let promote = "1n6/P7/8/8/8/8/8/k1K5 w - -";
        for word in ["a8=Q", "a8Q", "a8q", "a7a8q", "a7-a8=Q+", "Pa8=Q"] {
            assert_eq!(uci(promote, word).as_deref(), Ok("a7a8q"), "{word}");
        }
        assert_eq!(uci(promote, "axb8=N").as_deref(), Ok("a7b8n"));
        assert_eq!(uci(promote, "ab8N").as_deref(), Ok("a7b8n"));
        for word in ["a8", "a8=K", "b8=Q", "axb8", "Ka8=Q"] {
            assert_eq!(uci(promote, word), Err(FaultKind::Illegal), "{word}");
        }
        let knights = "7k/8/8/8/8/2N3N1/8/K7 w - -";
        assert_eq!(uci(knights, "Ne4"), Err(FaultKind::Ambiguous));
        assert_eq!(uci(knights, "Nc4"), Err(FaultKind::Illegal));
        for word in ["Nce4", "N3e4x", "Zf3", "e9", "", "N", "x", "+", "\n"] {
            let readable = word == "Nce4";
            assert_eq!(San::read(word.as_bytes()).is_some(), readable, "{word}");
            assert_eq!(first_plain(word).is_some(), readable, "{word}");
        }
    }

    #[test]
    fn a_pinned_man_needs_no_disambiguation() {
        // The knight on e2 is pinned by the rook on e8.
        let fen = "k3r3/8/8/8/8/8/4N3/N3K3 w - -";
        assert_eq!(uci(fen, "Nc2"), Ok("a1c2".to_owned()));
        assert_eq!(uci(fen, "Nb3"), Ok("a1b3".to_owned()));
        assert_eq!(uci(fen, "Nd4"), Err(FaultKind::Illegal));
    }
}
