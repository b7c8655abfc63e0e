//! What a fallen flag means.

use std::fmt;

use shakmaty::{Bitboard, Role};
use stillmate_core::{Color, Position, color_name as name};

use crate::{EndRule, Mates, Outcome, forced};

/// Whose Laws decide what a fallen flag means. All else is as FIDE has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rules {
    /// FIDE 6.9: a draw if the opponent can't checkmate by any possible series of legal moves.
    #[default]
    Fide,
    /// US Chess 14E: a draw if the opponent has a lone king; or king and bishop, or king and
    /// knight, and no forced win; or king and two knights against no pawns, and no forced win.
    Uscf,
}

/// What becomes of a game when a flag falls that hasn't ended otherwise.
#[derive(Clone, Debug)]
pub struct FlagFall {
    /// Whose flag.
    pub flag: Color,
    /// Why the result is what it is.
    pub reason: Reason,
}

/// Why a game is won or drawn after a fallen flag.
#[derive(Clone, Debug)]
pub enum Reason {
    /// FIDE 6.9: what is known of the opponent's mates.
    Fide(Mates),
    /// US Chess 14E1: the opponent has a lone king.
    LoneKing,
    /// US Chess 14E2: the opponent has a single bishop or knight; with the moves of a forced
    /// win if one was found.
    SinglePiece(Option<u32>),
    /// US Chess 14E3: the opponent has two knights against no pawns; with the moves of a
    /// forced win if one was found.
    TwoKnights(Option<u32>),
    /// US Chess 13C: the opponent has more than that.
    EnoughMaterial,
    /// FIDE before July 1997, when only a bare king couldn't win on time: whether the opponent
    /// has more than that.
    Men(bool),
    /// The game was over before the flag fell.
    Over(EndRule),
    /// It was not asked whether the opponent can still mate.
    NotAsked,
}

impl FlagFall {
    /// FIDE's answer, given what is known of the mates of the opponent of `flag`.
    pub(crate) const fn by_fide(flag: Color, mates: Mates) -> FlagFall {
        let reason = Reason::Fide(mates);
        FlagFall { flag, reason }
    }

    /// The answer of FIDE before July 1997 in `position`.
    pub(crate) fn by_men(flag: Color, position: &Position) -> FlagFall {
        let reason = Reason::Men(position.of(!flag).more_than_one());
        FlagFall { flag, reason }
    }

    /// The answer of US Chess in `position`, which is neither mate nor stalemate nor dead.
    pub(crate) fn by_us_chess(flag: Color, position: &Position) -> FlagFall {
        let reason = us_chess(position, flag);
        FlagFall { flag, reason }
    }

    /// Whether the opponent could mate if the seventy-five-move rule didn't end the game first;
    /// only where that rule counts.
    pub const fn too_late(&self) -> bool {
        matches!(&self.reason, Reason::Fide(mates) if mates.too_late)
    }

    /// The result; [`Outcome::Unknown`] if a budget ended before it was decided.
    pub const fn outcome(&self) -> Outcome {
        let wins = match &self.reason {
            Reason::Fide(mates) => mates.possible(),
            Reason::LoneKing | Reason::SinglePiece(None) | Reason::TwoKnights(None) => Some(false),
            Reason::SinglePiece(Some(_)) | Reason::TwoKnights(Some(_)) | Reason::EnoughMaterial => {
                Some(true)
            }
            Reason::Men(more) => Some(*more),
            Reason::Over(rule) => return rule.outcome(),
            Reason::NotAsked => None,
        };
        match wins {
            Some(true) => Outcome::Wins(self.flag.other()),
            Some(false) => Outcome::Draw,
            None => Outcome::Unknown,
        }
    }

    /// The article of the Laws.
    pub const fn article(&self) -> &'static str {
        match self.reason {
            Reason::Fide(_) => "6.9",
            Reason::LoneKing => "US 14E1",
            Reason::SinglePiece(_) => "US 14E2",
            Reason::TwoKnights(_) => "US 14E3",
            Reason::EnoughMaterial => "US 13C",
            Reason::Men(_) => "6.9",
            Reason::Over(rule) => rule.article(),
            Reason::NotAsked => "6.9",
        }
    }

    /// Who wins or that it is a draw, by which article, and why; without a full stop.
    pub fn sentence(&self) -> String {
        let article = self.article();
        match self.outcome() {
            Outcome::Wins(winner) => format!("{} wins by {article}: {self}", name(winner)),
            Outcome::Draw => format!("draw by {article}: {self}"),
            _ => format!("undetermined: {self}"),
        }
    }
}

/// By whose rules the fall of `flag`'s flag in `position` makes a draw, though the opponent can
/// mate: those of US Chess and of servers, which go by the men alone.
pub(crate) fn drawn_elsewhere(position: &Position, flag: Color) -> Vec<&'static str> {
    let winner = !flag;
    let men = |color, role| position.pieces_of(color, role).count();
    let (bishops, knights) = (men(winner, Role::Bishop), men(winner, Role::Knight));
    let few = bishops + knights + 1 == position.of(winner).count();
    let single = few && bishops + knights <= 1;
    let other = |role| men(flag, role) > 0;
    let others = [
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
    ]
    .map(other);
    let [_, rook, bishop, knight, pawn] = others;
    let dark = |color: Color| {
        let of = position.pieces_of(color, Role::Bishop);
        let dark = (of & Bitboard::DARK_SQUARES).any();
        (dark, (of & Bitboard::LIGHT_SQUARES).any())
    };
    let ((dark, light), (their_dark, their_light)) = (dark(winner), dark(flag));
    let one_colour = !(dark && light);
    let opposite = dark && their_light || light && their_dark;
    let lichess = few
        && match (bishops, knights) {
            (0, 0) => true,
            (0, 1) => !(rook || bishop || knight || pawn),
            (_, 0) => one_colour && !(knight || pawn || opposite),
            _ => false,
        };
    let us_chess = !matches!(
        us_chess(position, flag),
        Reason::EnoughMaterial | Reason::SinglePiece(Some(_)) | Reason::TwoKnights(Some(_))
    );
    let two_knights = few && (bishops, knights) == (0, 2);
    let rules = [
        (us_chess, "US Chess (14E)"),
        (single, "chess.com"),
        (two_knights, "chess.com (until some years ago)"),
        (lichess, "lichess"),
    ];
    let drawn = rules.into_iter().filter(|(drawn, _)| *drawn);
    drawn.map(|(_, name)| name).collect()
}

/// The answer of US Chess in `position`, which is neither mate nor stalemate nor dead.
pub(crate) fn us_chess(position: &Position, flag: Color) -> Reason {
    let winner = !flag;
    let men = position.of(winner);
    let count = |role| position.pieces_of(winner, role).count();
    let (bishops, knights) = (count(Role::Bishop), count(Role::Knight));
    let few = bishops + knights + 1 == men.count();
    let pawns = position.pieces_of(flag, Role::Pawn).count();
    match (bishops, knights) {
        (0, 0) if few => Reason::LoneKing,
        (1, 0) | (0, 1) if few => Reason::SinglePiece(forced::mate(position, winner)),
        (0, 2) if few && pawns == 0 => Reason::TwoKnights(forced::mate(position, winner)),
        _ => Reason::EnoughMaterial,
    }
}

/// Why, in words that follow "because".
impl fmt::Display for FlagFall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let opponent = name(!self.flag);
        match &self.reason {
            Reason::Fide(mates) => match mates.possible() {
                Some(true) => {
                    f.write_str(opponent)?;
                    f.write_str(" can still checkmate")
                }
                Some(false) => write!(f, "{opponent} {}", mates.impossible()),
                None => write!(f, "it is not known whether {opponent} can still checkmate"),
            },
            Reason::LoneKing => write!(f, "{opponent} has a lone king"),
            Reason::SinglePiece(win) | Reason::TwoKnights(win) => {
                let what = match self.reason {
                    Reason::TwoKnights(_) => "king and two knights against no pawns",
                    _ => "king and a single minor piece",
                };
                match win {
                    Some(moves) => write!(f, "{opponent} has {what}, but forces mate in {moves}"),
                    None => write!(
                        f,
                        "{opponent} has {what}, and no forced mate is found within {} moves",
                        forced::MOVES
                    ),
                }
            }
            Reason::EnoughMaterial => write!(f, "{opponent} has enough material"),
            Reason::Men(true) => write!(f, "{opponent} has more than a king"),
            Reason::Men(false) => write!(f, "{opponent} has only a king"),
            Reason::Over(EndRule::Checkmate(winner)) => {
                write!(f, "the game is over, {} has checkmated", name(*winner))
            }
            Reason::Over(EndRule::Stalemate) => f.write_str("the game is over, it is stalemate"),
            Reason::Over(EndRule::Dead) => f.write_str("the game is over, the position is dead"),
            Reason::Over(rule) => write!(f, "the game is over by {}", rule.article()),
            Reason::NotAsked => {
                write!(f, "it is not known whether {opponent} can still checkmate")
            }
        }
    }
}
