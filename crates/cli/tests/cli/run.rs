//! Running the binary, and saying what happened when it isn't what should have.

use std::{
    collections::HashMap,
    io::Write,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
};

/// Only kings: dead.
pub(crate) const BARE: &str = "8/8/4k3/8/8/3K4/8/8 w - -";
/// A bishop against a king: dead.
pub(crate) const BISHOP: &str = "8/8/4k3/8/8/3KB3/8/8 b - -";
/// Black is stalemated.
pub(crate) const STALEMATE: &str = "7k/5Q2/6K1/8/8/8/8/8 b - -";
/// White has mated.
pub(crate) const MATED: &str = "7k/6Q1/6K1/8/8/8/8/8 b - -";
/// White mates with the queen, Black has a bare king.
pub(crate) const QUEEN: &str = "7k/8/5K2/6Q1/8/8/8/8 w - -";

/// What a run did.
pub(crate) struct Run {
    command: String,
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `stillmate` with `args` and nothing on standard input.
pub(crate) fn stillmate(args: &[&str]) -> Run {
    stillmate_with(args, b"")
}

/// Runs `stillmate` with `args` and `input` on standard input.
pub(crate) fn stillmate_with(args: &[&str], input: &[u8]) -> Run {
    let mut child = command(args).spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let input = input.to_vec();
    // From another thread, since the answers may fill their pipe before all is written. A
    // run that rejects its arguments doesn't read.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the binary ends");
    writer.join().expect("the writer doesn't panic");
    Run::new(format!("stillmate {}", args.join(" ")), output)
}

/// Runs `command` to its end.
pub(crate) fn ended(command: &mut Command) -> Run {
    let output = command.spawn().and_then(Child::wait_with_output);
    Run::new(format!("{command:?}"), output.expect("the binary runs"))
}

/// The binary with `args` and pipes for all streams.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stillmate"));
    command
        .args(args)
        .env_remove("NO_COLOR")
        // No tables but those that a test names.
        .env(
            "XDG_DATA_HOME",
            concat!(env!("CARGO_TARGET_TMPDIR"), "/no-data"),
        )
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A file of the repository, such as `docs/cli.md`. A package holds none of them: there the
/// test that asks for it is [`skipped`].
pub(crate) fn repository(path: &str) -> Option<String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
    let text = std::fs::read_to_string(format!("{root}{path}")).ok();
    if text.is_none() {
        skipped(&format!("{path} is not in the package"));
    }
    text
}

/// Says that a test does nothing, and why, past the test runner's capture of output; fails
/// where `NO_SKIP` is set.
pub(crate) fn skipped(why: &str) {
    assert!(
        std::env::var_os("NO_SKIP").is_none(),
        "must not be skipped: {why}"
    );
    let test = thread::current();
    let test = test.name().unwrap_or("a test").to_owned();
    writeln!(std::io::stderr(), "skipped: {test}: {why}").expect("standard error is open");
}

/// Whether Python and python-chess are here; else the test is [`skipped`].
pub(crate) fn python_chess() -> bool {
    let found = Command::new("python3")
        .args(["-c", "import chess"])
        .output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        skipped("python-chess is not installed");
    }
    found
}

/// A file called `name` with these contents; the name must be used by one test alone.
pub(crate) fn file(name: &str, contents: impl AsRef<[u8]>) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, contents).expect("temporary files can be written");
    path.to_str().expect("the path is text").to_owned()
}

/// An empty directory for one test alone.
pub(crate) fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir(&path).expect("directories can be made");
    path
}

/// A path for the command line.
pub(crate) fn text(path: &Path) -> String {
    path.to_str().expect("the path is text").to_owned()
}

impl Run {
    fn new(command: String, output: Output) -> Run {
        Run {
            command,
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("answers are UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }

    /// Fails unless the exit status is `code`.
    #[track_caller]
    pub(crate) fn exits(&self, code: i32) -> &Run {
        assert!(self.code == Some(code), "not exit status {code}\n{self}");
        self
    }

    /// Fails unless standard output contains `text`.
    #[track_caller]
    pub(crate) fn prints(&self, text: &str) -> &Run {
        assert!(self.stdout.contains(text), "{text:?} not printed\n{self}");
        self
    }

    /// Fails unless standard error contains `text`.
    #[track_caller]
    pub(crate) fn reports(&self, text: &str) -> &Run {
        assert!(self.stderr.contains(text), "{text:?} not reported\n{self}");
        self
    }

    /// Fails unless standard error is empty.
    #[track_caller]
    pub(crate) fn is_silent(&self) -> &Run {
        assert!(self.stderr.is_empty(), "something is reported\n{self}");
        self
    }

    /// The lines of standard output.
    pub(crate) fn lines(&self) -> Vec<&str> {
        self.stdout.lines().collect()
    }

    /// The lines of standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Vec<serde_json::Value> {
        let parse =
            |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}\n{self}"));
        self.stdout.lines().map(parse).collect()
    }

    /// The rows of standard output as CSV, by the names of their columns.
    #[track_caller]
    pub(crate) fn csv(&self) -> Vec<HashMap<String, String>> {
        csv::Reader::from_reader(self.stdout.as_bytes())
            .deserialize()
            .map(|row| row.unwrap_or_else(|error| panic!("{error}\n{self}")))
            .collect()
    }
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Run { command, code, .. } = self;
        let [stdout, stderr] = [&self.stdout, &self.stderr].map(|text| match text.get(..2000) {
            Some(start) => format!("{start}… ({} bytes)", text.len()),
            None => text.clone(),
        });
        write!(
            f,
            "{command}\nstatus: {code:?}\nstdout:\n{stdout}\nstderr:\n{stderr}"
        )
    }
}
