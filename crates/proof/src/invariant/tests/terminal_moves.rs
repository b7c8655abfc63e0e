//! Steps after which nothing is left to prove.

use fastrand::Rng;
use stillmate_core::{Bitboard, Color, Piece, Position, Role, Square};

use super::{super::InductiveInvariant, invariant, terminal_moves as terminal_moves_of};
use crate::certificate::{Invariant, Man};

/// The squares to which the first man may step without further obligations.
fn terminal_moves(text: &str) -> String {
    let invariant = invariant(text);
    let inductive = InductiveInvariant::new(&invariant, Color::White).expect("well formed");
    let squares = terminal_moves_of(&inductive, 0, &invariant.men[0]).into_iter();
    squares
        .map(|square| square.to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Each of the queen's checks leaves Black's king nothing but taking it.
#[test]
fn the_last_man_must_be_taken() {
    let men = "Q a2 b2 b3, K h1";
    assert_eq!(terminal_moves(&format!("{men}, k a8")), "a7 b7 b8");
    // Even if it takes a man there that is never lost.
    assert_eq!(terminal_moves(&format!("{men}, k a8, r b8")), "a7 b7 b8");
    // With a second man it wouldn't be the last.
    assert_eq!(terminal_moves(&format!("{men}, k a8, P h2 lost")), "");
    // The king is not in check wherever it may stand, or it has a way out.
    assert_eq!(terminal_moves(&format!("{men}, k a8 h8")), "");
    assert_eq!(terminal_moves("Q a2 b2 b3, K h1, k c5"), "");
    assert_eq!(terminal_moves("R a2 b2, K h1, k a8"), "");
    assert_eq!(terminal_moves("R a2 b2, K h1, k a8, p a7"), "b8");
    assert_eq!(terminal_moves("R a2 b2, K h1, k a8, p a7 lost"), "");
    assert_eq!(terminal_moves("R a2 b2, K h1, k a8, p a7 a6"), "");
    // White's king bars the way as well, if it does so from each of its squares.
    assert_eq!(terminal_moves("N d5, K a6, k a8, b b8"), "c7");
    assert_eq!(terminal_moves("N d5, K a6 a5, k a8, b b8"), "");
}

#[test]
fn the_last_man_can_be_taken() {
    // It is protected on b8: that is mate, unless another man takes it.
    let men = "R b2, K c7, k a8, p a7";
    assert_eq!(terminal_moves(men), "a7");
    assert_eq!(terminal_moves(&format!("{men}, n c6")), "a7 b8");
    assert_eq!(terminal_moves(&format!("{men}, n c6 lost")), "a7");
    assert_eq!(terminal_moves(&format!("{men}, n c6 e5")), "a7");
    assert_eq!(terminal_moves(&format!("{men}, r h8")), "a7 b8");
    assert_eq!(terminal_moves(&format!("{men}, r h8, n f8 f1 lost")), "a7");
    assert_eq!(terminal_moves("R b2, K d7 c8, k a8, p a7"), "");
    assert_eq!(terminal_moves("R b2, K d7 d8, k a8, p a7"), "b8");
    // A man can't take on its own square, nor the king where it isn't next to it.
    let smothered = "N d5, K h1, k a8, p a7, p b7";
    assert_eq!(terminal_moves(&format!("{smothered}, b b8")), "b6 c7");
    assert_eq!(terminal_moves(&format!("{smothered}, r b8")), "b6");
    assert_eq!(terminal_moves("N d5, K h1, k a8, p a7, p b7, r b8 c7"), "");
}

/// Black's queen mates on b2 if it can't be taken there.
#[test]
fn black_may_mate() {
    let men = "q h2 h3, K a1";
    assert_eq!(terminal_moves(&format!("{men}, k c3")), "b2");
    assert_eq!(terminal_moves(&format!("{men}, k c3 b3")), "b2");
    assert_eq!(terminal_moves(&format!("{men}, k c3 d3")), "");
    assert_eq!(terminal_moves(&format!("{men}, k h8, p a3")), "b2");
    assert_eq!(terminal_moves(&format!("{men}, k h8, p a3 lost")), "");
    // It doesn't protect itself.
    assert_eq!(terminal_moves("q b3, K a1, k h8"), "");
    // Another man takes it, from any of its squares, through all that may be away.
    let rook = format!("{men}, k c3, R g2 g3 lost");
    assert_eq!(terminal_moves(&rook), "");
    assert_eq!(terminal_moves(&format!("{rook}, P e2 lost")), "");
    assert_eq!(terminal_moves(&format!("{rook}, P e2")), "b2");
    assert_eq!(terminal_moves("q e2, K a1, k c3, R g2 lost"), "");
    // The king gets out, if its own men don't stand around it for ever.
    let knight = "n d4, K a1, k c1, P a2";
    assert_eq!(terminal_moves(&format!("{knight}, R b1 lost, p a3")), "c2");
    assert_eq!(
        terminal_moves(&format!("{knight} lost, R b1 lost, p a3")),
        ""
    );
    // It is not about kings and White's men.
    assert_eq!(terminal_moves("k b3, K a1, q h2 h3"), "");
    assert_eq!(terminal_moves("Q h2 h3, k a8, K c6, P h4 lost"), "");
}

#[test]
fn black_may_mate_with_a_pawn() {
    let men = "p b3, K a1, k c1, P a2";
    assert_eq!(terminal_moves(men), "b2");
    assert_eq!(terminal_moves("p b3 promotes lost, K a1, k c1, P a2"), "b2");
    // What it becomes on the last rank is unknown, and in passing it may be taken.
    assert_eq!(terminal_moves("p b3, K a2 a1, k c2"), "");
    assert_eq!(
        terminal_moves("p g7, K h4, k h6, P g3, P h3, P h5, p f5"),
        ""
    );
    // On the next rank it may not.
    assert_eq!(
        terminal_moves("p g5, K h3, k h5, P g2, P h2, P h4, p f4"),
        "g4"
    );
    // Not White's last man, nor a pawn that is taken.
    assert_eq!(terminal_moves("P b6, k a8, K c8, p a7"), "");
    assert_eq!(terminal_moves(&format!("{men}, N d1 lost")), "");
}

/// A few men, most of them near the kings.
fn random_invariant(rng: &mut Rng) -> Option<Invariant> {
    let near = |square| shakmaty::attacks::king_attacks(square);
    let black = Square::new(rng.u32(..64));
    let beside = rng.choice(near(black))?;
    let white = rng.choice(near(beside))?;
    let mut men = Vec::new();
    for (color, square) in [(Color::White, white), (Color::Black, black)] {
        let mut squares = Bitboard::from_square(square);
        if rng.u8(..4) == 0 {
            squares.add(rng.choice(near(square))?);
        }
        men.push(Man::known(Role::King.of(color), squares));
    }
    let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
    let mut add = |rng: &mut Rng, piece: Piece, among: Bitboard| {
        let pawn = piece.role == Role::Pawn;
        let among = if pawn {
            among & !Bitboard::BACKRANKS
        } else {
            among
        };
        let mut man = Man::known(piece, Bitboard::EMPTY);
        for _ in 0..rng.u8(1..4) {
            man.squares.add(rng.choice(among)?);
        }
        man.lost = rng.u8(..6) == 0;
        men.push(man);
        Some(())
    };
    // White's last man most often, near enough to check.
    for _ in 0..rng.u8(..8).saturating_sub(5).max(1) {
        let role = rng.choice(roles)?;
        add(rng, role.of(Color::White), Bitboard::FULL)?;
    }
    for king in [white, black] {
        for square in near(king) {
            let role = if rng.bool() {
                Role::Pawn
            } else {
                rng.choice(roles)?
            };
            if rng.u8(..3) > 0 && (role != Role::Pawn || !Bitboard::BACKRANKS.contains(square)) {
                let color = if king == black || rng.bool() {
                    Color::Black
                } else {
                    Color::White
                };
                let among = if rng.u8(..4) > 0 {
                    square.into()
                } else {
                    near(king).with(square)
                };
                if color == Color::Black || rng.u8(..4) == 0 {
                    add(rng, role.of(color), among)?;
                }
            }
        }
    }
    let role = rng.choice(roles)?;
    add(rng, role.of(Color::Black), Bitboard::FULL)?;
    Some(Invariant {
        men,
        ..Invariant::default()
    })
}

/// A random position that fits when every man stands on a square of its own, and which man stands
/// where; `None` if the draw fails.
fn random_position(
    rng: &mut Rng,
    invariant: &Invariant,
) -> Option<(Position, [Option<usize>; 64])> {
    let mut board = [None; 64];
    for (place, man) in invariant.men.iter().enumerate() {
        if man.lost && rng.u8(..3) == 0 {
            continue;
        }
        let free = man
            .squares
            .into_iter()
            .filter(|&square| board[usize::from(square)].is_none());
        let square = rng.choice(free.collect::<Bitboard>())?;
        board[usize::from(square)] = Some(place);
    }
    let men = Square::ALL.into_iter().filter_map(|square| {
        let place = board[usize::from(square)]?;
        Some((invariant.men[place].piece, square))
    });
    let position = Position::from_pieces(
        men.map(|(piece, square)| (piece, square.into())),
        Color::from_white(rng.bool()),
    )?;
    Some((position, board))
}

/// What is said of every position that fits is true of random ones.
#[test]
fn nothing_follows_but_the_loss_of_the_last_man() {
    let mut rng = Rng::with_seed(7);
    let bare = |position: &Position| position.of(Color::White).count() == 1;
    let (mut taken, mut mated) = (0, 0);
    for _ in 0..100_000 {
        let Some(invariant) = random_invariant(&mut rng) else {
            continue;
        };
        let Ok(inductive) = InductiveInvariant::new(&invariant, Color::White) else {
            continue;
        };
        let terminal_moves: Vec<_> = inductive
            .men()
            .map(|(place, man)| terminal_moves_of(&inductive, place, man))
            .collect();
        if terminal_moves
            .iter()
            .all(|terminal_moves| terminal_moves.is_empty())
        {
            continue;
        }
        for _ in 0..10 {
            let Some((position, board)) = random_position(&mut rng, &invariant) else {
                continue;
            };
            for m in position.legal_moves() {
                let man = board[usize::from(m.from())].expect("a man that moves");
                let after = position.after(m);
                if !terminal_moves[man].contains(m.to()) || bare(&after) {
                    continue;
                }
                let replies = after.legal_moves();
                let context = || format!("{} after {m}: {invariant:?}", after.fen());
                if replies.is_empty() {
                    let mate = after.is_checkmate() && after.turn() == Color::White;
                    assert!(mate, "{}", context());
                    mated += 1;
                } else {
                    let all = replies.iter().all(|reply| bare(&after.after(*reply)));
                    assert!(all, "{}", context());
                    taken += 1;
                }
            }
        }
    }
    println!("{taken} {mated}");
    assert!(taken > 500 && mated > 500, "{taken} {mated}");
}
