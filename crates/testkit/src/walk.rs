//! Random play.

use std::iter;

use fastrand::Rng;
use stillmate_core::Position;

/// Play from here passes through castling (of Chess960, too, with rooks beside the king), en
/// passant with pins, promotions on every file, double checks and crowds of pieces.
pub const STARTS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1rkr4/8/8/8/8/8/8/1RKR4 w DBdb - 0 1",
    "4k3/8/8/8/8/8/8/RK5R w HA - 0 1",
    "rr2k1rr/8/8/8/8/8/8/RR2K1RR w HBhb - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
    "8/8/1k6/8/2pP4/8/5BK1/8 b - d3 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "4k3/p1p1p1p1/8/1P1P1P1P/1p1p1p1p/8/P1P1P1P1/4K3 w - - 0 1",
    "8/PPPk4/8/8/8/8/4Kppp/8 b - - 0 1",
    "k7/8/2N5/3B4/8/N7/R7/4K3 w - - 0 1",
    "4k3/4r3/4n3/b7/1n4b1/8/8/4K3 b - - 0 1",
    "qqqqkqqq/8/8/8/8/8/QQQQ1QQQ/QQQQKQQQ w - - 0 1",
];

/// The positions of a random game from `start`, which is the first, until it ends or there are
/// `most`.
pub fn game(rng: &mut Rng, start: Position, most: usize) -> impl Iterator<Item = Position> {
    let next = move |position: &Position| {
        let m = rng.choice(&position.legal_moves()).copied()?;
        Some(position.after(m))
    };
    iter::successors(Some(start), next).take(most)
}
