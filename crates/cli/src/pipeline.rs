//! Work in parallel, results in order, memory bounded.
//!
//! Items have parts, such as lines, which are the grain of the work. Each thread begins the
//! next item and does its parts one after another, so that threads rarely meet. Where an item
//! takes long, the others go on with later ones; when it falls behind them, or there is nothing
//! else to begin, they do its parts, too.

use std::{
    collections::VecDeque,
    io, mem,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use rayon::ThreadPool;

use crate::threads;

use crate::interrupt;

/// Bytes that items and results may take together while they wait for an earlier result: enough
/// for some hundred thousand answers.
const MOST_BYTES: usize = 64 << 20;

/// Items for each thread that are read before they are begun.
const READ_AHEAD: usize = 4;

/// How long a result may wait for those that follow in its item, so that they are taken
/// together.
const SOON: Duration = Duration::from_millis(20);

/// What takes memory while it waits.
pub(crate) trait Held {
    /// How much, in bytes, beyond its own size.
    fn bytes(&self) -> usize;
}

/// Work on parts of items, done by one thread.
pub(crate) trait Worker: Send + 'static {
    type Item: Held + Send + Sync + 'static;
    type Done: Held + Send + 'static;
    /// What it keeps to the end.
    type Sum: Send + 'static;

    /// How many parts `item` has; at least one.
    fn parts(item: &Self::Item) -> usize;

    /// Does the part of `item` in this place.
    fn work(&mut self, item: &Self::Item, part: usize) -> Self::Done;

    /// What is to be told when there is no more work.
    fn sum(self) -> Self::Sum;
}

/// Results in the order of their items and parts, some at a time; see [`in_order`].
pub(crate) struct InOrder<W: Worker> {
    shared: Arc<Shared<W>>,
    feeder: Option<JoinHandle<()>>,
    /// Whose threads the workers are. A search that is parallel in itself finds them all busy.
    _pool: ThreadPool,
}

/// Does the work on all `items` on `threads` threads (0 for as many as there are processors),
/// each with a worker of its own, and gives the results in the order of the items.
///
/// When results aren't taken, or an early one is slow, `items` is read on until [`MOST_BYTES`]
/// are held. A panic of a worker aborts the process.
///
/// # Errors
///
/// When the threads can't be started.
pub(crate) fn in_order<W: Worker>(
    threads: usize,
    items: impl Iterator<Item = W::Item> + Send + 'static,
    worker: impl Fn() -> W + Send + Sync + 'static,
) -> anyhow::Result<InOrder<W>> {
    start(threads, MOST_BYTES, items, worker)
}

fn start<W: Worker>(
    threads: usize,
    most_bytes: usize,
    items: impl Iterator<Item = W::Item> + Send + 'static,
    worker: impl Fn() -> W + Send + Sync + 'static,
) -> anyhow::Result<InOrder<W>> {
    let pool = threads::pool(threads)?;
    let threads = pool.current_num_threads();
    let shared = Arc::new(Shared::new(threads, most_bytes));
    let feeding = Arc::clone(&shared);
    let feeder = thread::spawn(move || feeding.feed(items));
    let working = Arc::clone(&shared);
    pool.spawn_broadcast(move |_| working.work(worker()));
    Ok(InOrder {
        shared,
        feeder: Some(feeder),
        _pool: pool,
    })
}

impl<W: Worker> InOrder<W> {
    /// Ends the work early when a [signal](interrupt) comes: no further item is begun, and the
    /// results end with the last item that was. `cancel` is set, to make short work of those.
    pub(crate) fn stop_on_signal(&self, cancel: Arc<AtomicBool>) -> io::Result<()> {
        let shared = Arc::clone(&self.shared);
        interrupt::on_signal(move |_| {
            cancel.store(true, Ordering::Relaxed);
            shared.stop();
        })
    }

    /// What the workers have to tell, when there are no more results.
    pub(crate) fn sums(self) -> Vec<W::Sum> {
        let mut state = self.shared.state();
        while state.working > 0 {
            state.taker_waits = true;
            state = wait(&self.shared.due, state);
        }
        mem::take(&mut state.sums)
    }
}

impl<W: Worker> Iterator for InOrder<W> {
    type Item = Vec<W::Done>;

    fn next(&mut self) -> Option<Vec<W::Done>> {
        let ready = self.shared.take();
        // No more items, unless reading them failed: that must not look like an end.
        if ready.is_none()
            && self.shared.state().ended
            && let Some(Err(panic)) = self.feeder.take().map(JoinHandle::join)
        {
            std::panic::resume_unwind(panic);
        }
        ready
    }
}

/// Whoever takes no more results wants no more work.
impl<W: Worker> Drop for InOrder<W> {
    fn drop(&mut self) {
        self.shared.stop();
    }
}

/// What the threads share.
struct Shared<W: Worker> {
    most_bytes: usize,
    read_ahead: usize,
    /// Bytes held by items and results.
    held: AtomicUsize,
    state: Mutex<State<W>>,
    /// Something may be begun, or nothing ever will.
    work: Condvar,
    /// An item may be read.
    room: Condvar,
    /// A result may be taken, or the last worker has ended.
    due: Condvar,
}

struct State<W: Worker> {
    /// Items of which results are still to be taken, the oldest first.
    slots: VecDeque<Arc<Slot<W>>>,
    /// How many of them are begun.
    begun: usize,
    /// How many at the front have no part left to begin.
    exhausted: usize,
    /// The number of the next item to be read.
    number: usize,
    /// The number of the last item that is done: those before it have fallen behind.
    behind: usize,
    /// No more items will come.
    ended: bool,
    /// No more items are to be begun.
    stopped: bool,
    /// Workers that haven't ended, and how many of them wait for work.
    working: usize,
    idle: usize,
    feeder_waits: bool,
    taker_waits: bool,
    sums: Vec<W::Sum>,
}

/// An item with its results.
struct Slot<W: Worker> {
    number: usize,
    item: W::Item,
    parts: usize,
    /// The next part to begin.
    next: AtomicUsize,
    results: Mutex<Results<W::Done>>,
}

struct Results<R> {
    /// In the places of their parts, from the first that isn't taken.
    found: VecDeque<Option<R>>,
    /// Parts that aren't done.
    missing: usize,
}

impl<W: Worker> Slot<W> {
    fn new(number: usize, item: W::Item) -> Slot<W> {
        let parts = W::parts(&item);
        Slot {
            number,
            item,
            parts,
            next: AtomicUsize::new(0),
            results: Mutex::new(Results {
                found: (0..parts).map(|_| None).collect(),
                missing: parts,
            }),
        }
    }

    /// A part that no thread has begun.
    fn begin(&self) -> Option<usize> {
        let part = self.next.fetch_add(1, Ordering::Relaxed);
        (part < self.parts).then_some(part)
    }

    fn is_exhausted(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.parts
    }

    /// Keeps the result of a part; whether all are done.
    fn put(&self, part: usize, result: W::Done) -> bool {
        let mut results = lock(&self.results);
        let taken = self.parts - results.found.len();
        results.found[part - taken] = Some(result);
        results.missing -= 1;
        results.missing == 0
    }

    /// The next results, and whether they are the last.
    fn take(&self) -> (Vec<W::Done>, bool) {
        let mut results = lock(&self.results);
        let found = &mut results.found;
        let ready = found.iter().take_while(|result| result.is_some()).count();
        let ready = found.drain(..ready).flatten().collect();
        (ready, found.is_empty())
    }
}

impl<W: Worker> Shared<W> {
    fn new(threads: usize, most_bytes: usize) -> Shared<W> {
        Shared {
            most_bytes,
            read_ahead: threads * READ_AHEAD,
            held: AtomicUsize::new(0),
            state: Mutex::new(State {
                slots: VecDeque::new(),
                begun: 0,
                exhausted: 0,
                number: 0,
                behind: 0,
                ended: false,
                stopped: false,
                working: threads,
                idle: 0,
                feeder_waits: false,
                taker_waits: false,
                sums: Vec::new(),
            }),
            work: Condvar::new(),
            room: Condvar::new(),
            due: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State<W>> {
        lock(&self.state)
    }

    fn is_full(&self) -> bool {
        self.held.load(Ordering::Relaxed) >= self.most_bytes
    }

    /// Reads all items, as far ahead as is allowed.
    fn feed(&self, items: impl Iterator<Item = W::Item>) {
        // Also when reading panics.
        let _end = Finally(|| {
            let mut state = self.state();
            state.ended = true;
            self.wake_all(&mut state);
        });
        for item in items {
            self.held.fetch_add(item.bytes(), Ordering::Relaxed);
            let mut state = self.state();
            let slot = Slot::new(state.number, item);
            state.number += 1;
            state.slots.push_back(Arc::new(slot));
            if state.idle > 0 {
                self.work.notify_one();
            }
            // From now on results are to be looked for.
            if state.slots.len() == 1 && mem::take(&mut state.taker_waits) {
                self.due.notify_one();
            }
            while !state.stopped
                && (state.slots.len() - state.begun >= self.read_ahead
                    || self.is_full() && !state.slots.is_empty())
            {
                state.feeder_waits = true;
                state = wait(&self.room, state);
            }
            if state.stopped {
                break;
            }
        }
    }

    /// Works until there is nothing more to do.
    fn work(&self, mut worker: W) {
        while let Some(slot) = self.slot() {
            while let Some(part) = slot.begin() {
                let result = worker.work(&slot.item, part);
                self.held.fetch_add(size(&result), Ordering::Relaxed);
                if slot.put(part, result) {
                    self.done(slot.number);
                }
            }
        }
        let sum = worker.sum();
        let mut state = self.state();
        state.sums.push(sum);
        state.working -= 1;
        self.wake_all(&mut state);
    }

    /// An item with parts to begin: the next one, unless an earlier one needs help.
    fn slot(&self) -> Option<Arc<Slot<W>>> {
        let mut state = self.state();
        loop {
            let State {
                begun, exhausted, ..
            } = *state;
            if exhausted < begun && state.slots[exhausted].is_exhausted() {
                state.exhausted += 1;
                continue;
            }
            let earlier = (exhausted < begun).then(|| &state.slots[exhausted]);
            let may_begin =
                begun < state.slots.len() && !state.stopped && (begun == 0 || !self.is_full());
            let slot = match earlier {
                Some(slot) if !may_begin || slot.number < state.behind => Arc::clone(slot),
                _ if may_begin => {
                    state.begun += 1;
                    let unbegun = state.slots.len() - state.begun;
                    // Not for each item: a thread that wakes up has to have something to do.
                    if unbegun <= self.read_ahead / 2 && mem::take(&mut state.feeder_waits) {
                        self.room.notify_one();
                    }
                    Arc::clone(&state.slots[begun])
                }
                _ if state.stopped || state.ended && begun == state.slots.len() => return None,
                _ => {
                    state = self.idle(state);
                    continue;
                }
            };
            // There may be parts of it for others, too.
            if state.idle > 0 && slot.parts > 1 {
                self.work.notify_one();
            }
            return Some(slot);
        }
    }

    /// Waits for work. All parts are begun by others then, or as much is held as may be: this
    /// is the place where a thread could help with a part that another one is at.
    fn idle<'a>(&'a self, mut state: MutexGuard<'a, State<W>>) -> MutexGuard<'a, State<W>> {
        state.idle += 1;
        state = wait(&self.work, state);
        state.idle -= 1;
        state
    }

    /// All parts of an item are done.
    fn done(&self, number: usize) {
        let mut state = self.state();
        state.behind = state.behind.max(number);
        let is_due = state
            .slots
            .front()
            .is_some_and(|slot| slot.number == number);
        if is_due && mem::take(&mut state.taker_waits) {
            self.due.notify_one();
        }
    }

    /// The next results; `None` if there are no more.
    fn take(&self) -> Option<Vec<W::Done>> {
        let mut state = self.state();
        loop {
            let Some(slot) = state.slots.front() else {
                if state.ended || state.stopped {
                    return None;
                }
                state.taker_waits = true;
                state = wait(&self.due, state);
                continue;
            };
            let (ready, is_last) = slot.take();
            let mut freed: usize = ready.iter().map(size).sum();
            if is_last {
                freed += slot.item.bytes();
                state.slots.pop_front();
                state.begun -= 1;
                state.exhausted = state.exhausted.saturating_sub(1);
            }
            if !ready.is_empty() {
                self.held.fetch_sub(freed, Ordering::Relaxed);
                if state.feeder_waits || state.idle > 0 {
                    self.freed(&mut state);
                }
                return Some(ready);
            }
            if state.stopped && state.begun == 0 {
                return None;
            }
            state.taker_waits = true;
            let waited = self.due.wait_timeout(state, SOON);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Results were taken: others may go on that had to wait for it.
    fn freed(&self, state: &mut State<W>) {
        let unbegun = state.slots.len() - state.begun;
        let may_read = unbegun < self.read_ahead && (!self.is_full() || state.slots.is_empty());
        if may_read && mem::take(&mut state.feeder_waits) {
            self.room.notify_one();
        }
        if unbegun > 0 && state.idle > 0 && (state.begun == 0 || !self.is_full()) {
            self.work.notify_all();
        }
    }

    fn stop(&self) {
        let mut state = self.state();
        state.stopped = true;
        self.wake_all(&mut state);
    }

    fn wake_all(&self, state: &mut State<W>) {
        (state.feeder_waits, state.taker_waits) = (false, false);
        self.work.notify_all();
        self.room.notify_all();
        self.due.notify_all();
    }
}

/// Bytes that `held` takes in all.
fn size<T: Held>(held: &T) -> usize {
    held.bytes() + mem::size_of::<T>()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing panics while it holds a lock.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wait<'a, T>(condition: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condition
        .wait(guard)
        .unwrap_or_else(PoisonError::into_inner)
}

/// Does something at the end of a scope, however that is left.
struct Finally<F: Fn()>(F);

impl<F: Fn()> Drop for Finally<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Threads that meet, for tests.
#[cfg(test)]
pub(crate) struct Meeting {
    threads: Mutex<Vec<thread::ThreadId>>,
    another: Condvar,
}

#[cfg(test)]
impl Meeting {
    pub(crate) const fn new() -> Meeting {
        Meeting {
            threads: Mutex::new(Vec::new()),
            another: Condvar::new(),
        }
    }

    /// Waits until so many threads have been here.
    pub(crate) fn wait_for(&self, number: usize) {
        let mut threads = lock(&self.threads);
        let id = thread::current().id();
        if !threads.contains(&id) {
            threads.push(id);
            self.another.notify_all();
        }
        while threads.len() < number {
            threads = wait(&self.another, threads);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// Some numbers in a row.
    struct Numbers(std::ops::Range<usize>);

    impl Held for Numbers {
        fn bytes(&self) -> usize {
            0
        }
    }

    /// A number that somebody has worked on.
    #[derive(Debug, PartialEq, Eq)]
    struct Done(usize);

    impl Held for Done {
        fn bytes(&self) -> usize {
            100 - mem::size_of::<Done>()
        }
    }

    /// Does something with each number, and tells how many they were.
    struct Each<F>(Arc<F>, usize);

    impl<F: Fn(usize) + Send + Sync + 'static> Worker for Each<F> {
        type Item = Numbers;
        type Done = Done;
        type Sum = usize;

        fn parts(item: &Numbers) -> usize {
            item.0.len()
        }

        fn work(&mut self, item: &Numbers, part: usize) -> Done {
            let number = item.0.start + part;
            (self.0)(number);
            self.1 += 1;
            Done(number)
        }

        fn sum(self) -> usize {
            self.1
        }
    }

    /// Numbers from 0, so many in an item, without end.
    fn numbers(parts: usize) -> impl Iterator<Item = Numbers> + Send {
        (0..).map(move |item| Numbers(item * parts..(item + 1) * parts))
    }

    fn each<F: Fn(usize) + Send + Sync + 'static>(
        threads: usize,
        most_bytes: usize,
        items: impl Iterator<Item = Numbers> + Send + 'static,
        work: F,
    ) -> InOrder<Each<F>> {
        let work = Arc::new(work);
        let worker = move || Each(Arc::clone(&work), 0);
        start(threads, most_bytes, items, worker).expect("threads start")
    }

    /// Checks that the results are all numbers before `end`, and the sums those of all workers.
    #[track_caller]
    fn are_all<F: Fn(usize) + Send + Sync>(mut results: InOrder<Each<F>>, end: usize)
    where
        Each<F>: Worker<Done = Done, Sum = usize>,
    {
        let found: Vec<Done> = results.by_ref().flatten().collect();
        assert!(found.iter().map(|done| done.0).eq(0..end), "{found:?}");
        assert_eq!(results.sums().iter().sum::<usize>(), end);
    }

    #[test]
    fn results_come_in_order_however_long_each_takes() {
        for (threads, parts) in [(1, 3), (2, 1), (4, 7), (4, 100)] {
            let items = numbers(parts).take(1000 / parts);
            let results = each(threads, 1000, items, |n| {
                thread::sleep(Duration::from_micros(n as u64 * 7919 % 200));
            });
            are_all(results, 1000 / parts * parts);
        }
    }

    #[test]
    fn one_item_occupies_all_threads() {
        let meeting = Meeting::new();
        let results = each(4, MOST_BYTES, numbers(12).take(1), move |_| {
            meeting.wait_for(4);
        });
        are_all(results, 12);
    }

    #[test]
    fn a_result_is_there_as_soon_as_it_is_due() {
        for threads in [1, 2] {
            let taken = Arc::new(AtomicUsize::new(0));
            let before = Arc::clone(&taken);
            let items = numbers(5).take(2);
            let mut results = each(threads, MOST_BYTES, items, move |n| {
                // Until those before it are taken.
                while before.load(Ordering::SeqCst) < n {
                    thread::yield_now();
                }
            });
            for number in 0..10 {
                assert_eq!(results.next(), Some(vec![Done(number)]));
                taken.store(number + 1, Ordering::SeqCst);
            }
            assert_eq!(results.next(), None);
        }
    }

    #[test]
    fn one_slow_part_stops_nothing_else() {
        for slow in [0, 5, 300] {
            let (done, others) = mpsc::channel();
            let (done, others) = (Mutex::new(done), Mutex::new(others));
            let results = each(2, MOST_BYTES, numbers(10).take(100), move |n| {
                if n == slow {
                    // Until all others are done, also those of its own item.
                    let others = lock(&others).iter().take(999).count();
                    assert_eq!(others, 999);
                } else {
                    lock(&done).send(()).expect("it is waited for");
                }
            });
            are_all(results, 1000);
        }
    }

    #[test]
    fn what_waits_for_a_slow_part_is_bounded() {
        let (threads, bytes, parts) = (3, 10_000, 5);
        let done = Arc::new(AtomicUsize::new(0));
        let (go, slow) = mpsc::channel::<()>();
        let (slow, counter) = (Mutex::new(slow), Arc::clone(&done));
        let read = Arc::new(AtomicUsize::new(0));
        let reading = Arc::clone(&read);
        let items = numbers(parts).take(2000).inspect(move |_| {
            reading.fetch_add(1, Ordering::SeqCst);
        });
        let results = each(threads, bytes, items, move |n| {
            if n == 0 {
                lock(&slow).recv().expect("it may go on");
            } else {
                counter.fetch_add(1, Ordering::SeqCst);
            }
        });
        // Until no other thread may do anything.
        let is_over = |state: &State<_>| {
            let resting = state.idle + threads - state.working;
            resting == threads - 1 && (results.shared.is_full() || state.ended)
        };
        while !is_over(&results.shared.state()) {
            thread::yield_now();
        }
        let (done, read) = (done.load(Ordering::SeqCst), read.load(Ordering::SeqCst));
        assert!(done >= bytes / 100, "{done} done: too few");
        // Items that were begun before are done.
        assert!(done <= bytes / 100 + threads * parts, "{done} done");
        let most = done / parts + threads * (READ_AHEAD + 1) + 1;
        assert!(read <= most, "{read} items read, {done} done");
        go.send(()).unwrap();
        are_all(results, 2000 * parts);
    }

    #[test]
    fn a_large_result_stops_nothing() {
        // A single one is more than may wait.
        are_all(each(2, 10, numbers(3).take(50), |_| ()), 150);
    }

    #[test]
    fn what_is_stopped_ends_with_the_last_item_that_was_begun() {
        let (go, slow) = mpsc::channel::<()>();
        let slow = Mutex::new(slow);
        let mut results = each(2, 100_000, numbers(7), move |n| {
            if n == 10 {
                let _ = lock(&slow).recv();
            }
        });
        let mut found: Vec<Done> = results.next().into_iter().flatten().collect();
        // Another thread goes far ahead.
        while results.shared.state().behind < 50 {
            thread::yield_now();
        }
        results.shared.stop();
        go.send(()).unwrap();
        found.extend(results.by_ref().flatten());
        assert!(found.len() > 50 * 7);
        assert_eq!(found.len() % 7, 0);
        assert!(found.iter().map(|done| done.0).eq(0..found.len()));
        assert_eq!(results.sums().iter().sum::<usize>(), found.len());
    }

    #[test]
    #[should_panic(expected = "unreadable")]
    fn a_panic_while_reading_is_not_an_end() {
        let items = numbers(1).take(10).inspect(|item| {
            assert!(item.0.start < 5, "unreadable");
        });
        each(2, MOST_BYTES, items, |_| ()).for_each(drop);
    }
}
