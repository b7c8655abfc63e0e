//! The seventy-five-move rule in the verdict, beside brute force on small classes.

use rustc_hash::FxHashMap;
use stillmate_arbiter::{InTime, in_time};
use stillmate_core::{Color, Key, Position, Role, Square};
use stillmate_reach::{
    Analyzer, Budget, Effort, StopReason,
    retro::{Distance, Tables},
};
use stillmate_testkit::every;

const LIMIT: u32 = 150;

/// All positions with these men anywhere and these pawns where they are.
fn positions(men: &[(Color, Role)], pawns: &[(Color, Square)]) -> Vec<Position> {
    let men: Vec<_> = men.iter().map(|(color, role)| role.of(*color)).collect();
    let pawns = pawns
        .iter()
        .map(|&(color, square)| (Role::Pawn.of(color), square));
    let mut found = Vec::new();
    every::position(&men, &pawns.collect::<Vec<_>>(), &mut |position| {
        if position.ep_square().is_none() {
            found.push(*position);
        }
    });
    found
}

/// For each position the plies to the nearest mate by `winner`, or to the nearest capture or
/// pawn move that still lets `winner` mate, found backwards: no line and no search.
fn distances(positions: &[Position], winner: Color, tables: &Tables) -> Vec<Option<u32>> {
    let index: FxHashMap<Key, usize> = positions
        .iter()
        .enumerate()
        .map(|(n, p)| (Key::new(p), n))
        .collect();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); positions.len()];
    let mut distances = vec![None; positions.len()];
    let mut frontier = Vec::new();
    let mut next = Vec::new();
    for (number, position) in positions.iter().enumerate() {
        if position.is_checkmate() && position.turn() != winner {
            distances[number] = Some(0);
            frontier.push(number);
            continue;
        }
        for m in position.legal_moves() {
            let after = position.after(m);
            if m.is_zeroing() {
                let wins = tables.probe(&after, winner).expect("a table of few men");
                if wins != Distance::Never {
                    next.push(number);
                }
            } else {
                before[index[&Key::new(&after)]].push(number);
            }
        }
    }
    let mut plies = 0;
    while !frontier.is_empty() || !next.is_empty() {
        plies += 1;
        next.extend(
            frontier
                .iter()
                .flat_map(|&number| before[number].iter().copied()),
        );
        next.retain(|&number| {
            let new = distances[number].is_none();
            distances[number].get_or_insert(plies);
            new
        });
        frontier = std::mem::take(&mut next);
    }
    distances
}

/// Compares some questions about a class with brute force; the number of answers "can",
/// "never" and "too late".
fn compare(men: &[(Color, Role)], pawns: &[(Color, Square)], every: usize) -> [usize; 3] {
    let analyzer = Analyzer::default();
    let tables = Tables::builtin();
    let budget = Budget::default();
    let positions = positions(men, pawns);
    let mut counts = [0; 3];
    for winner in Color::ALL {
        let distances = distances(&positions, winner, &tables);
        for (number, position) in positions.iter().enumerate().step_by(every) {
            let clock = 120 + (number * 7 % 31) as u32;
            let plain = analyzer.decide(position, winner).verdict;
            let timed = in_time(&analyzer, position, clock, winner, &plain, &budget);
            let expected = match distances[number] {
                // A mate on the board stands, whatever the count.
                Some(0) => 0,
                Some(plies) if clock + plies <= LIMIT => 0,
                Some(_) => 2,
                None => 1,
            };
            let found = match &timed {
                InTime::Winnable(line) => {
                    lasts(position, winner, clock, &line.0);
                    0
                }
                InTime::Never => 1,
                InTime::TooLate(_) => 2,
                InTime::Undetermined(_) => panic!("undetermined"),
            };
            assert_eq!(
                found,
                expected,
                "{winner} in {} with {clock}: {timed:?}",
                position.fen()
            );
            counts[found] += 1;
        }
    }
    counts
}

/// Fails unless the line is legal, mates, and is let come to its end.
fn lasts(position: &Position, winner: Color, clock: u32, line: &[stillmate_core::Move]) {
    stillmate_proof::replay(position, winner, line).unwrap();
    let mut clock = clock;
    for m in line {
        assert!(clock < LIMIT, "the game was over before {m}");
        clock = if m.is_zeroing() { 0 } else { clock + 1 };
    }
}

const KINGS: [(Color, Role); 2] = [(Color::White, Role::King), (Color::Black, Role::King)];

const ROOK: (Color, Role) = (Color::White, Role::Rook);
const BLOCKED: [(Color, Square); 2] = [(Color::White, Square::A4), (Color::Black, Square::A5)];

#[test]
fn kings_have_to_take_a_blocked_pawn_in_time() {
    let [can, never, late] = compare(&KINGS, &BLOCKED, 8);
    assert!(
        can > 1000 && never == 0 && late > 300,
        "{can} {never} {late}"
    );
}

#[test]
fn a_rook_has_to_mate_in_time() {
    let [can, never, late] = compare(&[KINGS[0], KINGS[1], ROOK], &[], 1499);
    assert!(
        can > 100 && never > 100 && late > 20,
        "{can} {never} {late}"
    );
}

/// More than 10,000 positions of four classes.
#[test]
#[ignore = "takes some minutes"]
fn many_positions_have_to_be_won_in_time() {
    let queen = (Color::Black, Role::Queen);
    let counts = [
        compare(&KINGS, &BLOCKED, 1),
        compare(&[KINGS[0], KINGS[1], ROOK], &[], 97),
        compare(&[KINGS[0], KINGS[1], queen], &[], 97),
        compare(
            &KINGS,
            &[(Color::White, Square::E5), (Color::Black, Square::E6)],
            1,
        ),
    ];
    println!("can, never, too late: {counts:?}");
    let total: usize = counts.iter().flatten().sum();
    assert!(total > 30_000, "{total}");
}

#[test]
fn the_count_decides_to_the_ply() {
    let verdict = |fen: &str, clock| {
        let position = Position::from_fen(fen).unwrap();
        let analyzer = Analyzer::default();
        let plain = analyzer.decide(&position, Color::White).verdict;
        let budget = Budget::default();
        in_time(&analyzer, &position, clock, Color::White, &plain, &budget)
    };
    let mate_in_one = "k7/8/1K6/8/8/8/8/7R w - -";
    assert!(matches!(verdict(mate_in_one, 149), InTime::Winnable(_)));
    assert_eq!(verdict(mate_in_one, 150), InTime::TooLate(0));
    let mated = "k6R/8/1K6/8/8/8/8/8 b - -";
    assert!(matches!(verdict(mated, 150), InTime::Winnable(line) if line.0.is_empty()));
    // A pawn move lets the count begin anew, with the 150th ply too.
    let pawn = "7k/8/8/8/8/8/P7/K7 w - -";
    assert!(matches!(verdict(pawn, 149), InTime::Winnable(_)));
    assert_eq!(verdict(pawn, 150), InTime::TooLate(0));
    assert_eq!(verdict("7k/8/8/8/8/8/8/K7 w - -", 100), InTime::Never);
}

#[test]
fn an_ended_budget_is_told() {
    let position = Position::from_fen("6k1/8/8/8/8/8/8/K6R w - -").unwrap();
    let budget = Budget {
        nodes: 10,
        ..Budget::default()
    };
    let analyzer = Analyzer::default();
    let plain = analyzer.decide(&position, Color::White).verdict;
    let timed = in_time(&analyzer, &position, 145, Color::White, &plain, &budget);
    let stopped_by = StopReason::Nodes;
    assert_eq!(
        timed,
        InTime::Undetermined(Effort {
            nodes: 10,
            stopped_by
        })
    );
}
