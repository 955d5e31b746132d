//! `die sizes`: a line without `replace` adds to the existing sizes, so several packages may add some.
//!
//! Sizes clash if a package defines them all with `replace`, and an unrelated one replaces them, too, or adds to the old ones.

use super::Layers;
use super::declarations::CountingVersion;
use super::history::{ChangeKind, History, Version};
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Item, ItemKind};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The line with all sizes that count. Fails with the clashing versions if one of them replaces the sizes and another is not based
/// on that.
pub fn combine_sizes<'h, 'a>(history: &'h History<&'a Item>, layers: &Layers) -> CountingVersion<'h, 'a> {
    let counting = history.counting_versions(layers);
    let whole: Vec<_> = counting.iter().map(|version| defining_version(history, version, layers)).collect();
    let whose = |version: &Option<&Version<&Item>>| version.map(|version| version.layer);
    if whole.iter().any(|other| whose(other) != whose(&whole[0])) {
        return Err(counting.into_iter().zip(whole).map(|(version, whole)| whole.unwrap_or(version)).collect());
    }
    let Some((layer, item)) = counting.last().and_then(|version| Some((version.layer, version.what?))) else {
        return Ok(None);
    };
    let mut sizes = BTreeMap::new();
    let lines: usize = counting.iter().map(|version| collect_sizes(history, version, layers, &mut sizes)).sum();
    // A single line stays as written.
    let item = if lines == 1 { Cow::Borrowed(item) } else { Cow::Owned(item_with_sizes(item, sizes)) };
    Ok(Some((layer, item)))
}

/// The version with `replace` that a version is or adds to; none if no version below replaces the sizes.
fn defining_version<'h, 'a>(
    history: &'h History<&'a Item>,
    version: &'h Version<&'a Item>,
    layers: &Layers,
) -> Option<&'h Version<&'a Item>> {
    if version.how == ChangeKind::Replaces {
        return Some(version);
    }
    history.versions_below(version.layer, layers).into_iter().find_map(|below| defining_version(history, below, layers))
}

/// Collects the sizes of a line and of those it adds to. Returns the number of lines.
fn collect_sizes(history: &History<&Item>, version: &Version<&Item>, layers: &Layers, found: &mut BTreeMap<i64, Span>) -> usize {
    let mut lines = 1;
    if version.how != ChangeKind::Replaces {
        let below = history.versions_below(version.layer, layers);
        lines += below.into_iter().map(|below| collect_sizes(history, below, layers, found)).sum::<usize>();
    }
    if let Some(Item { kind: ItemKind::DieSizes { sizes }, .. }) = version.what {
        for (size, place) in sizes {
            found.entry(*size).or_insert(*place);
        }
    }
    lines
}

/// A copy of a line with these sizes.
fn item_with_sizes(item: &Item, sizes: BTreeMap<i64, Span>) -> Item {
    Item { kind: ItemKind::DieSizes { sizes: sizes.into_iter().collect() }, ..item.clone() }
}
