//! Announcements: each change is one event, with its cause and audience.
//! `kind` is the change itself, `by` the side concerned, and `naming` the name and the sentence that the rules give the event.
//! The audience is the set of seats that may know of it. A game that only counts (`counts_only`) serves the statistics of
//! simulations, which need events by name, and no details.

use crate::runtime::context::Context;
use crate::runtime::effect::Effects;
use crate::runtime::event::{Audience, Cause, Event, EventKind};
use ludex_program::{Naming, TextId, TextPart, Value};

impl Effects {
    /// Announces a change with the name and sentence of `naming`, or else with `text` and the name of its kind. `base` is that of
    /// the slots that the sentence reads.
    pub(super) fn announce_named(
        &mut self,
        context: &Context,
        base: usize,
        kind: EventKind,
        by: Option<usize>,
        naming: &Naming,
        text: String,
    ) {
        let name = match naming.name {
            Some(name) => context.program.event_names[name as usize].as_str(),
            None => kind.name(),
        };
        // A change with its own name or words in the rules is announced, even if it is internal.
        let audience = match *naming == Naming::default() {
            true => self.event_audience(context, &kind),
            false => self.audience_by_place(context, &kind),
        };
        let text = match naming.text {
            Some(named) => self.render_to(context, base, named, audience.clone()),
            None => text,
        };
        self.announce_as(context, name, kind, by, Some(text), audience);
    }

    /// Counts an event that the rules have a name for, without any details.
    pub(super) fn count_named(&mut self, context: &Context, naming: &Naming) {
        if let Some(name) = naming.name {
            let name = context.program.event_names[usize::from(name)].as_str();
            self.announce_as(context, name, EventKind::Said, None, None, Audience::All);
        }
    }

    /// Counts a sentence of the rules, if it is constant.
    pub(super) fn count_sentence(&mut self, context: &Context, text: TextId) {
        if let [TextPart::Words(words)] = context.program.texts[text as usize].as_slice() {
            self.announce_to(context, EventKind::Said, None, Some(words.clone()), Audience::All);
        }
    }

    /// Keeps an event, if the game is watched.
    pub fn announce(&mut self, context: &Context, kind: EventKind, by: Option<usize>, text: Option<String>) {
        if self.watched {
            let audience = self.event_audience(context, &kind);
            self.announce_to(context, kind, by, text, audience);
        }
    }

    /// The audience of a change: empty for the rules' internal state, else the seats that see its place.
    fn event_audience(&self, context: &Context, kind: &EventKind) -> Audience {
        let is_told = match kind {
            EventKind::Set { entity, name, .. } => {
                self.readers_by_name(context, *entity as Value, name) != Audience::Seats(Vec::new())
            }
            EventKind::Marked { mark, .. } | EventKind::Unmarked { mark, .. } => {
                context.program.marks.iter().any(|info| info.name == *mark && info.is_public())
            }
            _ => true,
        };
        if is_told { self.audience_by_place(context, kind) } else { Audience::Seats(Vec::new()) }
    }

    /// Announces an event to an audience. `watched` must be set.
    pub fn announce_to(
        &mut self,
        context: &Context,
        kind: EventKind,
        by: Option<usize>,
        text: Option<String>,
        audience: Audience,
    ) {
        self.announce_as(context, kind.name(), kind, by, text, audience);
    }

    /// Puts an event with a name into the list of those not taken yet.
    fn announce_as(
        &mut self,
        context: &Context,
        name: &str,
        kind: EventKind,
        by: Option<usize>,
        text: Option<String>,
        audience: Audience,
    ) {
        self.state.events += 1;
        let cause = if self.counts_only { Cause::default() } else { self.current_cause(context) };
        let text = self.meter.shorten_output(&text.unwrap_or_default());
        let event = Event { number: self.state.events, name: name.to_string(), kind, by, cause, text, audience };
        self.untaken.0.push(event);
    }

    /// The current place in the rules or scripts.
    pub fn current_cause(&self, context: &Context) -> Cause {
        let mut cause = Cause::default();
        if let Some(frame) = self.state.frames.iter().rev().find(|frame| frame.runs_instructions())
            && let Some(place) = context.program.code_place(frame.at)
        {
            cause.file = context.program.sources.get(place.span.source).library_path().to_string();
            cause.line = context.program.sources.line_column(place.span).0;
            cause.rules = place.rules.clone();
        }
        let instance = self.acting_instance();
        if let Some(found) = context.roster.instances.get(instance as usize) {
            let ability = &context.program.abilities[found.ability as usize];
            cause.ability = Some(ability.id.clone());
            cause.of = usize::try_from(self.side_of_ability(context, instance)).ok();
        }
        cause
    }
}
