//! Texts have a length and a budget of their own, and are cut.

use crate::runtime::eval::meter::{Told, shortened};
use crate::runtime::limits::{MOST_SAID, MOST_TOLD_BYTES, MOST_WORK_ON_TEXTS};
use crate::runtime::text::Wording;

impl Wording {
    /// Makes a text, whose work does not count, and which is cut where it is too long or too much.
    pub fn tell(&mut self, make: impl FnOnce(&mut Wording) -> String) -> String {
        let (stand, most) = (self.meter.work, self.meter.most_work);
        let sound = self.fault.is_none();
        self.meter.most_work = stand.saturating_add(MOST_WORK_ON_TEXTS.saturating_sub(self.meter.told.work));
        let text = make(self);
        let spent = self.meter.is_spent();
        self.meter.told.work += self.meter.work - stand;
        (self.meter.work, self.meter.most_work) = (stand, most);
        if spent && sound {
            self.fault = None;
        }
        shortened(&text)
    }

    /// The text of an event as it is told: what is too long is cut, and where too much has been told only that there was one.
    pub fn cut(&mut self, text: &str) -> String {
        let text = shortened(text);
        self.meter.told.bytes += text.len();
        if self.meter.told.bytes > MOST_TOLD_BYTES && !text.is_empty() { "…".to_string() } else { text }
    }

    /// What is told from here on is cut by itself, whatever has been told before.
    pub fn begin_telling(&mut self) {
        self.meter.told = Told::default();
    }

    /// Whether one more sentence is told before the next question.
    pub fn may_say(&mut self) -> bool {
        self.meter.told.said += 1;
        self.meter.told.said <= MOST_SAID
    }
}
