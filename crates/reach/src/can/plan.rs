//! Plans: where Black's king could be mated, and what has to come there.
//!
//! A plan is a picture of the mate: Black's king on a *target* square, a queen beside it on a
//! guarded *contact* square or a rook or queen on its *line*, and White's king, if needed,
//! where it covers the remaining flight squares. Its cost is an estimate of the moves that
//! each side needs as the men stand now. The numbers order the attempts and steer the moves;
//! they prove nothing.
//!
//! White mates; callers mirror the board.

use arrayvec::ArrayVec;
use shakmaty::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, queen_attacks,
    rook_attacks,
};
use stillmate_core::{Bitboard, Color, Position, Rank, Role, Square};

use crate::geometry::{attacked, attacks_from_any, dilate};

/// Squares by their distance in king moves from some goal, nearest first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layers {
    rings: [Bitboard; MOST_LAYERS],
    count: usize,
}

/// Longer ways than this count as none: mazes are for other methods.
const MOST_LAYERS: usize = 24;

/// Moves that a step onto a square counts from which some man has to go first.
const COSTLY: usize = 3;

impl Layers {
    /// King moves from the nearest of `from`, around `barred`; a step onto one of the `costly`
    /// squares, which some man has to leave or to free first, counts as [`COSTLY`].
    pub(crate) fn spread(from: Bitboard, barred: Bitboard, costly: Bitboard) -> Layers {
        let mut layers = Layers {
            rings: [Bitboard::EMPTY; MOST_LAYERS],
            count: 1,
        };
        layers.rings[0] = from;
        let mut left = !(from | barred);
        // What the rings one, two and three moves back lead to.
        let (mut one, mut two, mut three) = (dilate(from), Bitboard::EMPTY, Bitboard::EMPTY);
        while layers.count < MOST_LAYERS && left.any() && (one | two | three).any() {
            let ring = left & (one & !costly | three & costly);
            left &= !ring;
            layers.rings[layers.count] = ring;
            layers.count += 1;
            (one, two, three) = (dilate(ring), one, two);
        }
        layers
    }

    /// The squares next to `square` that are nearer to the goal.
    pub(crate) fn ahead(&self, square: Square) -> Bitboard {
        match self.distance(square) {
            Some(0) | None => Bitboard::EMPTY,
            Some(distance) => {
                let far = match distance.checked_sub(COSTLY) {
                    Some(distance) => self.rings[distance],
                    None => Bitboard::EMPTY,
                };
                king_attacks(square) & (self.rings[distance - 1] | far)
            }
        }
    }

    /// Moves from `square` to the goal, `None` where there is no way.
    pub(crate) fn distance(&self, square: Square) -> Option<usize> {
        self.rings[..self.count]
            .iter()
            .position(|ring| ring.contains(square))
    }

    /// Moves to the nearest of `squares`.
    fn nearest(&self, squares: Bitboard) -> Option<usize> {
        self.rings[..self.count]
            .iter()
            .position(|ring| ring.intersects(squares))
    }

    /// The squares at each distance, nearest first.
    fn rings(&self) -> impl Iterator<Item = (usize, Bitboard)> {
        self.rings[..self.count].iter().copied().enumerate()
    }
}

/// How the mating man strikes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Strike {
    /// A queen on this guarded square beside the king.
    Contact(Square),
    /// A queen or rook on a line of the board's edge, from afar.
    Line {
        /// The whole line.
        line: Bitboard,
        /// From the striker's square to beside the king: no black man may come here.
        path: Bitboard,
    },
    /// Whatever the minor pieces find with the king close by.
    Near,
}

impl Strike {
    /// The squares that Black's men must not take on: the contact square, or the path.
    pub(crate) fn squares(&self) -> Bitboard {
        match self {
            Strike::Contact(square) => (*square).into(),
            Strike::Line { path, .. } => *path,
            Strike::Near => Bitboard::EMPTY,
        }
    }
}

/// A picture of the mate and the ways there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Where Black's king is to stand.
    pub(crate) target: Square,
    pub(crate) strike: Strike,
    /// Ways of Black's king to the target.
    pub(crate) black: Layers,
    /// Ways of White's king to where it helps; `None` when it isn't needed.
    pub(crate) white: Option<Layers>,
    /// The pawn that is to become the queen, while there is none.
    pub(crate) promoting: Option<Square>,
    /// The squares that it enters on its way.
    pub(crate) route: Bitboard,
    /// Whether another man is still to come to guard the contact square.
    pub(crate) wants_guard: bool,
}

impl Plan {
    /// Whether it is the same picture.
    pub(crate) fn is_like(&self, other: &Plan) -> bool {
        self.target == other.target && self.strike.squares() == other.strike.squares()
    }

    /// The next square of the promoting pawn's route from `square`.
    pub(crate) fn next_on_route(&self, square: Square) -> Option<Square> {
        let behind = Bitboard(!0 >> (63 - (u32::from(square) | 7)));
        (self.route & !behind).first()
    }

    /// The squares of the route ahead of the promoting pawn, if there is one: those that it enters
    /// by pushes, and by captures.
    pub(crate) fn route_ahead(&self, promoting: Option<Square>) -> (Bitboard, Bitboard) {
        let (mut pushes, mut takes) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let mut at = promoting;
        while let Some(from) = at {
            at = self.next_on_route(from);
            match at {
                Some(to) if to.file() == from.file() => pushes |= between(from, to).with(to),
                Some(to) => takes |= to,
                None => {}
            }
        }
        (pushes, takes)
    }
}

/// A plan before its ways are spelled out.
#[derive(Clone, Copy, Debug)]
struct Sketch {
    cost: usize,
    target: Square,
    strike: Strike,
    /// Where White's king helps; `None` when it isn't needed.
    king: Option<Bitboard>,
    wants_guard: bool,
    runs: bool,
}

/// A single plan that costs at most so much more than the best that can still come is taken at
/// once: to look further takes longer than to play the few plies more.
const GOOD_ENOUGH: usize = 20;

/// Most plans that are kept.
pub(crate) const MOST_PLANS: usize = 6;

/// The sketches with the least cost, in order.
struct Best {
    sketches: ArrayVec<Sketch, MOST_PLANS>,
    most: usize,
}

impl Best {
    /// Sketches of this cost or more are of no use.
    fn bound(&self) -> usize {
        if self.sketches.len() < self.most {
            usize::MAX
        } else {
            self.sketches[self.most - 1].cost
        }
    }

    fn keep(&mut self, sketch: Sketch) {
        if sketch.cost >= self.bound() {
            return;
        }
        self.sketches.truncate(self.most - 1);
        let place = self
            .sketches
            .iter()
            .position(|other| sketch.cost < other.cost);
        match place {
            Some(place) => self.sketches.insert(place, sketch),
            None => self.sketches.push(sketch),
        }
    }
}

/// A plan for White, the cheapest or nearly so.
pub(crate) fn plan(position: &Position) -> Option<Plan> {
    let view = View::new(position);
    let sketches = view.sketches(1);
    sketches.first().map(|sketch| view.plan(sketch))
}

/// That plan, and its cost.
pub(crate) fn priced(position: &Position) -> Option<(usize, Plan)> {
    let view = View::new(position);
    let sketch = *view.sketches(1).first()?;
    Some((sketch.cost, view.plan(&sketch)))
}

/// The cheapest plans for White, at most `most` (which is at most [`MOST_PLANS`]), best first.
pub(crate) fn plans(position: &Position, most: usize) -> ArrayVec<Plan, MOST_PLANS> {
    let view = View::new(position);
    view.sketches(most)
        .iter()
        .map(|sketch| view.plan(sketch))
        .collect()
}

/// What a plan costs in which the sides need so many moves. The side that is ahead waits for
/// free: what counts is the slower one.
const fn cost(white_moves: usize, black_moves: usize) -> usize {
    let slower = if white_moves > black_moves {
        white_moves
    } else {
        black_moves
    };
    4 * slower + white_moves + black_moves
}

/// What the plans of a position have in common.
struct View<'a> {
    position: &'a Position,
    occupied: Bitboard,
    black_king: Square,
    black_men: Bitboard,
    /// Ways *from* Black's king.
    black: Layers,
    /// Ways *from* White's king.
    white: Layers,
    black_barred: Bitboard,
    white_barred: Bitboard,
    black_costly: Bitboard,
    white_costly: Bitboard,
    /// What White's pawns and minor pieces attack.
    light_defended: Bitboard,
    /// What White attacks without king and queens.
    defended: Bitboard,
    /// What Black attacks without its king.
    black_defended: Bitboard,
    /// Where White's queens can go in one move, in two and in three.
    queen_rings: [Bitboard; 3],
    /// The same for queens and rooks.
    heavy_rings: [Bitboard; 3],
    /// Where White's rooks, bishops and knights can go in one move.
    moves: [Bitboard; 3],
    queens: Bitboard,
    rooks: Bitboard,
    /// The cheapest pawn to promote.
    promoting: Option<PromotingPawn>,
    /// Its route, and what it attacks on the way.
    route: Bitboard,
}

impl<'a> View<'a> {
    fn new(position: &'a Position) -> View<'a> {
        let occupied = position.occupied();
        let (white, black) = (position.of(Color::White), position.of(Color::Black));
        let black_king = position.king(Color::Black);
        let white_king = position.king(Color::White);
        let pawns = position.with_role(Role::Pawn);
        let queens = white & position.with_role(Role::Queen);
        let rooks = white & position.with_role(Role::Rook);
        let blocked = occupied.without(black_king);
        let pawn_attacks =
            |pawns| attacks_from_any(Role::Pawn, Color::White, pawns, Bitboard::EMPTY);
        let mut moves = [Bitboard::EMPTY; 3];
        for square in rooks {
            moves[0] |= rook_attacks(square, blocked);
        }
        for square in white & position.with_role(Role::Bishop) {
            moves[1] |= bishop_attacks(square, blocked);
        }
        for square in white & position.with_role(Role::Knight) {
            moves[2] |= knight_attacks(square);
        }
        let light_defended = pawn_attacks(white & pawns) | moves[1] | moves[2];
        let defended = light_defended | moves[0];
        let mut queen_moves = Bitboard::EMPTY;
        for square in queens {
            queen_moves |= queen_attacks(square, blocked);
        }
        let white_defended = defended | queen_moves | king_attacks(white_king);
        let black_defended = attacked(position, Color::Black);
        // Pieces move out of the way; pawns that block each other stay for long.
        let white_pawns = white & pawns;
        let black_pawns = black & pawns;
        let black_barred = black_pawns & white_pawns.shift(8);
        let white_barred = white_pawns & black_pawns.shift(-8);
        let black_costly = black_pawns | white_defended | white;
        let white_costly = white_pawns | black_defended | king_attacks(black_king);
        let white_ways = Layers::spread(white_king.into(), white_barred, white_costly);
        let promoting = if queens.any() {
            None
        } else {
            let heavy = rooks.any();
            cheapest_promotion(position, |blocking_pawn| {
                if heavy {
                    None
                } else {
                    white_ways
                        .nearest(blocking_pawn.into())
                        .map(|moves| moves + 1)
                }
            })
        };
        let route = promoting.map_or(Bitboard::EMPTY, |promoting| {
            promoting.route | pawn_attacks(promoting.route & !Bitboard::BACKRANKS)
        });
        let queen_rings = rings(queen_moves & !white, |ring| {
            attacks_from_any(Role::Queen, Color::White, ring, blocked) & !white
        });
        let rook_rings = rings(moves[0] & !white, |ring| {
            attacks_from_any(Role::Rook, Color::White, ring, blocked) & !white
        });
        View {
            position,
            occupied,
            black_king,
            black_men: black.without(black_king),
            black: Layers::spread(black_king.into(), black_barred, black_costly),
            white: white_ways,
            black_barred,
            white_barred,
            black_costly,
            white_costly,
            light_defended,
            defended,
            black_defended,
            queen_rings,
            heavy_rings: std::array::from_fn(|at| queen_rings[at] | rook_rings[at]),
            moves: moves.map(|squares| squares & !white),
            queens,
            rooks,
            promoting,
            route,
        }
    }

    /// The cheapest pictures, at most `most`.
    fn sketches(&self, most: usize) -> ArrayVec<Sketch, MOST_PLANS> {
        let mut best = Best {
            sketches: ArrayVec::new(),
            most,
        };
        let edges = SIDES | Bitboard::BACKRANKS;
        let here = Bitboard::from_square(self.black_king);
        let least = self.least_moves();
        let slack = if most == 1 { GOOD_ENOUGH } else { 0 };
        for (black_moves, ring) in self.black.rings() {
            if cost(least, black_moves) + slack >= best.bound() {
                break;
            }
            for target in ring & (edges | here) {
                self.sketch(target, black_moves, &mut best);
            }
        }
        best.sketches
    }

    /// The fewest moves that White needs in any plan.
    fn least_moves(&self) -> usize {
        match self.promoting {
            Some(promoting) if self.rooks.is_empty() => promoting.moves + 2,
            _ => 1,
        }
    }

    /// Where White's king covers all of `open` from within `guard`, and its moves to get there.
    fn king(&self, open: Bitboard, guard: Bitboard) -> Option<(Bitboard, usize)> {
        let stand = open
            .into_iter()
            .fold(guard, |all, sq| all & king_attacks(sq));
        if stand.is_empty() {
            return None;
        }
        Some((stand, self.white.nearest(stand)?))
    }

    /// Offers all pictures with Black's king on `target`.
    fn sketch(&self, target: Square, black_moves: usize, best: &mut Best) {
        let ring = king_attacks(target);
        let crowded = 4 * usize::from(self.black_men.contains(target));
        let spot = Spot {
            target,
            ring,
            away: !ring.with(target),
            open: ring & !(self.black_men & ring),
            black_moves,
            crowded,
        };
        let heavy = self.queens.any() || self.rooks.any();
        // First what needs no promotion: it mostly costs less, and what costs more is soon seen.
        if heavy {
            let (file, rank) = edge_lines(target);
            self.sketch_line(&spot, if file.any() { file } else { rank }, best);
            if Bitboard::CORNERS.contains(target) {
                self.sketch_line(&spot, rank, best);
            }
        }
        let strikes = self.queens.any() || self.promoting.is_some();
        if strikes {
            let contacts = if black_moves > 1 {
                ring & inward(target)
            } else {
                ring
            };
            for contact in contacts & !(self.position.of(Color::White) & !self.queens) {
                self.sketch_contact(&spot, contact, best);
            }
        } else if !heavy {
            // Minor pieces: in or near a corner, with the king close by.
            if let Some((stand, moves)) = self.king(Bitboard::EMPTY, dilate(ring) & spot.away) {
                let off = 6 * usize::from(!Bitboard::CORNERS.contains(target));
                best.keep(Sketch {
                    cost: cost(moves + 4, black_moves) + off + crowded,
                    target,
                    strike: Strike::Near,
                    king: Some(stand),
                    wants_guard: false,
                    runs: false,
                });
            }
        }
    }

    /// A queen on `contact`, guarded.
    fn sketch_contact(&self, spot: &Spot, contact: Square, best: &mut Best) {
        let reach = match self.promoting {
            Some(promoting) => promoting.moves + 2,
            None => moves_to(&self.queen_rings, contact.into()),
        };
        // The way of a fresh queen to a square that a black man holds is long, and Black's king
        // must not bar the promoting pawn's route.
        let blocked_contact = self.promoting.is_some() && self.black_men.contains(contact);
        let bars = usize::from(blocked_contact) + usize::from(self.route.contains(spot.target));
        let fixed = 6 * bars + spot.crowded;
        if cost(reach, spot.black_moves) + fixed >= best.bound() {
            return;
        }
        let lines = self.occupied.without(self.black_king).without(spot.target);
        let open = spot.open & !self.defended & !queen_attacks(contact, lines).with(contact);
        let guarded = self.defended.contains(contact);
        let mut offer = |king: Option<(Bitboard, usize)>, wants_guard: bool| {
            let moves = king.map_or(usize::from(wants_guard), |(_, moves)| moves);
            let cost = cost(moves + reach, spot.black_moves) + fixed;
            if cost >= best.bound() {
                return;
            }
            // A man of Black's that could take on the contact square has to go first.
            let takers = self
                .position
                .attackers(contact, Color::Black, self.occupied);
            let takers = takers.without(self.black_king);
            let pawns = takers & self.position.with_role(Role::Pawn);
            best.keep(Sketch {
                cost: cost + 6 * takers.count() + 8 * pawns.count(),
                target: spot.target,
                strike: Strike::Contact(contact),
                king: king.map(|(stand, _)| stand),
                wants_guard,
                runs: self.promoting.is_some(),
            });
        };
        if guarded && open.is_empty() {
            offer(None, false);
            return;
        }
        let guard = if guarded {
            spot.away
        } else {
            king_attacks(contact) & spot.away
        };
        let route = self
            .promoting
            .map_or(Bitboard::EMPTY, |promoting| promoting.route);
        if let Some(king) = self.king(open, guard & !route) {
            offer(Some(king), false);
        }
        if open.is_empty() && self.can_guard(contact, lines) {
            offer(None, true);
        }
    }

    /// A queen or rook on `line`, not beside the king.
    fn sketch_line(&self, spot: &Spot, line: Bitboard, best: &mut Best) {
        if cost(1, spot.black_moves) + spot.crowded >= best.bound() {
            return;
        }
        let lines = self.occupied.without(self.black_king).without(spot.target);
        let white = self.position.of(Color::White);
        let goals = rook_attacks(spot.target, lines) & line & !spot.ring & !white;
        let soonest = self.heavy_reach(goals);
        if cost(soonest, spot.black_moves) + spot.crowded >= best.bound() {
            return;
        }
        // Where the striker arrives soonest, by the way that is least guarded.
        let strike = |goal: Square| {
            let reach = self.heavy_reach(goal.into());
            let path = between(goal, spot.target).with(goal);
            let guarded = 6 * (path & self.black_defended).count().min(3);
            (reach, path, guarded)
        };
        let price = |&(reach, _, guarded): &(usize, Bitboard, usize)| {
            cost(reach, spot.black_moves) + guarded
        };
        let Some((reach, path, guarded)) = goals.into_iter().map(strike).min_by_key(price) else {
            return;
        };
        if cost(reach, spot.black_moves) + guarded + spot.crowded >= best.bound() {
            return;
        }
        // A lone rook doesn't hold flight squares while it strikes.
        let lone = self.queens.is_empty() && !self.rooks.more_than_one();
        let defended = if lone {
            self.light_defended
        } else {
            self.defended
        };
        let open = spot.open & !defended & !line;
        let king = if open.is_empty() {
            None
        } else {
            match self.king(open, spot.away) {
                Some(king) => Some(king),
                None => return,
            }
        };
        let moves = king.map_or(0, |(_, moves)| moves);
        best.keep(Sketch {
            cost: cost(moves + reach, spot.black_moves) + guarded + spot.crowded,
            target: spot.target,
            strike: Strike::Line { line, path },
            king: king.map(|(stand, _)| stand),
            wants_guard: false,
            runs: false,
        });
    }

    /// Moves of a rook or queen to the nearest of `squares`.
    fn heavy_reach(&self, squares: Bitboard) -> usize {
        moves_to(&self.heavy_rings, squares)
    }

    /// The ways of a king to the nearest of `goals`.
    fn ways(&self, color: Color, goals: Bitboard) -> Layers {
        let (barred, costly) = match color {
            Color::White => (self.white_barred, self.white_costly),
            Color::Black => (self.black_barred, self.black_costly),
        };
        Layers::spread(goals & !barred, barred & !goals, costly)
    }

    /// Whether a rook, bishop or knight can guard `square` with one move.
    fn can_guard(&self, square: Square, lines: Bitboard) -> bool {
        self.moves[0].intersects(rook_attacks(square, lines))
            || self.moves[1].intersects(bishop_attacks(square, lines))
            || self.moves[2].intersects(knight_attacks(square))
    }

    fn plan(&self, sketch: &Sketch) -> Plan {
        let promoting = self.promoting.filter(|_| sketch.runs);
        // First things first: nothing can be done before the pawn has its way.
        let blocking_pawn = promoting.and_then(|promoting| promoting.blocking_pawn);
        let stand = blocking_pawn.map(Bitboard::from_square).or(sketch.king);
        Plan {
            target: sketch.target,
            strike: sketch.strike,
            black: self.ways(Color::Black, sketch.target.into()),
            white: stand.map(|stand| self.ways(Color::White, stand)),
            promoting: promoting.map(|promoting| promoting.square),
            route: promoting.map_or(Bitboard::EMPTY, |promoting| promoting.route),
            wants_guard: sketch.wants_guard,
        }
    }
}

/// The first squares, and what `next` makes of each set in turn.
fn rings(first: Bitboard, next: impl Fn(Bitboard) -> Bitboard) -> [Bitboard; 3] {
    if first.is_empty() {
        return [first; 3];
    }
    let second = next(first);
    [first, second, next(second)]
}

/// Moves to the nearest of `squares` of men that reach `rings` in one move, two and three.
fn moves_to(rings: &[Bitboard; 3], squares: Bitboard) -> usize {
    let [one, two, three] = rings.map(|ring| usize::from(ring.intersects(squares)));
    // Without branches: which ring it is can't be foreseen.
    4 - one - (one | two) - (one | two | three)
}

/// A square for Black's king, and what the pictures with it there have in common.
struct Spot {
    target: Square,
    /// The squares next to it.
    ring: Bitboard,
    /// Where White's king may stand.
    away: Bitboard,
    /// Flight squares that no black man blocks.
    open: Bitboard,
    black_moves: usize,
    /// Added to the cost if a black man stands on the target.
    crowded: usize,
}

/// The squares off the edges that `square` stands on: from there a queen sees most.
fn inward(square: Square) -> Bitboard {
    let ring = king_attacks(square);
    if Bitboard::CORNERS.contains(square) {
        return ring;
    }
    let (file, rank) = edge_lines(square);
    let lines = Bitboard::from_file(square.file()) | Bitboard::from_rank(square.rank());
    ring & lines & !file & !rank
}

/// The file and the rank of `square`, each empty unless it is on the board's edge.
fn edge_lines(square: Square) -> (Bitboard, Bitboard) {
    (
        Bitboard::from_file(square.file()) & SIDES,
        Bitboard::from_rank(square.rank()) & Bitboard::BACKRANKS,
    )
}

/// The files at the board's edge.
const SIDES: Bitboard = Bitboard(0x8181_8181_8181_8181);

/// A pawn that is to become a queen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PromotingPawn {
    pub(crate) square: Square,
    /// Moves until it has promoted, with those that clear its way.
    pub(crate) moves: usize,
    /// The first black pawn that it has to push through, which White's king should take.
    pub(crate) blocking_pawn: Option<Square>,
    /// The squares that it enters, the last one included.
    pub(crate) route: Bitboard,
}

/// The white pawn that promotes soonest: pushes, and some moves for every man in its way;
/// black men that stand ready to be taken shorten the way around. `capture_cost` is what
/// it costs to take a black pawn that is in the way, where that can be done at all.
pub(crate) fn cheapest_promotion(
    position: &Position,
    capture_cost: impl Fn(Square) -> Option<usize>,
) -> Option<PromotingPawn> {
    const NEVER: usize = 1_000;
    /// What a pawn still has to pay, to whom first, and the squares it enters.
    type Way = (usize, Option<Square>, Bitboard);
    let pawns = position.pieces_of(Color::White, Role::Pawn);
    let black = position
        .of(Color::Black)
        .without(position.king(Color::Black));
    let black_pawns = position.pieces_of(Color::Black, Role::Pawn);
    let occupied = position.occupied();
    // From the last rank down.
    let mut ahead: [Way; 64] = [(0, None, Bitboard::EMPTY); 64];
    let through = |square: Square, (cost, blocking_pawn, route): Way| {
        if black_pawns.contains(square) {
            (
                cost + capture_cost(square).unwrap_or(NEVER),
                Some(square),
                route,
            )
        } else {
            (
                cost + 2 * usize::from(occupied.contains(square)),
                blocking_pawn,
                route,
            )
        }
    };
    let enter = |square: Square, (cost, blocking_pawn, route): Way| {
        (cost, blocking_pawn, route.with(square))
    };
    let mut squares = pawns;
    for _ in 0..5 {
        squares |= squares.shift(8)
            | attacks_from_any(Role::Pawn, Color::White, squares, Bitboard::EMPTY) & black;
    }
    squares &= !Bitboard::BACKRANKS;
    let mut best: Option<PromotingPawn> = None;
    while let Some(square) = squares.pop_back() {
        // A move for each rank, but for the double step.
        let least = (7 - usize::from(square.rank())).min(5);
        if best.is_some_and(|promoting| promoting.moves <= least) {
            break;
        }
        let front = Square::new(u32::from(square) + 8);
        let mut way = through(front, enter(front, ahead[usize::from(front)]));
        if square.rank() == Rank::Second {
            let beyond = Square::new(u32::from(square) + 16);
            let double = enter(beyond, ahead[usize::from(beyond)]);
            let double = through(front, through(beyond, double));
            way = std::cmp::min_by_key(way, double, |way| way.0);
        }
        for target in pawn_attacks(Color::White, square) & black {
            let take = enter(target, ahead[usize::from(target)]);
            way = std::cmp::min_by_key(way, take, |way| way.0);
        }
        way.0 += 1;
        ahead[usize::from(square)] = way;
        let (moves, blocking_pawn, route) = way;
        if pawns.contains(square)
            && moves < NEVER
            && best.is_none_or(|promoting| moves < promoting.moves)
        {
            best = Some(PromotingPawn {
                square,
                moves,
                blocking_pawn,
                route,
            });
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_go_around_walls() {
        let wall = Bitboard::from_rank(Rank::Fourth).without(Square::H4);
        let layers = Layers::spread(Square::A1.into(), wall, Bitboard::EMPTY);
        assert_eq!(layers.distance(Square::H4), Some(7));
        assert_eq!(layers.distance(Square::A5), Some(14));
        assert_eq!(layers.distance(Square::A4), None);
    }

    #[test]
    fn a_queen_mates_from_the_contact_square() {
        let position = Position::from_fen("4k3/8/4K3/8/8/8/8/Q7 w - -").unwrap();
        let plan = plan(&position).unwrap();
        assert_eq!(plan.target, Square::E8);
        assert!(plan.promoting.is_none());
    }

    #[test]
    fn a_free_pawn_runs_and_for_a_rammed_one_the_king_takes_the_ram() {
        let free = Position::from_fen("4k3/8/8/3p4/3P4/6P1/8/4K3 w - -").unwrap();
        assert_eq!(plan(&free).unwrap().promoting, Some(Square::G3));
        let blocked_contact = Position::from_fen("4k3/8/8/3p4/3P4/8/8/4K3 w - -").unwrap();
        let plan = plan(&blocked_contact).unwrap();
        assert_eq!(plan.promoting, Some(Square::D4));
        assert_eq!(plan.white.unwrap().distance(Square::D5), Some(0));
    }
}
