//! `die sizes`: a line without `replace` adds to the existing sizes, so several packages may add some.

use super::Layers;
use super::declarations::Settled;
use super::history::{History, How, Version};
use ludex_syntax::source::Span;
use ludex_syntax::tree::{Item, ItemKind};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The line with all sizes. Fails with the clashing versions if one of them replaces the sizes.
pub fn settled<'h, 'a>(history: &'h History<&'a Item>, layers: &Layers) -> Settled<'h, 'a> {
    let counting = history.counting(layers);
    let whole: Vec<_> = counting.iter().map(|version| whole(history, version, layers)).collect();
    let whose = |version: &Option<&Version<&Item>>| version.map(|version| version.layer);
    if whole.iter().any(|other| whose(other) != whose(&whole[0])) {
        return Err(counting.into_iter().zip(whole).map(|(version, whole)| whole.unwrap_or(version)).collect());
    }
    let Some((layer, item)) = counting.last().and_then(|version| Some((version.layer, version.what?))) else {
        return Ok(None);
    };
    let mut sizes = BTreeMap::new();
    let lines: usize = counting.iter().map(|version| gather(history, version, layers, &mut sizes)).sum();
    // A single line stays as written.
    let item = if lines == 1 { Cow::Borrowed(item) } else { Cow::Owned(with(item, sizes)) };
    Ok(Some((layer, item)))
}

/// The line that defines all sizes, below the lines that add to it.
fn whole<'h, 'a>(
    history: &'h History<&'a Item>,
    version: &'h Version<&'a Item>,
    layers: &Layers,
) -> Option<&'h Version<&'a Item>> {
    if version.how == How::Replaces {
        return Some(version);
    }
    history.found_by(version.layer, layers).into_iter().find_map(|below| whole(history, below, layers))
}

/// Collects the sizes of a line and of those it adds to. Returns the number of lines.
fn gather(history: &History<&Item>, version: &Version<&Item>, layers: &Layers, found: &mut BTreeMap<i64, Span>) -> usize {
    let mut lines = 1;
    if version.how != How::Replaces {
        let below = history.found_by(version.layer, layers);
        lines += below.into_iter().map(|below| gather(history, below, layers, found)).sum::<usize>();
    }
    if let Some(Item { kind: ItemKind::DieSizes { sizes }, .. }) = version.what {
        for (size, place) in sizes {
            found.entry(*size).or_insert(*place);
        }
    }
    lines
}

fn with(item: &Item, sizes: BTreeMap<i64, Span>) -> Item {
    Item { kind: ItemKind::DieSizes { sizes: sizes.into_iter().collect() }, ..item.clone() }
}
