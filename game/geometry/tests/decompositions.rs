//! Convex decompositions, and hulls of pieces that are clipped from them.

use crate::check::{all, assert_fits, broken, clustered, hit, solid};
use crate::solids;
use fracture_geometry::hulls::{
    ConvexParts, FractureHistory, HullError, Hulls, PastFracture, PlacedPattern, RemovedCells,
};
use fracture_geometry::{
    CapStyle, Fracture, FractureParams, Mesh, Pattern, Piece, PieceKind, Placement, Recipe, Solid,
};
use glam::{DMat3, DVec3};

/// Rings, and what is hollow or has notches.
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

/// A body with the parts of the whole that it was, and what has become of that.
struct Whole {
    solid: Solid,
    parts: ConvexParts,
    breaks: Vec<Past>,
}

/// A break, and what it made of the body.
#[derive(Clone)]
struct Past {
    pattern: Pattern,
    placement: Placement,
    kind: PieceKind,
    broken_out: RemovedCells,
}

impl Past {
    fn carving(&self) -> PastFracture<'_> {
        PastFracture {
            pattern: PlacedPattern::new(&self.pattern, self.placement),
            kind: self.kind,
            removed: &self.broken_out,
        }
    }
}

/// One break of it.
struct Blow<'a> {
    whole: &'a Whole,
    pattern: &'a Pattern,
    cut: FractureParams,
    broken: Fracture,
}

impl Whole {
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
    fn hit<'a>(&'a self, name: &str, pattern: &'a Pattern, angle: f64, radius: f64) -> Blow<'a> {
        self.blow(name, pattern, hit(&self.solid, angle, radius))
    }

    fn blow<'a>(&'a self, name: &str, pattern: &'a Pattern, cut: FractureParams) -> Blow<'a> {
        Blow {
            whole: self,
            pattern,
            cut,
            broken: broken(name, &self.solid, pattern, &cut),
        }
    }
}

impl Blow<'_> {
    fn cells(&self) -> PlacedPattern<'_> {
        PlacedPattern::new(self.pattern, self.cut.placement)
    }

    fn mesh(&self, piece: &Piece) -> Mesh {
        piece.to_mesh(
            &self.whole.solid,
            &CapStyle::own_surface(self.whole.solid.mesh()),
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
            parts: &self.whole.parts,
            past: self.whole.breaks.iter().map(Past::carving).collect(),
            pattern: self.cells(),
        };
        Hulls::from_convex_parts(mesh, &history, cell)
    }

    /// The largest of the pieces that are islands, or that are not.
    fn largest(&self, island: bool) -> Whole {
        let is_island = |piece: &Piece| matches!(piece.kind, PieceKind::Island { .. });
        let wanted = |piece: &&Piece| is_island(piece) == island;
        let pieces = self.broken.pieces.iter().filter(wanted);
        let piece = pieces.max_by(|a, b| a.mass.volume.total_cmp(&b.mass.volume));
        let piece = piece.expect("a piece");
        let past = Past {
            pattern: self.pattern.clone(),
            placement: self.cut.placement,
            kind: piece.kind,
            broken_out: RemovedCells::from_fracture(&self.broken),
        };
        Whole {
            solid: solid(self.mesh(piece)),
            parts: self.whole.parts.clone(),
            breaks: [&self.whole.breaks[..], &[past]].concat(),
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Sum {
    /// Fragments, those for which one hull does not do, and those whose hulls were clipped.
    fragments: usize,
    dented: usize,
    clipped: usize,
    /// Hulls of those, and as they are sought.
    hulls: usize,
    sought: usize,
}

impl Sum {
    /// All fragments of a break: their hulls cover and fit, wherever they come from.
    fn add(&mut self, name: &str, blow: &Blow) {
        for (cell, mesh) in blow.fragments() {
            let (hulls, sought) = (blow.hulls(cell, &mesh), Hulls::from_mesh(&mesh));
            self.fragments += 1;
            if !hulls.reused {
                assert_eq!(hulls, sought, "{name}");
            }
            let Ok(solid) = Solid::new(mesh) else {
                continue;
            };
            assert_fits(name, &hulls, &solid);
            if hulls.reused || sought.hulls.len() > 1 {
                self.dented += 1;
                self.clipped += usize::from(hulls.reused);
                self.hulls += hulls.hulls.len();
                self.sought += sought.hulls.len();
            }
        }
    }
}

#[test]
fn parts_of_rings_and_hollow_solids_are_the_solid() {
    for (name, mesh) in hollow() {
        let Whole { solid, parts, .. } = Whole::new(&mesh);
        let hulls = parts.hulls();
        assert!(
            hulls.len() > 3 && hulls.len() <= 512,
            "{name}: {}",
            hulls.len()
        );
        let volume: f64 = hulls.iter().map(|hull| hull.volume).sum();
        let whole = solid.mass().volume;
        // Parts of a thin wall bulge for as much of it as they may.
        let more = if name == "bowl" { 0.1 } else { 0.01 };
        assert!(
            (volume - whole).abs() < more * whole,
            "{name}: {volume} of {whole}"
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
fn what_is_convex_is_one_part_and_what_is_hollow_everywhere_has_none() {
    for mesh in [Mesh::cuboid([2.2, 0.6, 2.2]), Mesh::sphere(0.5, 24, 16)] {
        assert_eq!(Whole::new(&mesh).parts.len(), 1);
    }
    assert!(Whole::new(&Mesh::bowl(0.5, 0.05, 64, 16)).parts.is_empty());
    let fine = Mesh::torus(0.35, 0.13, 160, 80);
    assert!(Whole::new(&fine).parts.is_empty());
    let pane = Solid::shell(Mesh::cuboid([1.0, 1.0, 0.1]), 0.01).expect("a shell");
    assert!(ConvexParts::new(&pane).is_empty());
}

#[test]
fn fragments_of_rings_and_hollow_solids_have_the_parts_of_their_cells() {
    let pattern = clustered();
    let mut sum = Sum::default();
    for (name, mesh) in hollow() {
        let whole = Whole::new(&mesh);
        for hit in 0..4 {
            sum.add(
                name,
                &whole.hit(name, &pattern, 0.3 + 1.7 * f64::from(hit), 0.2),
            );
        }
        let few = Pattern::from_recipe(&Recipe::Uniform { cells: 12 }, 3).expect("a pattern");
        sum.add(name, &whole.blow(name, &few, all()));
    }
    println!("{sum:?}");
    assert!(sum.dented > 80, "{sum:?}");
    assert!(10 * sum.clipped >= 9 * sum.dented, "{sum:?}");
    assert!(sum.hulls <= sum.sought, "{sum:?}");
    assert!(sum.hulls >= 2 * sum.dented, "{sum:?}");
}

/// Solids that have been hit four times, by what they are called: what is left of them, and a fragment.
fn worn(pattern: &Pattern) -> Vec<(String, Whole)> {
    let wanted = ["ring of 2,400", "bowl", "hollow box", "letter H"];
    let mut bodies = hollow();
    bodies.retain(|(name, _)| wanted.contains(name));
    bodies.push(("block", Mesh::cuboid([1.0, 0.5, 0.8])));
    bodies.push(("ball", Mesh::sphere(0.5, 24, 16)));
    let mut worn = Vec::new();
    for (name, mesh) in bodies {
        let mut body = Whole::new(&mesh);
        for hit in 0..3 {
            let blow = body.hit(name, pattern, 0.3 * f64::from(hit), 0.15);
            body = blow.largest(true);
        }
        let blow = body.hit(name, pattern, 0.2, 0.3);
        worn.push((format!("fragment of a worn {name}"), blow.largest(false)));
        let rest = blow.largest(true);
        worn.push((format!("worn {name}"), rest));
    }
    worn
}

#[test]
fn fragments_of_what_was_broken_before_have_the_parts_of_the_whole() {
    let pattern = clustered();
    let few = Pattern::from_recipe(&Recipe::Uniform { cells: 12 }, 3).expect("a pattern");
    let (mut sum, mut unaware) = (Sum::default(), Sum::default());
    for (name, body) in worn(&pattern) {
        for hit in 0..2 {
            let blow = body.hit(&name, &pattern, 0.15 + 0.8 * f64::from(hit), 0.2);
            sum.add(&name, &blow);
        }
        sum.add(&name, &body.blow(&name, &few, all()));
        let breaks = Vec::new();
        let body = Whole { breaks, ..body };
        unaware.add(&name, &body.hit(&name, &pattern, 0.15, 0.2));
    }
    println!("{sum:?}, unaware {unaware:?}");
    assert!(sum.dented > 80, "{sum:?}");
    assert!(10 * sum.clipped >= 9 * sum.dented, "{sum:?}");
    assert!(sum.hulls <= sum.sought, "{sum:?}");
    // Without the breaks there is too much of each part.
    assert!(5 * unaware.clipped < unaware.dented, "{unaware:?}");
}

#[test]
fn pieces_of_one_cell_do_not_get_each_others_parts() {
    // Cells that go through both legs of the letter, or both sides of the ring.
    let slabs = Pattern::from_sites(&[DVec3::NEG_Y, 0.1 * DVec3::Y, DVec3::Y]).expect("slabs");
    let mut apart = 0;
    for (name, mesh) in hollow() {
        let whole = Whole::new(&mesh);
        for axis in DVec3::AXES {
            let blow = whole.blow(
                name,
                &slabs,
                FractureParams {
                    placement: Placement::at_impact(DVec3::ZERO, axis, 0.0, 0.3),
                    ..all()
                },
            );
            let second = |piece: &&Piece| matches!(piece.kind, PieceKind::Fragment { part: 1, .. });
            apart += blow.broken.fragments().filter(second).count();
            Sum::default().add(name, &blow);
        }
    }
    assert!(apart > 5, "{apart}");
}

#[test]
fn stretched_patterns_clip_along_their_own_planes() {
    let pattern = Pattern::from_recipe(&Recipe::Uniform { cells: 40 }, 9).expect("a pattern");
    let mut sum = Sum::default();
    for (name, mesh) in hollow() {
        let whole = Whole::new(&mesh);
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
        sum.add(name, &whole.blow(name, &pattern, cut));
    }
    println!("{sum:?}");
    assert!(
        10 * sum.clipped >= 7 * sum.dented && sum.dented > 50,
        "{sum:?}"
    );
}

#[test]
fn without_parts_hulls_are_sought() {
    let whole = Whole {
        parts: ConvexParts::default(),
        ..Whole::new(&solids::hollow_box())
    };
    let pattern = clustered();
    let blow = whole.hit("hollow box", &pattern, 0.3, 0.2);
    for (cell, mesh) in blow.fragments() {
        assert_eq!(blow.hulls(cell, &mesh), Hulls::from_mesh(&mesh));
    }
}
