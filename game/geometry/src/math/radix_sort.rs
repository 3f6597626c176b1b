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
