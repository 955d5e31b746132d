//! The current views of a table, ready to be sent. The table renders each view once, however many browsers follow it.
//!
//! The table's thread has the [`ViewRenderer`], the HTTP thread the [`TableViews`]. `due` counts the states of the table that
//! must be shown; a view is stale while its own state is lower. A state is settled once all views show it.

use axum::body::Bytes;
use maud::{PreEscaped, html};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::watch;

/// The view of one viewer. Copies share the text.
#[derive(Clone, Debug)]
pub struct RenderedView {
    /// The version tag by which a browser recognises it. It counts changes of this view only, so it reveals nothing else.
    pub seen: String,
    pub html: Arc<str>,
    /// The event that shows it in browsers that follow.
    pub event: Bytes,
    number: u64,
    /// The state of the table that it shows.
    state: u64,
}

impl RenderedView {
    /// A view with its tag, from the text of a scene.
    fn new(run: &str, number: u64, state: u64, scene: &str) -> RenderedView {
        let seen = format!("{run}-{number}");
        let html = frame_scene(&seen, scene);
        // In an event, any line end in the text would start a new line.
        let data = html.replace('\r', " ").replace('\n', "\ndata: ");
        let event = Bytes::from(format!("event: table\ndata: {data}\n\n"));
        RenderedView { seen, html: html.into(), event, number, state }
    }
}

/// A scene in the element that browsers replace.
fn frame_scene(seen: &str, scene: &str) -> String {
    html! { div .scene data-seen=(seen) { (PreEscaped(scene)) } }.into_string()
}

/// All views of a table, for their readers.
#[derive(Clone, Debug)]
pub struct TableViews {
    /// The seats in order, then the spectators.
    views: Vec<watch::Receiver<RenderedView>>,
    /// The last settled state.
    settled: watch::Receiver<SettledState>,
    due: Arc<AtomicU64>,
}

/// The last state of the table that all views show.
#[derive(Clone, Debug, Default)]
struct SettledState {
    state: u64,
    /// The seats whose consent is awaited.
    consenting: Vec<usize>,
}

impl TableViews {
    /// The changing view of a seat or, without one, of spectators.
    pub fn watch_view(&self, seat: Option<usize>) -> Option<&watch::Receiver<RenderedView>> {
        match seat {
            Some(seat) if seat + 1 < self.views.len() => self.views.get(seat),
            Some(_) => None,
            None => self.views.last(),
        }
    }

    /// The view of a seat, or of spectators, as it was rendered last.
    pub fn latest_view(&self, seat: Option<usize>) -> Option<RenderedView> {
        self.watch_view(seat).map(|view| view.borrow().clone())
    }

    /// The view of a seat, or of spectators, once it shows everything acknowledged before the call.
    pub async fn settled_view(&self, seat: Option<usize>) -> Option<RenderedView> {
        let view = self.watch_view(seat)?;
        let due = self.due.load(Ordering::Acquire);
        let is_old = view.borrow().state < due;
        if is_old {
            self.wait_until_settled(due).await;
        }
        let sight = view.borrow().clone();
        Some(sight)
    }

    /// The seats whose consent is awaited, once everything acknowledged before the call is settled.
    pub async fn awaited_seats(&self) -> Vec<usize> {
        self.wait_until_settled(self.due.load(Ordering::Acquire)).await;
        self.settled.borrow().consenting.clone()
    }

    /// Waits until all views show the state `due` of the table.
    async fn wait_until_settled(&self, due: u64) {
        // The view of a table that has ended shows its last state.
        let _ = self.settled.clone().wait_for(|settled| settled.state >= due).await;
    }
}

/// All views of a table, for the table itself.
pub struct ViewRenderer {
    /// Distinguishes the views of this process from those of another.
    run: String,
    views: Vec<watch::Sender<RenderedView>>,
    settled: watch::Sender<SettledState>,
    due: Arc<AtomicU64>,
}

impl ViewRenderer {
    /// Makes `views` empty views. `run` is an unpredictable text, different for each process.
    pub fn new(run: String, views: usize) -> (ViewRenderer, TableViews) {
        let (views, read) = (0..views).map(|_| watch::channel(RenderedView::new(&run, 0, 0, ""))).unzip();
        let (settled, is_settled) = watch::channel(SettledState::default());
        let due = Arc::new(AtomicU64::new(0));
        let shown = TableViews { views: read, settled: is_settled, due: due.clone() };
        (ViewRenderer { run, views, settled, due }, shown)
    }

    /// Marks all views as stale until they are rendered again.
    pub fn mark_stale(&self) {
        self.due.fetch_add(1, Ordering::AcqRel);
    }

    /// Renders the view at an index if it is stale. Its followers are notified only if it differs.
    pub fn render_if_stale(&self, place: usize, render: impl FnOnce() -> String) {
        let Some(view) = self.views.get(place) else { return };
        let state = self.due.load(Ordering::Acquire);
        let old = view.borrow().clone();
        if old.state == state {
            return;
        }
        let scene = render();
        let next =
            (frame_scene(&old.seen, &scene) != *old.html).then(|| RenderedView::new(&self.run, old.number + 1, state, &scene));
        view.send_if_modified(|sight| {
            sight.state = state;
            next.map(|next| *sight = next).is_some()
        });
    }

    /// Notes that all views are up to date. `consenting` are the seats whose consent is awaited.
    pub fn mark_settled(&self, consenting: Vec<usize>) {
        let state = self.due.load(Ordering::Acquire);
        self.settled.send_replace(SettledState { state, consenting });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(showing: &ViewRenderer, texts: [&str; 3]) {
        showing.mark_stale();
        texts.into_iter().enumerate().for_each(|(place, text)| showing.render_if_stale(place, || text.to_string()));
        showing.mark_settled(Vec::new());
    }

    #[test]
    fn only_those_are_told_whose_view_differs() {
        let (showing, shown) = ViewRenderer::new("run".to_string(), 3);
        show(&showing, ["a", "b", "c"]);
        let mut views: Vec<_> = [Some(0), Some(1), None].map(|seat| shown.watch_view(seat).unwrap().clone()).into();
        views.iter_mut().for_each(|view| drop(view.borrow_and_update()));
        show(&showing, ["a", "x", "c"]);
        assert_eq!(views.iter().map(|view| view.has_changed().unwrap()).collect::<Vec<_>>(), [false, true, false]);
        let seen: Vec<String> = views.iter().map(|view| view.borrow().seen.clone()).collect();
        assert_eq!(seen, ["run-1", "run-2", "run-1"]);
        assert!(shown.watch_view(Some(2)).is_none());
    }

    #[test]
    fn a_view_is_rendered_once_for_each_change() {
        let (showing, shown) = ViewRenderer::new("run".to_string(), 1);
        showing.mark_stale();
        showing.render_if_stale(0, || "a\r\n<b>".to_string());
        showing.render_if_stale(0, || panic!("nothing has changed"));
        let sight = shown.latest_view(None).unwrap();
        let event = String::from_utf8(sight.event.to_vec()).unwrap();
        assert_eq!(event, "event: table\ndata: <div class=\"scene\" data-seen=\"run-1\">a \ndata: <b></div>\n\n");
        assert!(sight.html.ends_with(">a\r\n<b></div>"), "{}", sight.html);
    }

    #[test]
    fn pages_wait_until_what_was_acknowledged_is_shown() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (showing, shown) = ViewRenderer::new("run".to_string(), 2);
        show(&showing, ["a", "b", ""]);
        showing.mark_stale();
        showing.render_if_stale(0, || "x".to_string());
        runtime.block_on(async {
            // Whoever has answered does not wait for the views of others.
            assert_eq!(shown.settled_view(Some(0)).await.unwrap().seen, "run-2");
            let others = shown.clone();
            let reads = tokio::spawn(async move { others.settled_view(None).await.unwrap().seen });
            tokio::task::yield_now().await;
            assert!(!reads.is_finished());
            showing.render_if_stale(1, || "y".to_string());
            showing.mark_settled(Vec::new());
            assert_eq!(reads.await.unwrap(), "run-2");
        });
    }
}
