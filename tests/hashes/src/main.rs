//! Prints the hashes of all breaks and frames; with a number, of every so many frames.

fn main() {
    let every = std::env::args().nth(1).and_then(|every| every.parse().ok());
    state_hashes::tell_lines(2, every.unwrap_or(1), &mut |line| println!("{line}"));
}
