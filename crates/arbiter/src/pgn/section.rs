//! Where games begin in a text: at the first line of a tag section, whatever tag comes first.

use memchr::{memmem, memrchr, memrchr_iter};

use super::lex::{Token, after_blanks, tag};

/// The tag that most sections have, and hardly any comment.
const EVENT: &[u8] = b"Event";

/// The first section in `text`, which may be a comment that was never closed: where a line begins
/// with an Event tag, or a blank line comes before two tags. A single other tag may be quoted in
/// a comment.
pub(super) fn first(text: &[u8]) -> Option<usize> {
    let begins = |at: usize| {
        let top = top(text, at + 1);
        is_certain(text, top).then_some(top)
    };
    let lines = memmem::find_iter(text, b"\n[");
    let mut lines = lines.filter(|at| text.get(at + 2).is_some_and(u8::is_ascii_alphanumeric));
    lines.find_map(begins)
}

/// The last place in `text` where a game begins for certain, so that what is before it is whole
/// games.
pub(super) fn last(text: &[u8]) -> Option<usize> {
    let mut end = text.len();
    loop {
        let line = memrchr_iter(b'[', &text[..end]).find(|&at| begins_line(text, at))?;
        let top = top(text, line);
        if top > 0 && is_certain(text, top) && !may_go_on(text, top) {
            return Some(top);
        }
        end = top.min(line);
    }
}

/// The first place in `text`, at `from` or after it, where a game begins for certain.
pub(super) fn next(text: &[u8], from: usize) -> Option<usize> {
    let begins = |at: usize| {
        let top = top(text, at);
        (top >= from && is_certain(text, top) && !may_go_on(text, top)).then_some(top)
    };
    // The line at `from` may itself be the first of a section.
    let before = from.saturating_sub(1);
    let lines = memmem::find_iter(text.get(before..)?, b"\n[").map(|at| before + at + 1);
    lines.filter(|&at| begins_line(text, at)).find_map(begins)
}

/// Whether the bracket at `at` is the first thing on its line and a name follows.
fn begins_line(text: &[u8], at: usize) -> bool {
    let name = text.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
    name && (at == 0 || text[at - 1] == b'\n')
}

/// The first of the lines with tags that go without a gap up to the one at `line`.
fn top(text: &[u8], line: usize) -> usize {
    let mut top = line;
    while let Some(before) = top.checked_sub(1) {
        let start = memrchr(b'\n', &text[..before]).map_or(0, |at| at + 1);
        if !is_tag_line(&text[start..before]) {
            break;
        }
        top = start;
    }
    top
}

fn is_tag_line(line: &[u8]) -> bool {
    matches!(after_blanks(line), [b'[', name, ..] if name.is_ascii_alphanumeric())
}

/// The names of the tags from the line at `top` on, up to something else or the end of the text.
fn names(text: &[u8], top: usize) -> impl Iterator<Item = &[u8]> {
    let mut lines = text[top..].split(|&byte| byte == b'\n');
    std::iter::from_fn(move || {
        let line = lines.next().filter(|line| is_tag_line(line))?;
        match tag(after_blanks(line)) {
            Some((Token::Tag(name, _), _)) => Some(name),
            _ => None,
        }
    })
}

/// Whether a game begins with the tags at `top`, even if a comment before was never closed.
fn is_certain(text: &[u8], top: usize) -> bool {
    let names: Vec<&[u8]> = names(text, top).collect();
    let blank = text[..top].trim_ascii_end();
    let gap = text[blank.len()..top].iter().filter(|&&byte| byte == b'\n');
    names.contains(&EVENT) || names.len() > 1 && gap.count() > 1
}

/// Whether the tags at `top` may belong to the section before them: if that has other names.
fn may_go_on(text: &[u8], top: usize) -> bool {
    let before = text[..top].trim_ascii_end();
    let start = memrchr(b'\n', before).map_or(0, |at| at + 1);
    let line = after_blanks(&before[start..]);
    if matches!(line, [b'%' | b';' | b'<', ..]) {
        return true;
    }
    if !is_tag_line(line) {
        return false;
    }
    let above: Vec<&[u8]> = names(text, self::top(text, start)).collect();
    !names(text, top).any(|name| above.contains(&name))
}
