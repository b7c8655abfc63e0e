//! `--help`, whose examples run as they stand there.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::run::{BARE, BISHOP, QUEEN, stillmate};

/// The examples at the end of a command's help.
fn examples(help: &str) -> Vec<&str> {
    let (_, rest) = help.split_once("\nExamples:\n").expect("examples");
    let lines = rest.lines().take_while(|line| line.starts_with("  "));
    lines.map(str::trim).collect()
}

/// A directory with the files that examples name.
fn files() -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("help");
    std::fs::create_dir_all(&directory).expect("a directory");
    let positions = format!("{BARE}\n{BISHOP}\n{QUEEN}\n");
    let write = |name: &str, contents: &[u8]| {
        std::fs::write(directory.join(name), contents).expect("a file");
    };
    write("positions.epd", positions.as_bytes());
    let packed = zstd::encode_all(positions.as_bytes(), 1).expect("packed");
    write("positions.epd.zst", &packed);
    let labelled = format!("{BARE} winnable \"--\";\n{QUEEN} winnable \"W-\";\n");
    write("labelled.epd", labelled.as_bytes());
    write(
        "games.pgn",
        b"[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n",
    );
    std::fs::create_dir_all(directory.join("broadcast")).expect("a directory");
    // The certificates of which `verify` tells; other examples write them anew.
    let proofs = directory.join("proofs.bin");
    let batch = stillmate(&[
        "batch",
        "--proofs",
        proofs.to_str().expect("text"),
        directory.join("positions.epd").to_str().expect("text"),
    ]);
    batch.exits(0);
    directory
}

#[test]
fn every_command_has_examples_that_run() {
    let program = Path::new(env!("CARGO_BIN_EXE_stillmate"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let directory = files();
    let commands = ["check", "batch", "game", "watch", "verify", "table"];
    let helps = commands.map(|command| stillmate(&[command, "--help"]).stdout);
    let program = stillmate(&["--help"]).stdout;
    for (command, help) in commands.iter().zip(&helps) {
        let own = format!("stillmate {command} ");
        let count = |help| {
            examples(help)
                .iter()
                .filter(|line| line.contains(&own))
                .count()
        };
        assert!(count(help) >= 2, "{help}");
        assert!(count(&program) >= 1, "{program}");
    }
    for example in helps
        .iter()
        .chain([&program])
        .flat_map(|help| examples(help))
    {
        // What goes on until it is interrupted looks once here.
        let goes_on = example.contains(" watch ") && !example.contains("--once");
        let once = if goes_on { " --once" } else { "" };
        let run = Command::new("sh")
            .args(["-c", &format!("{example}{once}")])
            .current_dir(&directory)
            .env("PATH", &path)
            .env("XDG_DATA_HOME", directory.join("data"))
            .output()
            .expect("a shell");
        let error = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{example}\n{error}");
    }
}
