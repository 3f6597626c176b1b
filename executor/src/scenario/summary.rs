//! The golden summary of a run: lines that can be stored and compared.

use super::report::{EventReport, ObjectReport, PieceReport, Report};
use serde_json::Value;

/// Events in the summary, as far as they are about whole objects.
const TOLD: [&str; 9] = [
    "Broken",
    "BelowThreshold",
    "Damaged",
    "Strained",
    "Missed",
    "Failed",
    "Dropped",
    "Unbreakable",
    "Restored",
];
/// Their numbers that do not depend on the machine.
const FIGURES: [&str; 8] = [
    "fragments",
    "islands",
    "radius",
    "crack_area",
    "damage_threshold",
    "damage",
    "utilisation",
    "reason",
];

impl Report {
    /// Objects, what happened to them and the pieces they came to, a line each, with four digits.
    ///
    /// The summary has neither times nor poses, nor the pieces that pieces break into in turn, nor their
    /// number. So it is the same on every machine, as long as the blows are given by the scenario; where
    /// falling debris breaks another object, a change of how it falls shows. Of a run that does not wait
    /// for its results only the objects are told, because nothing else is sure.
    pub fn summary(&self) -> String {
        let sure = |object: &ObjectReport| self.wait_for_results && !self.has_chain(&object.name);
        let objects = self.objects.iter();
        let lines = objects.map(|object| object_line(object, sure(object)));
        let events = self.events.iter().filter(|event| self.is_told(event));
        let pieces = self.objects.iter().filter(|object| sure(object));
        let pieces = pieces.flat_map(|object| self.pieces.iter().filter(|p| is_of(p, object)));
        let faults = self.faults.iter().map(|fault| format!("fault: {fault}"));
        lines
            .chain(events.map(event_line))
            .chain(pieces.map(piece_line))
            .chain(faults)
            .map(|line| line + "\n")
            .collect()
    }

    /// Whether pieces of an object have been broken in turn, or taken away.
    fn has_chain(&self, object: &str) -> bool {
        let of_piece = |event: &&EventReport| {
            let rest = event.name.strip_prefix(object);
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        let mut events = self.events.iter().filter(of_piece);
        events.any(|event| matches!(event.kind, "Broken" | "Removed"))
    }

    fn is_told(&self, event: &EventReport) -> bool {
        self.wait_for_results && TOLD.contains(&event.kind) && !event.name.contains('/')
    }
}

fn is_of(piece: &PieceReport, object: &ObjectReport) -> bool {
    let rest = piece.name.strip_prefix(&object.name);
    rest.is_some_and(|rest| rest.starts_with('/'))
}

fn object_line(object: &ObjectReport, sure: bool) -> String {
    let state = match object.intact {
        Some(true) => "intact",
        Some(false) => "broken",
        None => "gone",
    };
    let mut line = format!("object {}: {state}", object.name);
    if sure && object.intact == Some(false) {
        line += &format!(
            ", {} fragments, {} islands, {} held",
            object.fragments, object.islands, object.anchored
        );
        line += if object.closed { ", closed" } else { ", open" };
    }
    if let Some(volume) = object.volume {
        line += &format!(", volume {}", digits(volume));
    }
    line
}

fn event_line(event: &EventReport) -> String {
    let mut line = format!("frame {}: {} {}", event.frame, event.kind, event.name);
    let figures = event.details.iter();
    for (name, value) in figures.filter(|(name, _)| FIGURES.contains(name)) {
        let value = match value {
            Value::Number(number) if !number.is_u64() => digits(number.as_f64().unwrap_or(0.0)),
            other => other.to_string(),
        };
        line += &format!(", {name} {value}");
    }
    line
}

fn piece_line(piece: &PieceReport) -> String {
    let held = if piece.anchored { ", held" } else { "" };
    format!(
        "piece {}: volume {}{held}",
        piece.name,
        digits(piece.volume)
    )
}

/// A number with four digits.
fn digits(value: f64) -> String {
    format!("{value:.3e}")
}

/// Returns the differing lines: `-` was expected, `+` was found. Empty when there are none.
pub fn differences(expected: &str, found: &str) -> Vec<String> {
    let [old, new]: [Vec<&str>; 2] = [expected, found].map(|text| text.lines().collect());
    // Lengths of the longest common subsequences of all pairs of tails.
    let mut common = vec![vec![0u32; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = if old[i] == new[j] {
                common[i + 1][j + 1] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    let (mut i, mut j, mut lines) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || (i < old.len() && common[i + 1][j] >= common[i][j + 1]) {
            lines.push(format!("- {}", old[i]));
            i += 1;
        } else {
            lines.push(format!("+ {}", new[j]));
            j += 1;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::differences;

    #[test]
    fn only_what_differs_is_told_in_order() {
        let lines = differences("a\nb\nc\nd\n", "a\nx\nc\nd\ne\n");
        assert_eq!(lines, ["- b", "+ x", "+ e"]);
        assert!(differences("a\nb\n", "a\nb\n").is_empty());
        assert_eq!(differences("", "a\n"), ["+ a"]);
        assert_eq!(differences("a\n", ""), ["- a"]);
    }
}
