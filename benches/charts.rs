//! Draws what criterion measured: a chart for each question.
//!
//! ```text
//! charts benches
//! ```

use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

use support::calls::Calls;
use support::{
    Question, Results, await_cost, chain, fold, hit, in_words, join_all, machine, miss, try_fold,
    try_join_all,
};

fn main() -> Result<(), Box<dyn Error>> {
    let folder: PathBuf = env::args_os()
        .nth(1)
        .ok_or("usage: charts FOLDER_OF_README")?
        .into();
    let results = Results::find();
    let mut charts = vec![await_cost(&results)];
    charts.extend(hit::questions().map(|question| calls(&results, &question)));
    charts.extend([miss::READS, miss::MISSES].map(|question| loads(&results, &question)));
    charts.extend([chain::ready(), chain::pending()].map(|question| calls(&results, &question)));
    charts.extend(join_all::QUESTIONS.map(|question| loads(&results, &question)));
    charts.extend(try_join_all::QUESTIONS.map(|question| loads(&results, &question)));
    charts.extend(fold::QUESTIONS.map(|question| loads(&results, &question)));
    charts.extend(try_fold::QUESTIONS.map(|question| loads(&results, &question)));
    fs::create_dir_all(folder.join("charts"))?;
    for chart in charts {
        if chart
            .rows
            .iter()
            .flat_map(|row| &row.1)
            .all(Option::is_none)
        {
            return Err(format!("{}: not measured", chart.title).into());
        }
        fs::write(
            folder.join(support::chart(chart.title)),
            chart.draw(&machine()),
        )?;
    }
    Ok(())
}

/// Bars in rows, on a logarithmic scale of nanoseconds.
struct Chart {
    title: &'static str,
    unit: &'static str,
    bars: Vec<String>,
    /// Each with a time for each bar, as far as it was measured.
    rows: Vec<(String, Vec<Option<f64>>)>,
}

fn await_cost(results: &Results) -> Chart {
    let question = await_cost::question();
    let mut chart = calls(results, &question);
    let node = results.node().unwrap_or_default();
    for way in question.ways() {
        if let Some(times) = node["results"][way].as_object() {
            let times = question.cases.iter().map(|case| times[case.name].as_f64());
            chart.rows.push((format!("Node: {way}"), times.collect()));
        }
    }
    chart
}

/// A row for each way, with a bar for each case.
fn calls(results: &Results, question: &Calls) -> Chart {
    let rows = question.ways().into_iter().map(|way| {
        let cases = question.cases.iter();
        let times = cases.map(|case| Some(results.call(question, way, case.name)?.median));
        (way.to_owned(), times.collect())
    });
    Chart {
        title: question.name,
        unit: "time of one call",
        bars: question
            .cases
            .iter()
            .map(|case| case.name.to_owned())
            .collect(),
        rows: rows.collect(),
    }
}

/// A row for each load, with a bar for each way.
fn loads<T>(results: &Results, question: &Question<T>) -> Chart {
    let rows = question.loads().map(|load| {
        let times = question.ways();
        let times = times.map(|way| Some(results.time(question, way, load)?.median));
        (load.to_string(), times.collect())
    });
    Chart {
        title: question.name,
        unit: "time of all items",
        bars: question.ways().map(|way| way.0.to_owned()).collect(),
        rows: rows.collect(),
    }
}

/// Distinct from each other, and from white as from black.
const COLOURS: [&str; 5] = ["#d9662b", "#3f8fd2", "#4aa564", "#b06fc4", "#8a8f98"];

const STYLE: &str = "
  text { font: 13px sans-serif; fill: #24292f }
  .small { font-size: 11px; fill: #59636e }
  .axis { stroke: #59636e; stroke-opacity: 0.35 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .small { fill: #9198a1 }
  }";

const WIDTH: f64 = 860.0;
const LEFT: f64 = 250.0;
const RIGHT: f64 = 790.0;
const TOP: f64 = 66.0;
const BAR: f64 = 12.0;
const GAP: f64 = 10.0;

impl Chart {
    fn draw(&self, machine: &str) -> String {
        let times = self.rows.iter().flat_map(|(_, times)| times).flatten();
        let (low, high) = times.fold((f64::MAX, f64::MIN), |(low, high), &time| {
            (low.min(time), high.max(time))
        });
        // From the power of ten below all bars to the one above.
        let (first, last) = (low.log10().floor(), high.log10().ceil());
        let x =
            |time: f64| LEFT + (RIGHT - LEFT) * (time.log10() - first) / (last - first).max(1.0);

        let mut body = String::new();
        let mut y = TOP;
        for (name, times) in &self.rows {
            let start = y;
            for (time, colour) in times.iter().zip(COLOURS) {
                if let Some(time) = *time {
                    let width = x(time) - LEFT;
                    let height = BAR - 2.0;
                    _ = writeln!(
                        body,
                        "<rect x='{LEFT}' y='{y}' width='{width:.1}' height='{height}' fill='{colour}'/>"
                    );
                    text(
                        &mut body,
                        x(time) + 4.0,
                        y + 9.0,
                        "class='small'",
                        &in_words(time),
                    );
                }
                y += BAR;
            }
            let middle = f64::midpoint(start, y) + 3.0;
            text(&mut body, LEFT - 8.0, middle, "text-anchor='end'", name);
            y += GAP;
        }
        let bottom = y;
        let mut tick = first;
        while tick <= last {
            let (time, x) = (10_f64.powf(tick), x(10_f64.powf(tick)));
            _ = writeln!(
                body,
                "<line class='axis' x1='{x:.1}' y1='{TOP}' x2='{x:.1}' y2='{bottom}'/>"
            );
            let anchor = "class='small' text-anchor='middle'";
            text(&mut body, x, bottom + 14.0, anchor, &in_words(time));
            tick += 1.0;
        }
        let unit = format!("{}, logarithmic; shorter is better", self.unit);
        text(&mut body, LEFT, bottom + 32.0, "class='small'", &unit);
        text(&mut body, 10.0, bottom + 52.0, "class='small'", machine);
        text(&mut body, 10.0, 22.0, "font-weight='bold'", self.title);
        let mut x = 10.0;
        for (name, colour) in self.bars.iter().zip(COLOURS) {
            _ = writeln!(
                body,
                "<rect x='{x}' y='38' width='10' height='10' fill='{colour}'/>"
            );
            text(&mut body, x + 14.0, 47.0, "class='small'", name);
            x += 150.0;
        }
        let height = bottom + 62.0;
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {height}'>\n\
             <style>{STYLE}\n</style>\n{body}</svg>\n"
        )
    }
}

fn text(body: &mut String, x: f64, y: f64, attributes: &str, text: &str) {
    _ = writeln!(
        body,
        "<text x='{x:.1}' y='{y:.1}' {attributes}>{text}</text>"
    );
}
