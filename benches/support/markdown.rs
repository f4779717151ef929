/// Writes a table, of which the first row is the header, and the first column text.
#[must_use]
pub fn markdown(mut rows: Vec<Vec<String>>) -> String {
    let mut rule = vec!["---:".to_owned(); rows[0].len()];
    "---".clone_into(&mut rule[0]);
    rows.insert(1, rule);
    let lines = rows.iter().map(|row| format!("| {} |\n", row.join(" | ")));
    lines.collect::<Vec<_>>().concat()
}

/// Replaces what is between two markers.
///
/// # Errors
///
/// If the text does not have them.
pub fn fill(text: &str, marker: &str, content: &str) -> Result<String, String> {
    let (start, end) = (format!("<!-- {marker} -->"), format!("<!-- /{marker} -->"));
    let parts = text.split_once(&start).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(&end)?;
        Some((before, after))
    });
    let (before, after) = parts.ok_or_else(|| format!("no markers {start} and {end}"))?;
    Ok(format!("{before}{start}\n\n{content}\n{end}{after}"))
}
