/// Writes a table, of which the first row is the header, and the first column text.
#[must_use]
pub fn markdown(mut rows: Vec<Vec<String>>) -> String {
    let mut rule = vec!["---:".to_owned(); rows[0].len()];
    "---".clone_into(&mut rule[0]);
    rows.insert(1, rule);
    let lines = rows.iter().map(|row| format!("| {} |\n", row.join(" | ")));
    lines.collect::<Vec<_>>().concat()
}
