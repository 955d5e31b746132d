//! `ludex test --mutants N`: what the scenarios of a package notice if its rules are broken.

use crate::args::Common;
use crate::exit::{DONE, PROBLEMS};
use crate::load::Loaded;
use crate::mutation::{Amount, Package, noticed};
use crate::output;
use crate::stop::Stop;
use crate::work;
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
        packages.iter().for_each(|package| output::print(&text(package)));
    }
    Ok(work::status(if packages.iter().all(|package| package.unnoticed().next().is_none()) { DONE } else { PROBLEMS }))
}

fn text(package: &Package) -> String {
    let mut text = String::new();
    for tried in package.unnoticed() {
        text.push_str(&format!("{}:{}: no scenario notices: {}\n", tried.file, tried.line, tried.how));
        text.push_str(&format!("  `{}`\n  becomes `{}`\n", tried.before, tried.after));
    }
    let (noticed, all) = (package.noticed(), package.tried.len());
    let share = (noticed * 100).checked_div(all).unwrap_or(0);
    text.push_str(&format!("{}: {noticed} of {all} changes noticed, {share} %\n", package.game));
    text
}

fn object(packages: &[Package]) -> Value {
    let package = |package: &Package| {
        let unnoticed = package.unnoticed().map(|tried| {
            json!({
                "file": tried.file, "line": tried.line, "how": tried.how, "before": tried.before, "after": tried.after,
            })
        });
        json!({
            "game": package.game,
            "places": package.places,
            "tried": package.tried.len(),
            "noticed": package.noticed(),
            "unnoticed": unnoticed.collect::<Vec<_>>(),
        })
    };
    json!({ "ludex": 1, "command": "test", "packages": packages.iter().map(package).collect::<Vec<_>>() })
}
