//! Telling what happens: each change is one event, with its cause and who may know of it.

use crate::program::{Naming, Value};
use crate::runtime::context::Rules;
use crate::runtime::effect::Effects;
use crate::runtime::event::{Audience, Cause, Event, Happening};

impl Effects {
    #[expect(clippy::too_many_arguments, reason = "an event is told with everything that names it")]
    pub(super) fn announce_named(
        &mut self,
        rules: Rules,
        base: usize,
        kind: &str,
        happening: Happening,
        by: Option<usize>,
        naming: &Naming,
        text: String,
    ) {
        let kind = match naming.name {
            Some(name) => rules.program.event_names[name as usize].clone(),
            None => kind.to_string(),
        };
        // What the rules have words of their own for is told.
        let audience = match *naming == Naming::default() {
            true => self.audience(rules, &happening),
            false => self.audience_by_place(rules, &happening),
        };
        let text = match naming.text {
            Some(named) => self.render_to(rules, base, named, audience.clone()),
            None => text,
        };
        self.announce_to(rules, &kind, happening, by, Some(text), audience);
    }

    /// Keeps an event for whoever watches, unless a script that starts over has announced it before.
    pub fn announce(&mut self, rules: Rules, kind: &str, happening: Happening, by: Option<usize>, text: Option<String>) {
        if self.watched {
            let audience = self.audience(rules, &happening);
            self.announce_to(rules, kind, happening, by, text, audience);
        }
    }

    /// Who may know of something: nobody of what is the rules' own business, else whoever sees where it happens.
    fn audience(&self, rules: Rules, happening: &Happening) -> Audience {
        let is_told = match happening {
            Happening::Set { entity, name, .. } => self.is_told_field(rules, *entity as Value, name),
            Happening::Marked { mark, .. } | Happening::Unmarked { mark, .. } => {
                rules.program.marks.iter().any(|info| info.name == *mark && info.is_told())
            }
            _ => true,
        };
        if is_told { self.audience_by_place(rules, happening) } else { Audience::Seats(Vec::new()) }
    }

    /// Announces to those who may know of it; `watched` is known to be set.
    pub fn announce_to(
        &mut self,
        rules: Rules,
        kind: &str,
        happening: Happening,
        by: Option<usize>,
        text: Option<String>,
        audience: Audience,
    ) {
        self.state.events += 1;
        if self.state.events <= self.announced {
            self.compare_with_tape(&happening);
            return;
        }
        self.announced = self.state.events;
        let cause = self.cause(rules);
        let text = self.cut(&text.unwrap_or_default());
        let event = Event { number: self.state.events, kind: kind.to_string(), happening, by, cause, text, audience };
        if let Some(script) = &mut self.script {
            script.happened.push(event.happening.clone());
        }
        self.untaken.0.push(event);
    }

    /// Where in the rules or scripts play is.
    pub fn cause(&self, rules: Rules) -> Cause {
        let mut cause = Cause::default();
        if let Some(frame) = self.state.frames.iter().rev().find(|frame| frame.runs())
            && let Some(place) = rules.program.place(frame.at)
        {
            cause.file = rules.program.sources.get(place.span.source).name.clone();
            cause.line = rules.program.sources.line_column(place.span).0;
            cause.rules = place.rules.clone();
        }
        let instance = self.acting_instance();
        if let Some(found) = rules.cast.instances.get(instance as usize) {
            let ability = &rules.program.abilities[found.ability as usize];
            cause.ability = Some(ability.id.clone());
            cause.of = usize::try_from(self.side_of_ability(rules, instance)).ok();
            if let Some((file, line, rules)) = self.script.as_ref().and_then(|script| script.place(rules.program)) {
                (cause.file, cause.line, cause.rules) = (file, line, rules);
            }
        }
        cause
    }
}
