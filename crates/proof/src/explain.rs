//! Certificates in words, for people. Nothing here is part of the argument.

use std::collections::BTreeMap;

use shakmaty::attacks;
use stillmate_core::{Bitboard, Color, MaterialRule, Position, Role, Square, color_name as name};

use crate::{
    certificate::{Certificate, Class, Invariant, Man, Step},
    invariant::{InductiveInvariant, size},
    limits::{Limits, Remaining},
    refusal::Limit,
};

/// A certificate as lines of plain text. Of an invariant it says which men can never move, where
/// the others may stand, which of them may give check, and why that is never mate.
///
/// The certificate should be one that [`verify`](crate::verify) accepts: the text repeats what it
/// claims. An explanation that would take more work or memory than [`Limits::default`] allows is cut
/// short, and says so.
///
/// ```
/// use stillmate_core::{Color, MaterialRule, Position};
/// use stillmate_proof::{Certificate, Step, explain};
///
/// let certificate = Certificate {
///     position: Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - -")?,
///     claim: Color::White,
///     steps: vec![Step::Material(MaterialRule::BareKing)],
/// };
/// assert_eq!(explain(&certificate), ["White has only its king."]);
/// # Ok::<(), stillmate_core::PositionError>(())
/// ```
pub fn explain(certificate: &Certificate) -> Vec<String> {
    explain_steps(certificate, certificate.steps.len(), &Limits::default())
}

/// The same for the first step alone, which is about the certificate's position.
pub fn explain_first(certificate: &Certificate) -> Vec<String> {
    explain_steps(certificate, 1, &Limits::default())
}

fn explain_steps(certificate: &Certificate, most: usize, limits: &Limits) -> Vec<String> {
    let mut lines = Vec::new();
    let mut remaining = Remaining::new(limits);
    let steps = certificate.steps.iter().take(most);
    for (number, step) in steps.enumerate() {
        if certificate.steps.len().min(most) > 1 {
            lines.push(format!("Step {number}:"));
        }
        // The men of the first step are those on the board.
        let board = (number == 0).then_some(&certificate.position);
        let before = lines.len();
        let told = explain_step(step, certificate.claim, board, &mut lines, &mut remaining);
        let length = lines[before..]
            .iter()
            .map(|line| size_of_val(line) + line.len());
        if told
            .and_then(|()| remaining.take_memory(length.sum()))
            .is_err()
        {
            lines.truncate(before);
            lines.push("The rest would take too long to explain.".to_owned());
            break;
        }
    }
    lines
}

fn explain_step(
    step: &Step,
    claim: Color,
    board: Option<&Position>,
    lines: &mut Vec<String>,
    remaining: &mut Remaining,
) -> Result<(), Limit> {
    remaining.spend_work(LINE_WORK)?;
    let (own, other) = (name(claim), name(!claim));
    match step {
        Step::Terminal => lines.push(format!(
            "There is no legal move, and {own} hasn't given checkmate."
        )),
        Step::Material(rule) => lines.push(match rule {
            MaterialRule::BareKing => format!("{own} has only its king."),
            MaterialRule::KnightAgainstQueens => {
                format!("{own} has only a knight, against nothing but queens.")
            }
            MaterialRule::BishopsOfOneColour => format!(
                "{own} has only bishops, all bishops are on squares of one colour, and there is \
                 no knight or pawn."
            ),
        }),
        Step::Moves(moves) => {
            remaining.spend_work(LINE_WORK * moves.len())?;
            let mut by_step = BTreeMap::<_, Vec<_>>::new();
            for (m, next) in moves {
                by_step.entry(next).or_default().push(m.uci());
            }
            lines.push("It isn't checkmate, and these are all legal moves:".to_owned());
            for (next, moves) in by_step {
                lines.push(format!("  after {}, step {next};", moves.join(" ")));
            }
        }
        Step::Closed { positions, exits } => {
            remaining.spend_work(LINE_WORK * exits.len())?;
            lines.push(format!(
                "Play can reach no more than {positions} positions, none of which is checkmate \
                 by {own}."
            ));
            if !exits.is_empty() {
                let steps = if exits.len() > 1 { "steps" } else { "step" };
                let exits: Vec<_> = exits.iter().map(ToString::to_string).collect();
                let exits = exits.join(", ");
                lines.push(format!(
                    "Positions beyond these are covered by {steps} {exits}."
                ));
            }
        }
        Step::Invariant(invariant) => {
            lines.push(format!("This holds whatever {own} and {other} play:"));
            explain_men(invariant, board, lines, remaining)?;
            let last_checks = explain_terminal_moves(invariant, claim, board, lines, remaining)?;
            explain_checks(invariant, claim, board, last_checks, lines, remaining)?;
        }
        Step::Classes { classes, .. } => {
            if let Some(first) = classes.first() {
                lines.push("This holds until the next capture or pawn move:".to_owned());
                explain_men(&as_invariant(first, claim), board, lines, remaining)?;
            }
            let positions = match classes.len().saturating_sub(1) {
                0 => "None of these positions is".to_owned(),
                1 => "Neither these positions nor those of one class that follows are".to_owned(),
                more => {
                    format!("Neither these positions nor those of {more} classes that follow are")
                }
            };
            lines.push(format!("{positions} checkmate by {own}."));
        }
    }
    Ok(())
}

/// Operations to write a line or a name.
const LINE_WORK: usize = 100;

/// The men of a class and its kings, as those of an invariant.
fn as_invariant(class: &Class, claim: Color) -> Invariant {
    let (mut own, mut other) = (Bitboard::EMPTY, Bitboard::EMPTY);
    let kings = &class.kings;
    for rows in [
        &kings.claim_to_move,
        &kings.other_to_move,
        &kings.after_king,
    ] {
        for (square, others) in Square::ALL.into_iter().zip(rows) {
            if others.any() {
                own |= square;
                other |= *others;
            }
        }
    }
    let kings = [
        Man::known(Role::King.of(claim), own),
        Man::known(Role::King.of(!claim), other),
    ];
    Invariant {
        men: class.men.iter().copied().chain(kings).collect(),
        ..Invariant::default()
    }
}

/// Where each man may ever be, kings first.
fn explain_men(
    invariant: &Invariant,
    board: Option<&Position>,
    lines: &mut Vec<String>,
    remaining: &mut Remaining,
) -> Result<(), Limit> {
    let men = &invariant.men;
    remaining.spend_work(LINE_WORK * size(men) + men.len() * men.len())?;
    let of = |king: bool| {
        let men = invariant.men.iter();
        men.filter(move |man| (man.piece.role == Role::King) == king)
    };
    for man in of(true) {
        lines.push(format!("  {} {}.", title(man, None), stands(man.squares)));
    }
    for color in Color::ALL {
        let fixed = of(false).filter(|man| man.piece.color == color);
        let fixed: Vec<_> = fixed
            .filter_map(|man| Some((man.fixed_square()?, man.piece.role)))
            .collect();
        let groups = Role::ALL.into_iter().filter_map(|role| {
            let same = fixed.iter().filter(|&&(_, other)| other == role);
            let squares: Bitboard = same.map(|&(square, _)| square).collect();
            let plural = if squares.more_than_one() { "s" } else { "" };
            let names = list(squares);
            squares
                .any()
                .then(|| format!("{}{plural} {names}", role_name(role)))
        });
        let groups: Vec<_> = groups.collect();
        if !groups.is_empty() {
            let groups = groups.join(", ");
            lines.push(format!("  {} can never move: {groups}.", name(color)));
        }
    }
    for man in of(false).filter(|man| man.fixed_square().is_none()) {
        let promotes = if man.promotes {
            " until it promotes, and anywhere after that"
        } else {
            ""
        };
        let lost = if man.lost { "; it may be captured" } else { "" };
        let (title, stands) = (title(man, now(man, invariant, board)), stands(man.squares));
        lines.push(format!("  {title} {stands}{promotes}{lost}."));
    }
    Ok(())
}

/// Which men may leave their squares because nothing is left to prove then. Tells whether one of
/// `claim` may.
fn explain_terminal_moves(
    invariant: &Invariant,
    claim: Color,
    board: Option<&Position>,
    lines: &mut Vec<String>,
    remaining: &mut Remaining,
) -> Result<bool, Limit> {
    let Invariant { men, opposed, .. } = invariant;
    remaining.spend_work(2 * size(men) + 10 * opposed.len())?;
    let Ok(inductive) = InductiveInvariant::new(invariant, claim) else {
        return Ok(false);
    };
    let mut last_checks = false;
    for (place, man) in men.iter().enumerate() {
        let terminal_moves = inductive.terminal_moves(place, man, remaining)?;
        let steps = terminal_moves.count() * man.squares.count();
        remaining.spend_work(steps * (men.len() + opposed.len()))?;
        let leaves = |to: &Square| {
            let others = terminal_moves.without(*to);
            let mut from = man.squares.into_iter();
            from.any(|from| inductive.steps(place, from, others).is_err())
        };
        let squares: Bitboard = terminal_moves.into_iter().filter(leaves).collect();
        if squares.is_empty() {
            continue;
        }
        let (title, squares) = (title(man, now(man, invariant, board)), list(squares));
        last_checks |= man.piece.color == claim;
        let what = if man.piece.color == claim {
            "checks, and must be captured at once: it is the last man"
        } else {
            "mates"
        };
        lines.push(format!("But on {squares} {title} {what}."));
    }
    Ok(last_checks)
}

/// Which men may give check, and which squares that leaves to the king.
fn explain_checks(
    invariant: &Invariant,
    claim: Color,
    board: Option<&Position>,
    last_checks: bool,
    lines: &mut Vec<String>,
    remaining: &mut Remaining,
) -> Result<(), Limit> {
    let own: Vec<_> = invariant
        .men
        .iter()
        .filter(|man| man.piece.color == claim && man.piece.role != Role::King)
        .collect();
    if own.is_empty() {
        lines.push(format!("{} has only its king.", name(claim)));
        return Ok(());
    }
    let kings = king_squares(invariant, !claim).count();
    let guards = king_squares(invariant, claim).count();
    let of_one = size(own.iter().copied()) + 64 * guards;
    remaining.spend_work(own.len() * (LINE_WORK + kings * of_one))?;
    let before = lines.len();
    for man in &own {
        let kings = king_squares(invariant, !claim).into_iter();
        let mut ways_out: Vec<_> = kings
            .filter_map(|king| Some((way_out(invariant, claim, &own, man, king)?, king)))
            .collect();
        if ways_out.is_empty() {
            continue;
        }
        ways_out.sort_by_key(|(open, king)| (open.count(), *king));
        let more = ways_out.len().saturating_sub(MOST_WAYS_OUT);
        let shown = ways_out.iter().take(MOST_WAYS_OUT);
        let shown = shown.map(|(open, king)| format!("on {king} {}", names(*open, " or ")));
        let more = match more {
            0 => String::new(),
            1 => "; and likewise on another square".to_owned(),
            more => format!("; and likewise on {more} other squares"),
        };
        lines.push(format!(
            "{} may give check, but never mate: even at worst the king has a square to go to: \
             {}{more}.",
            title(man, now(man, invariant, board)),
            shown.collect::<Vec<_>>().join(", ")
        ));
    }
    if lines.len() == before {
        let check = if last_checks {
            "another check"
        } else {
            "check"
        };
        lines.push(format!("No man of {} can ever give {check}.", name(claim)));
    }
    Ok(())
}

/// The number of squares of a checked king that are named, those with the fewest ways out first.
const MOST_WAYS_OUT: usize = 6;

/// If `man` may check a king on `king`, the squares next to it that are not covered then, in the
/// worst case. Its own men can't block all of them.
fn way_out(
    invariant: &Invariant,
    claim: Color,
    own: &[&Man],
    man: &Man,
    king: Square,
) -> Option<Bitboard> {
    let fixed = invariant.men.iter().filter_map(Man::fixed_square);
    let blockers = fixed.collect::<Bitboard>().without(king);
    let around = attacks::king_attacks(king);
    let attacked = |man: &Man, from| attacks::attacks(from, man.piece, blockers);
    let helpers = own.iter().filter(|helper| !std::ptr::eq(**helper, man));
    let help = helpers
        .flat_map(|helper| {
            helper
                .squares
                .into_iter()
                .map(|from| attacked(helper, from))
        })
        .fold(Bitboard::EMPTY, |all, some| all | some);
    let checks = man.squares.into_iter().map(|from| attacked(man, from));
    let checks = checks.filter(|attacked| attacked.contains(king));
    let guards = king_squares(invariant, claim) & !around.with(king);
    let open = |attacked: Bitboard| {
        guards
            .into_iter()
            .map(move |guard| around & !(attacked | help | attacks::king_attacks(guard)))
    };
    checks.flat_map(open).min_by_key(|open| open.count())
}

fn king_squares(invariant: &Invariant, color: Color) -> Bitboard {
    let kings = invariant.men.iter();
    let kings = kings.filter(|man| man.piece == Role::King.of(color));
    kings.fold(Bitboard::EMPTY, |all, man| all | man.squares)
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// A man by its colour and kind and, if known, where it stands now.
fn title(man: &Man, now: Option<Square>) -> String {
    let (color, role) = (name(man.piece.color), role_name(man.piece.role));
    let now = now.map_or_else(String::new, |square| format!(" (now on {square})"));
    format!("{color}'s {role}{now}")
}

/// Where a man stands on the board. `None` if another man of its kind may be the one there.
fn now(man: &Man, invariant: &Invariant, board: Option<&Position>) -> Option<Square> {
    let same = board?.pieces_of(man.piece.color, man.piece.role);
    let square = (same & man.squares).single_square()?;
    let mut others = invariant.men.iter().filter(|other| {
        other.piece == man.piece && other.squares.contains(square) && !std::ptr::eq(*other, man)
    });
    others.next().is_none().then_some(square)
}

fn stands(squares: Bitboard) -> String {
    match squares.count() {
        0 => "stands nowhere".to_owned(),
        64 => "may stand anywhere".to_owned(),
        1..=32 => format!("only ever stands on {}", list(squares)),
        _ => format!("never stands on {}", list(!squares)),
    }
}

/// Squares by name. Three or more in a row are named by the first and the last.
fn list(squares: Bitboard) -> String {
    let mut runs: Vec<(Square, Square)> = Vec::new();
    for square in squares {
        match runs.last_mut() {
            Some((_, last)) if last.rank() == square.rank() && last.distance(square) == 1 => {
                *last = square;
            }
            _ => runs.push((square, square)),
        }
    }
    let runs = runs
        .iter()
        .map(|&(first, last)| match first.distance(last) {
            0 => first.to_string(),
            1 => format!("{first} {last}"),
            _ => format!("{first}-{last}"),
        });
    runs.collect::<Vec<_>>().join(" ")
}

fn names(squares: Bitboard, between: &str) -> String {
    let names: Vec<_> = squares
        .into_iter()
        .map(|square| square.to_string())
        .collect();
    names.join(between)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_too_long_is_cut_short() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - -").expect("a position");
        let king = |color| Man::known(Role::King.of(color), Bitboard::FULL);
        let men = [Color::White, Color::Black].map(king).to_vec();
        let kings = Invariant {
            men,
            ..Invariant::default()
        };
        let certificate = Certificate {
            position,
            claim: Color::White,
            steps: vec![Step::Invariant(kings); 1_000],
        };
        let all = explain_steps(&certificate, 1_000, &Limits::default());
        assert_eq!(all.len(), 1_000 * 5, "{all:#?}");
        let little = Limits::default();
        for limits in [
            Limits {
                work: 1_000_000,
                ..little
            },
            Limits {
                memory: 10_000,
                ..little
            },
        ] {
            let some = explain_steps(&certificate, 1_000, &limits);
            assert!(some.len() > 20 && some.len() < 1_000, "{}", some.len());
            let (last, before) = some.split_last().expect("lines");
            assert_eq!(*last, "The rest would take too long to explain.");
            assert_eq!(*before, all[..before.len()]);
        }
    }
}
