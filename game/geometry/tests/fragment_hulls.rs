//! Convex parts of solids, and hulls of fragments that are clipped from them.

use crate::check::{all, assert_fits, broken, clustered, hit, solid};
use crate::solids;
use fracture_geometry::hulls::{
    ConvexParts, FractureHistory, HullError, Hulls, PastFracture, PlacedPattern, RemovedCells,
};
use fracture_geometry::piece_mesh::CapStyle;
use fracture_geometry::{
    Fracture, FractureParams, Mesh, Pattern, Piece, PieceKind, Placement, Recipe, Solid,
};
use glam::{DMat3, DVec3};

/// Rings, and solids that are hollow or have notches.
fn hollow() -> Vec<(&'static str, Mesh)> {
    let mut named = vec![
        ("ring of 1,000", Mesh::torus(0.35, 0.13, 25, 20)),
        ("ring of 2,400", Mesh::torus(0.35, 0.13, 40, 30)),
        ("ring of 5,000", Mesh::torus(0.35, 0.13, 62, 40)),
        ("bowl", Mesh::bowl(0.5, 0.05, 24, 6)),
    ];
    let wanted = [
        "hollow box",
        "linked rings",
        "sponge",
        "gear",
        "letter H",
        "letters A B O",
    ];
    named.extend(
        solids::all()
            .into_iter()
            .filter(|(name, _)| wanted.contains(name)),
    );
    named
}

/// A body with the convex parts of the original that it comes from, and the fractures since.
struct Body {
    solid: Solid,
    parts: ConvexParts,
    breaks: Vec<Past>,
}

/// A fracture that a body went through.
#[derive(Clone)]
struct Past {
    pattern: Pattern,
    placement: Placement,
    kind: PieceKind,
    removed: RemovedCells,
}

impl Past {
    fn past_fracture(&self) -> PastFracture<'_> {
        PastFracture {
            pattern: PlacedPattern::new(&self.pattern, self.placement),
            kind: self.kind,
            removed: &self.removed,
        }
    }
}

/// A fracture of a body.
struct Break<'a> {
    body: &'a Body,
    pattern: &'a Pattern,
    cut: FractureParams<'static>,
    broken: Fracture,
}

impl Body {
    fn new(mesh: &Mesh) -> Self {
        let solid = solid(mesh.clone());
        let parts = ConvexParts::new(&solid);
        Self {
            solid,
            parts,
            breaks: Vec::new(),
        }
    }

    /// A hit on the vertex that is farthest out in some direction.
    fn hit<'a>(&'a self, name: &str, pattern: &'a Pattern, angle: f64, radius: f64) -> Break<'a> {
        self.fracture(name, pattern, hit(&self.solid, angle, radius))
    }

    fn fracture<'a>(
        &'a self,
        name: &str,
        pattern: &'a Pattern,
        cut: FractureParams<'static>,
    ) -> Break<'a> {
        Break {
            body: self,
            pattern,
            cut,
            broken: broken(name, &self.solid, pattern, &cut),
        }
    }
}

impl Break<'_> {
    fn cells(&self) -> PlacedPattern<'_> {
        PlacedPattern::new(self.pattern, self.cut.placement)
    }

    fn mesh(&self, piece: &Piece) -> Mesh {
        piece.to_mesh(
            &self.body.solid,
            &CapStyle::own_surface(self.body.solid.mesh()),
        )
    }

    fn fragments(&self) -> impl Iterator<Item = (u32, Mesh)> + '_ {
        self.broken
            .fragments()
            .filter_map(|piece| match piece.kind {
                PieceKind::Fragment { cell, .. } => Some((cell, self.mesh(piece))),
                PieceKind::Island { .. } => None,
            })
    }

    fn hulls(&self, cell: u32, mesh: &Mesh) -> Hulls {
        let history = FractureHistory {
            parts: &self.body.parts,
            past: self.body.breaks.iter().map(Past::past_fracture).collect(),
            pattern: self.cells(),
        };
        Hulls::from_convex_parts(mesh, &history, cell)
    }

    /// The largest island as a body, or the largest fragment.
    fn largest(&self, island: bool) -> Body {
        let is_island = |piece: &Piece| matches!(piece.kind, PieceKind::Island { .. });
        let wanted = |piece: &&Piece| is_island(piece) == island;
        let pieces = self.broken.pieces.iter().filter(wanted);
        let piece = pieces.max_by(|a, b| a.mass.volume.total_cmp(&b.mass.volume));
        let piece = piece.expect("a piece");
        let past = Past {
            pattern: self.pattern.clone(),
            placement: self.cut.placement,
            kind: piece.kind,
            removed: RemovedCells::from_fracture(&self.broken),
        };
        Body {
            solid: solid(self.mesh(piece)),
            parts: self.body.parts.clone(),
            breaks: [&self.body.breaks[..], &[past]].concat(),
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Sum {
    fragments: usize,
    /// Fragments that one hull does not fit.
    concave: usize,
    /// Fragments whose hulls are reused.
    reused: usize,
    /// Hulls of the concave ones, and by a search of the same fragments.
    hulls: usize,
    searched: usize,
}

impl Sum {
    /// Adds all fragments of a break, whose hulls have to fit wherever they come from.
    fn add(&mut self, name: &str, fracture: &Break) {
        for (cell, mesh) in fracture.fragments() {
            let (hulls, searched) = (fracture.hulls(cell, &mesh), Hulls::from_mesh(&mesh));
            self.fragments += 1;
            if !hulls.reused {
                assert_eq!(hulls, searched, "{name}");
            }
            let Ok(solid) = Solid::new(mesh) else {
                continue;
            };
            assert_fits(name, &hulls, &solid);
            if hulls.reused || searched.hulls.len() > 1 {
                self.concave += 1;
                self.reused += usize::from(hulls.reused);
                self.hulls += hulls.hulls.len();
                self.searched += searched.hulls.len();
            }
        }
    }
}

#[test]
fn parts_of_rings_and_hollow_solids_are_the_solid() {
    for (name, mesh) in hollow() {
        let Body { solid, parts, .. } = Body::new(&mesh);
        let hulls = parts.hulls();
        assert!(
            hulls.len() > 3 && hulls.len() <= 512,
            "{name}: {}",
            hulls.len()
        );
        let volume: f64 = hulls.iter().map(|hull| hull.volume).sum();
        let expected = solid.mass().volume;
        // Parts of a thin wall bulge by their depth, which is much of the wall.
        let more = if name == "bowl" { 0.1 } else { 0.01 };
        assert!(
            (volume - expected).abs() < more * expected,
            "{name}: {volume} of {expected}"
        );
        let fit = HullError::measure(&hulls, &solid);
        assert!(
            fit.protrusion < 0.0121 && fit.uncovered < 1e-3,
            "{name}: {fit:?}"
        );
        assert_eq!(parts, ConvexParts::new(&solid), "{name}");
    }
}

#[test]
fn convex_solids_are_one_part_and_solids_hollow_everywhere_have_none() {
    for mesh in [Mesh::cuboid([2.2, 0.6, 2.2]), Mesh::sphere(0.5, 24, 16)] {
        assert_eq!(Body::new(&mesh).parts.len(), 1);
    }
    assert!(Body::new(&Mesh::bowl(0.5, 0.05, 64, 16)).parts.is_empty());
    let fine = Mesh::torus(0.35, 0.13, 160, 80);
    assert!(Body::new(&fine).parts.is_empty());
    let pane = Solid::shell(Mesh::cuboid([1.0, 1.0, 0.1]), 0.01).expect("a shell");
    assert!(ConvexParts::new(&pane).is_empty());
}

#[test]
fn fragments_of_rings_and_hollow_solids_have_the_parts_of_their_cells() {
    let pattern = clustered();
    let mut sum = Sum::default();
    for (name, mesh) in hollow() {
        let body = Body::new(&mesh);
        for hit in 0..4 {
            sum.add(
                name,
                &body.hit(name, &pattern, 0.3 + 1.7 * f64::from(hit), 0.2),
            );
        }
        let few = Pattern::from_recipe(&Recipe::Uniform { cells: 12 }, 3).expect("a pattern");
        sum.add(name, &body.fracture(name, &few, all()));
    }
    println!("{sum:?}");
    assert!(sum.concave > 80, "{sum:?}");
    assert!(10 * sum.reused >= 9 * sum.concave, "{sum:?}");
    assert!(sum.hulls <= sum.searched, "{sum:?}");
    assert!(sum.hulls >= 2 * sum.concave, "{sum:?}");
}

/// Bodies that have been hit four times, with names: the remainder, and the largest fragment.
fn worn(pattern: &Pattern) -> Vec<(String, Body)> {
    let wanted = ["ring of 2,400", "bowl", "hollow box", "letter H"];
    let mut bodies = hollow();
    bodies.retain(|(name, _)| wanted.contains(name));
    bodies.push(("block", Mesh::cuboid([1.0, 0.5, 0.8])));
    bodies.push(("ball", Mesh::sphere(0.5, 24, 16)));
    let mut worn = Vec::new();
    for (name, mesh) in bodies {
        let mut body = Body::new(&mesh);
        for hit in 0..3 {
            let fracture = body.hit(name, pattern, 0.3 * f64::from(hit), 0.15);
            body = fracture.largest(true);
        }
        let fracture = body.hit(name, pattern, 0.2, 0.3);
        worn.push((
            format!("fragment of a worn {name}"),
            fracture.largest(false),
        ));
        let rest = fracture.largest(true);
        worn.push((format!("worn {name}"), rest));
    }
    worn
}

#[test]
fn fragments_of_broken_bodies_have_the_parts_of_the_whole() {
    let pattern = clustered();
    let few = Pattern::from_recipe(&Recipe::Uniform { cells: 12 }, 3).expect("a pattern");
    let (mut sum, mut unaware) = (Sum::default(), Sum::default());
    for (name, body) in worn(&pattern) {
        for hit in 0..2 {
            let fracture = body.hit(&name, &pattern, 0.15 + 0.8 * f64::from(hit), 0.2);
            sum.add(&name, &fracture);
        }
        sum.add(&name, &body.fracture(&name, &few, all()));
        let breaks = Vec::new();
        let body = Body { breaks, ..body };
        unaware.add(&name, &body.hit(&name, &pattern, 0.15, 0.2));
    }
    println!("{sum:?}, unaware {unaware:?}");
    assert!(sum.concave > 80, "{sum:?}");
    assert!(10 * sum.reused >= 9 * sum.concave, "{sum:?}");
    assert!(sum.hulls <= sum.searched, "{sum:?}");
    // Without the past fractures, parts contain what was removed.
    assert!(5 * unaware.reused < unaware.concave, "{unaware:?}");
}

#[test]
fn pieces_of_one_cell_do_not_get_each_others_parts() {
    // Cells that cross both legs of the letter, or both sides of the ring.
    let slabs = Pattern::from_sites(&[DVec3::NEG_Y, 0.1 * DVec3::Y, DVec3::Y]).expect("slabs");
    let mut apart = 0;
    for (name, mesh) in hollow() {
        let body = Body::new(&mesh);
        for axis in DVec3::AXES {
            let fracture = body.fracture(
                name,
                &slabs,
                FractureParams {
                    placement: Placement::at_impact(DVec3::ZERO, axis, 0.0, 0.3),
                    ..all()
                },
            );
            let second = |piece: &&Piece| matches!(piece.kind, PieceKind::Fragment { part: 1, .. });
            apart += fracture.broken.fragments().filter(second).count();
            Sum::default().add(name, &fracture);
        }
    }
    assert!(apart > 5, "{apart}");
}

#[test]
fn stretched_patterns_clip_along_their_own_planes() {
    let pattern = Pattern::from_recipe(&Recipe::Uniform { cells: 40 }, 9).expect("a pattern");
    let mut sum = Sum::default();
    for (name, mesh) in hollow() {
        let body = Body::new(&mesh);
        let linear = DMat3::from_cols(
            DVec3::new(0.9, 0.1, 0.0),
            DVec3::new(-0.2, 0.3, 0.1),
            DVec3::new(0.0, 0.2, 0.6),
        );
        let placement = Placement {
            linear,
            translation: DVec3::new(0.01, 0.02, 0.03),
        };
        let cut = FractureParams { placement, ..all() };
        sum.add(name, &body.fracture(name, &pattern, cut));
    }
    println!("{sum:?}");
    assert!(
        10 * sum.reused >= 7 * sum.concave && sum.concave > 50,
        "{sum:?}"
    );
}

#[test]
fn without_parts_hulls_are_searched() {
    let body = Body {
        parts: ConvexParts::default(),
        ..Body::new(&solids::hollow_box())
    };
    let pattern = clustered();
    let fracture = body.hit("hollow box", &pattern, 0.3, 0.2);
    for (cell, mesh) in fracture.fragments() {
        assert_eq!(fracture.hulls(cell, &mesh), Hulls::from_mesh(&mesh));
    }
}
