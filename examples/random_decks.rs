//! Writes random decks that the rules of a game admit, for long runs in which every card comes up.
//!
//! ```sh
//! cargo run --release --example random_decks -- sailor-moon-ccg 300 60 FOLDER power=24
//! ludex sim sailor-moon-ccg --library FOLDER --games 20000 --usage
//! ```
//!
//! The first number is the number of decks, the second the number of cards in each. `power=24` prints 24 of them on `power` or a
//! sheet based on it. The other cards are drawn from all that remain.

#[path = "../tests/benches/shipped/files.rs"]
mod files;

use ludex_engine::Compile;
use ludex_engine::library::{BUNDLED, CompileRequest, File, Library};
use ludex_engine::program::{Program, SheetId};
use ludex_engine::runtime::Session;
use ludex_engine::runtime::random::{Generator, random_below, seeded_generator};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;

/// Maximum number of copies of a card in the pool of a deck.
const COPIES: usize = 4;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match wish(&words).and_then(|wish| wish.write()) {
        Ok(told) => {
            println!("{told}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// The command-line request.
struct Wish {
    game: String,
    decks: usize,
    cards: usize,
    folder: String,
    /// Number of cards of each kind, by the name of the sheet they are printed on.
    shares: Vec<(String, usize)>,
}

fn wish(words: &[String]) -> Result<Wish, String> {
    let usage = || "GAME DECKS CARDS FOLDER [KIND=CARDS…], such as `sailor-moon-ccg 300 60 decks power=24`".to_string();
    let [game, decks, cards, folder, shares @ ..] = words else { return Err(usage()) };
    let number = |word: &str| word.parse::<usize>().map_err(|_| format!("`{word}` is no number: {}", usage()));
    let share = |word: &String| {
        let (kind, count) = word.split_once('=').ok_or_else(usage)?;
        Ok::<_, String>((kind.to_string(), number(count)?))
    };
    let shares = shares.iter().map(share).collect::<Result<_, _>>()?;
    Ok(Wish { game: game.clone(), decks: number(decks)?, cards: number(cards)?, folder: folder.clone(), shares })
}

impl Wish {
    /// Draws twice the requested number of decks, and keeps those that the rules admit.
    fn write(&self) -> Result<String, String> {
        let files = files::of_game(".", &self.game);
        let program = compile(&self.game, &files).0.ok_or("the game does not compile; `ludex check` tells why")?;
        let pool = Pool::of(&program, &self.shares)?;
        let mut chance = seeded_generator(1);
        let drawn: Vec<File> = (0..self.decks * 2).map(|number| pool.deck(&self.game, number, self.cards, &mut chance)).collect();
        let kept = admitted(&self.game, &files, drawn);
        let folder = Path::new(&self.folder);
        for file in kept.iter().take(self.decks) {
            let path = folder.join(&file.path);
            let written = path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&path, &file.text));
            written.map_err(|problem| format!("{} cannot be written: {problem}", path.display()))?;
        }
        let written = kept.len().min(self.decks);
        if written < self.decks {
            return Err(format!("only {written} of {} decks are as the rules want them; name other shares", self.decks * 2));
        }
        Ok(format!("{written} decks in {}", folder.display()))
    }
}

/// The pool of cards for decks.
struct Pool {
    /// The sheet of the decks, and its list of cards.
    sheet: String,
    list: String,
    /// The cards of each share. The last entry has all others, which fill up the deck.
    parts: Vec<(Option<usize>, Vec<String>)>,
}

impl Pool {
    fn of(program: &Program, shares: &[(String, usize)]) -> Result<Pool, String> {
        let entrant = program.sides.entrant.ok_or("the sides of this game bring nothing")?;
        let zones = &program.kind(entrant).zones;
        let zone = zones.iter().find(|zone| program.is_printed(zone.holds)).ok_or("nobody in this game brings cards")?;
        let sheets = &program.prints.sheets;
        let cards = program.prints.ids.iter().filter_map(|(id, print)| Some((id, program.prints.find_print(*print)?.sheet)));
        let cards: Vec<(&String, SheetId)> =
            cards.filter(|(_, sheet)| sheets[usize::from(*sheet)].kind != Some(entrant)).collect();
        let mut parts: Vec<(Option<usize>, Vec<String>)> = Vec::new();
        let mut taken = BTreeSet::new();
        for (name, count) in shares {
            let sheet = sheets.iter().position(|sheet| sheet.name == *name);
            let sheet = sheet.ok_or_else(|| format!("no sheet is called `{name}`"))? as SheetId;
            let fitting = cards.iter().filter(|(_, of)| program.prints.is_sheet(*of, sheet));
            let ids: Vec<String> = fitting.map(|(id, _)| (*id).clone()).collect();
            taken.extend(ids.iter().cloned());
            parts.push((Some(*count), ids));
        }
        let rest = cards.iter().map(|(id, _)| (*id).clone()).filter(|id| !taken.contains(id)).collect();
        parts.push((None, rest));
        Ok(Pool { sheet: program.kind(entrant).name.clone(), list: zone.name.clone(), parts })
    }

    fn deck(&self, game: &str, number: usize, size: usize, chance: &mut Generator) -> File {
        let mut deck: BTreeMap<&str, usize> = BTreeMap::new();
        let mut left = size;
        for (count, ids) in &self.parts {
            let mut copies: Vec<&str> = ids.iter().flat_map(|id| std::iter::repeat_n(id.as_str(), COPIES)).collect();
            let wanted = count.unwrap_or(left).min(left).min(copies.len());
            for _ in 0..wanted {
                let drawn = copies.swap_remove(random_below(chance, copies.len() as u32) as usize);
                *deck.entry(drawn).or_default() += 1;
            }
            left -= wanted;
        }
        let cards: String = deck.iter().map(|(card, copies)| format!("  {card}: {copies}\n")).collect();
        let text = format!("name: Random {number}\nsheet: {}\n{}:\n{cards}", self.sheet, self.list);
        File { path: format!("characters/{game}/{}.yaml", id(number)), text, library: BUNDLED.to_string() }
    }
}

fn id(number: usize) -> String {
    format!("random-{number}")
}

/// The decks without errors that the rules admit.
fn admitted(game: &str, files: &[File], mut decks: Vec<File>) -> Vec<File> {
    let bad = compile(game, &[files, &decks].concat()).1;
    decks.retain(|deck| !bad.contains(&deck.path));
    let Some(program) = compile(game, &[files, &decks].concat()).0 else { return Vec::new() };
    let sheet =
        |deck: &File| Path::new(&deck.path).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    decks.retain(|deck| Session::check_entrant(&program, &sheet(deck)).is_ok());
    decks
}

/// Compiles the game. On failure returns the files that errors point at.
fn compile(game: &str, files: &[File]) -> (Option<Program>, BTreeSet<String>) {
    let (library, mut problems) = Library::new(files.to_vec());
    let (program, found) = library.compile(game, &CompileRequest::default());
    problems.extend(found);
    let errors = problems.iter().filter(|problem| problem.is_error());
    let names = errors.flat_map(|problem| &problem.labels).map(|(span, _)| library.sources.get(span.source).name.clone());
    let names: BTreeSet<String> = names.collect();
    (program, names)
}
