//! Wildcards in names: `*` stands for anything but a slash, `**` for anything.

/// Whether a name matches a pattern.
pub fn matches(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(tail) = name.strip_prefix(start) else {
        return false;
    };
    let (rest, crosses) = match rest.strip_prefix('*') {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    // Every length the star can have, the empty one too.
    let ends = tail.char_indices().map(|(at, _)| at).chain([tail.len()]);
    ends.take_while(|end| crosses || !tail[..*end].contains('/'))
        .any(|end| matches(rest, &tail[end..]))
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stops_at_a_slash_and_two_do_not() {
        assert!(matches("Wall", "Wall"));
        assert!(!matches("Wall", "Wall/island_0"));
        assert!(matches("Wall/island_*", "Wall/island_0"));
        assert!(!matches("Wall/island_*", "Wall/island_0/fragment_1_0"));
        assert!(matches("Wall/**", "Wall/island_0/fragment_1_0"));
        assert!(matches("Wall/*/frag*", "Wall/island_0/fragment_1_0"));
        assert!(!matches("Wall/*", "Column/island_0"));
        assert!(matches("*", "Säule"));
    }
}
