//! Games that are still being played, in real files.

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader},
    path::PathBuf,
};

use crate::run::{command, stillmate};

/// Eight moves that repeat the first position three times.
const MOVES: [&str; 8] = ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"];

fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn game(board: usize, plies: usize) -> String {
    let mut text =
        format!("[Event \"live\"]\n[Board \"{board}\"]\n[White \"A\"]\n[Black \"B\"]\n\n");
    for (ply, san) in MOVES[..plies].iter().enumerate() {
        if ply % 2 == 0 {
            text += &format!("{}. ", ply / 2 + 1);
        }
        text += &format!("{san} ");
    }
    text + "*\n\n"
}

#[test]
fn boards_are_told_of_once() {
    let dir = directory("watch-once");
    fs::write(dir.join("round.pgn"), game(1, 8) + &game(2, 4)).unwrap();
    fs::write(dir.join("notes.txt"), game(3, 8)).unwrap();
    let run = stillmate(&["watch", "--once", dir.to_str().unwrap()]);
    run.exits(0).is_silent();
    let file = dir.join("round.pgn");
    let place = format!("{}:1: A - B, board 1: after", file.display());
    assert_eq!(
        run.lines(),
        [
            format!(
                "{place} 4. Ng1 Black could claim a threefold repetition with Ng8 (before: at the beginning, after 2... Ng8) (9.2.1)"
            ),
            format!(
                "{place} 4... Ng8 White can claim a threefold repetition (before: at the beginning, after 2... Ng8) (9.2.2)"
            ),
        ]
    );
    let run = stillmate(&["watch", "--once", "--jsonl", file.to_str().unwrap()]);
    let news = run.exits(0).json();
    assert_eq!(news[0]["article"], "9.2.1");
    assert_eq!(news[0]["moves"], serde_json::json!(["Ng8"]));
    assert_eq!(news[0]["passed"], true);
    assert_eq!(news[0]["earlier"], serde_json::json!([[0, 4]]));
    assert_eq!(news[1]["player"], "White");
    assert_eq!(news[1]["passed"], false);
    stillmate(&["watch", "--once", "/nowhere.pgn"])
        .exits(2)
        .reports("/nowhere.pgn: no such file");
    fs::write(&file, "[White \"A\"]\n\n1. e4 e5 2. Ke3 *\n").unwrap();
    let run = stillmate(&["watch", "--once", file.to_str().unwrap()]);
    run.exits(2).reports("ply 3 (2.): Ke3 is not a legal move");
}

/// The deterministic part is tested with many more rounds beside the arbiter; here files are
/// really written, while the program watches.
#[test]
fn files_are_followed_however_they_are_written() {
    let dir = directory("watch-live");
    let file = dir.join("live.pgn");
    fs::write(&file, game(0, 0)).unwrap();
    let mut watching = command(&["watch", "--jsonl", dir.to_str().unwrap()])
        .spawn()
        .unwrap();
    let lines = BufReader::new(watching.stdout.take().unwrap()).lines();
    let mut rng = fastrand::Rng::with_seed(3);
    let writer = std::thread::spawn(move || {
        let mut plies = [0; 3];
        let step = || std::thread::sleep(std::time::Duration::from_millis(15));
        while plies.iter().any(|&plies| plies < MOVES.len()) {
            let board = rng.usize(..plies.len());
            plies[board] = (plies[board] + rng.usize(1..3)).min(MOVES.len());
            let text: String = (0..)
                .zip(plies)
                .map(|(board, plies)| game(board, plies))
                .collect();
            match rng.u8(..4) {
                // Written at once.
                0 => fs::write(&file, &text).unwrap(),
                // Half-written, then whole.
                1 => {
                    fs::write(&file, &text[..rng.usize(..text.len())]).unwrap();
                    step();
                    fs::write(&file, &text).unwrap();
                }
                // Empty for a while.
                2 => {
                    fs::write(&file, "").unwrap();
                    step();
                }
                // Written under another name.
                _ => {
                    let other = file.with_extension("new");
                    fs::write(&other, &text).unwrap();
                    fs::rename(&other, &file).unwrap();
                }
            }
            step();
        }
        let text: String = (0..3).map(|board| game(board, MOVES.len())).collect();
        fs::write(&file, text).unwrap();
        // What is told last.
        fs::write(file.with_file_name("z.pgn"), game(9, 8)).unwrap();
    });
    let mut told = BTreeMap::<String, usize>::new();
    for line in lines {
        let news: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let board = news["board"].as_str().unwrap();
        let what = format!(
            "{board} {} {}",
            news["article"].as_str().unwrap(),
            news["plies"]
        );
        *told.entry(what).or_default() += 1;
        if told.len() == 8 {
            break;
        }
    }
    writer.join().unwrap();
    watching.kill().unwrap();
    watching.wait().unwrap();
    let expected = ["0", "1", "2", "9"];
    let expected = expected.iter().flat_map(|board| {
        [
            format!("{board} \"9.2.1\" 7"),
            format!("{board} \"9.2.2\" 8"),
        ]
    });
    let expected: BTreeMap<String, usize> =
        expected.map(|what| (what.replace('"', ""), 1)).collect();
    assert_eq!(told, expected);
}
