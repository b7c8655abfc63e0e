//! Asking rungs, and checking what they hand over.

use std::sync::Mutex;

use stillmate_core::{Color, Position};
use stillmate_proof::{Limits, replay, verify};
use stillmate_reach::{Verdict, rungs::Rung};

/// What a rung says, once its evidence has been checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    Can,
    Never,
}

impl Claim {
    pub(crate) fn of(can_mate: bool) -> Claim {
        if can_mate { Claim::Can } else { Claim::Never }
    }
}

/// What went wrong, collected so that one failure doesn't hide the others.
#[derive(Default)]
pub(crate) struct Faults(Mutex<Vec<String>>);

impl Faults {
    pub(crate) fn add(&self, fault: String) {
        eprintln!("FAULT {fault}");
        self.0.lock().unwrap().push(fault);
    }

    /// Fails the test if there was any.
    pub(crate) fn none(self) {
        let faults = self.0.into_inner().unwrap();
        let first: Vec<_> = faults.iter().take(20).map(String::as_str).collect();
        assert!(
            faults.is_empty(),
            "{} faults:\n{}",
            faults.len(),
            first.join("\n")
        );
    }
}

/// Asks `rung` and checks its evidence: a line must replay, a certificate must be accepted.
pub(crate) fn ask(
    rung: Rung,
    position: &Position,
    winner: Color,
    effort: usize,
    faults: &Faults,
) -> Option<Claim> {
    let verdict = rung.ask(position, winner, effort)?;
    let claim = claim(&verdict, position, winner).unwrap_or_else(|fault| {
        faults.add(format!("{rung:?}, {winner}: {fault}: {}", position.fen()));
        None
    });
    claim.or(match verdict {
        Verdict::Winnable(_) => Some(Claim::Can),
        Verdict::Unwinnable(_) => Some(Claim::Never),
        Verdict::Undetermined(_) => None,
    })
}

/// What a verdict claims, or what is wrong with its evidence; `None` when undetermined.
pub(crate) fn claim(
    verdict: &Verdict,
    position: &Position,
    winner: Color,
) -> Result<Option<Claim>, String> {
    match verdict {
        Verdict::Winnable(line) => match replay(position, winner, &line.0) {
            Ok(()) => Ok(Some(Claim::Can)),
            Err(error) => Err(format!("a wrong line ({error}): {:?}", line.0)),
        },
        Verdict::Unwinnable(certificate) => {
            if certificate.position != *position || certificate.claim != winner {
                return Err("a certificate about something else".to_owned());
            }
            match verify(certificate, &Limits::default()) {
                Ok(_) => Ok(Some(Claim::Never)),
                Err(refusal) => Err(format!("a certificate refused: {refusal}")),
            }
        }
        Verdict::Undetermined(_) => Ok(None),
    }
}

/// Asks all rungs and checks their evidence. Where the rules of material hold, the searches,
/// which would find nothing for long, are left out.
pub(crate) fn ask_all(
    position: &Position,
    winner: Color,
    effort: usize,
    faults: &Faults,
) -> Vec<(Rung, Claim)> {
    let mut claims = Vec::new();
    for rung in Rung::ALL {
        let search = matches!(
            rung,
            Rung::Minors | Rung::Rollouts | Rung::Explore | Rung::Closure
        );
        if search && claims.contains(&(Rung::Material, Claim::Never)) {
            continue;
        }
        if let Some(claim) = ask(rung, position, winner, effort, faults) {
            claims.push((rung, claim));
        }
    }
    claims
}

/// Asks every rung that could say so whether `winner`, who can mate, can never mate.
pub(crate) fn none_says_never(position: &Position, winner: Color, effort: usize, faults: &Faults) {
    for rung in Rung::ALL {
        let could = !matches!(rung, Rung::Rollouts | Rung::Minors);
        if could && ask(rung, position, winner, effort, faults) == Some(Claim::Never) {
            faults.add(format!(
                "{rung:?} says never for {winner}, who can mate: {}",
                position.fen()
            ));
        }
    }
}
