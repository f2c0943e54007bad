//! The numbers of the databases on a group of servers. Each fleet has one number.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use cell_fleet::{StoreError, Stored};

/// How many databases a server has.
pub(super) const DATABASES: u32 = 1024;
/// How many numbers rest before one is used again, so that what a former fleet still does in its
/// database is done.
const RESTING: usize = 256;

#[derive(Debug, Default)]
pub(super) struct Numbers(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    free: VecDeque<u32>,
    made: u32,
}

impl Numbers {
    /// A number that no other fleet has.
    pub(super) fn take(self: &Arc<Self>) -> Stored<Number> {
        let mut state = self.lock();
        let rested = state.free.len() >= RESTING || state.made == DATABASES;
        let free = if rested { state.free.pop_front() } else { None };
        let number = match free {
            Some(number) => number,
            None if state.made < DATABASES => {
                state.made += 1;
                state.made - 1
            }
            None => {
                let problem = format!("all of its {DATABASES} databases are in use");
                return Err(StoreError::new("Redis", problem));
            }
        };
        Ok(Number { of: self.clone(), number })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A number is taken or given back in one go.
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// The database of one fleet. When it is dropped, another fleet may get it.
#[derive(Debug)]
pub(super) struct Number {
    of: Arc<Numbers>,
    number: u32,
}

impl Number {
    pub(super) fn get(&self) -> u32 {
        self.number
    }
}

impl Drop for Number {
    fn drop(&mut self) {
        self.of.lock().free.push_back(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_fleets_have_one_number_and_a_free_one_rests() {
        let numbers = Arc::new(Numbers::default());
        let mut taken: Vec<_> = (0..DATABASES).map(|_| numbers.take().unwrap()).collect();
        let error = numbers.take().unwrap_err().to_string();
        assert!(error.contains("all of its 1024 databases are in use"), "{error}");
        let number = taken.swap_remove(5).get();
        assert_eq!(numbers.take().unwrap().get(), number);

        let numbers = Arc::new(Numbers::default());
        let drawn: Vec<_> = (0..300).map(|_| numbers.take().unwrap().get()).collect();
        assert_eq!(drawn[..4], [0, 1, 2, 3]);
        assert_eq!((drawn[255], drawn[256], drawn[257]), (255, 0, 1));
    }
}
