//! Programs that Ludex has started. Each runs with all it starts in a process group of its own, which is ended as a whole:
//! when its game is over, when Ctrl-C is pressed, and whenever else Ludex ends.

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Every group that has not been ended yet. Who starts one holds on to this meanwhile, so that none is missed.
static RUNNING: Mutex<Vec<Group>> = Mutex::new(Vec::new());

/// A program and all that it has started, as far as it has stayed in its group. Where there are no process groups, the
/// program alone.
#[derive(Clone)]
pub struct Group(Arc<Mutex<Leader>>);

struct Leader {
    child: Child,
    /// Set once the process is no longer waited for: its number may be another's then.
    gone: Option<ExitStatus>,
}

/// The ends of the streams of a program that has been started, where they were asked for.
pub struct Streams {
    pub input: Option<ChildStdin>,
    pub output: Option<ChildStdout>,
    pub errors: Option<ChildStderr>,
}

impl Group {
    pub fn start(command: &mut Command) -> io::Result<(Group, Streams)> {
        let mut running = lock(&RUNNING);
        let mut child = system::apart(command).spawn()?;
        let streams = Streams { input: child.stdin.take(), output: child.stdout.take(), errors: child.stderr.take() };
        let group = Group(Arc::new(Mutex::new(Leader { child, gone: None })));
        running.push(group.clone());
        Ok((group, streams))
    }

    /// The number of the process that was started, which is that of its group.
    pub fn number(&self) -> u32 {
        lock(&self.0).child.id()
    }

    /// Whether the process that was started has ended. Others of its group may go on.
    pub fn has_ended(&self) -> bool {
        let mut leader = lock(&self.0);
        leader.gone.is_some() || system::has_ended(&mut leader.child)
    }

    /// Ends every process of the group.
    pub fn kill(&self) {
        let mut leader = lock(&self.0);
        if leader.gone.is_none() {
            system::kill(&mut leader.child);
        }
    }

    /// Ends what is left of the group, and tells how the process that was started has ended.
    pub fn end(&self) -> Option<ExitStatus> {
        lock(&RUNNING).retain(|group| !Arc::ptr_eq(&group.0, &self.0));
        let mut leader = lock(&self.0);
        if leader.gone.is_none() {
            // Before it is waited for: until then nobody else gets its number.
            system::kill(&mut leader.child);
            leader.gone = leader.child.wait().ok();
        }
        leader.gone
    }
}

/// Ends all groups.
pub fn end_all() {
    lock(&RUNNING).iter().for_each(Group::kill);
}

/// Ends the process and every group; none can be started meanwhile.
pub fn leave(status: u8) -> ! {
    let running = lock(&RUNNING);
    running.iter().for_each(Group::kill);
    std::process::exit(status.into());
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
mod system {
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    pub fn apart(command: &mut Command) -> &mut Command {
        command.process_group(0)
    }

    /// Looks without waiting for it, so that the number of the group stays its own.
    pub fn has_ended(child: &mut Child) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(Pid::from_child(child)), options).is_ok_and(|status| status.is_some())
    }

    pub fn kill(child: &mut Child) {
        // A group whose last process has ended meanwhile need not be killed.
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
        // Who has ended meanwhile cannot be killed, and need not be.
        let _ = child.kill();
    }
}
