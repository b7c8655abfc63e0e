//! The examples of the pages: every command in a block that begins with ```` ```console ````.
//!
//! Times differ from run to run; all else must be as printed. After a change that the pages are
//! to show, `UPDATE_EXAMPLES=1 cargo test -p stillmate --test cli docs` writes them anew.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::run::skipped;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// All pages of the repository; none where there is only a package.
fn pages() -> Vec<PathBuf> {
    let files = |directory: &str| {
        let entries = std::fs::read_dir(Path::new(ROOT).join(directory));
        let paths = entries
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().path());
        paths.filter(|path| path.extension().is_some_and(|end| end == "md"))
    };
    if !Path::new(ROOT).join("docs").is_dir() {
        return Vec::new();
    }
    let mut pages: Vec<PathBuf> = files("").chain(files("docs")).collect();
    pages.sort();
    pages
}

/// What a command of an example prints.
fn output(command: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_stillmate"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    // Tables are built there.
    let data = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs-data");
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(ROOT)
        .env("PATH", &path)
        .env("XDG_DATA_HOME", &data)
        .env_remove("NO_COLOR")
        .output()
        .expect("a shell runs the example");
    String::from_utf8(output.stdout).expect("text")
}

/// `page` with what its commands print now, as far as that differs in more than times; adds the
/// commands to `run` and those that print something else to `changed`.
fn with_examples(page: &str, run: &mut Vec<String>, changed: &mut Vec<String>) -> String {
    let mut text = String::new();
    let mut inside = false;
    let mut lines = page.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        text += line;
        if line.starts_with("```") {
            inside = line.trim_end() == "```console";
        }
        let Some(command) = line.strip_prefix("$ ").filter(|_| inside) else {
            continue;
        };
        let mut printed = String::new();
        let is_output = |line: &&str| !line.starts_with("$ ") && !line.starts_with("```");
        while let Some(line) = lines.next_if(is_output) {
            printed += line;
        }
        let found = output(command);
        run.push(command.to_owned());
        if without_times(&found) == without_times(&printed) {
            text += &printed;
            continue;
        }
        changed.push(format!("$ {command}{found}instead of\n{printed}"));
        // A line that differs in times alone stays as it is.
        for line in found.split_inclusive('\n') {
            let mut old = printed.split_inclusive('\n');
            text += old
                .find(|old| without_times(old) == without_times(line))
                .unwrap_or(line);
        }
    }
    text
}

/// `text` without times, the place of the slowest query, and the spaces that align times.
fn without_times(text: &str) -> String {
    let mut masked = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(start);
        masked += before;
        let end = number.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
        let end = number[..end.unwrap_or(number.len())].trim_end_matches(['.', ',']);
        let (number, after) = number.split_at(end.len());
        let unit = [" µs", " ms", " s"].into_iter().find(|unit| {
            let next = after.strip_prefix(unit).map(|after| after.chars().next());
            next.is_some_and(|next| !next.is_some_and(char::is_alphanumeric))
        });
        rest = after;
        if let Some(unit) = unit {
            masked.truncate(masked.trim_end_matches(' ').len());
            masked += " TIME";
            rest = &after[unit.len()..];
            if masked.ends_with("at most TIME") {
                rest = rest.find(')').map_or(rest, |end| &rest[end + 1..]);
            }
        } else if masked.ends_with("\"micros\":") {
            masked += "TIME";
        } else {
            masked += number;
        }
    }
    masked + rest
}

#[test]
fn only_times_are_masked() {
    let times = "  9 ms, 1.25 s; 12,345 nodes in 7.5 µs, \"micros\":98,\n   45 µs\n3 seconds";
    assert_eq!(
        without_times(times),
        " TIME, TIME; 12,345 nodes in TIME, \"micros\":TIME,\n TIME\n3 seconds"
    );
    assert_eq!(
        without_times("  107 µs per query, at most 3028 µs (a.epd:59, Black)\n"),
        " TIME per query, at most TIME\n"
    );
}

#[test]
fn the_examples_of_the_pages_are_true() {
    let pages = pages();
    if pages.is_empty() {
        return skipped("the pages are not in the package");
    }
    // Tables are not found from the run before.
    let data = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs-data");
    let _ = std::fs::remove_dir_all(&data);
    let (mut run, mut changed) = (Vec::new(), Vec::new());
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("a page is text");
        let updated = with_examples(&text, &mut run, &mut changed);
        if updated != text && std::env::var_os("UPDATE_EXAMPLES").is_some() {
            std::fs::write(&page, updated).expect("the page can be written");
            changed.clear();
        }
    }
    assert!(changed.is_empty(), "{}", changed.join("\n"));
    assert!(run.len() >= 20, "only {} examples on the pages", run.len());
}
