//! Comparing answers with the labels of their lines.

use stillmate_core::Color;

use crate::answer::Answer;

/// How an answer compares with the `winnable` and `case` operations of its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// The line has neither operation.
    Unlabelled,
    /// All that is labelled is as it should be.
    Met,
    /// Some of it isn't decided; none contradicts.
    Open(String),
    /// The answer contradicts the label: what was expected and what was found.
    Contradicted(String),
}

/// Compares `answer` with its line. In `winnable "W-"` the first character is W or - for
/// White, the second B or - for Black, and ? matches anything. A colour that wasn't asked
/// about isn't compared, nor is the case unless both were.
///
/// # Errors
///
/// In words, when a label can't be read.
pub(crate) fn compare(answer: &Answer) -> Result<Comparison, String> {
    let winnable = answer.record.value("winnable");
    let case = answer.record.value("case");
    if winnable.is_none() && case.is_none() {
        return Ok(Comparison::Unlabelled);
    }
    let mut open = Vec::new();
    let mut wrong = Vec::new();
    if let Some(label) = winnable {
        for (color, can_mate) in expected_winners(&label)? {
            if answer.finding(color).is_none() {
                continue;
            }
            let against = match answer.can_mate(color) {
                None => &mut open,
                Some(found) if found != can_mate => &mut wrong,
                Some(_) => continue,
            };
            let text = format!("winnable {label:?} expected, {:?} found", answer.label());
            if !against.contains(&text) {
                against.push(text);
            }
        }
    }
    if let Some(label) = case {
        let expected: u8 = label
            .parse()
            .ok()
            .filter(|case| (1..=8).contains(case))
            .ok_or_else(|| format!("case {label:?} is no row of the case table; use 1 to 8"))?;
        let asked_all = answer.findings().count() == 2;
        match answer.case {
            Some(found) if found.number() != expected => {
                wrong.push(format!(
                    "case {expected} expected, {} found",
                    found.number()
                ));
            }
            None if asked_all => open.push(format!("case {expected} expected, none found")),
            _ => {}
        }
    }
    Ok(if !wrong.is_empty() {
        Comparison::Contradicted(wrong.join("; "))
    } else if !open.is_empty() {
        Comparison::Open(open.join("; "))
    } else {
        Comparison::Met
    })
}

/// The colours of which a label says whether they can mate.
fn expected_winners(label: &str) -> Result<Vec<(Color, bool)>, String> {
    let wrong = || {
        format!(
            "winnable {label:?} is no label; use two characters, W, - or ? for White and \
             B, - or ? for Black"
        )
    };
    let chars: Vec<char> = label.chars().collect();
    let &[white, black] = &chars[..] else {
        return Err(wrong());
    };
    let mut expected = Vec::new();
    for (color, found, letter) in [(Color::White, white, 'W'), (Color::Black, black, 'B')] {
        match found {
            '?' => {}
            '-' => expected.push((color, false)),
            _ if found == letter => expected.push((color, true)),
            _ => return Err(wrong()),
        }
    }
    Ok(expected)
}
