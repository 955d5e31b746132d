//! The limit of open files and connections of this process.

/// Raises the limit as far as needed and allowed. Returns it, if there is one.
#[cfg(unix)]
pub fn raise_limit(needed: u64) -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let current = limit.current?;
    let wanted = limit.maximum.map_or(needed, |most| needed.min(most));
    let is_raised = wanted > current && setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), ..limit }).is_ok();
    Some(if is_raised { wanted } else { current })
}

#[cfg(not(unix))]
pub fn raise_limit(_needed: u64) -> Option<u64> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_raised_and_never_lowered() {
        let before = raise_limit(0);
        assert_eq!(raise_limit(1), before);
        assert!(raise_limit(u64::MAX) >= before);
    }
}
