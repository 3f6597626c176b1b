//! Wood: a blow from the side snaps it across, one on its end splits it along.

use std::sync::Arc;

use fracture_simulation::geometry::glam::{DQuat, DVec3, Vec3};
use fracture_simulation::geometry::{
    Fracture, Mesh, Pattern, Piece, PieceKind, Recipe, Solid, Workspace,
};
use fracture_simulation::pattern::{
    BodyAxis, BreakRadius, LazyPattern, PatternAxes, PatternBreak, PatternFit, PatternUnit,
};

/// Seeds of patterns.
const SEEDS: u64 = 12;

/// A piece of wood: its grain, and a place on its side with the normal there.
struct Wood {
    name: &'static str,
    mesh: Mesh,
    grain: DVec3,
    side: [DVec3; 2],
    /// From there to the other side, metres.
    depth: f64,
    length: f64,
}

fn woods() -> Vec<Wood> {
    let boxed = |name, size: [f32; 3], at: f64| {
        let depth = f64::from(size[1]);
        Wood {
            name,
            mesh: Mesh::cuboid(size),
            grain: DVec3::X,
            side: [DVec3::new(at, 0.5 * depth, 0.1 * at), DVec3::Y],
            depth,
            length: f64::from(size[0]),
        }
    };
    // The leg of a chair, thick in its middle, which leans.
    let lean = DQuat::from_rotation_z(0.5) * DQuat::from_rotation_x(0.3);
    let mut leg = Mesh::sphere(0.03, 24, 24);
    for corner in &mut leg.positions {
        let upright = DVec3::new(
            corner[0].into(),
            f64::from(corner[1]) * 8.0,
            corner[2].into(),
        );
        *corner = (lean * upright).as_vec3().to_array();
    }
    let leg = Wood {
        name: "leg",
        mesh: leg,
        grain: lean * DVec3::Y,
        side: [lean * DVec3::X * 0.03, lean * DVec3::X],
        depth: 0.06,
        length: 0.48,
    };
    vec![
        boxed("plank", [3.2, 0.04, 0.24], 0.3),
        boxed("board", [1.5, 0.02, 0.4], -0.2),
        boxed("beam", [4.0, 0.25, 0.2], -0.9),
        leg,
    ]
}

fn pattern(seed: u64) -> (Arc<LazyPattern>, PatternFit) {
    let recipe = Recipe::Fibres {
        cells: 480,
        falloff: 0.6,
        aspect: 7.0,
    };
    let fit = PatternFit {
        axes: PatternAxes::Grain(BodyAxis::Longest),
        unit: PatternUnit::Section(recipe.layer().unwrap()),
        stretch: recipe.stretch(),
        ..PatternFit::IMPACT
    };
    let pattern = LazyPattern::new(move || Pattern::from_recipe(&recipe, seed));
    (pattern, fit)
}

fn struck(solid: &Solid, seed: u64, [point, normal]: [DVec3; 2], radius: f64) -> Fracture {
    let (pattern, fit) = pattern(seed);
    let blow = PatternBreak {
        pattern: &pattern,
        fit,
        point,
        normal,
        spin: seed as f64,
        radius: BreakRadius::typed(radius),
        everywhere: false,
        weakness: None,
    };
    blow.run(solid, &mut Workspace::default()).unwrap().fracture
}

/// The lowest and the highest place of a piece along a direction.
fn reach(piece: &Piece, solid: &Solid, along: DVec3) -> [f64; 2] {
    let corners = piece.vertices.iter().map(|corner| corner.position);
    let kept = piece.patches.iter().flat_map(|patch| solid.patch(*patch));
    let mesh = solid.mesh();
    let kept = kept.flat_map(|triangle| mesh.triangles[triangle as usize]);
    let kept = kept.map(|corner| mesh.positions[corner as usize]);
    let heights = corners
        .chain(kept)
        .map(|p| Vec3::from(p).as_dvec3().dot(along));
    heights.fold([f64::MAX, f64::MIN], |[low, high], at| {
        [low.min(at), high.max(at)]
    })
}

fn is_island(piece: &&Piece) -> bool {
    matches!(piece.kind, PieceKind::Island { .. })
}

#[test]
fn a_blow_from_the_side_snaps_wood_and_nothing_that_stays_spans_the_break() {
    for wood in woods() {
        let solid = Solid::new(wood.mesh).unwrap();
        for seed in 0..SEEDS {
            let fracture = struck(&solid, seed, wood.side, 1.05 * wood.depth);
            let name = format!("{}, seed {seed}", wood.name);
            let at = wood.side[0].dot(wood.grain);
            let stumps: Vec<&Piece> = fracture.pieces.iter().filter(is_island).collect();
            assert_eq!(stumps.len(), 2, "{name}");
            let mut ends = [f64::MIN, f64::MAX];
            for stump in stumps {
                let [low, high] = reach(stump, &solid, wood.grain);
                assert!(
                    high < at || low > at,
                    "{name}: {low} to {high} m, struck at {at}"
                );
                if high < at {
                    ends[0] = high;
                } else {
                    ends[1] = low;
                }
            }
            let gap = ends[1] - ends[0];
            assert!(gap < 0.3 * wood.length, "{name}: {gap} m");
        }
    }
}

#[test]
fn splinters_are_long_along_the_grain_and_of_uneven_length() {
    for wood in woods() {
        let solid = Solid::new(wood.mesh).unwrap();
        let across = [wood.side[1], wood.grain.cross(wood.side[1])];
        for seed in 0..SEEDS {
            let fracture = struck(&solid, seed, wood.side, 1.05 * wood.depth);
            let splinters = fracture.pieces.iter().filter(|piece| !is_island(piece));
            let length = |piece: &Piece, axis: DVec3| {
                let [low, high] = reach(piece, &solid, axis);
                high - low
            };
            let mut lengths: Vec<f64> = Vec::new();
            let mut aspects: Vec<f64> = Vec::new();
            for splinter in splinters {
                let wide = across.map(|axis| length(splinter, axis));
                lengths.push(length(splinter, wood.grain));
                aspects.push(length(splinter, wood.grain) / (wide[0] * wide[1]).sqrt());
            }
            lengths.sort_by(f64::total_cmp);
            aspects.sort_by(f64::total_cmp);
            let name = format!("{}, seed {seed}: {lengths:.3?} m", wood.name);
            assert!((4..60).contains(&lengths.len()), "{name}");
            assert!(aspects[aspects.len() / 2] > 2.5, "{name}: {aspects:.1?}");
            let tenth = lengths.len() / 10;
            assert!(
                lengths[lengths.len() - 1 - tenth] > 1.5 * lengths[tenth],
                "{name}"
            );
        }
    }
}

#[test]
fn a_blow_on_the_end_splits_wood_along() {
    for wood in woods().into_iter().filter(|wood| wood.name != "leg") {
        let solid = Solid::new(wood.mesh).unwrap();
        for seed in 0..SEEDS {
            let end = [wood.grain * (0.5 * wood.length), wood.grain];
            let fracture = struck(&solid, seed, end, 0.5);
            let name = format!("{}, seed {seed}", wood.name);
            let count = fracture.pieces.len();
            assert!((2..9).contains(&count), "{name}: {count}");
            for piece in &fracture.pieces {
                let [low, high] = reach(piece, &solid, wood.grain);
                assert!(high - low > 0.7 * wood.length, "{name}: {} m", high - low);
            }
        }
    }
}

#[test]
fn what_does_not_reach_through_a_trunk_takes_splinters_off_it() {
    let solid = Solid::new(Mesh::cuboid([0.6, 4.0, 0.6])).unwrap();
    for seed in 0..SEEDS {
        let blow = [DVec3::new(0.3, 0.4, 0.1), DVec3::X];
        let count = |radius| {
            let fracture = struck(&solid, seed, blow, radius);
            let islands = fracture.pieces.iter().filter(is_island).count();
            (islands, fracture.pieces.len() - islands)
        };
        let [weak, strong] = [0.15, 0.65].map(count);
        assert_eq!((weak.0, strong.0), (1, 2), "seed {seed}");
        assert!(
            weak.1 > 0 && weak.1 < strong.1,
            "seed {seed}: {weak:?}, {strong:?}"
        );
    }
}
