//! What the suites share: the shipped binary, and folders that go away.

#[cfg(target_os = "linux")]
#[path = "../examples/shared/peak.rs"]
pub mod peak;

use crate::engine_names_no_game::files;
use ludex_engine::library::{BUNDLED, File, Library};
use ludex_engine::runtime::{Choice, Decision, Form};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a run of `ludex` left behind.
pub struct Run {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Runs `ludex` in a folder without any library, with a state folder of the tests' own.
pub fn ludex(args: &[&str]) -> Run {
    let nowhere = scratch("nowhere");
    std::fs::create_dir_all(&nowhere).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command
        .args(args)
        .current_dir(nowhere)
        .env_remove("LUDEX_LIBRARY")
        .env_remove("COLUMNS")
        .env("XDG_STATE_HOME", scratch("state"));
    let output = command.output().unwrap();
    Run::from(output)
}

/// Runs `ludex` in a folder that also holds its state, with lines to read.
pub fn ludex_in(folder: &Folder, args: &[&str], input: &str) -> Run {
    let mut child = folder.command(args).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        // Beside reading what it says, so that neither waits for the other. A process that ends before it has read
        // everything is no failure of the test.
        scope.spawn(move || drop(stdin.write_all(input.as_bytes())));
        Run::from(child.wait_with_output().unwrap())
    })
}

/// As [`ludex_in`], of what must go well.
pub fn run(folder: &Folder, args: &[&str], input: &str) -> Run {
    let run = ludex_in(folder, args, input);
    assert_eq!(run.status, 0, "{}\n{}", run.stdout, run.stderr);
    run
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        Run {
            status: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// The lines of a recording without their checksums.
pub fn unsealed(text: &str) -> String {
    let plain = |line: &str| line.split_once(",\"sum\":").map_or(line.to_string(), |(line, _)| format!("{line}}}"));
    text.lines().map(|line| plain(line) + "\n").collect()
}

fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The rules, sheets and scripts of a bundled game, as they stand in the repository.
pub fn bundled(game: &str) -> Library {
    bundled_with(game, Vec::new())
}

/// Those of all bundled games.
pub fn bundled_whole() -> Library {
    bundled("")
}

/// The same with files beside them.
pub fn bundled_with(game: &str, more: Vec<File>) -> Library {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = |path: PathBuf| File {
        path: path.strip_prefix(root).unwrap().to_string_lossy().into_owned(),
        text: std::fs::read_to_string(&path).unwrap(),
        library: BUNDLED.to_string(),
    };
    let places = [("rules", "ludex"), ("characters", "yaml"), ("scripts", "rhai")];
    let found = places.iter().flat_map(|(folder, ending)| files(&root.join(folder).join(game), &[ending]));
    Library::new(found.map(file).chain(more).collect()).0
}

/// A folder of one test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = scratch(&name.replace(' ', "-"));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// As [`Folder::new`], without what an earlier run has left there.
    pub fn empty(name: &str) -> Folder {
        drop(std::fs::remove_dir_all(scratch(&name.replace(' ', "-"))));
        Folder::new(name)
    }

    /// A folder that is no part of the repository, nor in it. No two are the same, even if tests give them one name.
    pub fn outside(name: &str) -> Folder {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("ludex-{name}-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// `ludex` run in this folder, with its state in it, talked to through pipes.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = self.program(env!("CARGO_BIN_EXE_ludex"));
        command.args(args);
        command
    }

    /// As [`Folder::command`], of a program that runs `ludex`.
    pub fn program(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.0).env_remove("LUDEX_LIBRARY").env_remove("COLUMNS");
        command.env("XDG_STATE_HOME", &self.0).env("HOME", &self.0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn file(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    /// Removes a file that an earlier run may have left.
    pub fn remove(&self, path: &str) {
        let _ = std::fs::remove_file(self.0.join(path));
    }

    pub fn path(&self) -> String {
        self.0.to_string_lossy().into_owned()
    }

    /// Writes a file and gives its path.
    pub fn write(&self, path: &str, text: &str) -> String {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Numbers to choose with.
pub struct Luck(pub u64);

impl Luck {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound.max(1)
    }

    pub fn one_of<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        things.get(self.below(things.len() as u64) as usize)
    }

    pub fn answer(&mut self, decision: &Decision) -> Choice {
        match decision.form {
            Form::One => Choice::Option(self.below(decision.count)),
            Form::Number { min, max } => Choice::Number(min + self.below((max - min + 1) as u64) as i64),
            _ => decision.answers().first_answer(),
        }
    }
}
