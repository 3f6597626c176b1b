//! `peers voronoi SITES REPEAT` and `peers boolean MESH CELLS REPEAT`: prints a median in milliseconds.

use boolmesh::prelude::*;
use meshless_voronoi::{Dimensionality, Voronoi};
use std::time::Instant;

fn numbers(words: &str) -> Vec<f64> {
    words
        .split_whitespace()
        .filter_map(|w| w.parse().ok())
        .collect()
}

/// The objects of an OBJ file as positions and indices.
fn objects(file: &str) -> Vec<(Vec<f64>, Vec<usize>)> {
    let text = std::fs::read_to_string(file).expect("an OBJ file");
    let mut out = vec![(Vec::new(), Vec::new())];
    let mut before = 0;
    for line in text.lines() {
        let last = out.len() - 1;
        if let Some(words) = line.strip_prefix("v ") {
            out[last].0.extend(numbers(words));
        } else if let Some(words) = line.strip_prefix("f ") {
            let corners = numbers(words).into_iter().map(|n| n as usize - 1 - before);
            out[last].1.extend(corners);
        } else if line.starts_with("o ") && !out[last].0.is_empty() {
            before += out[last].0.len() / 3;
            out.push((Vec::new(), Vec::new()));
        }
    }
    out
}

fn median(repeat: usize, mut run: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..repeat)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["voronoi", file, repeat] => {
            let text = std::fs::read_to_string(file).expect("a file of sites");
            let site = |line: &str| glam::DVec3::from_slice(&numbers(line));
            let sites: Vec<glam::DVec3> = text.lines().map(site).collect();
            let low = sites.iter().fold(sites[0], |l, p| l.min(*p));
            let wide = sites.iter().fold(sites[0], |h, p| h.max(*p)) - low;
            let time = median(repeat.parse().expect("a number"), || {
                let (anchor, width) = (low - wide * 0.01, wide * 1.02);
                let built = Voronoi::build(&sites, anchor, width, Dimensionality::ThreeD, false);
                assert_eq!(built.cells().len(), sites.len());
            });
            println!("{time}");
        }
        ["boolean", mesh, cells, repeat] => {
            let solid =
                |(p, i): &(Vec<f64>, Vec<usize>)| Manifold::<f64>::new(p, i).expect("a solid");
            let mesh = solid(&objects(mesh)[0]);
            let cells: Vec<_> = objects(cells).iter().map(solid).collect();
            let mut failed = 0;
            let time = median(repeat.parse().expect("a number"), || {
                let cut = |cell| compute_boolean(&mesh, cell, OpType::Intersect);
                failed = cells.iter().map(cut).filter(|r| r.is_err()).count();
            });
            println!("{time}");
            if failed > 0 {
                eprintln!("boolmesh: {failed} operations failed");
            }
        }
        _ => panic!("peers voronoi SITES REPEAT | peers boolean MESH CELLS REPEAT"),
    }
}
