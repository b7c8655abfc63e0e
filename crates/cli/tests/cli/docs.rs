//! The examples of `README.md` and `docs/cli.md`.

use std::process::Command;

const PAGES: [&str; 2] = [
    include_str!("../../../../README.md"),
    include_str!("../../../../docs/cli.md"),
];

/// Times and counts differ from run to run; all else must be as printed.
fn without_numbers(text: &str) -> String {
    let mut masked = String::new();
    for c in text.trim_end().chars() {
        if !c.is_ascii_digit() {
            masked.push(c);
        } else if !masked.ends_with('#') {
            masked.push('#');
        }
    }
    // 7.5 µs and 12 µs are the same.
    masked.replace("#.# µs", "# µs").replace("# ms", "# µs")
}

#[test]
fn the_examples_of_the_pages_are_true() {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_stillmate"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    // Tables are built there, and not found from the run before.
    let data = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs-data");
    let _ = std::fs::remove_dir_all(&data);
    let mut examples = 0;
    let blocks = PAGES.map(|page| page.split("```console\n").skip(1));
    for block in blocks.into_iter().flatten() {
        let block = block.split("```").next().unwrap_or_default();
        for example in block.split("$ ").skip(1) {
            let (command, expected) = example.split_once('\n').expect("a command line");
            let output = Command::new("sh")
                .args(["-c", &format!("exec 2>&1; {command}")])
                .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
                .env("PATH", &path)
                .env("XDG_DATA_HOME", &data)
                .env_remove("NO_COLOR")
                .output()
                .expect("a shell runs the example");
            let found = String::from_utf8(output.stdout).expect("text");
            assert_eq!(
                without_numbers(&found),
                without_numbers(expected),
                "{command}"
            );
            examples += 1;
        }
    }
    assert!(examples >= 8, "only {examples} examples found on the pages");
}
