//! Certificates as JSON.

use serde::{Deserialize, Serialize, Serializer};
use stillmate_core::{Color, MaterialRule, Move, Position};

use super::{
    FormatError, PROGRAM, VERSION, Written, check_classes, check_length, check_steps, fields,
    resolve,
};
use crate::{
    certificate::{Certificate, Class, Invariant, Step},
    limits::Limits,
};

impl Certificate {
    /// This certificate as JSON, on one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("strings, numbers and lists are always JSON")
    }

    /// The certificate that `text` holds.
    ///
    /// # Errors
    ///
    /// When `text` is longer or has more steps than `limits` allow, isn't JSON of this format,
    /// its position is none, or a move that it lists isn't legal where it is listed.
    pub fn from_json(text: &str, limits: &Limits) -> Result<Certificate, FormatError> {
        check_length(text.len() as u64, limits)?;
        // The version first: later ones may have other fields.
        let head: Head = serde_json::from_str(text)?;
        if head.format != u64::from(VERSION) {
            return Err(FormatError::Version);
        }
        let written: CertificateText = serde_json::from_str(text)?;
        check_steps(written.steps.len() as u64, limits)?;
        let classes = written.steps.iter().map(StepText::classes);
        check_classes(classes.sum(), limits)?;
        let position = Position::from_fen(&written.position)?;
        let steps = written.steps.into_iter().map(StepText::written).collect();
        Ok(Certificate {
            position,
            claim: written.claim,
            steps: resolve(position, steps, Move::uci)?,
        })
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
        written.serialize(serializer)
    }
}

#[derive(Deserialize)]
struct Head {
    format: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CertificateText {
    format: u8,
    program: String,
    position: String,
    #[serde(with = "fields::ColorText")]
    claim: Color,
    steps: Vec<StepText>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum StepText {
    Terminal,
    Material(#[serde(with = "fields::RuleText")] MaterialRule),
    /// The moves in UCI notation, each with the number of a step.
    Moves(Vec<(String, usize)>),
    Closed {
        positions: u64,
        exits: Vec<usize>,
    },
    Invariant(Invariant),
    Classes {
        classes: Vec<Class>,
        exits: Vec<usize>,
    },
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
            Step::Closed { positions, exits } => StepText::Closed { positions, exits },
            Step::Invariant(invariant) => StepText::Invariant(invariant),
            Step::Classes { classes, exits } => StepText::Classes { classes, exits },
        }
    }

    fn classes(&self) -> u64 {
        match self {
            StepText::Classes { classes, .. } => classes.len() as u64,
            _ => 0,
        }
    }

    fn written(self) -> Written<String> {
        Written::Other(match self {
            StepText::Moves(moves) => return Written::Moves(moves),
            StepText::Terminal => Step::Terminal,
            StepText::Material(rule) => Step::Material(rule),
            StepText::Closed { positions, exits } => Step::Closed { positions, exits },
            StepText::Invariant(invariant) => Step::Invariant(invariant),
            StepText::Classes { classes, exits } => Step::Classes { classes, exits },
        })
    }
}
