//! Writes what criterion measured into a text, as tables between markers.
//!
//! ```text
//! tables benches/README.md
//! ```

use std::error::Error;
use std::{env, fs};

use support::calls::Calls;
use support::join_all::{ONE_PER_WAKE, READY, TOGETHER};
use support::{
    Estimate, Load, Question, Results, Way, await_cost, chain, chart, fill, fold, hit, in_words,
    join_all, machine, markdown, miss, try_fold, try_join_all,
};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let path = env::args_os().nth(1).ok_or("usage: tables README.md")?;
    let mut text = fs::read_to_string(&path)?;
    let tables = Tables(Results::find());
    for (marker, content) in [
        ("machine", format!("Measured on {}.\n", machine())),
        ("call_targets", tables.call_targets()?),
        ("await_cost", tables.await_cost()?),
        ("hit", tables.call_tables(&hit::questions())?),
        ("miss", tables.tables(&[miss::READS, miss::MISSES])?),
        (
            "chain",
            tables.call_tables(&[chain::ready(), chain::pending()])?,
        ),
        ("chain_sizes", chain_sizes()),
        ("targets", tables.targets()?),
        ("join_all", tables.tables(&join_all::QUESTIONS)?),
        ("try_join_all", tables.tables(&try_join_all::QUESTIONS)?),
        ("fold", tables.tables(&fold::QUESTIONS)?),
        ("try_fold", tables.tables(&try_fold::QUESTIONS)?),
        ("allocations", tables.printed("allocations.md")?),
        ("instructions", tables.printed("instructions.md")?),
    ] {
        text = fill(&text, marker, &content)?;
    }
    fs::write(&path, text)?;
    Ok(())
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

struct Tables(Results);

impl Tables {
    /// What a program printed that counts, and writes tables itself.
    fn printed(&self, name: &str) -> Result<String> {
        Ok(fs::read_to_string(self.0.0.join(name))?)
    }

    /// How long the fastest of some ways took.
    fn fastest<T>(&self, question: &Question<T>, ways: &[Way<T>], load: Load) -> Result<f64> {
        let times = ways
            .iter()
            .filter_map(|way| self.0.time(question, way, load));
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
                row.push(match self.0.time(question, way, load) {
                    Some(time) => {
                        spread = spread.max(time.uncertainty());
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
        let (name, chart) = (question.name, chart(question.name));
        Ok(format!(
            "{table}\n![{name}]({chart})\n\nMedians, known to within {percent:.0} %.\n"
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
                spread = spread.max(time.uncertainty());
                row.push(in_words(time.median));
            }
            rows.push(row);
        }
        rows.extend_from_slice(more);
        let (table, percent) = (markdown(rows), 100.0 * spread);
        let (name, chart) = (question.name, chart(question.name));
        Ok(format!(
            "{table}\n![{name}]({chart})\n\nMedians of one call, known to within {percent:.0} %.\n"
        ))
    }

    /// How long one call took.
    fn call(&self, question: &Calls, way: &str, case: &str) -> Result<Estimate> {
        let time = self.0.call(question, way, case);
        time.ok_or_else(|| format!("{}, {way}, {case}: not measured", question.name).into())
    }

    fn await_cost(&self) -> Result<String> {
        let question = await_cost::question();
        let Some(node) = self.0.node() else {
            let table = self.call_table(&question, &[])?;
            return Ok(format!("{table}\nThere was no Node to compare with.\n"));
        };
        let mut rows = Vec::new();
        for way in question.ways() {
            let Some(times) = node["results"][way].as_object() else {
                continue;
            };
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
                let times = [&question.ours, other].map(|way| self.0.time(&question, way, load));
                let [Some(ours), Some(other)] = times else {
                    return Err(format!("{}, {load}: not measured", question.name).into());
                };
                names.push(format!("{} %", load.percent));
                ratios.push(ours.ratio(&other, 1.05));
            }
            let name = format!("{}: ours ÷ {}", question.name, other.0);
            row(format!("{name} ({})", names.join("; ")), 1.05, ratios);
        }
        if let Some(node) = self.0.node() {
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
