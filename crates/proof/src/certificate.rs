//! The language of proofs that a colour can never mate.

use stillmate_core::{Bitboard, Color, MaterialRule, Move, Piece, Position, Square};

/// A proof that `claim` can't checkmate from `position` by any series of legal moves.
///
/// The proof is a list of steps. The first is about `position` itself; a step names others
/// by their place in the list, always later ones, so that no argument rests on itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The position the claim is about.
    pub position: Position,
    /// The colour that can't mate.
    pub claim: Color,
    /// The argument, first step first; never empty in an accepted certificate.
    pub steps: Vec<Step>,
}

/// One argument about one position (or, used as an exit, about every position that fits).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The side to move has no legal move, and it isn't mate by the claiming colour.
    Terminal,
    /// The men on the board don't suffice, and the position isn't mate already.
    Material(MaterialRule),
    /// The position isn't mate by the claiming colour, and each legal move, all of them
    /// listed once, leads to a position that the step with the given number proves.
    Moves(Vec<(Move, usize)>),
    /// Of all positions that play can reach from here none is mate by the claiming colour.
    /// The checker explores them itself and doesn't go beyond positions whose men don't
    /// suffice or that fit one of the invariants named in `exits`.
    Closed {
        /// How many positions the exploration visits at most, this one included.
        positions: u64,
        /// Numbers of [`Step::Invariant`]s.
        exits: Vec<usize>,
    },
    /// The position fits an invariant that play never leaves and in which there is no mate.
    Invariant(Invariant),
    /// The position is no mate and belongs to the first of these classes. No move leads to a
    /// mate in one of them, and every irreversible move leads from one of them to another, or
    /// to an invariant named in `exits`, or to men that don't suffice.
    Classes {
        /// The classes, the one of the position first.
        classes: Vec<Class>,
        /// Numbers of [`Step::Invariant`]s.
        exits: Vec<usize>,
    },
}

/// Positions that reversible moves lead to from one another: the same men, each on squares of
/// its own, and the kings in relation to each other and to the side to move.
///
/// A position belongs to a class if its men other than the kings can be assigned one to one
/// to `men`, each of the same piece and on one of its squares (a man of unknown kind: of the
/// other colour than the claiming one, neither king nor pawn, anywhere), no castling right and
/// no en passant square is left, and kings and side to move are among `kings`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The men other than the kings. Pawns stand on one square each. `lost` is never set;
    /// `promotes` marks a man of unknown kind.
    pub men: Vec<Man>,
    /// Where the kings may stand.
    pub kings: Box<Kings>,
}

/// A relation between the kings and the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kings {
    /// With the claiming colour to move: for each square of its king, where the other king
    /// may stand.
    pub claim_to_move: [Bitboard; 64],
    /// The same with the other colour to move.
    pub other_to_move: [Bitboard; 64],
    /// The same with the other colour to move, after a move of the claiming colour's king.
    pub after_king: [Bitboard; 64],
}

/// A description of positions in terms of where each man may ever stand.
///
/// A position fits if each of its men can be assigned to a different [`Man`] that allows it,
/// all men without assignment may be lost, every pair in `opposed` is in order, and castling
/// rights and the en passant square are within what is granted here.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Invariant {
    /// Every man that may be on the board.
    pub men: Vec<Man>,
    /// Pairs (white pawn, black pawn) by their place in `men` that share a file for ever, at least one of which is never lost,
    /// the white one on the lower rank.
    pub opposed: Vec<(usize, usize)>,
    /// Squares of rooks that may still castle.
    pub castling: Bitboard,
    /// The en passant square, if a capture there is possible at once.
    pub en_passant: Option<Square>,
}

/// What may ever become of one man.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Man {
    /// Its colour and, unless it `promotes`, its kind.
    pub piece: Piece,
    /// The squares it may ever stand on (not counting those after a promotion).
    pub squares: Bitboard,
    /// Whether it may be captured.
    pub lost: bool,
    /// Whether it is a pawn that may promote; it is then any piece, anywhere.
    pub promotes: bool,
}

impl Certificate {
    /// How much memory the steps take, in bytes.
    pub(crate) fn memory(&self) -> usize {
        let men = |men: &[Man]| size_of_val(men);
        let steps = self.steps.iter().map(|step| match step {
            Step::Terminal | Step::Material(_) => 0,
            Step::Moves(moves) => size_of_val(&moves[..]),
            Step::Closed { exits, .. } => size_of_val(&exits[..]),
            Step::Invariant(invariant) => men(&invariant.men) + size_of_val(&invariant.opposed[..]),
            Step::Classes { classes, exits } => {
                let each = size_of::<Class>() + size_of::<Kings>();
                let classes = classes.iter().map(|class| each + men(&class.men));
                classes.sum::<usize>() + size_of_val(&exits[..])
            }
        });
        size_of_val(&self.steps[..]) + steps.sum::<usize>()
    }

    /// The same proof with colours changed and the board turned over
    /// (see [`Position::mirrored`]).
    #[must_use]
    pub fn mirrored(&self) -> Certificate {
        Certificate {
            position: self.position.mirrored(),
            claim: !self.claim,
            steps: self.steps.iter().map(Step::mirrored).collect(),
        }
    }
}

impl Step {
    fn mirrored(&self) -> Step {
        match self {
            Step::Terminal => Step::Terminal,
            Step::Material(rule) => Step::Material(*rule),
            Step::Moves(moves) => Step::Moves(
                moves
                    .iter()
                    .map(|&(m, step)| (m.mirrored(), step))
                    .collect(),
            ),
            Step::Closed { positions, exits } => Step::Closed {
                positions: *positions,
                exits: exits.clone(),
            },
            Step::Invariant(invariant) => Step::Invariant(invariant.mirrored()),
            Step::Classes { classes, exits } => Step::Classes {
                classes: classes.iter().map(Class::mirrored).collect(),
                exits: exits.clone(),
            },
        }
    }
}

impl Man {
    fn mirrored(&self) -> Man {
        let piece = self.piece.role.of(!self.piece.color);
        Man {
            piece,
            squares: self.squares.flip_vertical(),
            ..*self
        }
    }
}

impl Class {
    fn mirrored(&self) -> Class {
        let turned = |rows: &[Bitboard; 64]| {
            let mut turned = [Bitboard::EMPTY; 64];
            for (square, row) in Square::ALL.into_iter().zip(rows) {
                turned[usize::from(square.flip_vertical())] = row.flip_vertical();
            }
            turned
        };
        Class {
            men: self.men.iter().map(Man::mirrored).collect(),
            kings: Box::new(Kings {
                claim_to_move: turned(&self.kings.claim_to_move),
                other_to_move: turned(&self.kings.other_to_move),
                after_king: turned(&self.kings.after_king),
            }),
        }
    }
}

impl Invariant {
    fn mirrored(&self) -> Invariant {
        Invariant {
            men: self.men.iter().map(Man::mirrored).collect(),
            opposed: self
                .opposed
                .iter()
                .map(|&(white, black)| (black, white))
                .collect(),
            castling: self.castling.flip_vertical(),
            en_passant: self.en_passant.map(Square::flip_vertical),
        }
    }
}
