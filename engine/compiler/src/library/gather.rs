//! Assigns files to games: each file is read far enough to determine its game, then added to it.
//!
//! A source library is a folder or packed file that texts come from. Libraries are added one after another, so that later ones can
//! replace files or games of earlier ones. A loose file is one outside the folder of a game. A header is the line `game …` or
//! `package …` that starts a game; a stem is a file name without its extension.

use super::file::{NumberedFile, ReadFile, read_all_files};
use super::manifest::ManifestFile;
use super::notes::ReplacesNote;
use super::place::{FilePlace, FileRole, classify_path};
use super::{BUNDLED, Content, File, Game, Library, LoadedText, limits};
use ludex_syntax::codes;
use ludex_syntax::problem::{MOST_SUGGESTED, Problem};
use ludex_syntax::source::{SourceId, Span};
use ludex_syntax::tree::{Item, ItemKind, MemberKind, Name};
use ludex_syntax::yaml::{Node, Value};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

impl Library {
    /// Assigns files to games. Returns the problems that belong to no particular game. Problems in a game's files are
    /// reported when it is compiled.
    pub fn new(files: Vec<File>) -> (Library, Vec<Problem>) {
        Library::from_read_files(read_all_files(files))
    }

    /// Same as [`Library::new`], for files already read: all files from [`number_files`](super::number_files), in that order.
    pub fn from_read_files(files: Vec<ReadFile>) -> (Library, Vec<Problem>) {
        let (library, mut problems) = Library::gather_files(files);
        problems.extend(library.base_change_problems());
        (library, problems)
    }

    /// This library with new texts for some files, and with additional files. Files that do not change are not read again.
    pub fn with_files(&self, changed: &BTreeMap<SourceId, String>, more: Vec<File>) -> (Library, Vec<Problem>) {
        let there = self.texts.iter().zip(self.sources.iter()).map(|(text, (id, source))| match changed.get(&id) {
            None if text.role != FileRole::Manifest => ReadFile::unchanged(source, text),
            changed => NumberedFile::new(id, text.as_file(changed.unwrap_or(&source.text))).read(),
        });
        let added = (self.texts.len()..).zip(more).map(|(number, file)| NumberedFile::new(SourceId(number as u32), file).read());
        Library::from_read_files(there.chain(added).collect())
    }

    /// A library without the files of one source library.
    pub fn without_library(&self, library: &str) -> Library {
        let others = self.texts.iter().zip(self.sources.iter()).filter(|(text, _)| text.library != library);
        let files = others.map(|(text, (_, source))| text.as_file(&source.text));
        Library::gather_files(read_all_files(files.collect())).0
    }

    fn gather_files(files: Vec<ReadFile>) -> (Library, Vec<Problem>) {
        let mut gathering = FileGatherer::default();
        let mut libraries: Vec<(String, Vec<SourceId>)> = Vec::new();
        for file in files {
            let name = file.read.library.clone();
            let source = gathering.add_source(file);
            match libraries.iter_mut().find(|(known, _)| *known == name) {
                Some((_, sources)) => sources.push(source),
                None => libraries.push((name, vec![source])),
            }
        }
        for (name, sources) in libraries {
            gathering.add_library(&name, &sources);
        }
        gathering.check_claims();
        gathering.store_parent_problems();
        (gathering.library, gathering.problems)
    }
}

/// The library that is being built.
#[derive(Default)]
struct FileGatherer {
    library: Library,
    problems: Vec<Problem>,
    /// Files that replace a file which the game itself does not have: a package it extends may have it.
    claims: Vec<Claim>,
    /// Files with the header of a game that replaces another.
    replaced: BTreeSet<SourceId>,
}

/// A file with `replaces`, and the game that it joined.
struct Claim {
    game: String,
    key: Key,
    span: Span,
}

/// A source library whose files join their games.
struct JoiningLibrary<'f> {
    /// The games whose headers are in it.
    own: &'f [String],
    sources: &'f [SourceId],
    /// Its loose sheets, by the abilities that they list.
    users: BTreeMap<String, Vec<SourceId>>,
    /// The game of its loose scripts that name none, which is the same for all of them.
    script_game: OnceCell<Option<String>>,
}

/// The key of a file in its game.
#[derive(Clone)]
struct Key {
    role: FileRole,
    /// For a script of one mode only: the mode.
    mode: Option<String>,
    stem: String,
}

/// The header line of a game.
struct Header {
    id: Name,
    title: String,
    extends: Vec<Name>,
    source: SourceId,
}

impl FileGatherer {
    /// Adds a file to the texts. It joins no game yet.
    fn add_source(&mut self, file: ReadFile) -> SourceId {
        let ReadFile { name, text, read, manifest, problems } = file;
        let source = self.library.sources.add_library_file(name, &read.path, text);
        self.problems.extend(problems);
        if read.role == FileRole::Manifest {
            self.library.manifests.insert(read.library.clone(), ManifestFile { source, manifest });
        }
        self.library.texts.push(read);
        source
    }

    /// Adds the games that start in a source library, then the files of it to their games.
    fn add_library(&mut self, name: &str, sources: &[SourceId]) {
        let mut headers = self.first_headers(sources);
        self.problems.extend(headers.get(limits::GAMES).and_then(|first| {
            let help = "put the others into a separate library";
            limits::limit_problem(first.id.span, headers.len(), limits::GAMES, "games in one library", help)
        }));
        headers.truncate(limits::GAMES);
        for header in &headers {
            let game = Game::new(name, header);
            if let Some(old) = self.library.games.insert(game.id.clone(), game) {
                self.replaced.insert(header.source);
                let warning = self.replaced_game_problem(header, &old);
                warning.into_iter().for_each(|problem| self.add_game_problem(&old.id, problem));
            }
        }
        self.library.compute_lines();
        self.report_second_headers(sources, &headers);
        let own: Vec<String> = headers.iter().map(|header| header.id.text.clone()).collect();
        let headed: BTreeSet<SourceId> = headers.iter().map(|header| header.source).collect();
        // A game's header comes first, so that the order of declarations begins there.
        let (first, rest): (Vec<SourceId>, Vec<SourceId>) = sources.iter().partition(|source| headed.contains(source));
        let mut lost = BTreeMap::new();
        let joining = JoiningLibrary { own: &own, sources, users: self.ability_users(sources), script_game: OnceCell::new() };
        for source in first.into_iter().chain(rest) {
            for game in self.games_of_file(source, &joining, &mut lost) {
                self.add_to_game(&game, source);
            }
        }
        self.report_lost_files(lost, &own);
    }

    /// The first header of each game in some files.
    fn first_headers(&self, sources: &[SourceId]) -> Vec<Header> {
        let mut found: Vec<Header> = Vec::new();
        let mut known = BTreeSet::new();
        for header in sources.iter().flat_map(|source| headers_in(&self.library, *source)) {
            if known.insert(header.id.text.clone()) {
                found.push(header);
            }
        }
        found
    }

    /// The warning for a game that replaces one of another library: its author may not know about that one.
    fn replaced_game_problem(&self, header: &Header, old: &Game) -> Option<Problem> {
        let text = |source: SourceId| &self.library.sources.get(source).text;
        let is_meant = self.library.loaded_text(header.source).is_some_and(|text| text.notes.replaces.is_some());
        if is_meant || text(header.source) == text(old.header.source) {
            return None;
        }
        let (id, title) = (&header.id.text, &old.title);
        let problem = Problem::warning(codes::GAME_REPLACED, format!("this replaces another game `{id}`, “{title}”"));
        let problem = problem.with_label(header.id.span, format!("the other one is in {}", library_text(&old.library)));
        Some(problem.help("give your game another name; or add a line `#! replaces` at the top if it is meant to replace it"))
    }

    /// Reports games that start twice in one library.
    fn report_second_headers(&mut self, sources: &[SourceId], first: &[Header]) {
        for second in sources.iter().flat_map(|source| headers_in(&self.library, *source)).collect::<Vec<_>>() {
            let Some(known) = first.iter().find(|known| known.id.text == second.id.text && known.id.span != second.id.span)
            else {
                continue;
            };
            let id = &second.id.text;
            let problem = Problem::error(codes::GAME_TWICE, format!("the game `{id}` is started twice"))
                .with_label(second.id.span, "started again")
                .with_label(known.id.span, "started here")
                .help("remove one of the two lines, or give one game another name");
            self.add_game_problem(id, problem);
        }
    }

    /// The existing games that a file joins. A file without one is added to `lost`, under the game that it names.
    fn games_of_file(
        &self,
        source: SourceId,
        joining: &JoiningLibrary,
        lost: &mut BTreeMap<Option<String>, Vec<SourceId>>,
    ) -> Vec<String> {
        let Some(text) =
            self.library.loaded_text(source).filter(|text| !matches!(text.role, FileRole::Other | FileRole::Manifest))
        else {
            return Vec::new();
        };
        let wanted = self.intended_games(source, classify_path(&text.path), joining);
        let (there, missing): (Vec<String>, Vec<String>) =
            wanted.into_iter().partition(|game| self.library.games.contains_key(game));
        if there.is_empty() {
            lost.entry(missing.into_iter().next()).or_default().push(source);
        }
        there
    }

    /// The games that a file is meant for, which need not exist: by its header, its folder, its notes, or the files that use it.
    fn intended_games(&self, source: SourceId, place: FilePlace, joining: &JoiningLibrary) -> Vec<String> {
        let headers = headers_in(&self.library, source);
        if !headers.is_empty() {
            return headers.into_iter().map(|header| header.id.text).collect();
        }
        if let Some(game) = place.game {
            return vec![game.to_string()];
        }
        if let Some(game) = self.noted_game(source) {
            return vec![game];
        }
        let users = match self.library.source_role(source) {
            FileRole::Script => self.games_of_users(place.stem, joining),
            FileRole::Scenario => self.game_of_entrants(source, joining).into_iter().collect(),
            _ => Vec::new(),
        };
        if users.is_empty() { self.default_game(source, joining) } else { users }
    }

    /// The game that a file names in a note.
    fn noted_game(&self, source: SourceId) -> Option<String> {
        self.library.loaded_text(source)?.notes.game.as_ref().map(|(game, _)| game.clone())
    }

    /// The loose sheets among some files, by the abilities that they list.
    fn ability_users(&self, sources: &[SourceId]) -> BTreeMap<String, Vec<SourceId>> {
        let mut users: BTreeMap<String, Vec<SourceId>> = BTreeMap::new();
        for source in sources {
            match self.library.loaded_text(*source) {
                Some(LoadedText { path, role: FileRole::Sheet, content: Content::Sheet(Some(node), _), .. })
                    if classify_path(path).game.is_none() =>
                {
                    listed_abilities(node).for_each(|ability| users.entry(ability.to_string()).or_default().push(*source));
                }
                _ => {}
            }
        }
        users
    }

    /// The games of the loose sheets that list an ability.
    fn games_of_users(&self, ability: &str, joining: &JoiningLibrary) -> Vec<String> {
        let users = joining.users.get(ability).into_iter().flatten();
        users.flat_map(|user| self.games_of_loose(*user, joining)).collect::<BTreeSet<String>>().into_iter().collect()
    }

    /// The only game with all entrants that a scenario names, in its folders or loose next to the scenario. Games that start
    /// in this library have precedence.
    fn game_of_entrants(&self, scenario: SourceId, joining: &JoiningLibrary) -> Option<String> {
        let Some(LoadedText { content: Content::Sheet(Some(node), _), .. }) = self.library.loaded_text(scenario) else {
            return None;
        };
        let mut names = BTreeSet::new();
        entrants_in(node, &mut names);
        let mut games = names.iter().map(|name| self.games_of_sheet(name, joining));
        let first = games.next()?;
        let common = games.fold(first, |common, games| common.intersection(&games).cloned().collect());
        let (here, elsewhere): (BTreeSet<&str>, BTreeSet<&str>) =
            common.iter().map(String::as_str).partition(|game| joining.own.iter().any(|own| own == game));
        self.only_base_game(if here.is_empty() { &elsewhere } else { &here })
    }

    /// The only game among these that extends none of the others: a file that fits it also fits the packages that extend it.
    fn only_base_game(&self, fitting: &BTreeSet<&str>) -> Option<String> {
        let extends_one = |game: &&&str| self.any_in_line(game, |other| other != **game && fitting.contains(other));
        let mut meant = fitting.iter().filter(|game| !extends_one(game));
        meant.next().filter(|_| meant.next().is_none()).map(|game| game.to_string())
    }

    /// Whether the id of a game, or of a package that it extends, passes a test.
    fn any_in_line(&self, game: &str, test: impl Fn(&str) -> bool) -> bool {
        self.library.games.get(game).is_some_and(|game| game.line.iter().any(|id| test(id)))
    }

    /// The games that have a sheet of this name, and the packages that extend them.
    fn games_of_sheet(&self, name: &str, joining: &JoiningLibrary) -> BTreeSet<String> {
        let mut games = self.games_with_sheet(name, joining);
        let extending = |id: &&String| self.any_in_line(id, |game| games.contains(game));
        let extending: Vec<String> = self.library.games.keys().filter(extending).cloned().collect();
        games.extend(extending);
        games
    }

    /// The games that have a sheet of this name themselves, also a loose one.
    fn games_with_sheet(&self, name: &str, joining: &JoiningLibrary) -> BTreeSet<String> {
        let has = |game: &&Game| self.library.own_sheet_ids(game).iter().any(|id| id == name);
        let known = self.library.games.values().filter(has).map(|game| game.id.clone());
        let loose = joining.sources.iter().filter(|source| {
            let text = self.library.loaded_text(**source).filter(|text| text.role == FileRole::Sheet);
            text.is_some_and(|text| classify_path(&text.path).game.is_none() && classify_path(&text.path).stem == name)
        });
        let loose = loose.flat_map(|source| self.games_of_loose(*source, joining));
        known.chain(loose).collect()
    }

    /// The games of a loose sheet: the one it names, or the default.
    fn games_of_loose(&self, sheet: SourceId, joining: &JoiningLibrary) -> Vec<String> {
        self.noted_game(sheet).map_or_else(|| self.default_game(sheet, joining), |game| vec![game])
    }

    /// The default game of a loose file: the game that starts in its library, or the only one that it fits.
    fn default_game(&self, source: SourceId, joining: &JoiningLibrary) -> Vec<String> {
        let games = if joining.own.is_empty() { self.library.game_ids() } else { joining.own.to_vec() };
        if games.len() == 1 {
            return games;
        }
        let fitting = || self.only_base_game(&self.fitting_games(&games, source));
        let game = match self.library.source_role(source) {
            FileRole::Script => joining.script_game.get_or_init(fitting).clone(),
            _ => fitting(),
        };
        game.into_iter().collect()
    }

    /// The games among some that a file fits: with their parents, they declare what it is for.
    fn fitting_games<'g>(&self, games: &'g [String], source: SourceId) -> BTreeSet<&'g str> {
        let all = self.library.games.values();
        let declaring: BTreeSet<&str> = all.filter(|game| self.declares_for(game, source)).map(|game| game.id.as_str()).collect();
        let games = games.iter().map(String::as_str);
        games.filter(|game| self.any_in_line(game, |known| declaring.contains(known))).collect()
    }

    /// Whether the own rules of a game declare what a file is for: the lists of a sheet, what abilities can act on for a script,
    /// and sheets for scenarios with entrants.
    fn declares_for(&self, game: &Game, source: SourceId) -> bool {
        let outline = game.rules.iter().flat_map(|source| self.library.own_outline(*source));
        let mut kinds = outline.map(|item| &item.kind);
        let acts = |item: &Item| matches!(item.kind, ItemKind::Hook(_) | ItemKind::Family { .. });
        match self.library.loaded_text(source) {
            Some(LoadedText { role: FileRole::Sheet, content: Content::Sheet(Some(node), _), .. }) => {
                kinds.any(|kind| declares_lists(kind, node))
            }
            Some(LoadedText { role: FileRole::Scenario, content: Content::Sheet(Some(node), _), .. })
                if mentions_key(node, "entrants") =>
            {
                kinds.any(|kind| matches!(kind, ItemKind::Sheet { .. }))
            }
            Some(LoadedText { role: FileRole::Script, .. }) => self.library.own_rules(game).any(acts),
            _ => true,
        }
    }

    /// Adds a file to a game, by its role.
    fn add_to_game(&mut self, id: &str, source: SourceId) {
        let Some(text) = self.library.loaded_text(source) else { return };
        let (role, stem, library) = (text.role, classify_path(&text.path).stem.to_string(), text.library.clone());
        let mode = text.notes.mode.as_ref().map(|(mode, _)| mode.clone());
        match role {
            FileRole::Scenario => self.change_game(id, |game| game.scenarios.push(source)),
            FileRole::Unnoticed => self.change_game(id, |game| game.unnoticed.push(source)),
            FileRole::Readme => self.change_game(id, |game| game.readmes.push(source)),
            FileRole::Rulebook => self.change_game(id, |game| game.rulebooks.push(source)),
            FileRole::Rules | FileRole::Sheet | FileRole::Script => {
                if !is_stem(&stem) {
                    self.add_game_problem(id, unfit_name_problem(&stem, source));
                }
                self.add_under_name(id, Key { role, mode, stem }, source, &library);
            }
            FileRole::Manifest | FileRole::Other => {}
        }
    }

    /// Adds a file under its name. If the game has one with this name, it is replaced, or the new file is refused.
    fn add_under_name(&mut self, id: &str, key: Key, source: SourceId, library: &str) {
        let old = self.library.games.get(id).and_then(|game| self.file_by_key(game, &key));
        let replaces = self.library.loaded_text(source).and_then(|text| text.notes.replaces.clone());
        let misnamed = replaces.as_ref().and_then(|replaces| misnamed_problem(replaces, &key.stem));
        match old {
            Some(old) if self.library.source_library(old) == library || replaces.is_none() => {
                let problem =
                    self.file_taken_problem(&key.stem, source, old, key.role, self.library.source_library(old) == library);
                self.add_game_problem(id, problem);
            }
            Some(old) => self.change_game(id, |game| game.put_file(&key, source, Some(old))),
            None => {
                self.change_game(id, |game| game.put_file(&key, source, None));
                let span =
                    replaces.filter(|_| misnamed.is_none() && !self.replaced.contains(&source)).map(|replaces| replaces.span);
                self.claims.extend(span.map(|span| Claim { game: id.to_string(), key, span }));
            }
        }
        misnamed.into_iter().for_each(|problem| self.add_game_problem(id, problem));
    }

    /// The file with this key in a game.
    fn file_by_key(&self, game: &Game, key: &Key) -> Option<SourceId> {
        let Key { role, mode, stem } = key;
        match (role, mode) {
            (FileRole::Sheet, _) => game.sheets.get(stem).copied(),
            (FileRole::Script, None) => game.scripts.get(stem).copied(),
            (FileRole::Script, Some(mode)) => game.mode_scripts.get(&(mode.clone(), stem.clone())).copied(),
            _ => game.rules_by_name.get(stem).copied(),
        }
    }

    /// The error for a file whose name another one has.
    fn file_taken_problem(&self, stem: &str, source: SourceId, old: SourceId, role: FileRole, same_library: bool) -> Problem {
        let origin = library_text(self.library.source_library(old));
        let other = &self.library.sources.get(old).name;
        let problem = Problem::error(codes::NAME_TAKEN, format!("the name `{stem}` is taken"))
            .with_label(Span::new(source, 0, 0), format!("`{other}` of {origin} has this name"));
        if same_library {
            return problem.help("rename one of the two files");
        }
        let line = match role {
            FileRole::Sheet => "replaces: true",
            FileRole::Script => "//! replaces",
            _ => "#! replaces",
        };
        problem.help(format!("rename the file, or add a line `{line}` to replace the other"))
    }

    /// Checks the claims of replacing files once all games are known: a package that their game extends must have the file.
    fn check_claims(&mut self) {
        for (number, claim) in std::mem::take(&mut self.claims).into_iter().enumerate() {
            let Some(game) = self.library.games.get(&claim.game) else { continue };
            if self.inherits_file(game, &claim.key) {
                continue;
            }
            let names = if number < MOST_SUGGESTED { self.replaceable_names(game, &claim.key) } else { Vec::new() };
            let stem = &claim.key.stem;
            let others = names.iter().map(String::as_str).filter(|name| name != stem);
            let problem = Problem::error(codes::REPLACES_NOTHING, format!("there is no other `{stem}` to replace"))
                .with_label(claim.span, "replaces nothing");
            let problem = match ludex_syntax::problem::nearest_word(stem, others) {
                Some(near) => problem.help(format!("a file replaces the file with its own name; did you mean `{near}`?")),
                None => problem.help("remove this, or give the file the name of the one it replaces"),
            };
            self.add_game_problem(&claim.game, problem);
        }
    }

    /// Checks the parents of each game once all games are known.
    fn store_parent_problems(&mut self) {
        for (id, problems) in self.library.all_parent_problems() {
            self.change_game(&id, |game| game.wrong_parents = problems);
        }
    }

    /// Whether a file can replace something in a package that its game extends.
    fn inherits_file(&self, game: &Game, Key { role, mode, stem }: &Key) -> bool {
        match role {
            FileRole::Sheet => self.library.extended_packages(game).any(|parent| self.sheet_names(parent).contains(stem)),
            FileRole::Script => self.library.inherits_script(game, mode.as_deref(), stem),
            // Rules of a package are replaced by declarations, not by files.
            _ => false,
        }
    }

    /// The names that a replacing file may have meant.
    fn replaceable_names(&self, game: &Game, key: &Key) -> Vec<String> {
        let line = || self.library.package_line(&game.id).into_iter();
        match key.role {
            FileRole::Sheet => line().flat_map(|game| self.sheet_names(game)).collect(),
            FileRole::Script => line().flat_map(|game| game.scripts.keys().cloned()).collect(),
            _ => game.rules_by_name.keys().cloned().collect(),
        }
    }

    /// The ids of a game's own sheets, and the stems of their files.
    fn sheet_names(&self, game: &Game) -> Vec<String> {
        let mut names = self.library.own_sheet_ids(game);
        names.extend(game.sheets.keys().cloned());
        names
    }

    /// Reports files without an existing game: one message for each game, with a hint if its header may be broken.
    fn report_lost_files(&mut self, lost: BTreeMap<Option<String>, Vec<SourceId>>, own: &[String]) {
        for (game, sources) in lost {
            let Some(first) = sources.first().copied() else { continue };
            let problem = match &game {
                Some(game) => self.missing_game_problem(game, &sources, own),
                None => self.unclear_game_problem(first),
            };
            self.problems.push(problem);
            for source in &sources {
                self.problems.extend(self.library.source_problems(*source).iter().cloned());
            }
        }
    }

    /// The error for files of a game that does not exist. `own` are the games that start in their library.
    fn missing_game_problem(&self, game: &str, sources: &[SourceId], own: &[String]) -> Problem {
        let first = sources.first().copied().unwrap_or(SourceId(0));
        let noted = self.library.loaded_text(first).and_then(|text| text.notes.game.as_ref());
        let span = noted.map_or(Span::new(first, 0, 0), |(_, span)| *span);
        let remark = match sources.len() {
            1 => "this file belongs to it".to_string(),
            more => format!("this file and {} more belong to it", more - 1),
        };
        let problem = Problem::error(codes::UNKNOWN_GAME, format!("there is no game `{game}`")).with_label(span, remark);
        let games = self.library.game_ids();
        let problem = problem.suggest(game, games.iter().map(String::as_str));
        match (&problem.help, own) {
            (Some(_), _) => problem,
            (None, [started]) => problem.help(format!("this library starts the game `{started}`: give the folder that name")),
            (None, _) => problem.help(format!("a game starts with a line `game {game} \"…\"` in its rules")),
        }
    }

    /// The error for a loose file that may belong to several games.
    fn unclear_game_problem(&self, source: SourceId) -> Problem {
        let (line, folder) = match self.library.source_role(source) {
            FileRole::Script => ("//! game NAME", "scripts/NAME"),
            FileRole::Rules => ("#! game NAME", "rules/NAME"),
            // The key is next to `name`, as in a scenario.
            FileRole::Scenario => ("game: NAME", "rules/NAME/scenarios"),
            _ => ("game: NAME", "characters/NAME"),
        };
        let help = format!("add a line `{line}`, or put it into the folder `{folder}`");
        Problem::error(codes::UNKNOWN_GAME, "it is not clear which game this file belongs to")
            .with_label(Span::new(source, 0, 0), "there are several games")
            .help(help)
    }

    fn change_game(&mut self, id: &str, change: impl FnOnce(&mut Game)) {
        if let Some(game) = self.library.games.get_mut(id) {
            change(game);
        }
    }

    fn add_game_problem(&mut self, id: &str, problem: Problem) {
        self.change_game(id, |game| game.problems.push(problem));
    }
}

impl Game {
    fn new(library: &str, header: &Header) -> Game {
        Game {
            id: header.id.text.clone(),
            title: header.title.clone(),
            extends: header.extends.clone(),
            library: library.to_string(),
            header: header.id.span,
            rules: Vec::new(),
            rules_by_name: BTreeMap::new(),
            sheets: BTreeMap::new(),
            scripts: BTreeMap::new(),
            mode_scripts: BTreeMap::new(),
            scenarios: Vec::new(),
            unnoticed: Vec::new(),
            readmes: Vec::new(),
            rulebooks: Vec::new(),
            line: Vec::new(),
            wrong_parents: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Adds a file under its name, or puts it at the position of the old one.
    fn put_file(&mut self, key: &Key, source: SourceId, old: Option<SourceId>) {
        let stem = key.stem.clone();
        match (key.role, &key.mode) {
            (FileRole::Sheet, _) => drop(self.sheets.insert(stem, source)),
            (FileRole::Script, None) => drop(self.scripts.insert(stem, source)),
            (FileRole::Script, Some(mode)) => drop(self.mode_scripts.insert((mode.clone(), stem), source)),
            _ => {
                self.rules_by_name.insert(stem, source);
                match old.and_then(|old| self.rules.iter_mut().find(|rules| **rules == old)) {
                    Some(place) => *place = source,
                    None => self.rules.push(source),
                }
            }
        }
    }
}

/// Describes a library for messages.
fn library_text(library: &str) -> String {
    match library {
        BUNDLED => "the bundled library".to_string(),
        folder => format!("`{folder}`"),
    }
}

/// The headers in a file of rules.
fn headers_in(library: &Library, source: SourceId) -> Vec<Header> {
    library.own_outline(source).iter().filter_map(|item| item_header(item, source)).collect()
}

/// The header, if an item is one.
fn item_header(item: &Item, source: SourceId) -> Option<Header> {
    let (id, title, extends) = match &item.kind {
        ItemKind::Game { id, title } => (id, title, Vec::new()),
        ItemKind::Package { id, title, extends } => (id, title, extends.clone()),
        _ => return None,
    };
    let title = title.plain_text().unwrap_or_else(|| id.text.clone());
    Some(Header { id: id.clone(), title, extends, source })
}

/// Whether an item declares a sheet with one of the file's lists.
fn declares_lists(kind: &ItemKind, node: &Node) -> bool {
    let ItemKind::Sheet { members, .. } = kind else { return false };
    let Value::Map(entries) = &node.value else { return false };
    let printed = members.iter().flat_map(|member| match &member.kind {
        MemberKind::Zone { names, .. } | MemberKind::Counter { names, .. } | MemberKind::Field { names, .. } => names.as_slice(),
        MemberKind::Mark { .. } => &[],
    });
    printed.into_iter().any(|name| entries.iter().any(|(key, _)| key.name == name.text))
}

/// Whether a key occurs anywhere in a file.
fn mentions_key(node: &Node, wanted: &str) -> bool {
    match &node.value {
        Value::Map(entries) => entries.iter().any(|(key, value)| key.name == wanted || mentions_key(value, wanted)),
        Value::List(list) => list.iter().any(|node| mentions_key(node, wanted)),
        _ => false,
    }
}

/// The entrants that a file of scenarios names, in lists or as keys with their states.
fn entrants_in(node: &Node, names: &mut BTreeSet<String>) {
    match &node.value {
        Value::List(list) => list.iter().for_each(|node| entrants_in(node, names)),
        Value::Map(entries) => {
            for (key, value) in entries {
                match &value.value {
                    Value::List(list) if key.name == "entrants" => list.iter().for_each(|entrant| match &entrant.value {
                        Value::Text(name) => names.extend([name.clone()]),
                        Value::Map(entries) => names.extend(entries.iter().map(|(key, _)| key.name.clone())),
                        _ => {}
                    }),
                    _ => entrants_in(value, names),
                }
            }
        }
        _ => {}
    }
}

/// The abilities that a sheet lists, with or without settings.
fn listed_abilities(node: &Node) -> impl Iterator<Item = &str> {
    let entries = if let Value::Map(entries) = &node.value { entries.as_slice() } else { &[] };
    let listed = entries.iter().find(|(key, _)| key.name == "abilities").map(|(_, value)| &value.value);
    let list = if let Some(Value::List(list)) = listed { list.as_slice() } else { &[] };
    list.iter().flat_map(|node| match &node.value {
        Value::Text(name) => vec![name.as_str()],
        Value::Map(settings) => settings.iter().map(|(key, _)| key.name.as_str()).collect(),
        _ => Vec::new(),
    })
}

/// Whether a stem can be the name of a sheet, script or rules file.
fn is_stem(stem: &str) -> bool {
    let fits = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-';
    !stem.is_empty() && stem.chars().all(fits)
}

/// The error for a file with an unfit name.
fn unfit_name_problem(stem: &str, source: SourceId) -> Problem {
    let plain: String = stem
        .chars()
        .map(|sign| if sign.is_alphanumeric() { sign.to_ascii_lowercase() } else { '-' })
        .filter(char::is_ascii)
        .collect();
    let plain = plain.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    let problem = Problem::error(codes::SHEET_NAME, format!("`{stem}` cannot be the name of a file"))
        .with_label(Span::new(source, 0, 0), "names have small letters, digits and hyphens");
    match plain.is_empty() {
        true => problem,
        false => problem.help(format!("rename it to `{plain}`")),
    }
}

/// The error for `replaces: other` in a file with a different name.
fn misnamed_problem(replaces: &ReplacesNote, stem: &str) -> Option<Problem> {
    let name = replaces.name.as_ref().filter(|name| *name != stem)?;
    Some(
        Problem::error(codes::REPLACES_NOTHING, format!("a file named `{stem}` cannot replace `{name}`"))
            .with_label(replaces.span, "not the name of this file")
            .help(format!("a file replaces the file with its own name: name it `{name}`")),
    )
}
