//! Sets of up to 32 things as the bits of a word.

/// The members of a set, ascending.
pub fn members(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let member = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(member)
    })
}

/// Calls back with the connected components of a set, in the order of their first members. `adjacent`
/// has the neighbours of each member, and may have others. A member that only one side has as its
/// neighbour belongs to the component that reaches it first.
pub fn for_each_component(set: u32, adjacent: &[u32; 32], mut f: impl FnMut(u32)) {
    let mut left = set;
    while left != 0 {
        let mut component = left & left.wrapping_neg();
        let mut open = component;
        while open != 0 {
            let reached = adjacent[open.trailing_zeros() as usize] & left & !component;
            open = open & (open - 1) | reached;
            component |= reached;
        }
        left &= !component;
        f(component);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_in_the_order_of_their_first_members() {
        // Two paths, 0 - 2 - 31 and 1 - 5, and 7, which is no member.
        let mut adjacent = [0; 32];
        for (a, b) in [(0, 2), (2, 31), (1, 5), (5, 7)] {
            adjacent[a as usize] |= 1 << b;
            adjacent[b as usize] |= 1 << a;
        }
        let mut found = Vec::new();
        let set = 1 << 31 | 0b10_0111;
        for_each_component(set, &adjacent, |component| {
            found.push(members(component).collect::<Vec<u32>>());
        });
        assert_eq!(found, [vec![0, 2, 31], vec![1, 5]]);
    }
}
