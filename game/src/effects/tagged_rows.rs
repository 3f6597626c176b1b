//! Rows of a script's list that are for the surfaces with a tag.

/// A row that is for the surfaces whose tag begins with its own. One without a tag is for all.
pub(super) trait TaggedRow {
    /// Its tag.
    fn tag(&self) -> &str;
}

/// A row for a surface with a tag, in turn by a number; `None` where there is none.
pub(super) fn row_of<'a, R: TaggedRow>(
    rows: impl Iterator<Item = &'a R>,
    tag: &str,
    number: usize,
) -> Option<&'a R> {
    let of_tag = rows_of(rows, tag);
    of_tag.get(number.checked_rem(of_tag.len())?).copied()
}

/// The rows for a surface with a tag: of those that are for it the ones with the longest tag.
fn rows_of<'a, R: TaggedRow>(rows: impl Iterator<Item = &'a R>, tag: &str) -> Vec<&'a R> {
    let mut of_tag: Vec<&R> = rows.filter(|row| tag.starts_with(row.tag())).collect();
    let longest = of_tag.iter().map(|row| row.tag().len()).max();
    of_tag.retain(|row| Some(row.tag().len()) == longest);
    of_tag
}

#[cfg(test)]
mod tests {
    use super::*;

    impl TaggedRow for &str {
        fn tag(&self) -> &str {
            self
        }
    }

    #[test]
    fn the_rows_with_the_longest_tag_count() {
        let rows = ["", "wood", "wood_oak", "wood"];
        let of = |tag| {
            rows_of(rows.iter(), tag)
                .into_iter()
                .copied()
                .collect::<Vec<_>>()
        };
        assert_eq!(of("wood_oak_cut"), ["wood_oak"]);
        assert_eq!(of("wood_cut"), ["wood", "wood"]);
        assert_eq!(of("stone"), [""]);
        let turn = |number| row_of(rows.iter(), "wood", number).map(std::ptr::from_ref);
        assert!(turn(0) != turn(1) && turn(0) == turn(2));
        assert_eq!(row_of::<&str>([].iter(), "wood", 1), None);
    }
}
