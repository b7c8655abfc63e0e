//! `stillmate table`: building, asking and listing tables.

use std::{fs, path::PathBuf};

use crate::run::{BARE, Run, command, stillmate};

/// White to move and mate with the rook.
const ROOK: &str = "8/8/8/8/8/2k5/8/1R2K3 w - -";

/// A directory of this test alone, which isn't there.
fn directory(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        fs::remove_dir_all(&path).expect("temporary files can be removed");
    }
    path.to_str().expect("the path is text").to_owned()
}

/// Runs `stillmate table` in a directory.
fn table(dir: &str, args: &[&str]) -> Run {
    stillmate(&[&["table", "--dir", dir], args].concat())
}

/// The numbers with White and with Black to move in the first row with this title.
#[track_caller]
fn row(run: &Run, title: &str) -> [String; 2] {
    let row = run
        .lines()
        .into_iter()
        .find_map(|row| row.strip_prefix(title));
    let numbers = row.unwrap_or_default().split_whitespace();
    let numbers: Vec<String> = numbers.map(|number| number.replace(',', "")).collect();
    numbers
        .try_into()
        .unwrap_or_else(|_| panic!("no row {title:?}\n{run}"))
}

#[test]
fn a_table_is_built_once_and_its_statistics_are_those_known() {
    let dir = directory("tables-built");
    let run = table(&dir, &["KvKR", "KRvK"]);
    run.exits(0).is_silent().prints("\nbuilt in ");
    // Published: 399,112 positions; 13 and 14 plies.
    let positions = row(&run, "positions").map(|number| number.parse::<u32>().unwrap());
    assert_eq!(positions.iter().sum::<u32>(), 399_112, "{run}");
    assert_eq!(row(&run, "checkmates"), ["0", "216"], "{run}");
    assert_eq!(row(&run, "stalemates"), ["0", "68"], "{run}");
    assert_eq!(row(&run, "White never mates")[0], "0", "{run}");
    assert_eq!(row(&run, "  longest, plies"), ["13", "14"], "{run}");
    assert_eq!(row(&run, "dead"), row(&run, "White never mates"), "{run}");
    let never = positions.map(|number| number.to_string());
    assert_eq!(row(&run, "Black never mates"), never, "{run}");
    assert_eq!(
        run.stdout.matches("positions").count(),
        1,
        "one class\n{run}"
    );
    // Its example has the distance it is said to have.
    let example = run.lines().into_iter();
    let mut example = example.filter_map(|row| row.strip_prefix("White mates in 14 plies from "));
    let asked = table(
        &dir,
        &["-q", "--probe", example.next().expect("an example")],
    );
    assert_eq!(asked.exits(0).stdout, "14 never\n");

    let again = table(&dir, &["KRvK", "KQvK"]);
    again
        .exits(0)
        .prints("\nread in ")
        .prints("\n\nKQvK ")
        .prints("\nbuilt in ");
    let quiet = table(&dir, &["-q", "3"]);
    assert_eq!(quiet.exits(0).is_silent().stdout, "");
    let list = table(&dir, &["--list"]);
    list.exits(0).reports(&format!("6 tables in {dir}\n"));
    let mut classes = list.lines();
    classes.sort_unstable();
    assert_eq!(classes, ["KBvK", "KNvK", "KPvK", "KQvK", "KRvK", "KvK"]);
}

#[test]
fn tables_know_the_shortest_mates() {
    let dir = directory("tables-asked");
    let words: Vec<&str> = ["--probe"].into_iter().chain(ROOK.split(' ')).collect();
    let run = table(&dir, &words);
    run.exits(0)
        .prints("(White to move, KRvK)\nWhite  mates in ")
        .prints("\n       1. ")
        .prints("#\nBlack  can never mate\n");
    // The line is as long as is said.
    let line = run.lines()[2].split_whitespace();
    let plies = line.filter(|word| !word.ends_with('.')).count();
    run.prints(&format!("White  mates in {plies} plies at the earliest\n"));
    let quiet = table(&dir, &["-q", "--probe", ROOK]);
    assert_eq!(quiet.exits(0).stdout, format!("{plies} never\n"));
    // The mate that is on the board, with colours changed.
    let run = table(&dir, &["--probe", "8/8/8/8/8/1k6/8/1K1r4 w - -"]);
    run.exits(0)
        .prints("White  can never mate\nBlack  has mated\n");
}

#[test]
fn what_no_table_knows_is_said() {
    let dir = directory("tables-missing");
    for (fen, why) in [
        (
            "8/8/8/8/8/2k5/8/1R2KR2 w - -",
            "\"stillmate table KRRvK\" builds what is needed",
        ),
        (
            "8/8/8/8/8/2k5/8/R3K3 w Q -",
            "the tables leave out castling",
        ),
        (
            "2k5/8/8/8/8/8/PPPPP3/4K3 w - -",
            "there are more than 5 men",
        ),
    ] {
        let run = table(&dir, &["--probe", fen]);
        run.exits(3).prints("White  not known: ").prints(why);
        assert_eq!(
            table(&dir, &["-q", "--probe", fen]).exits(3).stdout,
            "? ?\n"
        );
    }
    table(&dir, &["--probe", "8/8 w - -"])
        .exits(2)
        .reports("position: a board has 8 ranks");
}

#[test]
fn a_damaged_table_is_reported_and_the_others_are_built() {
    let dir = directory("tables-damaged");
    table(&dir, &["-q", "KQvK"]).exits(0);
    let file = format!("{dir}/KQvK.helpmates");
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, bytes).unwrap();
    let run = table(&dir, &["KQvK", "KQQQQvK", "KvK"]);
    run.exits(2)
        .reports(&format!(
            "{file}: the checksum doesn't fit; without the file it will be built"
        ))
        .reports("KQQQQvK: tables are made for at most 5 men")
        .prints("KvK ");
    assert_eq!(run.stderr.lines().count(), 2, "{run}");
}

// Elsewhere no variable says where that is.
#[cfg(unix)]
#[test]
fn without_a_directory_the_users_own_is_taken() {
    let home = directory("tables-home");
    let run = |args: &[&str]| {
        let mut command = command(&[&["table"], args].concat());
        let command = command.env("XDG_DATA_HOME", &home).env("HOME", &home);
        command.output().expect("the binary starts")
    };
    assert!(run(&["-q", "KvK"]).status.success());
    assert_eq!(run(&["--list", "-q"]).stdout, b"KvK\n");
}

#[test]
fn one_thing_is_asked_for_at_a_time() {
    for args in [
        &[][..],
        &["KRvK", "--list"],
        &["--list", "--probe", BARE],
        &["KXvK"],
        &["6"],
    ] {
        stillmate(&[&["table"], args].concat()).exits(2);
    }
    stillmate(&["table", "KXvK"]).reports("write both sides from the king on");
}

#[test]
fn helpmates_are_counted_and_mined_in_tables() {
    let dir = directory("mined-tables");
    let run = stillmate(&["table", "KRvK", "-q", "--count", "--mine=2", "--dir", &dir]);
    run.exits(0)
        .prints("KRvK, White mates, Black to move\n")
        .prints("plies       positions    one helpmate         at most\n")
        .prints(", one helpmate\n")
        .is_silent();
    let mined = run.stdout.lines().find(|line| line.contains(" ; "));
    let (fen, what) = mined
        .and_then(|line| line.split_once(" ; "))
        .expect("a position");
    let plies: u32 = what.split(' ').next().unwrap().parse().unwrap();
    stillmate(&[
        "check",
        "-q",
        "--all",
        "--winner",
        "white",
        "--no-tables",
        fen,
    ])
    .exits(0);
    stillmate(&["check", "--all", "--winner", "white", "--no-tables", fen])
        .exits(0)
        .prints(&format!("h#{}", plies / 2))
        .prints(": 1 solution");
    stillmate(&["table", "--count", "--list"]).exits(2);
}

/// To open a pipe for reading waits for whoever writes to it.
#[cfg(unix)]
#[test]
fn only_regular_files_are_opened_as_tables() {
    let dir = directory("tables-pipe");
    fs::create_dir(&dir).unwrap();
    let pipe = format!("{dir}/KRvK.helpmates");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let device = format!("{dir}/KQvK.helpmates");
    std::os::unix::fs::symlink("/dev/zero", &device).unwrap();
    fs::create_dir(format!("{dir}/KPvK.helpmates")).unwrap();
    let told =
        |file: &str| format!("{file}: not a regular file; without the file it will be built");
    for args in [
        &["check", "-q", "--tables", &dir, ROOK][..],
        &[
            "check",
            "-q",
            "--shortest",
            "--winner",
            "white",
            "--tables",
            &dir,
            ROOK,
        ],
        &["table", "--dir", &dir, "--probe", ROOK],
        &["table", "--dir", &dir, "KRvK"],
    ] {
        let run = stillmate(args);
        run.exits(2).reports(&told(&pipe));
        assert_eq!(run.stderr.matches("not a regular file").count(), 1, "{run}");
    }
    table(&dir, &["KQvK"]).exits(2).reports(&told(&device));
    table(&dir, &["KPvK"])
        .exits(2)
        .reports("not a regular file");
    assert_eq!(table(&dir, &["-q", "--list"]).exits(0).stdout, "");
}

/// The checksum of tables, CRC-32, bit by bit.
fn crc(bytes: &[u8]) -> [u8; 4] {
    let step = |sum: u32, byte: &u8| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            sum >> 1 ^ if sum & 1 == 1 { 0xEDB8_8320 } else { 0 }
        })
    };
    (!bytes.iter().fold(u32::MAX, step)).to_le_bytes()
}

/// Changes the codes of a table, and its checksums with them.
fn forge(file: &str, forge: impl Fn(u8) -> u8) {
    let mut bytes = fs::read(file).unwrap();
    assert_eq!(bytes[52..56], crc(&bytes[60..]), "the format is as it was");
    for code in &mut bytes[60..] {
        *code = forge(*code);
    }
    let sum = crc(&bytes[60..]);
    bytes[52..56].copy_from_slice(&sum);
    let sum = crc(&bytes[..56]);
    bytes[56..60].copy_from_slice(&sum);
    fs::write(file, bytes).unwrap();
}

#[test]
fn a_forged_table_is_told_from_a_search_that_ends() {
    let dir = directory("tables-forged");
    table(&dir, &["-q", "KRvK"]).exits(0);
    let told = "the table KRvK contradicts itself at ";
    let shortest = [
        "check",
        "--shortest",
        "--winner",
        "white",
        "--tables",
        &dir,
        ROOK,
    ];
    let expected = "White  can mate in 7 plies and not sooner";
    stillmate(&shortest).exits(0).prints(expected).is_silent();
    // Three plies farther than they are, all of them; then none at all.
    for forgery in [
        |code| code + 3 * u8::from(code > 1 && code < 250),
        |code| {
            if code > 1 { 255 } else { code }
        },
    ] {
        forge(&format!("{dir}/KRvK.helpmates"), forgery);
        let run = stillmate(&shortest);
        run.exits(2).prints(expected).reports(told);
        assert!(!run.stdout.contains("goes no deeper"), "{run}");
        assert_eq!(run.stderr.lines().count(), 1, "{run}");
    }
}
