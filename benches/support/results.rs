use std::path::PathBuf;
use std::process::Command;
use std::{env, fs, thread};

use serde_json::Value;

use crate::calls::Calls;
use crate::{Load, Question, Way};

/// The folder in which criterion keeps its results.
pub struct Results(pub PathBuf);

/// A time in nanoseconds, and the ends of its confidence interval.
pub struct Estimate {
    pub median: f64,
    pub low: f64,
    pub high: f64,
}

impl Estimate {
    /// How far the ends of the interval are from the median.
    #[must_use]
    pub fn uncertainty(&self) -> f64 {
        (1.0 - self.low / self.median).max(self.high / self.median - 1.0)
    }

    /// A ratio in words, in bold if it is over a limit, whatever is true within the intervals.
    #[must_use]
    pub fn ratio(&self, other: &Self, most: f64) -> String {
        let ratio = self.median / other.median;
        let bold = if self.low / other.high > most {
            "**"
        } else {
            ""
        };
        format!("{bold}{ratio:.2}{bold}")
    }
}

impl Results {
    #[must_use]
    pub fn find() -> Self {
        let target = || env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
        let folder = env::var_os("CRITERION_HOME").map(PathBuf::from);
        let folder = folder.or_else(|| Some(target()?.join("criterion")));
        Self(folder.unwrap_or_else(|| "target/criterion".into()))
    }

    /// How long a way took, if it was measured.
    #[must_use]
    pub fn time<T>(&self, question: &Question<T>, way: &Way<T>, load: Load) -> Option<Estimate> {
        self.estimate(question.name, way.0, &load.to_string())
    }

    /// How long one call took, if it was measured.
    #[must_use]
    pub fn call(&self, question: &Calls, way: &str, case: &str) -> Option<Estimate> {
        let run = self.estimate(question.name, way, case)?;
        let calls = f64::from(question.calls);
        Some(Estimate {
            median: run.median / calls,
            low: run.low / calls,
            high: run.high / calls,
        })
    }

    /// What Node measured, if there is a Node.
    #[must_use]
    pub fn node(&self) -> Option<Value> {
        let json = fs::read(self.0.join("node.json")).ok()?;
        serde_json::from_slice(&json).ok()
    }

    /// How long a way took in a case, if it was measured.
    #[must_use]
    pub fn estimate(&self, group: &str, way: &str, case: &str) -> Option<Estimate> {
        let folder = self.0.join(group).join(way).join(case);
        let json = fs::read(folder.join("new/estimates.json")).ok()?;
        let median = &serde_json::from_slice::<Value>(&json).ok()?["median"];
        let interval = &median["confidence_interval"];
        Some(Estimate {
            median: median["point_estimate"].as_f64()?,
            low: interval["lower_bound"].as_f64()?,
            high: interval["upper_bound"].as_f64()?,
        })
    }
}

/// What it was measured on, and with.
#[must_use]
pub fn machine() -> String {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let model = model.map_or("an unknown model", |name| {
        name.trim_start_matches([' ', '\t', ':'])
    });
    let rustc = Command::new("rustc").arg("--version").output();
    let rustc = rustc.map_or_else(
        |_| "an unknown rustc".to_owned(),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    );
    format!("{cores} cores of {model}, {rustc}")
}

/// Where the chart of a question is, as seen from the README.
#[must_use]
pub fn chart(question: &str) -> String {
    format!(
        "charts/{}.svg",
        question.replace(", ", "-").replace(' ', "-")
    )
}

/// A time with three digits.
#[must_use]
pub fn in_words(nanoseconds: f64) -> String {
    let (number, unit) = match nanoseconds {
        ..1e3 => (nanoseconds, "ns"),
        ..1e6 => (nanoseconds / 1e3, "µs"),
        _ => (nanoseconds / 1e6, "ms"),
    };
    let digits = match number {
        ..10.0 => 2,
        ..100.0 => 1,
        _ => 0,
    };
    format!("{number:.digits$} {unit}")
}
