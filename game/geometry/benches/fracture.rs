//! Times of the steps of a break, on procedural solids and on an OBJ file:
//!
//! `cargo bench -p fracture_geometry` or `FRACTURE_MESH=FILE.obj cargo bench -p fracture_geometry`
//!
//! Quote medians, and only as ratios to another program or an earlier commit in the same run.

use criterion::measurement::WallTime;
use criterion::{
    criterion_group, criterion_main, BenchmarkGroup, BenchmarkId, Criterion, Throughput,
};
use fracture_geometry::check::check_closed;
use fracture_geometry::hulls::{
    CachedHulls, ConvexParts, FractureHistory, Hulls, PastFracture, PlacedPattern, RemovedCells,
};
use fracture_geometry::piece_mesh::{roughen, CapStyle, Roughness};
use fracture_geometry::{
    fracture, Aabb, CellSelection, Fracture, FractureParams, Mesh, Pattern, Piece, PieceKind,
    Placement, Recipe, Solid, Workspace,
};
use glam::{DMat3, DVec3, Vec3};

const SOLIDS: [&str; 3] = ["sphere of 5,000", "torus of 20,000", "given"];

fn solid(name: &str) -> Option<Solid> {
    let mesh = match name {
        "sphere of 5,000" => Mesh::sphere(0.5, 72, 36),
        "torus of 20,000" => Mesh::torus(0.35, 0.15, 125, 80),
        _ => read_obj(&std::env::var("FRACTURE_MESH").ok()?),
    };
    Solid::new(mesh).ok()
}

/// Positions and triangles of an OBJ file.
fn read_obj(file: &str) -> Mesh {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let mut mesh = Mesh::default();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let kind = words.next();
        let words: Vec<&str> = words.collect();
        if let (Some("v"), [x, y, z, ..]) = (kind, &words[..]) {
            let number = |text: &str| text.parse().unwrap_or(f32::NAN);
            mesh.positions.push([number(x), number(y), number(z)]);
        } else if let (Some("f"), [a, b, c]) = (kind, &words[..]) {
            let index = |text: &str| text.split('/').next().and_then(|n| n.parse::<u32>().ok());
            let corner = |text: &str| index(text).map_or(u32::MAX, |n| n - 1);
            mesh.triangles.push([corner(a), corner(b), corner(c)]);
        }
    }
    mesh
}

/// Sites drawn in the solid's box, placed where it is.
fn spread(solid: &Solid) -> Placement {
    let [low, high] = solid.bounds().corners();
    Placement {
        linear: DMat3::from_diagonal((high - low) * 0.5),
        translation: (low + high) * 0.5,
    }
}

fn all_cells(solid: &Solid) -> FractureParams<'static> {
    FractureParams {
        placement: spread(solid),
        selection: CellSelection::All,
    }
}

/// A hit on the side of the solid, clustered cells around it.
fn hit(solid: &Solid) -> FractureParams<'static> {
    let [low, high] = solid.bounds().corners();
    let point = DVec3::new(high.x, 0.5 * (low.y + high.y), 0.5 * (low.z + high.z));
    let radius = 0.2 * (high - low).max_element();
    FractureParams {
        placement: Placement::at_impact(point, DVec3::X, 1.0, 2.0 * radius),
        selection: CellSelection::Within { point, radius },
    }
}

fn clustered() -> Pattern {
    let recipe = Recipe::Clustered {
        cells: 64,
        falloff: 0.6,
    };
    Pattern::from_recipe(&recipe, 3).expect("a pattern")
}

fn uniform(cells: u32) -> Pattern {
    Pattern::from_recipe(&Recipe::Uniform { cells }, 3).expect("a pattern")
}

fn run(
    solid: &Solid,
    pattern: &Pattern,
    cut: &FractureParams,
    workspace: &mut Workspace,
) -> Fracture {
    fracture(solid, pattern, cut, workspace).unwrap_or_default()
}

fn solids() -> Vec<(&'static str, Solid)> {
    let named = |name: &&'static str| Some((*name, solid(name)?));
    SOLIDS.iter().filter_map(named).collect()
}

fn sites_to_cells(c: &mut Criterion) {
    let mut group = c.benchmark_group("sites to cells");
    for cells in [100, 1_000, 10_000] {
        let sites = Recipe::Uniform { cells }.sites(3).unwrap_or_default();
        group.throughput(Throughput::Elements(u64::from(cells)));
        group.bench_function(BenchmarkId::from_parameter(cells), |b| {
            b.iter(|| Pattern::from_sites(&sites));
        });
    }
}

fn prepare(c: &mut Criterion) {
    let mut group = c.benchmark_group("prepare");
    for (name, solid) in solids() {
        group.throughput(Throughput::Elements(solid.triangle_count() as u64));
        group.bench_function(name, |b| b.iter(|| Solid::new(solid.mesh().clone())));
    }
}

fn breaks(c: &mut Criterion) {
    let mut group = c.benchmark_group("break");
    for (name, solid) in solids() {
        group.throughput(Throughput::Elements(solid.triangle_count() as u64));
        for cells in [100, 1_000] {
            let id = BenchmarkId::new(name, cells);
            time_break(&mut group, id, &solid, &uniform(cells), &all_cells(&solid));
        }
        let id = BenchmarkId::new(name, "partial, 64");
        time_break(&mut group, id, &solid, &clustered(), &hit(&solid));
    }
}

/// Nothing but caps: a box has twelve triangles, and its pieces thousands.
fn caps(c: &mut Criterion) {
    let mut group = c.benchmark_group("caps");
    let Ok(solid) = Solid::new(Mesh::cuboid([1.0; 3])) else {
        return;
    };
    for cells in [100, 1_000, 10_000] {
        let id = BenchmarkId::new("box", cells);
        time_break(&mut group, id, &solid, &uniform(cells), &all_cells(&solid));
    }
}

/// Bars apart from each other in one mesh: a hit leaves as many islands as there are bars.
fn islands(c: &mut Criterion) {
    let mut group = c.benchmark_group("islands");
    for side in [10, 40] {
        let Ok(solid) = Solid::new(bars(side)) else {
            return;
        };
        let id = BenchmarkId::new("bars", side * side);
        time_break(&mut group, id, &solid, &clustered(), &hit(&solid));
    }
}

/// Bars along x, `side` times `side` of them.
fn bars(side: u32) -> Mesh {
    let bar = Mesh::cuboid([1.0, 0.6 / side as f32, 0.6 / side as f32]);
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for k in 0..side * side {
        let first = positions.len() as u32;
        let at = |index: u32| (index as f32 + 0.5) / side as f32 - 0.5;
        let (y, z) = (at(k / side), at(k % side));
        let moved = bar.positions.iter().map(|p| [p[0], p[1] + y, p[2] + z]);
        positions.extend(moved);
        triangles.extend(bar.triangles.iter().map(|t| t.map(|v| v + first)));
    }
    Mesh::from_triangles(positions, triangles)
}

type Group<'a> = BenchmarkGroup<'a, WallTime>;

/// Times a break, and prints what came of it.
fn time_break(
    group: &mut Group,
    id: BenchmarkId,
    solid: &Solid,
    pattern: &Pattern,
    cut: &FractureParams,
) {
    let mut workspace = Workspace::default();
    let broken = run(solid, pattern, cut, &mut workspace);
    let pieces = broken.pieces.iter();
    println!(
        "{} cells affected, {} fragments, {} islands, {} triangles; {} slivers, {} of dust",
        broken.report.affected_cells,
        pieces.clone().filter(|piece| is_fragment(piece)).count(),
        pieces.clone().filter(|piece| !is_fragment(piece)).count(),
        pieces.map(|piece| piece.triangles.len()).sum::<usize>(),
        broken.report.slivers,
        broken.report.dust,
    );
    workspace.recycle(broken);
    group.bench_function(id, |b| {
        b.iter(|| {
            let broken = run(solid, pattern, cut, &mut workspace);
            workspace.recycle(broken);
        });
    });
}

fn is_fragment(piece: &Piece) -> bool {
    matches!(piece.kind, PieceKind::Fragment { .. })
}

/// Work of a game on pieces: meshes with attributes, hulls, the validator.
fn pieces(c: &mut Criterion) {
    let mut group = c.benchmark_group("pieces of 100 cells");
    for (name, solid) in solids() {
        let mut workspace = Workspace::default();
        let broken = run(&solid, &uniform(100), &all_cells(&solid), &mut workspace);
        let style = CapStyle::own_surface(solid.mesh());
        let mesh = |piece: &Piece| piece.to_mesh(&solid, &style);
        let meshes: Vec<Mesh> = broken.pieces.iter().map(mesh).collect();
        group.bench_function(BenchmarkId::new(name, "meshes"), |b| {
            b.iter(|| broken.pieces.iter().map(mesh).collect::<Vec<_>>());
        });
        // As fine as they may be.
        let bumps = Roughness {
            height: 0.003,
            grain: 0.01,
            seed: 1,
        };
        group.bench_function(BenchmarkId::new(name, "rough faces"), |b| {
            b.iter(|| roughen(&broken.pieces, &meshes, &solid, &bumps));
        });
        group.bench_function(BenchmarkId::new(name, "hulls"), |b| {
            b.iter(|| meshes.iter().map(Hulls::from_mesh).collect::<Vec<_>>());
        });
        group.bench_function(BenchmarkId::new(name, "validate"), |b| {
            b.iter(|| meshes.iter().map(check_closed).collect::<Vec<_>>());
        });
    }
}

/// Hulls of the fragments of whole solids: by a search, and from convex parts.
fn fragment_hulls(c: &mut Criterion) {
    for (name, mesh) in [
        ("ring of 1,000", Mesh::torus(0.8, 0.3, 25, 20)),
        ("ring of 2,400", Mesh::torus(0.8, 0.3, 40, 30)),
        ("ring of 5,000", Mesh::torus(0.8, 0.3, 62, 40)),
        ("ring of 20,000", Mesh::torus(0.8, 0.3, 125, 80)),
        ("hollow box", hollow_box()),
        ("bowl of 600", Mesh::bowl(1.1, 0.06, 24, 6)),
        ("bowl of 2,000", Mesh::bowl(1.1, 0.06, 40, 12)),
    ] {
        let mut group = c.benchmark_group(format!("hulls, {name}"));
        let Ok(solid) = Solid::new(mesh) else {
            return;
        };
        group.bench_function("convex parts", |b| b.iter(|| ConvexParts::new(&solid)));
        let body = Body::new(solid);
        let hits: Vec<Break> = (0..8).map(|number| body.hit(number)).collect();
        bench_fragments(&mut group, "fragments of 8 hits", &hits);
        let divisions = [12, 40].map(|cells| {
            let params = all_cells(&body.solid);
            Break::new(&body, uniform(cells), params)
        });
        bench_fragments(&mut group, "12 and 40 pieces", &divisions);
    }
}

/// Hulls of the fragments of bodies that were hit before.
fn worn_fragment_hulls(c: &mut Criterion) {
    for (name, mesh) in [
        ("block", Mesh::cuboid([2.2, 1.0, 2.2])),
        ("ring of 5,000", Mesh::torus(0.8, 0.3, 62, 40)),
        ("hollow box", hollow_box()),
    ] {
        let mut group = c.benchmark_group(format!("hulls, worn {name}"));
        let Ok(solid) = Solid::new(mesh) else {
            return;
        };
        let mut body = Body::new(solid);
        for number in 0..6 {
            let Some(remainder) = body.hit(number).remainder() else {
                return;
            };
            body = remainder;
        }
        let hits: Vec<Break> = (0..8).map(|number| body.hit(number)).collect();
        bench_fragments(&mut group, "fragments of 8 hits", &hits);
    }
}

/// Hulls of the remainders of a body after one hit after another: by a search, and from cached hulls.
fn remainder_hulls(c: &mut Criterion) {
    let given = std::env::var("FRACTURE_MESH").map(|file| ("given", resized(read_obj(&file))));
    let solids = [
        ("ring of 1,000", Mesh::torus(0.8, 0.3, 25, 20)),
        ("ring of 20,000", Mesh::torus(0.8, 0.3, 125, 80)),
        ("hollow box", hollow_box()),
        ("bowl of 2,000", Mesh::bowl(1.1, 0.06, 40, 12)),
        ("bowl of 7,000", Mesh::bowl(1.1, 0.06, 80, 21)),
    ];
    for (name, mesh) in solids.into_iter().chain(given) {
        let Ok(solid) = Solid::new(mesh) else {
            return;
        };
        let mut group = c.benchmark_group(format!("hulls, remainder of {name}"));
        group.bench_function("cached hulls", |b| b.iter(|| CachedHulls::new(&solid)));
        let mut bodies = vec![Body::new(solid)];
        for number in 0..4 {
            let last = bodies.last();
            bodies.extend(last.and_then(|body| body.hit(number).remainder()));
        }
        let remainders = || bodies.iter().skip(1);
        let search = || remainders().map(|body| Hulls::from_mesh(body.solid.mesh()));
        let reuse = || remainders().map(Body::cached_hulls);
        bench_hulls(&mut group, "4 hits", search, reuse);
    }
}

/// A mesh scaled to the size of the other solids.
fn resized(mut mesh: Mesh) -> Mesh {
    let bounds = |mesh: &Mesh| {
        let points = mesh.positions.iter().map(|p| Vec3::from(*p).as_dvec3());
        Aabb::from_points(points)
    };
    let own = bounds(&mesh);
    let scale = bounds(&hollow_box()).diagonal() / own.diagonal();
    for position in &mut mesh.positions {
        let offset = Vec3::from(*position).as_dvec3() - own.center();
        *position = (scale * offset).as_vec3().to_array();
    }
    mesh
}

fn hollow_box() -> Mesh {
    let (mut mesh, inner) = (Mesh::cuboid([2.2, 1.0, 2.2]), Mesh::cuboid([1.9, 0.7, 1.9]));
    let first = mesh.positions.len() as u32;
    let flipped = |t: &[u32; 3]| [t[0], t[2], t[1]].map(|corner| corner + first);
    mesh.triangles.extend(inner.triangles.iter().map(flipped));
    mesh.positions.extend(&inner.positions);
    Mesh::from_triangles(mesh.positions, mesh.triangles)
}

/// The parameters of a hit on the vertex that is farthest out in one of many directions.
fn hit_around(solid: &Solid, number: u32) -> FractureParams<'static> {
    let angle = 2.4 * f64::from(number);
    let (sin, cos) = libm::sincos(angle);
    let outwards = DVec3::new(cos, 0.0, sin);
    let positions = solid.mesh().positions.iter();
    let positions = positions.map(|p| Vec3::from(*p).as_dvec3());
    let farther = |a: &DVec3, b: &DVec3| a.dot(outwards).total_cmp(&b.dot(outwards));
    let point = positions.max_by(farther).unwrap_or_default();
    let radius = 0.3;
    FractureParams {
        placement: Placement::at_impact(point, outwards, angle, 2.0 * radius),
        selection: CellSelection::Within { point, radius },
    }
}

/// A body with what is known of the whole that it comes from.
struct Body {
    solid: Solid,
    parts: ConvexParts,
    hulls: CachedHulls,
    past: Vec<(Pattern, Placement, RemovedCells)>,
}

impl Body {
    fn new(solid: Solid) -> Self {
        Self {
            parts: ConvexParts::new(&solid),
            hulls: CachedHulls::new(&solid),
            solid,
            past: Vec::new(),
        }
    }

    fn hit(&self, number: u32) -> Break<'_> {
        Break::new(self, clustered(), hit_around(&self.solid, number))
    }

    fn past_fractures(&self) -> Vec<PastFracture<'_>> {
        let past = self.past.iter();
        let fractures = past.map(|(pattern, placement, removed)| PastFracture {
            pattern: PlacedPattern::new(pattern, *placement),
            kind: PieceKind::default(),
            removed,
        });
        fractures.collect()
    }

    fn cached_hulls(&self) -> Hulls {
        Hulls::from_cached(self.solid.mesh(), &self.hulls)
    }
}

/// A fracture of a body.
struct Break<'a> {
    body: &'a Body,
    pattern: Pattern,
    params: FractureParams<'static>,
    broken: Fracture,
}

impl<'a> Break<'a> {
    fn new(body: &'a Body, pattern: Pattern, params: FractureParams<'static>) -> Self {
        let broken = run(&body.solid, &pattern, &params, &mut Workspace::default());
        Self {
            body,
            pattern,
            params,
            broken,
        }
    }

    /// The largest island, as a body.
    fn remainder(&self) -> Option<Body> {
        let island = self.broken.islands().next()?;
        let removed = RemovedCells::from_fracture(&self.broken);
        let last = (self.pattern.clone(), self.params.placement, removed);
        Some(Body {
            solid: Solid::new(self.mesh(island)).ok()?,
            parts: self.body.parts.clone(),
            hulls: self.body.hulls.clone(),
            past: [&self.body.past[..], &[last]].concat(),
        })
    }

    fn mesh(&self, piece: &Piece) -> Mesh {
        let solid = &self.body.solid;
        piece.to_mesh(solid, &CapStyle::own_surface(solid.mesh()))
    }

    /// The cells and meshes of the fragments that one hull does not fit.
    fn concave_fragments(&self) -> Vec<(u32, Mesh)> {
        let fragments = self.broken.fragments();
        let fragments = fragments.filter_map(|piece| Some((cell(piece)?, self.mesh(piece))));
        let is_concave = |mesh: &Mesh| Hulls::from_mesh(mesh).hulls.len() > 1;
        fragments.filter(|(_, mesh)| is_concave(mesh)).collect()
    }

    fn clipped_hulls(&self, (cell, mesh): &(u32, Mesh)) -> Hulls {
        let history = FractureHistory {
            parts: &self.body.parts,
            past: self.body.past_fractures(),
            pattern: PlacedPattern::new(&self.pattern, self.params.placement),
        };
        Hulls::from_convex_parts(mesh, &history, *cell)
    }
}

/// Hulls of the concave fragments of some breaks.
fn bench_fragments(group: &mut Group, name: &str, breaks: &[Break]) {
    let fragments: Vec<(&Break, (u32, Mesh))> = breaks
        .iter()
        .flat_map(|one| one.concave_fragments().into_iter().map(move |f| (one, f)))
        .collect();
    let search = || {
        fragments
            .iter()
            .map(|(_, (_, mesh))| Hulls::from_mesh(mesh))
    };
    let reuse = || {
        fragments
            .iter()
            .map(|(one, fragment)| one.clipped_hulls(fragment))
    };
    bench_hulls(group, name, search, reuse);
}

/// Hulls of some pieces: by a search, and by reuse.
fn bench_hulls<S, R>(group: &mut Group, name: &str, search: impl Fn() -> S, reuse: impl Fn() -> R)
where
    S: Iterator<Item = Hulls>,
    R: Iterator<Item = Hulls>,
{
    println!(
        "{} pieces need several hulls: {} by a search, {} by reuse, which {} pieces have",
        search().count(),
        search().map(|hulls| hulls.hulls.len()).sum::<usize>(),
        reuse().map(|hulls| hulls.hulls.len()).sum::<usize>(),
        reuse().filter(|hulls| hulls.reused).count(),
    );
    if search().count() > 0 {
        group.bench_function(BenchmarkId::new(name, "search"), |b| {
            b.iter(|| search().count())
        });
        group.bench_function(BenchmarkId::new(name, "reuse"), |b| {
            b.iter(|| reuse().count())
        });
    }
}

fn cell(piece: &Piece) -> Option<u32> {
    match piece.kind {
        PieceKind::Fragment { cell, .. } => Some(cell),
        PieceKind::Island { .. } => None,
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = sites_to_cells, prepare, breaks, caps, islands, pieces, fragment_hulls,
        worn_fragment_hulls, remainder_hulls
}
criterion_main!(benches);
