//! The language of proofs that a colour can never mate.

use stillmate_core::{Bitboard, Color, MaterialRule, Move, Piece, Position, Square};

/// A proof that `claim` can't checkmate from `position` by any series of legal moves.
///
/// The proof is a list of steps. The first is about `position`. A step refers to others by their
/// place in the list, always to later ones, so that no argument rests on itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The position that the claim is about.
    pub position: Position,
    /// The colour that can't mate.
    pub claim: Color,
    /// The argument. At least one step.
    pub steps: Vec<Step>,
}

/// An argument about a position. As an exit of another step, an invariant or a list of classes is
/// about all positions that fit or belong to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The position has no legal move and isn't mate by the colour of the claim.
    Terminal,
    /// The colour of the claim doesn't have the men to mate, and hasn't mated already.
    Material(MaterialRule),
    /// The position isn't mate by the colour of the claim. All legal moves are listed once, each
    /// with the number of the step that proves the next position.
    Moves(Vec<(Move, usize)>),
    /// No position that play can reach is mate by the colour of the claim. The checker visits all of
    /// them. It doesn't go beyond positions in which that colour doesn't have the men to mate, and
    /// those that an exit is about.
    Closed {
        /// The number of positions visited, this one included, or more.
        positions: u64,
        /// Numbers of steps: [`Step::Invariant`] or [`Step::Classes`].
        exits: Vec<usize>,
    },
    /// The position fits an invariant that play never leaves and that no mate fits.
    Invariant(Invariant),
    /// The position isn't mate and belongs to the first of these classes. No move leads to a mate in
    /// any of them. Each irreversible move leads to another of them, to an invariant named in
    /// `exits`, or to a position in which the colour of the claim doesn't have the men to mate.
    Classes {
        /// The classes, that of the position first.
        classes: Vec<Class>,
        /// Numbers of steps: [`Step::Invariant`].
        exits: Vec<usize>,
    },
}

/// A set of positions that reversible moves don't leave: the same men, each on squares of its own,
/// and pairs of squares for the kings, by the side to move.
///
/// A position belongs to a class if
/// - its men without the kings can be assigned one to one to `men`, each to one of the same piece
///   that has its square, or to one of unknown kind if it is neither king nor pawn and not of the
///   colour of the claim;
/// - its kings and side to move are among `kings`;
/// - it has neither a castling right nor a legal en passant capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The men without the kings. A pawn has one square. `lost` is never set; `promotes` marks a
    /// man of unknown kind.
    pub men: Vec<Man>,
    /// Where the kings may stand.
    pub kings: Box<Kings>,
}

/// Pairs of squares for the kings, by the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kings {
    /// With the colour of the claim to move: for each square of its king, those of the other king.
    pub claim_to_move: [Bitboard; 64],
    /// The same with the other colour to move.
    pub other_to_move: [Bitboard; 64],
    /// The same with the other colour to move, after a move of the first king.
    pub after_king: [Bitboard; 64],
}

/// A description of positions by where each man may ever stand.
///
/// A position fits if
/// - each of its men can be assigned to a different [`Man`] that allows it, and all other men are
///   marked as `lost`;
/// - each pair in `opposed` is in order under that assignment;
/// - castling rights and the en passant square are granted.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Invariant {
    /// All men that may be on the board.
    pub men: Vec<Man>,
    /// Pairs of a white and a black pawn, by their places in `men`, that stay on one file, the
    /// white pawn on the lower rank. At least one of them can't be captured.
    pub opposed: Vec<(usize, usize)>,
    /// The squares of rooks that may still castle.
    pub castling: Bitboard,
    /// The en passant square of the first position, if it has one.
    pub en_passant: Option<Square>,
}

/// What may ever become of one man.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Man {
    /// Its colour and, unless it `promotes`, its kind.
    pub piece: Piece,
    /// The squares on which it may ever stand, before a promotion.
    pub squares: Bitboard,
    /// Whether it may be captured.
    pub lost: bool,
    /// Whether it is a pawn that may promote. It is then any piece, anywhere.
    pub promotes: bool,
}

impl Certificate {
    /// The memory that the steps take, in bytes.
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
