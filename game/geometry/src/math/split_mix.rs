//! Mixing of bits.

/// Output of SplitMix64 for a state (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
/// Generators", 2014): every bit of the state changes about half of the bits.
pub fn split_mix_64(state: u64) -> u64 {
    let mut bits = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
