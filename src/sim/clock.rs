//! Processor time of this thread.

/// Seconds of processor time that this thread has used; none where the system does not say.
#[cfg(target_os = "linux")]
pub(super) fn thread_time() -> Option<f64> {
    // What `schedstat` tells is brought up to date only now and then, up to 10 ms late, and whenever the thread
    // could be changed for another.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: u64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds as f64 / 1e9)
}

/// No other system tells it without code that is unsafe.
#[cfg(not(target_os = "linux"))]
pub(super) fn thread_time() -> Option<f64> {
    None
}

/// What passed since a time of this thread; none if that is not known, or the clock does not go so fine.
pub(super) fn since(begun: Option<f64>) -> Option<f64> {
    let passed = thread_time()? - begun?;
    (passed > 0.0).then_some(passed)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::hint::black_box;
    use std::time::{Duration, Instant};

    use super::*;

    /// Work of about a millisecond, less than the system waits before it counts by itself, is seen each time; time that passes
    /// without work is not, nor is a clock that stands.
    #[test]
    fn short_work_is_measured_and_rest_is_not() {
        for _ in 0..20 {
            let (begun, clock) = (thread_time(), Instant::now());
            let mixed = (0..400_000_u64).fold(0, |mixed, at| black_box(mixed ^ at));
            assert!(mixed < 1 << 19);
            let passed = since(begun).expect("it is measured");
            let all = clock.elapsed().as_secs_f64();
            assert!(passed > 4e-5 && passed < all + 1e-3, "{passed} of {all}");
        }
        let begun = thread_time();
        std::thread::sleep(Duration::from_millis(100));
        assert!(since(begun).is_some_and(|passed| passed < 0.05));
        assert_eq!(since(Some(f64::MAX)), None);
        assert_eq!(since(None), None);
    }
}
