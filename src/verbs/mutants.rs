//! `ludex test --mutants N`: what the scenarios of a package notice if its rules are broken.

use crate::args::Common;
use crate::exit::{DONE, PROBLEMS};
use crate::load::Loaded;
use crate::mutation::{Amount, Package, Tried, noticed};
use crate::output;
use crate::stop::Stop;
use crate::work;
use ludex_validator::report::problem_json;
use serde_json::{Value, json};

/// Breaks each package so many times.
pub fn run(loaded: &Loaded, games: &[String], common: &Common, amount: &Amount) -> Result<u8, Stop> {
    work::keep_what_is_done();
    let mut packages = Vec::new();
    for game in games.iter().take_while(|_| !work::is_stopped()) {
        common.compile_from(loaded, game, &common.wanted())?;
        let bar = work::bar(amount.mutants as u64, &format!("changes of {game}"));
        let found = noticed(loaded, game, &common.wanted(), amount, &|| bar.inc(1));
        bar.finish_and_clear();
        packages.push(found.map_err(|problems| Stop::new(problems, loaded.library.sources.clone()))?);
    }
    if common.json() {
        output::json(&object(&packages));
    } else {
        packages.iter().for_each(tell);
    }
    Ok(work::status(if packages.iter().all(Package::is_clean) { DONE } else { PROBLEMS }))
}

fn tell(package: &Package) {
    output::problems(&package.useless, &package.sources);
    output::print(&text(package));
}

fn text(package: &Package) -> String {
    let mut text = String::new();
    for (tried, because) in package.explained() {
        text.push_str(&change(tried, "not noticed, and need not be"));
        text.push_str(&format!("  because {because}\n"));
    }
    for tried in package.unnoticed() {
        text.push_str(&change(tried, "no scenario notices"));
    }
    text.push_str(&shares(package));
    text
}

fn change(tried: &Tried, what: &str) -> String {
    let Tried { file, line, how, before, after, .. } = tried;
    format!("{file}:{line}: {what}: {}\n  `{before}`\n  becomes `{after}`\n", how.told())
}

/// How much is noticed, of everything and of what could be.
fn shares(package: &Package) -> String {
    let (noticed, explained, all) = (package.noticed(), package.explained().count(), package.tried.len());
    let share = |all: usize| (noticed * 100).checked_div(all).unwrap_or(0);
    let mut text = format!("{}: {noticed} of {all} changes noticed, {} %", package.game, share(all));
    if explained > 0 {
        let could_be = all - explained;
        text.push_str(&format!("; {noticed} of the {could_be} that need to be, {} %", share(could_be)));
    }
    text + "\n"
}

fn object(packages: &[Package]) -> Value {
    json!({ "ludex": 1, "command": "test", "packages": packages.iter().map(package_object).collect::<Vec<_>>() })
}

fn package_object(package: &Package) -> Value {
    let explained = package.explained().map(|(tried, because)| {
        let mut object = change_object(tried);
        object["because"] = json!(because);
        object
    });
    json!({
        "game": package.game,
        "places": package.places,
        "tried": package.tried.len(),
        "noticed": package.noticed(),
        "unnoticed": package.unnoticed().map(change_object).collect::<Vec<_>>(),
        "explained": explained.collect::<Vec<_>>(),
        "problems": package.useless.iter().map(|problem| problem_json(problem, &package.sources)).collect::<Vec<_>>(),
    })
}

fn change_object(tried: &Tried) -> Value {
    let Tried { file, line, how, before, after, .. } = tried;
    json!({ "file": file, "line": line, "how": how.told(), "before": before, "after": after })
}
