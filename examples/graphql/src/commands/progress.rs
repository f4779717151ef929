use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Counts what is done on stderr, if that is a terminal, and draws nothing otherwise.
///
/// `total` is known or not; `what` is counted.
pub(crate) fn progress(total: Option<u64>, what: &'static str) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{bar:30} {human_pos} of {human_len} {msg}, {eta} left",
        ),
        None => (
            ProgressBar::new_spinner(),
            "{spinner} {human_pos} {msg} in {elapsed}",
        ),
    };
    bar.set_style(ProgressStyle::with_template(template).expect("the template is a constant"));
    bar.set_message(what);
    if !bar.is_hidden() {
        bar.enable_steady_tick(Duration::from_millis(100));
    }
    bar
}
