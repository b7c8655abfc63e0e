//! Certificates turned on positions that can be won: none is accepted.
//!
//! What the engine has proved of positions in a corpus, it is made to say of the winnable ones:
//! as it is, and adapted so that it fits. Besides, what the engine makes of the winnable
//! position itself, mate or not. The corpus lives beside the repository; where it isn't, there
//! is nothing to do. By default a sample is asked; all of it is by
//!
//! ```text
//! EVERY=1 CORPUS=../shared/corpus/community.epd \
//!     cargo test --release -p stillmate-reach --test retarget -- --nocapture
//! ```

use std::{collections::BTreeMap, env};

use fastrand::Rng;
use stillmate_core::{Bitboard, Color, MaterialRule, Position, Role};
use stillmate_proof::{
    Certificate, Class, Invariant, Limits as CheckLimits, Man, Refusal, Step, verify,
};
use stillmate_reach::{
    Analyzer, Budget, Verdict,
    rungs::{self, ReversibleClass},
};
use stillmate_testkit::labels::{self, Labelled};

/// Spent on finding one certificate.
const NODES: u64 = 20_000;
/// How many certificates are turned on a position: of those about the most similar positions,
/// and of any.
const NEAREST: usize = 8;
const ANY: usize = 4;

/// A question as asked about White.
struct Question {
    position: Position,
    can_mate: Option<bool>,
}

fn questions(lines: &[Labelled], every: usize) -> Vec<Question> {
    let question = |line: &Labelled, winner| Question {
        position: rungs::seen_by(&line.position(), winner),
        can_mate: line.can_mate(winner),
    };
    let lines = lines.iter().step_by(every);
    lines
        .flat_map(|line| Color::ALL.map(|winner| question(line, winner)))
        .collect()
}

/// On how many squares two positions differ.
fn distance(one: &Position, other: &Position) -> usize {
    let mut differ = Bitboard::EMPTY;
    for role in Role::ALL {
        for color in Color::ALL {
            differ |= one.pieces_of(color, role) ^ other.pieces_of(color, role);
        }
    }
    differ.count() + usize::from(one.turn() != other.turn())
}

fn frozen(position: &Position) -> Vec<Man> {
    let men = position.pieces().map(|(square, piece)| Man {
        piece,
        squares: square.into(),
        lost: false,
        promotes: false,
    });
    men.collect()
}

/// Lets each man of `position` be one of `men`, widened, or another one beside them; those that
/// are left over may be missing.
fn adapt(men: &mut Vec<Man>, position: &Position) {
    let mut left: Vec<usize> = (0..men.len()).collect();
    for own in frozen(position) {
        let near = |place: &usize| {
            let man = &men[*place];
            let squares = man.squares.into_iter();
            let distance = squares.map(|square| square.distance(own.squares.first().unwrap()));
            (man.piece == own.piece).then(|| distance.min().unwrap_or(8))
        };
        let places = left.iter().enumerate();
        let nearest = places
            .filter_map(|(i, place)| Some((near(place)?, i)))
            .min();
        match nearest {
            Some((_, i)) => men[left.swap_remove(i)].squares |= own.squares,
            None => men.push(own),
        }
    }
    for place in left {
        men[place].lost = men[place].piece.role != Role::King;
    }
}

fn adapt_class(class: &mut Class, position: &Position) {
    adapt(&mut class.men, position);
    class
        .men
        .retain(|man| man.piece.role != Role::King && !man.lost);
    let rows = match position.turn() {
        Color::White => &mut class.kings.claim_to_move,
        Color::Black => &mut class.kings.other_to_move,
    };
    rows[position.king(Color::White) as usize].add(position.king(Color::Black));
}

/// The steps of `certificate`, changed so that the first says something of `position`.
fn adapted(rng: &mut Rng, certificate: &Certificate, position: &Position) -> Vec<Step> {
    let mut steps = certificate.steps.clone();
    let count = steps.len();
    match &mut steps[0] {
        Step::Terminal | Step::Material(_) => {
            steps[0] = Step::Closed {
                positions: 1_000,
                exits: Vec::new(),
            }
        }
        Step::Moves(moves) => {
            let next: Vec<_> = moves.iter().map(|&(_, next)| next).collect();
            let legal = position.legal_moves().into_iter();
            *moves = legal
                .map(|m| (m, rng.choice(&next).copied().unwrap_or(count)))
                .collect();
        }
        Step::Closed { positions, exits } => {
            *positions = 3_000;
            exits.extend(1..count);
            exits.sort_unstable();
            exits.dedup();
        }
        Step::Invariant(invariant) => {
            adapt(&mut invariant.men, position);
            invariant.castling |= position.castling();
            invariant.en_passant = position.ep_square().or(invariant.en_passant);
        }
        Step::Classes { classes, .. } => {
            for class in classes {
                adapt_class(class, position);
            }
        }
    }
    steps
}

/// What the engine's own analyses make of `position`, whether they find a mate or not.
fn own(position: &Position) -> Vec<Vec<Step>> {
    let mut attempts = Vec::new();
    let closed = |exits| Step::Closed {
        positions: 1_000,
        exits,
    };
    if let Some(relaxed) = rungs::relaxed(position, Color::White) {
        let invariant = relaxed.invariant;
        let frozen = Invariant {
            men: frozen(position),
            ..invariant.clone()
        };
        for invariant in [invariant, frozen] {
            attempts.push(vec![Step::Invariant(invariant.clone())]);
            attempts.push(vec![closed(vec![1]), Step::Invariant(invariant)]);
        }
    }
    if let Some(root) = ReversibleClass::root(position) {
        let (mut classes, mut open) = (Vec::new(), vec![root]);
        while let Some(mut stretch) = open.pop() {
            let (_, entered) = stretch.close();
            classes.push(stretch.class());
            if classes.len() < 30 {
                open.extend(entered.into_iter().flatten());
            }
        }
        let exits = Vec::new();
        let step = Step::Classes { classes, exits };
        attempts.push(vec![step.clone()]);
        attempts.push(vec![closed(vec![1]), step]);
    }
    for rule in [
        MaterialRule::BareKing,
        MaterialRule::KnightAgainstQueens,
        MaterialRule::BishopsOfOneColour,
    ] {
        attempts.push(vec![Step::Material(rule)]);
    }
    attempts.push(vec![Step::Terminal]);
    attempts.push(vec![Step::Moves(Vec::new())]);
    attempts.push(vec![closed(Vec::new())]);
    attempts
}

const fn kind(step: &Step) -> &'static str {
    match step {
        Step::Terminal => "terminal",
        Step::Material(_) => "material",
        Step::Moves(_) => "moves",
        Step::Closed { .. } => "closed",
        Step::Invariant(_) => "invariant",
        Step::Classes { .. } => "classes",
    }
}

/// What became of the attempts that begin with one kind of step.
#[derive(Debug, Default)]
struct Tally {
    rejected: usize,
    /// A limit was reached first.
    unchecked: usize,
}

#[test]
fn nothing_is_accepted_of_a_position_that_can_be_won() {
    let lines = match env::var("CORPUS") {
        Ok(path) => Some(labels::file(&path)),
        Err(_) => labels::corpus("community.epd"),
    };
    let Some(lines) = lines else { return };
    let every = env::var("EVERY").map_or(16, |text| text.parse().expect("a number"));
    let questions = questions(&lines, every);
    let analyzer = Analyzer::new(Budget {
        nodes: NODES,
        ..Budget::default()
    });
    let pool: Vec<Certificate> = questions
        .iter()
        .filter(|question| question.can_mate == Some(false))
        .filter_map(
            |question| match analyzer.decide(&question.position, Color::White).verdict {
                Verdict::Unwinnable(certificate) => Some(certificate),
                _ => None,
            },
        )
        .collect();
    let mut rng = Rng::with_seed(1);
    let limits = CheckLimits {
        positions: 5_000,
        work: 100_000,
        ..CheckLimits::default()
    };
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let winnable = questions
        .iter()
        .filter(|question| question.can_mate == Some(true));
    let mut positions = 0;
    for Question { position, .. } in winnable {
        positions += 1;
        let mut nearest: Vec<_> = pool.iter().collect();
        nearest.sort_by_cached_key(|certificate| distance(&certificate.position, position));
        nearest.truncate(NEAREST);
        nearest.extend((0..ANY).filter_map(|_| rng.choice(&pool)));
        let mut attempts = own(position);
        for certificate in nearest {
            attempts.push(certificate.steps.clone());
            attempts.push(adapted(&mut rng, certificate, position));
        }
        for steps in attempts {
            let tally = tallies.entry(kind(&steps[0])).or_default();
            let attempt = Certificate {
                position: *position,
                claim: Color::White,
                steps,
            };
            match verify(&attempt, &limits) {
                Ok(_) => panic!("accepted: {attempt:?}"),
                Err(Refusal::Rejected { .. }) => tally.rejected += 1,
                Err(Refusal::Unchecked { .. }) => tally.unchecked += 1,
            }
        }
    }
    let attempts: usize = tallies
        .values()
        .map(|tally| tally.rejected + tally.unchecked)
        .sum();
    println!(
        "{positions} winnable questions, {} certificates turned on them, {attempts} attempts, \
         none accepted:\n{tallies:#?}",
        pool.len()
    );
    let rejected: usize = tallies.values().map(|tally| tally.rejected).sum();
    assert!(positions > 0 && rejected > attempts / 2, "{tallies:?}");
}
