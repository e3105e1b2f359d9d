//! Processor time of this thread.

/// Seconds of processor time that this thread has used; 0 where the system does not say.
#[cfg(target_os = "linux")]
pub(super) fn thread_time() -> f64 {
    // The second line of `schedstat` would be a library call elsewhere: the kernel counts here in
    // nanoseconds, without unsafe code.
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok())
        .map_or(0.0, |nanoseconds| nanoseconds as f64 / 1e9)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn thread_time() -> f64 {
    0.0
}
