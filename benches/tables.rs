//! Writes what criterion measured into a text, as tables between markers.
//!
//! ```text
//! tables benches/README.md
//! ```

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use serde_json::Value;
use support::calls::Calls;
use support::join_all::{ONE_PER_WAKE, READY, TOGETHER};
use support::{
    Load, Question, Way, await_cost, chain, fold, hit, join_all, markdown, miss, try_fold,
    try_join_all,
};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let path = env::args_os().nth(1).ok_or("usage: tables README.md")?;
    let mut text = fs::read_to_string(&path)?;
    let results = Results::find();
    for (marker, content) in [
        ("call_targets", results.call_targets()?),
        ("await_cost", results.await_cost()?),
        ("hit", results.call_tables(&hit::questions())?),
        ("miss", results.tables(&[miss::READS, miss::MISSES])?),
        (
            "chain",
            results.call_tables(&[chain::ready(), chain::pending()])?,
        ),
        ("chain_sizes", chain_sizes()),
        ("targets", results.targets()?),
        ("join_all", results.tables(&join_all::QUESTIONS)?),
        ("try_join_all", results.tables(&try_join_all::QUESTIONS)?),
        ("fold", results.tables(&fold::QUESTIONS)?),
        ("try_fold", results.tables(&try_fold::QUESTIONS)?),
        ("allocations", results.printed("allocations.md")?),
        ("instructions", results.printed("instructions.md")?),
    ] {
        text = fill(&text, marker, &content)?;
    }
    fs::write(&path, text)?;
    Ok(())
}

/// Replaces what is between two markers.
fn fill(text: &str, marker: &str, content: &str) -> Result<String> {
    let (start, end) = (format!("<!-- {marker} -->"), format!("<!-- /{marker} -->"));
    let parts = text.split_once(&start).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(&end)?;
        Some((before, after))
    });
    let (before, after) = parts.ok_or_else(|| format!("no markers {start} and {end}"))?;
    Ok(format!("{before}{start}\n\n{content}\n{end}{after}"))
}

fn chain_sizes() -> String {
    let mut rows = vec![vec!["bytes of the future".to_owned()]];
    rows[0].extend(chain::LENGTHS.map(str::to_owned));
    for (name, sizes) in chain::sizes() {
        let mut row = vec![name.to_owned()];
        row.extend(sizes.map(|size| size.to_string()));
        rows.push(row);
    }
    markdown(rows)
}

/// The folder in which criterion keeps its results.
struct Results(PathBuf);

/// A time in nanoseconds, and the ends of its confidence interval.
struct Estimate {
    median: f64,
    low: f64,
    high: f64,
}

impl Estimate {
    /// How far the ends of the interval are from the median.
    fn spread(&self) -> f64 {
        (1.0 - self.low / self.median).max(self.high / self.median - 1.0)
    }

    /// A ratio in words, in bold if it is over a limit, whatever is true within the intervals.
    fn ratio(&self, other: &Self, most: f64) -> String {
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
    fn find() -> Self {
        let target = || env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
        let folder = env::var_os("CRITERION_HOME").map(PathBuf::from);
        let folder = folder.or_else(|| Some(target()?.join("criterion")));
        Self(folder.unwrap_or_else(|| "target/criterion".into()))
    }

    /// What a program printed that counts, and writes tables itself.
    fn printed(&self, name: &str) -> Result<String> {
        Ok(fs::read_to_string(self.0.join(name))?)
    }

    /// How long a way took, if it was measured.
    fn time<T>(&self, question: &Question<T>, way: &Way<T>, load: Load) -> Option<Estimate> {
        self.estimate(question.name, way.0, &load.to_string())
    }

    fn estimate(&self, group: &str, way: &str, case: &str) -> Option<Estimate> {
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

    /// How long the fastest of some ways took.
    fn fastest<T>(&self, question: &Question<T>, ways: &[Way<T>], load: Load) -> Result<f64> {
        let times = ways.iter().filter_map(|way| self.time(question, way, load));
        let fastest = times.map(|time| time.median).min_by(f64::total_cmp);
        fastest.ok_or_else(|| format!("{}, {load}: not measured", question.name).into())
    }

    /// Our time as a part of that of the fastest of others.
    fn ratio<T>(&self, question: &Question<T>, others: &[Way<T>], load: Load) -> Result<f64> {
        let ours = self.fastest(question, &[question.ours], load)?;
        Ok(ours / self.fastest(question, others, load)?)
    }

    fn tables<T>(&self, questions: &[Question<T>]) -> Result<String> {
        let tables: Result<Vec<_>> = questions.iter().map(|q| self.table(q)).collect();
        Ok(tables?.join("\n"))
    }

    /// The times of all ways at all loads, and ours as a part of the others.
    fn table<T>(&self, question: &Question<T>) -> Result<String> {
        let mut header = vec![question.name.to_owned()];
        header.extend(question.ways().map(|(name, _)| (*name).to_owned()));
        let ratios = question.least.iter().map(|(name, _)| *name);
        let ratios = ratios.chain(["fastest other"]);
        header.extend(ratios.map(|name| format!("ours ÷ {name}")));
        let mut rows = vec![header];
        let mut spread = 0.0_f64;
        for load in question.loads() {
            let mut row = vec![load.to_string()];
            for way in question.ways() {
                row.push(match self.time(question, way, load) {
                    Some(time) => {
                        spread = spread.max(time.spread());
                        in_words(time.median)
                    }
                    None => "–".to_owned(),
                });
            }
            for others in [question.least, question.others] {
                if !others.is_empty() {
                    row.push(format!("{:.2}", self.ratio(question, others, load)?));
                }
            }
            rows.push(row);
        }
        let (table, percent) = (markdown(rows), 100.0 * spread);
        Ok(format!(
            "{table}\nMedians, known to within {percent:.0} %.\n"
        ))
    }

    fn call_tables(&self, questions: &[Calls]) -> Result<String> {
        let tables: Result<Vec<_>> = questions.iter().map(|q| self.call_table(q, &[])).collect();
        Ok(tables?.join("\n"))
    }

    /// What one call costs in each way and in each case, and rows that were measured elsewhere.
    fn call_table(&self, question: &Calls, more: &[Vec<String>]) -> Result<String> {
        let mut header = vec![question.name.to_owned()];
        header.extend(question.cases.iter().map(|case| case.name.to_owned()));
        let mut rows = vec![header];
        let mut spread = 0.0_f64;
        for way in question.ways() {
            let mut row = vec![way.to_owned()];
            for case in &question.cases {
                let time = self.call(question, way, case.name)?;
                spread = spread.max(time.spread());
                row.push(in_words(time.median / f64::from(question.calls)));
            }
            rows.push(row);
        }
        rows.extend_from_slice(more);
        let (table, percent) = (markdown(rows), 100.0 * spread);
        Ok(format!(
            "{table}\nMedians of one call, known to within {percent:.0} %.\n"
        ))
    }

    /// How long all calls of a run took.
    fn call(&self, question: &Calls, way: &str, case: &str) -> Result<Estimate> {
        let time = self.estimate(question.name, way, case);
        time.ok_or_else(|| format!("{}, {way}, {case}: not measured", question.name).into())
    }

    /// What Node measured, if there is a Node.
    fn node(&self) -> Result<Option<Value>> {
        let path = self.0.join("node.json");
        if !path.exists() {
            return Ok(None);
        }
        Ok(Some(serde_json::from_slice(&fs::read(path)?)?))
    }

    fn await_cost(&self) -> Result<String> {
        let question = await_cost::question();
        let Some(node) = self.node()? else {
            let table = self.call_table(&question, &[])?;
            return Ok(format!("{table}\nThere was no Node to compare with.\n"));
        };
        let mut rows = Vec::new();
        for (way, times) in node["results"].as_object().ok_or("no results of Node")? {
            let mut row = vec![format!("Node: {way}")];
            for case in &question.cases {
                let time = times[case.name].as_f64().ok_or("no time of Node")?;
                row.push(in_words(time));
            }
            rows.push(row);
        }
        let version = node["version"].as_str().ok_or("no version of Node")?;
        let table = self.call_table(&question, &rows)?;
        Ok(format!("{table}\nNode is {version}.\n"))
    }

    /// What single calls are to cost at most, and what they do cost.
    fn call_targets(&self) -> Result<String> {
        let mut rows = vec![
            ["target", "at most", "measured"]
                .map(str::to_owned)
                .to_vec(),
        ];
        let mut row = |name: String, most: f64, ratios: Vec<String>| {
            rows.push(vec![name, most.to_string(), ratios.join(", ")]);
        };
        let calls = await_cost::question();
        let hits = hit::questions();
        let chains = chain::ready();
        for (question, ours, other, most) in [
            (&calls, await_cost::MATCHED, await_cost::DIRECT, 1.0),
            (&calls, await_cost::AWAITED, await_cost::ASYNC_FN, 1.0),
            (&hits[0], hit::MATCHED, hit::ASYNC_TRAIT, 0.2),
            (&hits[0], hit::AWAITED, hit::ASYNC_TRAIT, 0.2),
            (&hits[1], hit::MATCHED, hit::ASYNC_TRAIT, 0.2),
            (&hits[1], hit::AWAITED, hit::ASYNC_TRAIT, 0.2),
            (&chains, chain::OURS, chain::OPTION, 1.05),
        ] {
            let mut names = Vec::new();
            let mut ratios = Vec::new();
            for case in &question.cases {
                let ours = self.call(question, ours, case.name)?;
                let other = self.call(question, other, case.name)?;
                names.push(case.name);
                ratios.push(ours.ratio(&other, most));
            }
            let names = names.join("; ");
            let name = format!("{}: {ours} ÷ {other} ({names})", question.name);
            row(name, most, ratios);
        }
        for (question, other) in [
            (miss::READS, &miss::READS.others[0]),
            (miss::MISSES, &miss::MISSES.others[0]),
        ] {
            let mut names = Vec::new();
            let mut ratios = Vec::new();
            for load in question.loads() {
                let times = [&question.ours, other].map(|way| self.time(&question, way, load));
                let [Some(ours), Some(other)] = times else {
                    return Err(format!("{}, {load}: not measured", question.name).into());
                };
                names.push(format!("{} %", load.percent));
                ratios.push(ours.ratio(&other, 1.05));
            }
            let name = format!("{}: ours ÷ {}", question.name, other.0);
            row(format!("{name} ({})", names.join("; ")), 1.05, ratios);
        }
        if let Some(node) = self.node()? {
            let mut ratios = Vec::new();
            for case in &calls.cases {
                let time = |way: &str| node["results"][way][case.name].as_f64();
                let (awaited, direct) = (time("value awaited"), time("direct call"));
                let ratio = awaited.zip(direct).ok_or("no time of Node")?;
                ratios.push(format!("{:.0}", ratio.0 / ratio.1));
            }
            rows.push(vec![
                "for comparison, Node: value awaited ÷ direct call".to_owned(),
                "–".to_owned(),
                ratios.join(", "),
            ]);
        }
        Ok(markdown(rows))
    }

    /// What the joins are to cost at most, and what they do cost.
    fn targets(&self) -> Result<String> {
        const FEW: usize = 1_000;
        const MANY: usize = 10_000;

        let ratios = |question: &Question<_>, others: &[Way<_>], percent| {
            let ratio = |items| self.ratio(question, others, Load::new(items, percent));
            Result::Ok([ratio(FEW)?, ratio(MANY)?])
        };
        let mut targets = Vec::new();
        for (name, others, most) in [
            ("collect", READY.least, 1.3),
            ("fastest other", READY.others, 0.06),
        ] {
            let name = format!("{}: ours ÷ {name}", READY.name);
            targets.push((name, most, ratios(&READY, others, 0)?));
        }
        for question in [&ONE_PER_WAKE, &TOGETHER] {
            let name = question.name;
            for (percent, most) in [(1, 0.25), (10, 0.7), (100, 1.0)] {
                let name = format!("{name}, {percent} %: ours ÷ fastest other");
                targets.push((name, most, ratios(question, question.others, percent)?));
            }
            let time = |items| self.fastest(question, &[question.ours], Load::new(items, 100));
            let name = format!("{name}, 100 %: ours ÷ ours at {FEW} items");
            targets.push((name, 12.0, [1.0, time(MANY)? / time(FEW)?]));
        }

        let few = format!("at {FEW} items");
        let many = format!("at {MANY} items");
        let mut rows = vec![vec!["target".to_owned(), "at most".to_owned(), few, many]];
        for (name, most, ratios) in targets {
            let [few, many] = ratios.map(|ratio| {
                let bold = if ratio > most { "**" } else { "" };
                format!("{bold}{ratio:.2}{bold}")
            });
            rows.push(vec![name, most.to_string(), few, many]);
        }
        Ok(markdown(rows))
    }
}

/// A time with three digits.
fn in_words(nanoseconds: f64) -> String {
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
