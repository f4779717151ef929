//! How often does each way allocate, how often is it polled, and how often does it fetch? And are the
//! targets met?
//!
//! Counted apart from the times, for counting makes allocations slow. Prints what was counted, and
//! what was measured before, as tables, or writes them into the README:
//!
//! ```text
//! cargo bench -p graphql-example --bench table -- --write
//! ```

mod contenders;

use std::error::Error;
use std::{env, fs};

use support::{Estimate, fill, in_words, machine, markdown};

use crate::contenders::{
    ALL_HITS, CASES, Case, Contender, GROUP, NO_HITS, ONE_MISS, async_graphql, contenders, floor,
    juniper, ours, results,
};

fn main() -> Result<(), Box<dyn Error>> {
    let contenders = contenders();
    let time = |contender: &Contender, case: &Case| {
        let time = time(contender.name, case);
        time.map_or("–".to_owned(), |time| in_words(time.median))
    };
    let tables = [
        format!("Measured on {}.\n", machine()),
        table("time", &contenders, time),
        table("allocations", &contenders, allocations),
        table("polls", &contenders, polls),
        table("batches", &contenders, batches),
        targets(),
    ]
    .join("\n");
    if env::args().any(|argument| argument == "--write") {
        let text = fs::read_to_string("README.md")?;
        fs::write("README.md", fill(&text, "benchmark", &tables)?)?;
    } else {
        println!("{tables}");
    }
    Ok(())
}

/// Something about each contender in each case.
fn table(
    what: &str,
    contenders: &[Contender],
    cell: impl Fn(&Contender, &Case) -> String,
) -> String {
    let mut rows = vec![vec![format!("{what} per query")]];
    rows[0].extend(CASES.map(|case| case.name.to_owned()));
    for contender in contenders {
        let mut row = vec![contender.name.to_owned()];
        row.extend(CASES.iter().map(|case| {
            if contender.knows(case) {
                cell(contender, case)
            } else {
                "–".to_owned()
            }
        }));
        rows.push(row);
    }
    markdown(rows)
}

/// The answer itself is a few dozen: the list, the text while it grows, and the plan of the query.
const MOST_ALLOCATIONS: u64 = 38;

fn allocations(contender: &Contender, case: &Case) -> String {
    contender.prepare(case);
    let counts = allocation_counter::measure(|| drop(contender.query()));
    let allocations = counts.count_total;
    if is_ours_with_all_hits(contender, case) {
        let most = MOST_ALLOCATIONS;
        assert!(allocations <= most, "{allocations} allocations, not {most}");
    }
    allocations.to_string()
}

fn polls(contender: &Contender, case: &Case) -> String {
    let polls = contender.check(case).polls;
    if is_ours_with_all_hits(contender, case) {
        assert_eq!(polls, 0, "a query of which all is known is there at once");
    }
    polls.to_string()
}

fn batches(contender: &Contender, case: &Case) -> String {
    let batches = contender.check(case).batches;
    if contender.name == ours::NAME {
        assert!(batches <= 1, "what is unknown is fetched in one batch");
    }
    batches.to_string()
}

fn is_ours_with_all_hits(contender: &Contender, case: &Case) -> bool {
    contender.name == ours::NAME && case.unknown.is_empty()
}

/// How long a query took, if that was measured.
fn time(name: &str, case: &Case) -> Option<Estimate> {
    results().estimate(GROUP, name, case.name)
}

/// What the query is to cost at most, compared with others, and what it does cost.
fn targets() -> String {
    let mut rows = vec![
        ["target", "at most", "measured"]
            .map(str::to_owned)
            .to_vec(),
    ];
    let hits = |name| (name, ALL_HITS);
    for (ours, other, most) in [
        ((ours::NAME, ALL_HITS), hits(floor::NAME), 3.0),
        ((ours::NAME, ALL_HITS), hits(floor::SCANNING), 3.0),
        ((ours::NAME, ALL_HITS), hits(async_graphql::NAME), 0.125),
        ((ours::NAME, ALL_HITS), hits(juniper::SYNC), 0.125),
        ((ours::NAME, ALL_HITS), hits(juniper::ASYNC), 0.125),
        ((ours::NAME, ALL_HITS), hits(ours::BOXED), 0.33),
        ((ours::NAME, ONE_MISS), hits(ours::NAME), 1.1),
        ((ours::NAME, NO_HITS), (ours::BOXED, NO_HITS), 1.1),
    ] {
        let [ours_at, other_at] = [&ours, &other].map(|(name, case)| time(name, case));
        let ratio = match (ours_at, other_at) {
            (Some(ours), Some(other)) => ours.ratio(&other, most),
            _ => "–".to_owned(),
        };
        let [ours, other] = [ours, other].map(|(name, case)| format!("{name}, {}", case.name));
        rows.push(vec![format!("{ours} ÷ {other}"), most.to_string(), ratio]);
    }
    markdown(rows)
}
