//! Sorting of many numbers by their digits, without comparisons.

/// Bits of a digit: three make the 32 bits of a key, and their counts fit the nearest cache.
const DIGIT_BITS: u32 = 11;
/// Fewer pairs than this are sorted by comparison, which is faster then.
const MIN_PAIRS: usize = 400;

/// Pairs of a key and an id, ascending in both. The ids must come ascending.
pub fn sort_by_key(keys_and_ids: impl Iterator<Item = (u32, u32)>) -> Vec<u64> {
    let mut pairs: Vec<u64> = keys_and_ids
        .map(|(key, id)| u64::from(key) << 32 | u64::from(id))
        .collect();
    if pairs.len() < MIN_PAIRS {
        pairs.sort_unstable();
        return pairs;
    }
    let mut sorted = vec![0; pairs.len()];
    for shift in [32, 32 + DIGIT_BITS, 32 + 2 * DIGIT_BITS] {
        let digit = |pair: u64| (pair >> shift) as usize % (1 << DIGIT_BITS);
        let mut ends = [0u32; 1 << DIGIT_BITS];
        pairs.iter().for_each(|pair| ends[digit(*pair)] += 1);
        let mut end = 0;
        for start in &mut ends {
            (*start, end) = (end, end + *start);
        }
        for pair in &pairs {
            let next = &mut ends[digit(*pair)];
            sorted[*next as usize] = *pair;
            *next += 1;
        }
        std::mem::swap(&mut pairs, &mut sorted);
    }
    pairs
}

/// Bits that are ordered like the numbers, see [`f32::total_cmp`].
pub fn ordered_bits(number: f32) -> u32 {
    let bits = number.to_bits();
    if bits >> 31 == 0 {
        bits | 1 << 31
    } else {
        !bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_come_in_the_order_of_a_comparing_sort_for_any_keys_and_number() {
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state
        };
        for count in [0, 1, 2, MIN_PAIRS - 1, MIN_PAIRS, MIN_PAIRS + 1, 5000] {
            // Keys that differ in all digits, in the highest, in the lowest, and hardly at all.
            for mask in [u32::MAX, 0xffc0_0000, 0x7ff, 1] {
                let keys: Vec<u32> = (0..count).map(|_| next() & mask).collect();
                let pairs = keys.iter().copied().zip(0..);
                let sorted = sort_by_key(pairs.clone());
                let mut expected: Vec<(u32, u32)> = pairs.collect();
                expected.sort_unstable();
                let split = |pair: u64| ((pair >> 32) as u32, pair as u32);
                assert!(
                    sorted.into_iter().map(split).eq(expected),
                    "{count} {mask:x}"
                );
            }
        }
    }
}
