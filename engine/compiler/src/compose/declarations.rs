//! Declarations with their histories: each layer in turn adds, replaces and removes some.
//!
//! A subject is the sort and name of a declaration, by which another one can replace or remove it. A history has the versions of
//! one subject, one for each layer that changes it.

use super::clash::{ClashRemedy, ContestedThing, clash_problem};
use super::history::{ChangeKind, History, Version, any_present};
use super::subject::{ABILITY, DIE_SIZES, MODE, Subject, name_span};
use super::{LayerId, Layers, Package, RemovedDeclaration, ReshapedDeclaration, STANDARD, members, sizes};
use ludex_syntax::codes;
use ludex_syntax::problem::{Problem, join_words};
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

/// The versions of one declaration.
#[derive(Clone)]
pub struct Declaration<'a> {
    /// None for declarations that can only be added.
    pub subject: Option<Arc<Subject>>,
    pub history: History<&'a Item>,
}

/// The version that counts, with its layer, if there is one. Otherwise the clashing versions.
pub(super) type CountingVersion<'h, 'a> = Result<Option<(LayerId, Cow<'a, Item>)>, Vec<&'h Version<&'a Item>>>;

impl<'a> Declarations<'a> {
    pub fn new(packages: &'a [Package<'a>]) -> Declarations<'a> {
        Declarations { packages, list: Vec::new(), places: BTreeMap::new() }
    }

    /// Applies the declarations of a layer.
    pub fn apply_layer(
        &mut self,
        layer: LayerId,
        items: impl IntoIterator<Item = &'a Item>,
        layers: &Layers,
        problems: &mut Vec<Problem>,
    ) {
        for item in items {
            let done = match &item.kind {
                ItemKind::Mode { name, .. } if name.text == STANDARD => Err(standard_mode_problem(name)),
                _ if layers.layer_mode(layer).is_some() && cannot_be_in_mode(item) => Err(inside_mode_problem(item)),
                ItemKind::Language | ItemKind::Game { .. } | ItemKind::Package { .. } => Ok(()),
                ItemKind::Replace(_) | ItemKind::Remove { .. } if layers.is_first(layer) => Err(no_base_problem(item)),
                ItemKind::Replace(new) => self.replace_declaration(layer, item, new, layers),
                ItemKind::Remove { sort, name } => self.remove_declaration(layer, sort, name, layers),
                _ => self.add_declaration(layer, item, layers),
            };
            problems.extend(done.err());
        }
    }

    /// The first declaration of a subject.
    fn find_declaration(&self, subject: &Subject) -> Option<&Declaration<'a>> {
        self.list.get(*self.places.get(subject)?)
    }

    fn find_declaration_mut(&mut self, subject: &Subject) -> Option<&mut Declaration<'a>> {
        self.list.get_mut(*self.places.get(subject)?)
    }

    /// Adds a declaration without `replace`. An error if an ancestor of the layer has one of this subject.
    fn add_declaration(&mut self, layer: LayerId, item: &'a Item, layers: &Layers) -> Result<(), Problem> {
        let subject = Subject::from_item(item).map(Arc::new);
        let version = Version { layer, how: ChangeKind::Declares, place: name_span(item), what: Some(item) };
        let known = subject.as_ref().and_then(|subject| self.find_declaration(subject));
        if let Some(problem) = known.and_then(|known| self.repeated_problem(known, &version, layers)) {
            return Err(problem);
        }
        // A second declaration in the same layer is reported by name resolution.
        let is_new = known.is_none_or(|known| known.history.version_of_layer(layer).is_some());
        match subject.as_ref().filter(|_| !is_new).and_then(|subject| self.find_declaration_mut(subject)) {
            Some(known) => known.history.push(version),
            None => {
                if let Some(subject) = &subject {
                    self.places.entry(Arc::clone(subject)).or_insert(self.list.len());
                }
                self.list.push(Declaration { subject, history: History::from_version(version) });
            }
        }
        Ok(())
    }

    /// The error for a declaration that a layer below has already; none if it may be repeated.
    fn repeated_problem(&self, known: &Declaration, version: &Version<&Item>, layers: &Layers) -> Option<Problem> {
        let found = known.history.versions_below(version.layer, layers);
        match (known.history.version_of_layer(version.layer), known.subject.as_deref()?) {
            (Some(own), Subject { sort: MODE, name: Some(name) }) => Some(declared_twice_problem(name, version.place, own.place)),
            (_, Subject { sort: DIE_SIZES, .. }) => None,
            _ => any_present(&found).then(|| self.declaration_taken_problem(version, known, &found, layers)),
        }
    }

    /// Replaces a declaration. The new one takes the old one's place in the order.
    fn replace_declaration(&mut self, layer: LayerId, item: &Item, new: &'a Item, layers: &Layers) -> Result<(), Problem> {
        let Some(subject) = Subject::from_item(new) else { return Err(cannot_replace_problem(item)) };
        let version = Version { layer, how: ChangeKind::Replaces, place: name_span(new), what: Some(new) };
        self.add_change(&subject, version, layers)
    }

    /// Removes a declaration, which must exist below the layer.
    fn remove_declaration(&mut self, layer: LayerId, sort: &Name, name: &Name, layers: &Layers) -> Result<(), Problem> {
        let Some(subject) = Subject::from_removal(sort, name) else { return Ok(()) };
        self.add_change(&subject, Version { layer, how: ChangeKind::Removes, place: name.span, what: None }, layers)
    }

    /// Adds a replacement or removal to the history of its subject.
    fn add_change(&mut self, subject: &Subject, version: Version<&'a Item>, layers: &Layers) -> Result<(), Problem> {
        let known = self.find_declaration(subject);
        if !known.is_some_and(|known| any_present(&known.history.versions_below(version.layer, layers))) {
            return Err(self.unknown_subject_problem(subject, &version, known, layers));
        }
        let Some(known) = self.find_declaration_mut(subject) else { return Ok(()) };
        if let Some(own) = known.history.version_of_layer(version.layer) {
            return Err(changed_twice_problem(subject, version.place, own.place));
        }
        known.history.push(version);
        Ok(())
    }

    // --- results -----------------------------------------------------------------------

    /// All declarations that count, in order. Reports clashes.
    pub fn counting_items(&self, layers: &Layers, problems: &mut Vec<Problem>) -> Vec<Cow<'a, Item>> {
        let mut items: Vec<(LayerId, Cow<Item>)> = Vec::new();
        for declaration in self.list.iter().filter(|known| !known.is_mode()) {
            match declaration.counting_version(layers) {
                Ok(found) => items.extend(found),
                Err(versions) => {
                    items.extend(versions.iter().find_map(|version| Some((version.layer, Cow::Borrowed(version.what?)))));
                    problems.extend(self.declaration_clash(declaration, &versions, layers));
                }
            }
        }
        members::place_counting_members(&mut items, self, layers, problems);
        let mut items: Vec<Cow<Item>> = items.into_iter().map(|(_, item)| item).collect();
        self.sort_scripts(&mut items);
        self.game_header().into_iter().chain(items).collect()
    }

    /// The error for a clash. A clash among packages is reported for the game itself, and not again for each mode: then none.
    fn declaration_clash(&self, declaration: &Declaration, versions: &[&Version<&Item>], layers: &Layers) -> Option<Problem> {
        let subject = declaration.subject.as_deref()?;
        self.concerns_layers(layers, versions.iter().map(|version| version.layer)).then(|| {
            let settle = match subject {
                Subject { sort: ABILITY, name: Some(id) } => ClashRemedy::Script(id.clone()),
                _ => ClashRemedy::Declaration(format!("replace {} …", subject.subject_text())),
            };
            clash_problem(versions, &ContestedThing { what: format!("`{}`", subject.subject_text()), settle }, layers)
        })
    }

    /// Whether to report a problem of these layers here. A mode only reports problems that involve its blocks.
    pub(super) fn concerns_layers(&self, layers: &Layers, mut of: impl Iterator<Item = LayerId>) -> bool {
        !layers.has_blocks() || of.any(|layer| layers.layer_mode(layer).is_some())
    }

    /// Sorts abilities from files by id, across all packages.
    fn sort_scripts(&self, items: &mut [Cow<Item>]) {
        let is_script = |item: &Item| {
            let of_file = self.packages.iter().any(|package| package.scripts.contains(&item.span.source));
            matches!(item.kind, ItemKind::Ability(_)) && of_file
        };
        let places: Vec<usize> = (0..items.len()).filter(|place| is_script(&items[*place])).collect();
        let mut scripts: Vec<Cow<Item>> = places.iter().map(|place| items[*place].clone()).collect();
        scripts.sort_by_key(|item| Subject::from_item(item).and_then(|subject| subject.name));
        for (place, script) in places.into_iter().zip(scripts) {
            items[place] = script;
        }
    }

    /// The header of the last package, which is the game being played.
    fn game_header(&self) -> Option<Cow<'a, Item>> {
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
    pub fn removed_declarations(&self, layers: &Layers) -> Vec<RemovedDeclaration> {
        let mut removed = Vec::new();
        for declaration in &self.list {
            let versions = declaration.history.counting_versions(layers);
            let Some(name) = declaration.subject.as_ref().and_then(|subject| subject.name.as_ref()) else { continue };
            let gone = versions.into_iter().filter(|version| version.what.is_none());
            removed.extend(gone.map(|version| RemovedDeclaration {
                name: name.clone(),
                package: layers.layer_package(version.layer),
                by: layers.layer_text(version.layer),
                in_mode: layers.layer_mode(version.layer).is_some(),
                place: version.place,
            }));
        }
        removed
    }

    /// The counting declarations that replace one with a different number of parameters.
    pub fn reshaped_declarations(&self, layers: &Layers) -> Vec<ReshapedDeclaration> {
        let mut reshaped = Vec::new();
        for declaration in self.list.iter().filter(|known| known.history.versions().len() > 1) {
            let Some(subject) = &declaration.subject else { continue };
            let Some(old) = declaration.history.versions().first().and_then(|first| declaration_params(first.what?)) else {
                continue;
            };
            for new in declaration.history.counting_versions(layers).into_iter().filter(|new| new.how == ChangeKind::Replaces) {
                if new.what.and_then(declaration_params).is_some_and(|params| params.len() != old.len()) {
                    let params = old.first().zip(old.last()).map(|(first, last)| first.name.span.extend_to(last.of.span));
                    reshaped.push(ReshapedDeclaration { subject: subject.subject_text(), place: new.place, params });
                }
            }
        }
        reshaped
    }

    // --- errors ------------------------------------------------------------------------

    /// The error for a new declaration that exists below the layer. `found` are the versions there.
    fn declaration_taken_problem(
        &self,
        new: &Version<&Item>,
        known: &Declaration,
        found: &[&Version<&Item>],
        layers: &Layers,
    ) -> Problem {
        let old: Vec<&&Version<&Item>> = found.iter().filter(|version| version.what.is_some()).collect();
        let owners: Vec<String> = old.iter().map(|old| layers.layer_text(old.layer)).collect();
        let have = format!("{} {}", join_words(&owners, "and"), if owners.len() == 1 { "has" } else { "have" });
        let problem = self.script_name_problem(new, known, &have).unwrap_or_else(|| declared_again_problem(new, known, &have));
        old.iter().fold(problem, |problem, old| problem.with_label(old.place, "declared here"))
    }

    /// The error for an ability file whose name is taken.
    fn script_name_problem(&self, new: &Version<&Item>, known: &Declaration, have: &str) -> Option<Problem> {
        let file = new.place.source;
        let name = known.subject.as_ref()?.name.as_ref()?;
        self.packages.iter().any(|package| package.scripts.contains(&file)).then(|| {
            Problem::error(codes::NAME_TAKEN, format!("the name `{name}` is taken"))
                .with_label(Span::new(file, 0, 0), format!("{have} an ability of this name"))
                .help("rename the file, or add a line `//! replaces` to replace the other")
        })
    }

    /// The error for a replacement or removal of something that does not exist below the layer.
    fn unknown_subject_problem(
        &self,
        subject: &Subject,
        version: &Version<&Item>,
        known: Option<&Declaration>,
        layers: &Layers,
    ) -> Problem {
        let doing = if version.how == ChangeKind::Removes { "remove" } else { "replace" };
        let message = format!("there is no `{}` to {doing}", subject.subject_text());
        let mut problem = Problem::error(codes::UNKNOWN_NAME, message)
            .with_label(version.place, "not there")
            .with_subject(&subject.subject_text());
        let found = known.map_or(Vec::new(), |known| known.history.versions_below(version.layer, layers));
        for gone in &found {
            problem = problem.with_label(gone.place, format!("{} removes it here", layers.layer_text(gone.layer)));
        }
        let names: BTreeSet<&str> = self.names_below(subject.sort, version.layer, layers).collect();
        let wrong = subject.name.as_deref().unwrap_or(subject.sort);
        let problem = problem.suggest(wrong, names);
        match problem.help {
            None if version.how == ChangeKind::Replaces => problem.help("write it without `replace` to add it"),
            _ => problem,
        }
    }

    /// The names of a sort that exist below a layer.
    fn names_below(&self, sort: &'static str, layer: LayerId, layers: &Layers) -> impl Iterator<Item = &str> {
        let found = move |known: &&Declaration| any_present(&known.history.versions_below(layer, layers));
        let subjects = self.list.iter().filter(found).filter_map(|known| known.subject.as_ref());
        subjects.filter(move |subject| subject.is_of_sort(sort)).filter_map(|subject| subject.name.as_deref())
    }
}

impl<'a> Declaration<'a> {
    /// Whether it declares a mode. A mode is composed on its own, and is no item of the game.
    pub fn is_mode(&self) -> bool {
        self.subject.as_ref().is_some_and(|subject| subject.sort == MODE)
    }

    /// The version that counts, or the clashing ones. Sizes of dice add up.
    fn counting_version(&self, layers: &Layers) -> CountingVersion<'_, 'a> {
        if self.subject.as_ref().is_some_and(|subject| subject.sort == DIE_SIZES) {
            return sizes::combine_sizes(&self.history, layers);
        }
        let versions = self.history.counting_versions(layers);
        match versions.as_slice() {
            [version] => Ok(version.what.map(|item| (version.layer, Cow::Borrowed(item)))),
            // Layers that all remove the same thing agree.
            several if any_present(several) => Err(versions),
            _ => Ok(None),
        }
    }
}

/// The error for a declaration of the rules that exists already. `have` says which packages have it.
fn declared_again_problem(new: &Version<&Item>, known: &Declaration, have: &str) -> Problem {
    let subject = known.subject.as_ref().map_or(String::new(), |subject| subject.subject_text());
    Problem::error(codes::DECLARED_TWICE, format!("{have} `{subject}` already")).with_label(new.place, "declared again").help(
        match known.is_mode() {
            true => format!("to add to it, write `replace {subject} {{ … }}`"),
            false => format!("to replace it, write `replace {subject} …`"),
        },
    )
}

/// The parameters of a declaration that takes arguments.
fn declaration_params(item: &Item) -> Option<&[Param]> {
    match &item.kind {
        ItemKind::Define(define) => Some(&define.params),
        ItemKind::Hook(hook) => Some(&hook.params),
        ItemKind::Family { params, .. } => Some(params),
        ItemKind::Procedure(procedure) => Some(&procedure.params),
        _ => None,
    }
}

/// Whether a declaration cannot be part of a mode.
fn cannot_be_in_mode(item: &Item) -> bool {
    match &item.kind {
        ItemKind::Language | ItemKind::Game { .. } | ItemKind::Package { .. } | ItemKind::Mode { .. } => true,
        ItemKind::Replace(item) => cannot_be_in_mode(item),
        _ => false,
    }
}

fn inside_mode_problem(item: &Item) -> Problem {
    Problem::error(codes::SYNTAX, "this cannot be inside the braces of a mode")
        .with_label(name_span(item), "inside a mode")
        .help("put it after the `}` of the mode")
}

fn standard_mode_problem(name: &Name) -> Problem {
    Problem::error(codes::DECLARED_TWICE, format!("every game has the mode `{STANDARD}`"))
        .with_label(name.span, "declared again")
        .help("it is the game without any mode: give this one another name")
}

fn no_base_problem(item: &Item) -> Problem {
    Problem::error(codes::UNKNOWN_NAME, "only a package can replace or remove")
        .with_label(item.span, "this game extends no other")
        .help("change the declaration itself, or start the game with `package … extends …`")
}

fn cannot_replace_problem(item: &Item) -> Problem {
    Problem::error(codes::UNKNOWN_NAME, "this cannot be replaced")
        .with_label(item.span, "has no name to find it by")
        .help("write it without `replace`, and put `replace` before each member in its braces that replaces another")
}

/// The error for a second declaration of a name.
pub fn declared_twice_problem(name: &str, again: Span, first: Span) -> Problem {
    Problem::error(codes::DECLARED_TWICE, format!("`{name}` is declared twice"))
        .with_label(again, "again here")
        .with_label(first, "first declared here")
        .help("give one of them another name")
}

fn changed_twice_problem(subject: &Subject, again: Span, first: Span) -> Problem {
    Problem::error(codes::DECLARED_TWICE, format!("`{}` is changed twice in one place", subject.subject_text()))
        .with_label(again, "again here")
        .with_label(first, "first here")
        .help("remove one of the two")
}
