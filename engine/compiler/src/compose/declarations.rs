//! Declarations with their histories: each layer in turn adds, replaces and removes some.

use super::clash::{Contested, Settle, clash};
use super::history::{History, How, Version, is_there};
use super::subject::{ABILITY, DIE_SIZES, MODE, Subject, place_of};
use super::{LayerId, Layers, Package, Removed, Reshaped, STANDARD, members, sizes};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, joined};
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Item, ItemKind, Name, Param};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// All declarations, in the order in which they were first written.
#[derive(Clone)]
pub struct Declarations<'a> {
    pub(super) packages: &'a [Package<'a>],
    pub(super) list: Vec<Declaration<'a>>,
    /// The index of each subject's first declaration in the list.
    places: BTreeMap<Arc<Subject>, usize>,
}

#[derive(Clone)]
pub struct Declaration<'a> {
    /// None for declarations that can only be added.
    pub subject: Option<Arc<Subject>>,
    pub history: History<&'a Item>,
}

/// The version that counts, with its layer, if there is one. Otherwise the clashing versions.
pub(super) type Settled<'h, 'a> = Result<Option<(LayerId, Cow<'a, Item>)>, Vec<&'h Version<&'a Item>>>;

impl<'a> Declarations<'a> {
    pub fn new(packages: &'a [Package<'a>]) -> Declarations<'a> {
        Declarations { packages, list: Vec::new(), places: BTreeMap::new() }
    }

    /// Applies the declarations of a layer.
    pub fn apply(
        &mut self,
        layer: LayerId,
        items: impl IntoIterator<Item = &'a Item>,
        layers: &Layers,
        problems: &mut Vec<Problem>,
    ) {
        for item in items {
            let done = match &item.kind {
                ItemKind::Mode { name, .. } if name.text == STANDARD => Err(standard_again(name)),
                _ if layers.mode(layer).is_some() && stands_alone(item) => Err(within_a_mode(item)),
                ItemKind::Language | ItemKind::Game { .. } | ItemKind::Package { .. } => Ok(()),
                ItemKind::Replace(_) | ItemKind::Remove { .. } if layers.is_first(layer) => Err(nothing_to_change(item)),
                ItemKind::Replace(new) => self.replace(layer, item, new, layers),
                ItemKind::Remove { sort, name } => self.remove(layer, sort, name, layers),
                _ => self.add(layer, item, layers),
            };
            problems.extend(done.err());
        }
    }

    fn find(&self, subject: &Subject) -> Option<&Declaration<'a>> {
        self.list.get(*self.places.get(subject)?)
    }

    fn find_mut(&mut self, subject: &Subject) -> Option<&mut Declaration<'a>> {
        self.list.get_mut(*self.places.get(subject)?)
    }

    fn add(&mut self, layer: LayerId, item: &'a Item, layers: &Layers) -> Result<(), Problem> {
        let subject = Subject::of(item).map(Arc::new);
        let version = Version { layer, how: How::Declares, place: place_of(item), what: Some(item) };
        let known = subject.as_ref().and_then(|subject| self.find(subject));
        if let Some(problem) = known.and_then(|known| self.declared_already(known, &version, layers)) {
            return Err(problem);
        }
        // A second declaration in the same layer is reported by name resolution.
        let is_new = known.is_none_or(|known| known.history.of(layer).is_some());
        match subject.as_ref().filter(|_| !is_new).and_then(|subject| self.find_mut(subject)) {
            Some(known) => known.history.push(version),
            None => {
                if let Some(subject) = &subject {
                    self.places.entry(Arc::clone(subject)).or_insert(self.list.len());
                }
                self.list.push(Declaration { subject, history: History::of_one(version) });
            }
        }
        Ok(())
    }

    fn declared_already(&self, known: &Declaration, version: &Version<&Item>, layers: &Layers) -> Option<Problem> {
        let found = known.history.found_by(version.layer, layers);
        match (known.history.of(version.layer), known.subject.as_deref()?) {
            (Some(own), Subject { sort: MODE, name: Some(name) }) => Some(declared_twice(name, version.place, own.place)),
            (_, Subject { sort: DIE_SIZES, .. }) => None,
            _ => is_there(&found).then(|| self.taken(version, known, &found, layers)),
        }
    }

    /// Replaces a declaration. The new one takes the old one's place in the order.
    fn replace(&mut self, layer: LayerId, item: &Item, new: &'a Item, layers: &Layers) -> Result<(), Problem> {
        let Some(subject) = Subject::of(new) else { return Err(cannot_be_replaced(item)) };
        let version = Version { layer, how: How::Replaces, place: place_of(new), what: Some(new) };
        self.change(&subject, version, layers)
    }

    fn remove(&mut self, layer: LayerId, sort: &Name, name: &Name, layers: &Layers) -> Result<(), Problem> {
        let Some(subject) = Subject::removed(sort, name) else { return Ok(()) };
        self.change(&subject, Version { layer, how: How::Removes, place: name.span, what: None }, layers)
    }

    fn change(&mut self, subject: &Subject, version: Version<&'a Item>, layers: &Layers) -> Result<(), Problem> {
        let known = self.find(subject);
        if !known.is_some_and(|known| is_there(&known.history.found_by(version.layer, layers))) {
            return Err(self.unknown(subject, &version, known, layers));
        }
        let Some(known) = self.find_mut(subject) else { return Ok(()) };
        if let Some(own) = known.history.of(version.layer) {
            return Err(changed_twice(subject, version.place, own.place));
        }
        known.history.push(version);
        Ok(())
    }

    // --- results -----------------------------------------------------------------------

    /// All declarations that count, in order. Reports clashes.
    pub fn settled(&self, layers: &Layers, problems: &mut Vec<Problem>) -> Vec<Cow<'a, Item>> {
        let mut items: Vec<(LayerId, Cow<Item>)> = Vec::new();
        for declaration in self.list.iter().filter(|known| !known.is_mode()) {
            match declaration.settled(layers) {
                Ok(found) => items.extend(found),
                Err(versions) => {
                    items.extend(versions.iter().find_map(|version| Some((version.layer, Cow::Borrowed(version.what?)))));
                    problems.extend(self.clash(declaration, &versions, layers));
                }
            }
        }
        members::settle(&mut items, self, layers, problems);
        let mut items: Vec<Cow<Item>> = items.into_iter().map(|(_, item)| item).collect();
        self.sort_scripts(&mut items);
        self.header().into_iter().chain(items).collect()
    }

    /// The error for a clash. A clash among packages is reported for the game itself, and not again for each mode.
    fn clash(&self, declaration: &Declaration, versions: &[&Version<&Item>], layers: &Layers) -> Option<Problem> {
        let subject = declaration.subject.as_deref()?;
        self.concerns(layers, versions.iter().map(|version| version.layer)).then(|| {
            let settle = match subject {
                Subject { sort: ABILITY, name: Some(id) } => Settle::Script(id.clone()),
                _ => Settle::Declaration(format!("replace {} …", subject.shown())),
            };
            clash(versions, &Contested { what: format!("`{}`", subject.shown()), settle }, layers)
        })
    }

    /// Whether to report a problem of these layers here. A mode only reports problems that involve its blocks.
    pub(super) fn concerns(&self, layers: &Layers, mut of: impl Iterator<Item = LayerId>) -> bool {
        !layers.has_blocks() || of.any(|layer| layers.mode(layer).is_some())
    }

    /// Sorts abilities from files by id, across all packages.
    fn sort_scripts(&self, items: &mut [Cow<Item>]) {
        let is_script = |item: &Item| {
            let of_file = self.packages.iter().any(|package| package.scripts.contains(&item.span.source));
            matches!(item.kind, ItemKind::Ability(_)) && of_file
        };
        let places: Vec<usize> = (0..items.len()).filter(|place| is_script(&items[*place])).collect();
        let mut scripts: Vec<Cow<Item>> = places.iter().map(|place| items[*place].clone()).collect();
        scripts.sort_by_key(|item| Subject::of(item).and_then(|subject| subject.name));
        for (place, script) in places.into_iter().zip(scripts) {
            items[place] = script;
        }
    }

    /// The header of the last package, which is the game being played.
    fn header(&self) -> Option<Cow<'a, Item>> {
        self.packages.last()?.items.iter().find_map(|item| match &item.kind {
            ItemKind::Game { .. } => Some(Cow::Borrowed(item.as_ref())),
            ItemKind::Package { id, title, .. } => {
                let kind = ItemKind::Game { id: id.clone(), title: title.clone() };
                Some(Cow::Owned(Item { kind, ..item.as_ref().clone() }))
            }
            _ => None,
        })
    }

    /// The removed declarations, and the layers that removed them.
    pub fn removed(&self, layers: &Layers) -> Vec<Removed> {
        let mut removed = Vec::new();
        for declaration in &self.list {
            let versions = declaration.history.counting(layers);
            let Some(name) = declaration.subject.as_ref().and_then(|subject| subject.name.as_ref()) else { continue };
            let gone = versions.into_iter().filter(|version| version.what.is_none());
            removed.extend(gone.map(|version| Removed {
                name: name.clone(),
                package: layers.package(version.layer),
                by: layers.words(version.layer),
                in_mode: layers.mode(version.layer).is_some(),
                place: version.place,
            }));
        }
        removed
    }

    /// The counting declarations that replace one with a different number of parameters.
    pub fn reshaped(&self, layers: &Layers) -> Vec<Reshaped> {
        let mut reshaped = Vec::new();
        for declaration in self.list.iter().filter(|known| known.history.versions().len() > 1) {
            let Some(subject) = &declaration.subject else { continue };
            let Some(old) = declaration.history.versions().first().and_then(|first| params_of(first.what?)) else { continue };
            for new in declaration.history.counting(layers).into_iter().filter(|new| new.how == How::Replaces) {
                if new.what.and_then(params_of).is_some_and(|params| params.len() != old.len()) {
                    let params = old.first().zip(old.last()).map(|(first, last)| first.name.span.to(last.of.span));
                    reshaped.push(Reshaped { subject: subject.shown(), place: new.place, params });
                }
            }
        }
        reshaped
    }

    // --- errors ------------------------------------------------------------------------

    fn taken(&self, new: &Version<&Item>, known: &Declaration, found: &[&Version<&Item>], layers: &Layers) -> Problem {
        let old: Vec<&&Version<&Item>> = found.iter().filter(|version| version.what.is_some()).collect();
        let owners: Vec<String> = old.iter().map(|old| layers.words(old.layer)).collect();
        let have = format!("{} {}", joined(&owners, "and"), if owners.len() == 1 { "has" } else { "have" });
        let problem = self.name_taken(new, known, &have).unwrap_or_else(|| declared_again(new, known, &have));
        old.iter().fold(problem, |problem, old| problem.at(old.place, "declared here"))
    }

    /// The error for an ability file whose name is taken.
    fn name_taken(&self, new: &Version<&Item>, known: &Declaration, have: &str) -> Option<Problem> {
        let file = new.place.source;
        let name = known.subject.as_ref()?.name.as_ref()?;
        self.packages.iter().any(|package| package.scripts.contains(&file)).then(|| {
            Problem::error(codes::NAME_TAKEN, format!("the name `{name}` is taken"))
                .at(Span::new(file, 0, 0), format!("{have} an ability of this name"))
                .help("rename the file, or add a line `//! replaces` to replace the other")
        })
    }

    fn unknown(&self, subject: &Subject, version: &Version<&Item>, known: Option<&Declaration>, layers: &Layers) -> Problem {
        let doing = if version.how == How::Removes { "remove" } else { "replace" };
        let message = format!("there is no `{}` to {doing}", subject.shown());
        let mut problem = Problem::error(codes::UNKNOWN_NAME, message).at(version.place, "not there").about(&subject.shown());
        let found = known.map_or(Vec::new(), |known| known.history.found_by(version.layer, layers));
        for gone in &found {
            problem = problem.at(gone.place, format!("{} removes it here", layers.words(gone.layer)));
        }
        let names: BTreeSet<&str> = self.names_of(subject.sort, version.layer, layers).collect();
        let wrong = subject.name.as_deref().unwrap_or(subject.sort);
        let problem = problem.suggest(wrong, names);
        match problem.help {
            None if version.how == How::Replaces => problem.help("write it without `replace` to add it"),
            _ => problem,
        }
    }

    /// The names of a sort that exist below a layer.
    fn names_of(&self, sort: &'static str, layer: LayerId, layers: &Layers) -> impl Iterator<Item = &str> {
        let found = move |known: &&Declaration| is_there(&known.history.found_by(layer, layers));
        let subjects = self.list.iter().filter(found).filter_map(|known| known.subject.as_ref());
        subjects.filter(move |subject| subject.is_of_sort(sort)).filter_map(|subject| subject.name.as_deref())
    }
}

impl<'a> Declaration<'a> {
    pub fn is_mode(&self) -> bool {
        self.subject.as_ref().is_some_and(|subject| subject.sort == MODE)
    }

    fn settled(&self, layers: &Layers) -> Settled<'_, 'a> {
        if self.subject.as_ref().is_some_and(|subject| subject.sort == DIE_SIZES) {
            return sizes::settled(&self.history, layers);
        }
        let versions = self.history.counting(layers);
        match versions.as_slice() {
            [version] => Ok(version.what.map(|item| (version.layer, Cow::Borrowed(item)))),
            // Layers that all remove the same thing agree.
            several if is_there(several) => Err(versions),
            _ => Ok(None),
        }
    }
}

fn declared_again(new: &Version<&Item>, known: &Declaration, have: &str) -> Problem {
    let subject = known.subject.as_ref().map_or(String::new(), |subject| subject.shown());
    Problem::error(codes::DECLARED_TWICE, format!("{have} `{subject}` already")).at(new.place, "declared again").help(match known
        .is_mode()
    {
        true => format!("to add to it, write `replace {subject} {{ … }}`"),
        false => format!("to replace it, write `replace {subject} …`"),
    })
}

/// The parameters of a declaration that takes arguments.
fn params_of(item: &Item) -> Option<&[Param]> {
    match &item.kind {
        ItemKind::Define(define) => Some(&define.params),
        ItemKind::Hook(hook) => Some(&hook.params),
        ItemKind::Family { params, .. } => Some(params),
        ItemKind::Procedure(procedure) => Some(&procedure.params),
        _ => None,
    }
}

/// Whether a declaration cannot be part of a mode.
fn stands_alone(item: &Item) -> bool {
    match &item.kind {
        ItemKind::Language | ItemKind::Game { .. } | ItemKind::Package { .. } | ItemKind::Mode { .. } => true,
        ItemKind::Replace(item) => stands_alone(item),
        _ => false,
    }
}

fn within_a_mode(item: &Item) -> Problem {
    Problem::error(codes::SYNTAX, "this cannot be inside the braces of a mode")
        .at(place_of(item), "inside a mode")
        .help("put it after the `}` of the mode")
}

fn standard_again(name: &Name) -> Problem {
    Problem::error(codes::DECLARED_TWICE, format!("every game has the mode `{STANDARD}`"))
        .at(name.span, "declared again")
        .help("it is the game without any mode: give this one another name")
}

fn nothing_to_change(item: &Item) -> Problem {
    Problem::error(codes::UNKNOWN_NAME, "only a package can replace or remove")
        .at(item.span, "this game extends no other")
        .help("change the declaration itself, or start the game with `package … extends …`")
}

fn cannot_be_replaced(item: &Item) -> Problem {
    Problem::error(codes::UNKNOWN_NAME, "this cannot be replaced")
        .at(item.span, "has no name to find it by")
        .help("write it without `replace`, and put `replace` before each member in its braces that replaces another")
}

/// The error for a second declaration of a name.
pub fn declared_twice(name: &str, again: Span, first: Span) -> Problem {
    Problem::error(codes::DECLARED_TWICE, format!("`{name}` is declared twice"))
        .at(again, "again here")
        .at(first, "first declared here")
        .help("give one of them another name")
}

fn changed_twice(subject: &Subject, again: Span, first: Span) -> Problem {
    Problem::error(codes::DECLARED_TWICE, format!("`{}` is changed twice in one place", subject.shown()))
        .at(again, "again here")
        .at(first, "first here")
        .help("remove one of the two")
}
