//! Work in parallel, results in order, memory bounded.

use std::{
    sync::{
        Arc,
        mpsc::{self, Receiver},
    },
    thread::{self, JoinHandle},
};

use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

/// How many items may be under way or done while an earlier one is still being worked on.
/// Enough that one slow item doesn't stop the other threads soon, few enough to be held.
const WAITING: usize = 64;

/// Results in the order of their items; see [`in_order`].
pub(crate) struct InOrder<R> {
    promises: Receiver<Receiver<R>>,
    feeder: Option<JoinHandle<()>>,
}

/// Does `work` on all `items` on `threads` threads (0 for as many as there are processors)
/// and gives the results in the order of the items.
///
/// At most a fixed number of items is held at a time: when results aren't taken, or an early
/// one is slow, `items` isn't read further. A panic in `work` aborts the process.
///
/// # Errors
///
/// When the threads can't be started.
pub(crate) fn in_order<T, R>(
    threads: usize,
    items: impl Iterator<Item = T> + Send + 'static,
    work: impl Fn(T) -> R + Send + Sync + 'static,
) -> Result<InOrder<R>, ThreadPoolBuildError>
where
    T: Send + 'static,
    R: Send + 'static,
{
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    let work = Arc::new(work);
    let (queue, promises) = mpsc::sync_channel(WAITING);
    let feeder = thread::spawn(move || {
        for item in items {
            let (result, promise) = mpsc::sync_channel(1);
            if queue.send(promise).is_err() {
                break;
            }
            let work = Arc::clone(&work);
            pool.spawn(move || {
                let _ = result.send(work(item));
            });
        }
    });
    Ok(InOrder {
        promises,
        feeder: Some(feeder),
    })
}

impl<R> Iterator for InOrder<R> {
    type Item = R;

    fn next(&mut self) -> Option<R> {
        if let Ok(promise) = self.promises.recv() {
            return Some(promise.recv().expect("work ends with a result or aborts"));
        }
        // No more items, unless reading them failed: that must not look like an end.
        if let Some(Err(panic)) = self.feeder.take().map(JoinHandle::join) {
            std::panic::resume_unwind(panic);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        time::Duration,
    };

    use super::*;

    #[test]
    fn results_come_in_order_however_long_each_takes() {
        let results = in_order(4, 0..500_u64, |n| {
            thread::sleep(Duration::from_micros(n * 7919 % 400));
            n * 2
        });
        let results: Vec<u64> = results.unwrap().collect();
        assert_eq!(results, (0..500).map(|n| n * 2).collect::<Vec<_>>());
    }

    #[test]
    fn items_are_not_read_far_ahead_of_the_results_taken() {
        let read = Arc::new(AtomicUsize::new(0));
        let items = {
            let read = Arc::clone(&read);
            (0..100_000).inspect(move |_| {
                read.fetch_add(1, Ordering::SeqCst);
            })
        };
        let mut results = in_order(2, items, |n| n).unwrap();
        assert_eq!(results.next(), Some(0));
        thread::sleep(Duration::from_millis(50));
        let ahead = read.load(Ordering::SeqCst);
        assert!(ahead <= WAITING + 3, "{ahead} items read for one result");
        assert_eq!(results.count(), 99_999);
    }

    #[test]
    #[should_panic(expected = "unreadable")]
    fn a_panic_while_reading_is_not_an_end() {
        let items = (0..10).inspect(|&n| assert!(n < 5, "unreadable"));
        in_order(2, items, |n| n).unwrap().for_each(drop);
    }
}
