//! Cached hulls of whole bodies, and hulls of remainders that reuse them.

use crate::check::{all, assert_fits, broken, clustered, hit, solid};
use crate::solids;
use fracture_geometry::hulls::{CachedHulls, Hull, Hulls};
use fracture_geometry::piece_mesh::CapStyle;
use fracture_geometry::{
    CellSelection, Fracture, FractureParams, Mesh, Pattern, Piece, Placement, Recipe, Solid,
};
use glam::{DMat3, DQuat, DVec3, EulerRot, Vec3};
use std::sync::atomic::{AtomicUsize, Ordering};

/// All solids, and round and hollow ones.
fn bodies() -> Vec<(&'static str, Mesh)> {
    let mut named = solids::all();
    named.push(("ring of 2,400", Mesh::torus(0.35, 0.13, 40, 30)));
    named.push(("bowl", Mesh::bowl(0.5, 0.05, 24, 6)));
    named.push(("fine bowl", Mesh::bowl(0.5, 0.05, 64, 16)));
    named
}

/// Those of [`bodies`] whose hulls take little time to measure.
fn few() -> Vec<(&'static str, Mesh)> {
    let wanted = [
        "torus",
        "hollow box",
        "linked rings",
        "gear",
        "letter H",
        "bowl",
    ];
    let mut few = bodies();
    few.retain(|(name, _)| wanted.contains(name));
    few
}

/// A break of a body.
struct Break<'a> {
    solid: &'a Solid,
    broken: Fracture,
}

impl<'a> Break<'a> {
    fn new(name: &str, solid: &'a Solid, pattern: &Pattern, cut: FractureParams) -> Self {
        Self {
            solid,
            broken: broken(name, solid, pattern, &cut),
        }
    }

    fn solid(&self, piece: &Piece) -> Option<Solid> {
        let style = CapStyle::own_surface(self.solid.mesh());
        Solid::new(piece.to_mesh(self.solid, &style)).ok()
    }

    /// The islands as solids, the largest first.
    fn remainders(&self) -> Vec<Solid> {
        let islands = self.broken.islands();
        let mut remainders: Vec<Solid> = islands.filter_map(|p| self.solid(p)).collect();
        remainders.sort_by(|a, b| b.mass().volume.total_cmp(&a.mass().volume));
        remainders
    }
}

/// Data of a body that are prepared before it is broken.
struct Whole {
    hulls: CachedHulls,
    size: f64,
}

impl Whole {
    fn new(solid: &Solid) -> Self {
        Self {
            hulls: CachedHulls::new(solid),
            size: size(solid),
        }
    }
}

fn size(solid: &Solid) -> f64 {
    solid.bounds().diagonal()
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    pieces: usize,
    /// Pieces nearly as large as the whole, if that has cached hulls.
    remainders: usize,
    /// Pieces whose hulls are reused.
    reused: usize,
    /// Hulls of the reused ones, and by a search of the same pieces.
    hulls: usize,
    searched: usize,
}

impl Sum {
    /// Adds a piece, whose hulls have to fit wherever they come from.
    fn add(&mut self, name: &str, whole: &Whole, remainder: &Solid) {
        let hulls = Hulls::from_cached(remainder.mesh(), &whole.hulls);
        let searched = Hulls::from_mesh(remainder.mesh());
        assert_fits(name, &hulls, remainder);
        if !hulls.reused {
            assert_eq!(hulls, searched, "{name}");
        }
        self.pieces += 1;
        self.remainders +=
            usize::from(!whole.hulls.is_empty() && size(remainder) > 0.9 * whole.size);
        if hulls.reused {
            self.reused += 1;
            self.hulls += hulls.hulls.len();
            self.searched += searched.hulls.len();
        }
    }
}

#[test]
fn convex_solids_and_shells_have_no_cached_hulls() {
    for mesh in [Mesh::cuboid([2.2, 0.6, 2.2]), Mesh::sphere(0.5, 24, 16)] {
        assert!(CachedHulls::new(&solid(mesh)).is_empty());
    }
    let pane = Solid::shell(solids::letter_h(), 0.01).expect("a shell");
    assert!(CachedHulls::new(&pane).is_empty());
}

#[test]
fn hulls_of_wholes_fit_them_closer_than_they_have_to() {
    for (name, mesh) in bodies() {
        let whole = solid(mesh);
        let found = CachedHulls::new(&whole);
        let hulls = Hulls {
            hulls: found.hulls(),
            within_tolerance: true,
            reused: false,
        };
        assert_eq!(found.len(), hulls.hulls.len());
        assert_eq!(found.hulls(), CachedHulls::new(&whole).hulls(), "{name}");
        if found.is_empty() {
            assert_eq!(Hulls::from_mesh(whole.mesh()).hulls.len(), 1, "{name}");
        } else {
            assert_fits(name, &hulls, &whole);
        }
    }
}

#[test]
fn a_search_can_be_cancelled_at_any_time() {
    let ring = solid(Mesh::torus(0.35, 0.13, 40, 30));
    let calls = AtomicUsize::new(0);
    let cancel_at = |last: usize| {
        calls.store(0, Ordering::Relaxed);
        CachedHulls::with_cancel(&ring, &|| calls.fetch_add(1, Ordering::Relaxed) + 1 == last)
    };
    let whole = cancel_at(usize::MAX).expect("not cancelled");
    assert_eq!(whole.hulls(), CachedHulls::new(&ring).hulls());
    let all = calls.load(Ordering::Relaxed);
    assert!(all > 10 * whole.len(), "{all} calls");
    for last in (1..=all).step_by(all / 7) {
        assert!(cancel_at(last).is_none());
        // Once cancelled, it does not ask again.
        assert_eq!(calls.load(Ordering::Relaxed), last);
    }
}

#[test]
fn remainders_keep_most_hulls_of_the_whole() {
    let pattern = clustered();
    let mut sum = Sum::default();
    for (name, mesh) in bodies() {
        let mut body = solid(mesh);
        let whole = Whole::new(&body);
        // Measuring hundreds of hulls takes seconds.
        let hits = if whole.hulls.len() > 100 { 2 } else { 4 };
        for number in 0..hits {
            let cut = hit(&body, 0.3 + 1.1 * f64::from(number), 0.15);
            let mut remainders = Break::new(name, &body, &pattern, cut).remainders();
            for remainder in &remainders {
                sum.add(name, &whole, remainder);
            }
            if remainders.is_empty() {
                break;
            }
            body = remainders.remove(0);
        }
    }
    println!("{sum:?}");
    assert!(sum.remainders > 30, "{sum:?}");
    assert_eq!(sum.reused, sum.remainders, "{sum:?}");
    assert!(sum.hulls <= sum.searched, "{sum:?}");
}

#[test]
fn what_a_break_does_not_touch_keeps_its_hulls() {
    let bowl = solid(Mesh::bowl(0.5, 0.05, 64, 16));
    let whole = CachedHulls::new(&bowl);
    let fracture = Break::new("bowl", &bowl, &clustered(), hit(&bowl, 0.3, 0.1));
    let remainder = &fracture.remainders()[0];
    let hulls = Hulls::from_cached(remainder.mesh(), &whole);
    let near = |a: &[f32; 3], b: &[f32; 3]| Vec3::from(*a).distance(Vec3::from(*b)) < 1e-3;
    let known = whole.hulls();
    let is_kept = |hull: &&Hull| {
        let all_near = |other: &Hull| {
            let mut points = hull.points.iter();
            points.all(|p| other.points.iter().any(|q| near(p, q)))
        };
        known.iter().any(all_near)
    };
    let kept = hulls.hulls.iter().filter(is_kept).count();
    assert!(
        hulls.reused && 3 * kept > hulls.hulls.len(),
        "{kept} of {}",
        hulls.hulls.len()
    );
}

#[test]
fn much_smaller_pieces_are_searched() {
    let halves = Pattern::from_sites(&[DVec3::NEG_X, DVec3::X]).expect("halves");
    let quarters = Pattern::from_recipe(&Recipe::Uniform { cells: 8 }, 3).expect("quarters");
    let mut sum = Sum::default();
    for (name, mesh) in few() {
        let body = solid(mesh);
        let whole = Whole::new(&body);
        for pattern in [&halves, &quarters] {
            let fracture = Break::new(name, &body, pattern, all());
            for piece in fracture
                .broken
                .pieces
                .iter()
                .filter_map(|p| fracture.solid(p))
            {
                sum.add(name, &whole, &piece);
            }
        }
    }
    println!("{sum:?}");
    assert!(
        sum.reused <= sum.remainders && sum.pieces > 5 * sum.remainders,
        "{sum:?}"
    );
}

#[test]
fn hulls_of_another_whole_do_no_harm() {
    let bodies: Vec<(&str, Solid)> = few().into_iter().map(|(n, m)| (n, solid(m))).collect();
    let others = bodies.iter().map(|(_, other)| Whole::new(other));
    let others: Vec<Whole> = others.collect();
    let mut sum = Sum::default();
    for (place, (name, body)) in bodies.iter().enumerate() {
        for other in others.iter().cycle().skip(place + 1).take(3) {
            sum.add(name, other, body);
        }
    }
    println!("{sum:?}");
    assert!(sum.pieces == 18, "{sum:?}");
}

#[test]
fn remainders_of_a_turned_body_have_about_as_many_hulls() {
    let pattern = clustered();
    let turn = DQuat::from_euler(EulerRot::XYZ, 0.4, -0.7, 1.1);
    for (name, mesh) in [
        ("ring", Mesh::torus(0.35, 0.13, 40, 30)),
        ("bowl", Mesh::bowl(0.5, 0.05, 24, 6)),
        ("letter H", solids::letter_h()),
    ] {
        let body = solid(mesh.clone());
        let cut = hit(&body, 0.3, 0.15);
        let turned = solid(solids::mapped(&mesh, |p| (turn * p.as_dvec3()).as_vec3()));
        let CellSelection::Within { point, radius } = cut.selection else {
            panic!("a hit");
        };
        let placement = Placement {
            linear: DMat3::from_quat(turn) * cut.placement.linear,
            translation: turn * cut.placement.translation,
        };
        let turned_cut = FractureParams {
            placement,
            selection: CellSelection::Within {
                point: turn * point,
                radius,
            },
        };
        let count = |body: &Solid, cut: FractureParams| {
            let whole = CachedHulls::new(body);
            let remainder = &Break::new(name, body, &pattern, cut).remainders()[0];
            let hulls = Hulls::from_cached(remainder.mesh(), &whole);
            assert!(hulls.reused, "{name}");
            assert_fits(name, &hulls, remainder);
            hulls.hulls.len() as f64
        };
        let (one, other) = (count(&body, cut), count(&turned, turned_cut));
        assert!(
            one.max(other) <= 2.0 + 1.2 * one.min(other),
            "{name}: {one} and {other}"
        );
    }
}
