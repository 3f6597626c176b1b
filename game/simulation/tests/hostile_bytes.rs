//! Bytes of files that somebody has changed who means harm, with the right length and the right hash.

use xxhash_rust::xxh3::xxh3_64;

use crate::dice::Dice;

/// Size of mark, version and length before the content of a file, bytes.
pub const HEADER_SIZE: usize = 20;

/// Bytes of a file that were changed, with the hash of what the content is now.
pub fn mended(mut bytes: Vec<u8>) -> Vec<u8> {
    let content = HEADER_SIZE..bytes.len() - 8;
    let hash = xxh3_64(&bytes[content.clone()]).to_le_bytes();
    bytes[content.end..].copy_from_slice(&hash);
    bytes
}

/// Changes the content of a file, and mends its length and its hash.
pub fn changed_file(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut content = bytes[HEADER_SIZE..bytes.len() - 8].to_vec();
    change(&mut content, dice);
    let mut out = bytes[..HEADER_SIZE].to_vec();
    out[HEADER_SIZE - 8..].copy_from_slice(&(content.len() as u64).to_le_bytes());
    out.extend(content);
    out.extend([0; 8]);
    mended(out)
}

/// Changes numbers, and where they stand.
pub fn change(content: &mut Vec<u8>, dice: &mut Dice) {
    for _ in 0..1 + dice.below(4) {
        if content.len() < 17 {
            return;
        }
        let at = dice.below(content.len() - 8);
        let from = dice.below(content.len() - 8);
        match dice.below(12) {
            0 | 1 => content[at] ^= 1 << dice.below(8),
            2 => content[at] = dice.below(256) as u8,
            3 => content[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes()),
            4 => content[at..at + 8].copy_from_slice(&f64::INFINITY.to_le_bytes()),
            5 => content[at..at + 8].copy_from_slice(&(-1e30_f64).to_le_bytes()),
            6 => content[at..at + 4].fill(0xff),
            7 => content[at..at + 8].fill(0),
            8 => content[at..at + 4].copy_from_slice(&(dice.below(1 << 20) as u32).to_le_bytes()),
            9 => content.truncate(at),
            10 => {
                let piece = content[from..(from + 1 + dice.below(60)).min(content.len())].to_vec();
                content.splice(at..at, piece);
            }
            _ => {
                content.drain(at..(at + 1 + dice.below(60)).min(content.len()));
            }
        }
    }
}

/// A number that the environment gives by a name.
pub fn number_of(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}
