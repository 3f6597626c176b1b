//! Prints the hashes of all breaks and frames; with a number, of every so many frames.
//!
//! With `--host FILE` it plays the game of an authority instead, and writes its messages; with `--join FILE` that of a client
//! which reads them. Either prints what there is at the end.

use state_hashes::game;

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--host", file] => {
            let (told, outcome) = game::host();
            println!("{outcome}");
            std::fs::write(file, game::write(&told))
        }
        ["--join", file] => {
            let told = game::read(&std::fs::read_to_string(file)?);
            let told = told.ok_or_else(|| std::io::Error::other("no messages"))?;
            println!("{}", game::join(&told));
            Ok(())
        }
        _ => {
            let every = arguments.first().and_then(|every| every.parse().ok());
            state_hashes::tell_lines(2, every.unwrap_or(1), &mut |line| println!("{line}"));
            Ok(())
        }
    }
}
