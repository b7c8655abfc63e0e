//! Certificates as JSON.

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error as _, MapAccess, Visitor, value::MapAccessDeserializer},
};
use stillmate_core::{Bitboard, Color, MaterialRule, Move, Piece, Square};

use super::{
    FormatError, PROGRAM, VERSION, Written, check_classes, check_length, check_steps, fen, fields,
    fields::objects, resolve,
};
use crate::{
    certificate::{Certificate, Class, Invariant, Kings, Man, Step},
    limits::{Limits, Remaining},
};

/// The memory that a certificate takes at most for each byte of its text, while it is read.
const MEMORY_PER_BYTE: usize = 8;

impl Certificate {
    /// This certificate as JSON, on one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("strings, numbers and lists are always JSON")
    }

    /// The certificate that `text` holds.
    ///
    /// # Errors
    ///
    /// [`FormatError`] says what is wrong, or which limit was reached.
    pub fn from_json(text: &str, limits: &Limits) -> Result<Certificate, FormatError> {
        check_length(text.len() as u64, limits)?;
        let mut remaining = Remaining::new(limits);
        let memory = MEMORY_PER_BYTE * text.len();
        remaining.take_memory(memory)?;
        remaining.spend_work(2 * text.len())?;
        // The version first: later ones may have other fields.
        let head: FormatOnly = serde_json::from_str(text)?;
        if head.format != u64::from(VERSION) {
            return Err(FormatError::Version);
        }
        let written: CertificateText = serde_json::from_str(text)?;
        check_steps(written.steps.len() as u64, limits)?;
        let classes: usize = written.steps.iter().map(StepText::classes).sum();
        check_classes(classes as u64, limits)?;
        let tables = classes * size_of::<Kings>();
        remaining.take_memory(tables)?;
        let position = fen::read(&written.position)?;
        let steps = written.steps.into_iter().map(StepText::written).collect();
        let certificate = Certificate {
            position,
            claim: written.claim,
            steps: resolve(position, steps, Move::uci, &mut remaining)?,
        };
        remaining.give_memory(memory + tables);
        remaining.take_memory(certificate.memory())?;
        Ok(certificate)
    }
}

impl Serialize for Certificate {
    /// As [`Certificate::to_json`].
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = CertificateText {
            format: VERSION,
            program: PROGRAM.to_owned(),
            position: self.position.fen(),
            claim: self.claim,
            steps: self.steps.iter().map(StepText::of).collect(),
        };
        Serialize::serialize(&written, serializer)
    }
}

#[derive(Deserialize)]
struct FormatOnly {
    format: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct CertificateText {
    format: u8,
    program: String,
    position: String,
    #[serde(with = "fields::ColorText")]
    claim: Color,
    steps: Vec<StepText>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "kebab-case")]
enum StepText {
    Terminal,
    Material(#[serde(with = "fields::RuleText")] MaterialRule),
    /// The moves in UCI notation, each with the number of a step.
    Moves(Vec<(String, usize)>),
    Closed(ClosedText),
    Invariant(Box<InvariantText>),
    Classes(ClassesText),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct ClosedText {
    positions: u64,
    exits: Vec<usize>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct InvariantText {
    men: Vec<ManText>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    opposed: Vec<(usize, usize)>,
    #[serde(
        default,
        skip_serializing_if = "fields::squares::is_empty",
        with = "fields::squares"
    )]
    castling: Bitboard,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "fields::square"
    )]
    en_passant: Option<Square>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct ManText {
    #[serde(with = "fields::piece")]
    piece: Piece,
    #[serde(with = "fields::squares")]
    squares: Bitboard,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    lost: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    promotes: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct ClassesText {
    classes: Vec<ClassText>,
    exits: Vec<usize>,
}

/// A class with lists of pairs of kings. Tables of them take much more memory than text.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct ClassText {
    men: Vec<ManText>,
    kings: KingsText,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct KingsText {
    #[serde(with = "fields::rows")]
    claim_to_move: Vec<KingRow>,
    #[serde(with = "fields::rows")]
    other_to_move: Vec<KingRow>,
    #[serde(with = "fields::rows")]
    after_king: Vec<KingRow>,
}

/// A square of W's king with those of the other.
type KingRow = (Square, Bitboard);

objects!(
    CertificateText,
    ClosedText,
    InvariantText,
    ManText,
    ClassesText,
    ClassText,
    KingsText
);

impl Serialize for StepText {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        StepText::serialize(self, to)
    }
}

impl<'de> Deserialize<'de> for StepText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<StepText, D::Error> {
        from.deserialize_any(StepVisitor)
    }
}

/// Reads a step: `"terminal"`, or an object with one field.
struct StepVisitor;

impl<'de> Visitor<'de> for StepVisitor {
    type Value = StepText;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("\"terminal\" or an object with a step")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<StepText, E> {
        match text {
            "terminal" => Ok(StepText::Terminal),
            _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<StepText, A::Error> {
        match StepText::deserialize(MapAccessDeserializer::new(map))? {
            StepText::Terminal => Err(A::Error::custom("\"terminal\" is a string")),
            step => Ok(step),
        }
    }
}

impl StepText {
    fn of(step: &Step) -> StepText {
        match step.clone() {
            Step::Terminal => StepText::Terminal,
            Step::Material(rule) => StepText::Material(rule),
            Step::Moves(moves) => {
                let written = moves.into_iter().map(|(m, next)| (m.uci(), next));
                StepText::Moves(written.collect())
            }
            Step::Closed { positions, exits } => StepText::Closed(ClosedText { positions, exits }),
            Step::Invariant(invariant) => StepText::Invariant(Box::new(InvariantText {
                men: invariant.men.into_iter().map(ManText::of).collect(),
                opposed: invariant.opposed,
                castling: invariant.castling,
                en_passant: invariant.en_passant,
            })),
            Step::Classes { classes, exits } => StepText::Classes(ClassesText {
                classes: classes.into_iter().map(ClassText::of).collect(),
                exits,
            }),
        }
    }

    fn classes(&self) -> usize {
        match self {
            StepText::Classes(ClassesText { classes, .. }) => classes.len(),
            _ => 0,
        }
    }

    fn written(self) -> Written<String> {
        Written::Other(match self {
            StepText::Moves(moves) => return Written::Moves(moves),
            StepText::Terminal => Step::Terminal,
            StepText::Material(rule) => Step::Material(rule),
            StepText::Closed(ClosedText { positions, exits }) => Step::Closed { positions, exits },
            StepText::Invariant(invariant) => Step::Invariant(Invariant {
                men: invariant.men.into_iter().map(ManText::man).collect(),
                opposed: invariant.opposed,
                castling: invariant.castling,
                en_passant: invariant.en_passant,
            }),
            StepText::Classes(ClassesText { classes, exits }) => Step::Classes {
                classes: classes.into_iter().map(ClassText::class).collect(),
                exits,
            },
        })
    }
}

impl ManText {
    fn of(man: Man) -> ManText {
        ManText {
            piece: man.piece,
            squares: man.squares,
            lost: man.lost,
            promotes: man.promotes,
        }
    }

    fn man(self) -> Man {
        Man {
            piece: self.piece,
            squares: self.squares,
            lost: self.lost,
            promotes: self.promotes,
        }
    }
}

impl ClassText {
    fn of(class: Class) -> ClassText {
        let rows = |table: &[Bitboard; 64]| {
            let rows = Square::ALL.into_iter().zip(*table);
            rows.filter(|(_, row)| row.any()).collect()
        };
        ClassText {
            men: class.men.into_iter().map(ManText::of).collect(),
            kings: KingsText {
                claim_to_move: rows(&class.kings.claim_to_move),
                other_to_move: rows(&class.kings.other_to_move),
                after_king: rows(&class.kings.after_king),
            },
        }
    }

    fn class(self) -> Class {
        let table = |rows: Vec<KingRow>| {
            let mut table = [Bitboard::EMPTY; 64];
            for (square, row) in rows {
                table[usize::from(square)] = row;
            }
            table
        };
        Class {
            men: self.men.into_iter().map(ManText::man).collect(),
            kings: Box::new(Kings {
                claim_to_move: table(self.kings.claim_to_move),
                other_to_move: table(self.kings.other_to_move),
                after_king: table(self.kings.after_king),
            }),
        }
    }
}
