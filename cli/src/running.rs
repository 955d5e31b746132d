//! Programs started by Ludex. Each runs with its child processes in a process group of its own. The whole group is ended when its
//! game is over, on Ctrl-C, and whenever Ludex ends.

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Every running group. The list stays locked while a program is started, so that no group is missed.
static RUNNING: Mutex<Vec<Group>> = Mutex::new(Vec::new());

/// A program and its child processes, as far as they stay in its group. On systems without process groups, the program alone.
#[derive(Clone)]
pub struct Group(Arc<Mutex<Leader>>);

/// The started program, with which its group begins.
struct Leader {
    child: Child,
    /// Set once the process has been waited for: its id may then belong to another.
    gone: Option<ExitStatus>,
}

/// The streams of a started program, as requested.
pub struct Streams {
    pub input: Option<ChildStdin>,
    pub output: Option<ChildStdout>,
    pub errors: Option<ChildStderr>,
}

impl Group {
    /// Starts a program in a group of its own. The streams are those that `command` pipes.
    pub fn start_group(command: &mut Command) -> io::Result<(Group, Streams)> {
        let mut running = lock_mutex(&RUNNING);
        let mut child = system::in_own_group(command).spawn()?;
        let streams = Streams { input: child.stdin.take(), output: child.stdout.take(), errors: child.stderr.take() };
        let group = Group(Arc::new(Mutex::new(Leader { child, gone: None })));
        running.push(group.clone());
        Ok((group, streams))
    }

    /// The id of the started process, which is also that of its group.
    pub fn process_id(&self) -> u32 {
        lock_mutex(&self.0).child.id()
    }

    /// Whether the started process has ended. Others of its group may still run.
    pub fn has_ended(&self) -> bool {
        let mut leader = lock_mutex(&self.0);
        leader.gone.is_some() || system::has_ended(&mut leader.child)
    }

    /// Ends every process of the group.
    pub fn kill_group(&self) {
        let mut leader = lock_mutex(&self.0);
        if leader.gone.is_none() {
            system::kill(&mut leader.child);
        }
    }

    /// Ends the rest of the group, and returns the exit status of the started process.
    pub fn end_group(&self) -> Option<ExitStatus> {
        lock_mutex(&RUNNING).retain(|group| !Arc::ptr_eq(&group.0, &self.0));
        let mut leader = lock_mutex(&self.0);
        if leader.gone.is_none() {
            // Kill before waiting: until then the id cannot be reused.
            system::kill(&mut leader.child);
            leader.gone = leader.child.wait().ok();
        }
        leader.gone
    }
}

/// Ends all groups, before the process ends.
pub fn end_all() {
    lock_mutex(&RUNNING).iter().for_each(Group::kill_group);
}

/// Ends the process and every group. No group can be started meanwhile.
pub fn exit_process(status: u8) -> ! {
    let running = lock_mutex(&RUNNING);
    running.iter().for_each(Group::kill_group);
    std::process::exit(status.into());
}

/// Locks, also after a panic elsewhere: groups must be ended in any case.
fn lock_mutex<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
mod system {
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    pub fn in_own_group(command: &mut Command) -> &mut Command {
        command.process_group(0)
    }

    /// Checks without waiting for the process, so that the group keeps its id.
    pub fn has_ended(child: &mut Child) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(Pid::from_child(child)), options).is_ok_and(|status| status.is_some())
    }

    pub fn kill(child: &mut Child) {
        // A group that has ended meanwhile need not be killed.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }
}

#[cfg(not(unix))]
mod system {
    use std::process::{Child, Command};

    pub fn apart(command: &mut Command) -> &mut Command {
        command
    }

    pub fn has_ended(child: &mut Child) -> bool {
        child.try_wait().is_ok_and(|status| status.is_some())
    }

    pub fn kill(child: &mut Child) {
        // A process that has ended meanwhile cannot be killed, and need not be.
        let _ = child.kill();
    }
}
