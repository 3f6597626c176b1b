//! The job that breaks a body: from the impact to finished pieces with colliders and velocities.

use std::sync::Arc;

use fracture_geometry::bars::BarBlow;
use fracture_geometry::steps::pause;
use fracture_geometry::{
    Fracture, FractureError, FractureReport, Mesh, Piece, PieceKind, Placement, Solid, Weakness,
};
use glam::DVec3;

use crate::error::BreakFailure;
use crate::event::BreakTimes;
use crate::history::SourceInfo;
use crate::impacts::{LocalImpact, ThresholdCheck};
use crate::parallel::JobThread;
use crate::pieces::{
    entry_place, fraction_absorbed, struck_place, touches_any, vertex_count, weakness_of, Anchor,
    Anchors, BarsOutcome, BrokenByPattern, BrokenPiece, CutBy, CutInheritance, CutPattern,
    HullCount, ImpulseDistribution, KeptPattern, LazyPattern, NewCracks, PaintedWeakness, PartedBy,
    PatternBreak, PatternFit, PieceOptions, PushedPiece, RemainderCollider, Shape,
};
use crate::stopwatch::WorkWatch;
use crate::stress::LazyLattice;

/// Vertices of all pieces of a break up to which lasting hulls are found with it, in some milliseconds.
const MAX_VERTICES_AT_ONCE: usize = 1000;

/// Pieces of a break, and vertices of them, from which on a search of hulls for each takes longer than a frame has: walls of
/// bricks and tempered glass have as many pieces, whole scans as many vertices.
const MANY_PIECES: usize = 200;
const MANY_VERTICES: usize = 15_000;

/// All inputs of a break, so that the worker needs nothing of the simulation.
pub(crate) struct BreakJob {
    pub shape: Arc<Shape>,
    pub pattern: Arc<LazyPattern>,
    pub fit: PatternFit,
    pub impact: LocalImpact,
    pub anchors: Anchors,
    pub options: PieceOptions,
    pub max_push_speed: f64,
    /// Whether the body has the colliders that the host gave it, which may be coarser than its mesh.
    pub has_own_colliders: bool,
    /// Whether it was never broken.
    pub is_intact: bool,
    /// Whether this break has happened before: its pieces enter with their lasting colliders.
    pub is_replay: bool,
    /// Whether nothing must depend on what other jobs have made by now.
    pub is_repeatable: bool,
    /// Whether the impact breaks the body, where that could not be told without its solid.
    pub threshold_check: Option<ThresholdCheck>,
    /// Painted on the intact body.
    pub weakness: Option<Arc<PaintedWeakness>>,
    /// Whether pieces that reach into an anchor stay there.
    pub held_pieces_stay: bool,
    /// Whether it leaves cracks in what stays.
    pub cracks_stay: bool,
    /// To be made of the intact body, when stress in its remainder will be solved.
    pub lattice: Option<Arc<LazyLattice>>,
}

/// The result of a break.
pub(crate) struct BreakResult {
    pub pieces: Vec<BrokenPiece>,
    pub report: FractureReport,
    /// Of the body that was broken.
    pub source: SourceInfo,
    pub bars: BarsOutcome,
    /// Cracks in what stays.
    pub cracks: Option<NewCracks>,
    /// The pattern of earlier cracks by which the break went on.
    pub went_on_by: Option<KeptPattern>,
    /// How far the impact has moved from the collider to the mesh, body space, metres.
    pub moved: DVec3,
    /// Relative to the volume of the body.
    pub volume_error: f64,
    pub hulls: HullCount,
    /// Area of the new faces of one side, m^2.
    pub crack_area: f32,
    /// Anchors of the pieces.
    pub anchors: Arc<[Anchor]>,
    pub times: BreakTimes,
}

impl BreakJob {
    /// Whether the impact is too weak to break the body.
    pub async fn is_below_threshold(&self) -> Result<bool, BreakFailure> {
        match &self.threshold_check {
            Some(check) => {
                let solid = self.shape.solid_in_steps().await?;
                Ok(check.is_not_reached(solid).await)
            }
            None => Ok(false),
        }
    }

    /// Breaks the body, in steps. Cancelling takes effect in the cut and between pieces.
    pub async fn run(mut self, thread: &mut JobThread) -> Result<BreakResult, BreakFailure> {
        let mut watch = WorkWatch::start(&thread.left);
        let _call = thread.helpers.call();
        let shape = self.shape.clone();
        let solid = shape.solid_in_steps().await?;
        self.shape.release_source_mesh();
        pause().await;
        self.pattern.get_in_steps().await?;
        pause().await;
        let prepare = watch.lap();
        let struck = self.impact.point;
        let mut broken = self.cut(solid, thread).await?;
        let cut = watch.lap();
        if broken.fracture.pieces.len() < 2 {
            return Err(BreakFailure::OnePiece);
        }
        if self.impact.blade {
            sort_by_size(&mut broken.fracture);
        }
        let cut_inheritance = self.cut_inheritance(solid, &broken);
        if self.impact.blade {
            mark_as_islands(&mut broken.fracture, self.impact.cut_by())?;
        } else if self.held_pieces_stay {
            let anchors = self.anchors.resolve(solid.bounds().as_vec3());
            mark_held(&mut broken.fracture, &anchors);
        }
        let cuts = cut_inheritance.as_ref();
        let mut result = self.build_pieces(solid, &broken, cuts, thread).await?;
        result.moved = self.impact.point - struck;
        result.cracks = self.cracks(&broken);
        result.went_on_by = self.impact.kept;
        result.times.prepare = prepare;
        result.times.cut = cut;
        if let Some(lattice) = self.lattice.as_ref().filter(|_| !solid.is_shell()) {
            lattice.make_of(solid);
        }
        thread.recycle(broken.fracture);
        Ok(result)
    }

    /// Cuts the solid by the pattern, or by the plane of a blade. Where the mesh is not where its collider was struck,
    /// the impact moves to the mesh.
    async fn cut(
        &mut self,
        solid: &Solid,
        thread: &mut JobThread,
    ) -> Result<BrokenByPattern, BreakFailure> {
        let LocalImpact { point, normal, .. } = self.impact;
        if self.impact.blade {
            let [low, high] = solid.bounds().corners();
            let scale = match self.impact.cut_by() {
                CutBy::Kerf => self.impact.kerf,
                _ => (high - low).length(),
            };
            let placement = Placement::at_impact(point, normal, 0.0, scale);
            return BrokenByPattern::all_cells(&self.pattern, placement, solid, thread).await;
        }
        let painted = self.weakness.clone();
        let weakness = weakness_of(painted.as_ref()).await;
        if let Some(broken) = self.go_on(solid, weakness, thread).await? {
            return Ok(broken);
        }
        let broken = self.pattern_break(weakness).run_on(solid, thread).await;
        let place = match &broken {
            Ok(broken) if broken.fracture.pieces.len() < 2 => entry_place(solid, point, normal),
            Err(BreakFailure::Fracture(FractureError::OutOfReach { .. }))
                if self.has_own_colliders =>
            {
                struck_place(solid, point, normal)
            }
            _ => None,
        };
        let Some(place) = place else {
            return broken;
        };
        self.impact.point = place;
        self.pattern_break(weakness).run_on(solid, thread).await
    }

    /// Breaks along the cracks among which the impact is; `None` where there are none, or nothing is left in their cells.
    async fn go_on(
        &mut self,
        solid: &Solid,
        weakness: Option<&Weakness>,
        thread: &mut JobThread,
    ) -> Result<Option<BrokenByPattern>, BreakFailure> {
        let Some(kept) = self.impact.kept else {
            return Ok(None);
        };
        let mut by_kept = self.pattern_break(weakness);
        // The smallest break has none of its cells here that could tell what a sliver is: all do.
        by_kept.radius.smallest = by_kept.radius.metres;
        match by_kept.cut(solid, kept, thread).await {
            Ok(broken) if broken.fracture.pieces.len() >= 2 => return Ok(Some(broken)),
            Err(BreakFailure::Fracture(FractureError::Cancelled)) => {
                return Err(FractureError::Cancelled.into())
            }
            _ => self.impact.kept = None,
        }
        Ok(None)
    }

    /// The cracks that the break leaves in what stays.
    fn cracks(&self, broken: &BrokenByPattern) -> Option<NewCracks> {
        let LocalImpact { point, radius, .. } = self.impact;
        let leaves_cracks = self.cracks_stay && !self.impact.blade;
        leaves_cracks.then(|| NewCracks::of_break(broken.laid, radius, point))
    }

    fn pattern_break<'a>(&'a self, weakness: Option<&'a Weakness>) -> PatternBreak<'a> {
        PatternBreak {
            pattern: &self.pattern,
            fit: self.fit,
            point: self.impact.point,
            normal: self.impact.normal,
            spin: self.impact.spin,
            radius: self.impact.radius,
            everywhere: false,
            weakness,
        }
    }

    /// The cuts of the body and of this break, which its pieces inherit.
    fn cut_inheritance(
        &self,
        solid: &Arc<Solid>,
        broken: &BrokenByPattern,
    ) -> Option<CutInheritance<'_>> {
        let history = self.shape.cut_history(solid)?;
        let pattern = CutPattern::new(self.pattern.clone(), broken.laid.detail);
        let (by, placement) = (self.impact.cut_by(), broken.laid.placement);
        Some(CutInheritance::of_break(
            history,
            pattern,
            by,
            placement,
            &broken.fracture,
        ))
    }

    /// Builds the pieces with their colliders and velocities.
    async fn build_pieces(
        &self,
        solid: &Solid,
        broken: &BrokenByPattern,
        cut_inheritance: Option<&CutInheritance<'_>>,
        thread: &JobThread,
    ) -> Result<BreakResult, BreakFailure> {
        let fracture = &broken.fracture;
        let anchors = self.anchors.resolve(solid.bounds().as_vec3());
        let options = &self.options;
        let mut builder = options.builder(&self.shape, solid, &anchors, thread);
        let (pattern, placement) = (broken.pattern.get()?, &broken.laid.placement);
        builder.remainder_collider = Some(RemainderCollider::new(pattern, placement, fracture));
        builder.cut_by = self.impact.cut_by();
        builder.cut_inheritance = cut_inheritance;
        builder.source_hulls = self.anchors.is_free().then_some(&self.shape);
        builder.is_repeatable = self.is_repeatable;
        let vertices = vertex_count(&fracture.pieces);
        builder.provisional = !self.is_replay && vertices > MAX_VERTICES_AT_ONCE;
        builder.is_hurried = fracture.pieces.len() >= MANY_PIECES || vertices >= MANY_VERTICES;
        if let Some(cuts) = cut_inheritance.filter(|_| !builder.provisional) {
            cuts.source_parts().get_in_steps().await;
        }
        let mut pieces = builder.build(&fracture.pieces, &[]).await?;
        let bars = options.bars.share(solid, &mut pieces, self.parted_by());
        let bars = bars.await?;
        self.distribute_impulse(&mut pieces);
        let cap_surface = builder.cap_style.surface;
        let mut result = BreakResult::new(solid, fracture, pieces, cap_surface, &anchors);
        result.bars = bars;
        result.times = builder.times();
        Ok(result)
    }

    /// The impact as bars take it. All that it needs is in logs of breaks.
    fn parted_by(&self) -> PartedBy {
        let LocalImpact {
            point,
            normal,
            radius,
            energy,
            blade,
            ..
        } = self.impact;
        let blow = BarBlow {
            point,
            direction: -normal,
            radius: radius.metres,
            energy,
        };
        match blade {
            true => PartedBy::Blade,
            false if blow.is_valid() => PartedBy::Blow(blow),
            false => PartedBy::Weight,
        }
    }

    /// Distributes the impact's impulse over the free pieces.
    fn distribute_impulse(&self, pieces: &mut [BrokenPiece]) {
        let is_free = |piece: &&BrokenPiece| !piece.anchored;
        let free: Vec<PushedPiece> = pieces
            .iter()
            .filter(is_free)
            .map(|piece| piece.pushed(self.options.density))
            .collect();
        let impact = &self.impact;
        let impulse = impact.impulse - impact.residual_impulse;
        let distribution = ImpulseDistribution {
            point: impact.point,
            impulse: impulse * self.fraction_absorbed(&free),
            energy: (impact.energy > 0.0)
                .then(|| (impact.energy - impact.residual_energy).max(0.0)),
            striker_speed: impact.striker_speed(),
            radius: impact.reach,
            already_applied: impact.already_applied,
            // Pieces lie close to others when they break in turn.
            scatters: impact.already_applied && self.is_intact,
            held: free.len() < pieces.len(),
            max_speed: self.max_push_speed,
        };
        let velocities = distribution.velocities(&free);
        let free_pieces = pieces.iter_mut().filter(|piece| !piece.anchored);
        for (piece, velocity) in free_pieces.zip(velocities) {
            piece.velocity_change = velocity;
        }
    }

    /// Fraction of the impulse that the free pieces absorb. They may be much lighter than the anchored
    /// body that was hit; a free body absorbs the impulse as given.
    fn fraction_absorbed(&self, free: &[PushedPiece]) -> f64 {
        if self.anchors.is_free() {
            return 1.0;
        }
        let mass = free.iter().map(|piece| piece.mass).sum();
        fraction_absorbed(mass, self.impact.impulse.length(), self.impact.energy)
    }
}

/// Puts the largest piece first.
fn sort_by_size(broken: &mut Fracture) {
    let volume = |piece: &Piece| piece.mass.volume;
    let pieces = &mut broken.pieces;
    pieces.sort_by(|a, b| volume(b).total_cmp(&volume(a)));
}

/// Makes all pieces of a blade islands, but for what it takes out: both sides are remainders of the body, and stay if
/// anchored. Fails if nothing is left.
fn mark_as_islands(broken: &mut Fracture, by: CutBy) -> Result<(), BreakFailure> {
    let pieces = broken.pieces.iter_mut();
    let islands = pieces.filter(|piece| !by.takes_out(piece.kind));
    let marked = (0..).zip(islands).map(|(part, piece)| {
        piece.kind = PieceKind::Island { part };
    });
    (marked.count() > 0)
        .then_some(())
        .ok_or(BreakFailure::OnePiece)
}

/// Makes the pieces islands that reach into an anchor, so that they stay there.
fn mark_held(broken: &mut Fracture, anchors: &[Anchor]) {
    let is_island = |piece: &&Piece| matches!(piece.kind, PieceKind::Island { .. });
    let first = broken.pieces.iter().filter(is_island).count() as u32;
    let surface = |piece: &Piece| {
        let positions = piece.vertices.iter().map(|vertex| vertex.position);
        Mesh::from_triangles(positions.collect(), piece.triangles.clone())
    };
    let fragments = broken
        .pieces
        .iter_mut()
        .filter(|piece| !is_island(&&**piece));
    let held = fragments.filter(|piece| touches_any(&surface(piece), anchors));
    for (piece, part) in held.zip(first..) {
        piece.kind = PieceKind::Island { part };
    }
}

/// Area of the cracks, of one side. Contacts in a sheet have lengths in place of areas.
fn crack_area(broken: &Fracture, solid: &Solid) -> f32 {
    (broken.contact_area() * solid.thickness().unwrap_or(1.0)) as f32
}

impl BreakResult {
    pub(super) fn new(
        solid: &Solid,
        broken: &Fracture,
        pieces: Vec<BrokenPiece>,
        cap_surface: u32,
        anchors: &Arc<[Anchor]>,
    ) -> Self {
        Self {
            source: SourceInfo::new(solid, cap_surface),
            bars: BarsOutcome::NONE,
            cracks: None,
            went_on_by: None,
            moved: DVec3::ZERO,
            volume_error: volume_error(&pieces, &broken.report, solid.mass().volume),
            crack_area: crack_area(broken, solid),
            hulls: pieces.iter().map(|piece| piece.hulls).sum(),
            pieces,
            report: broken.report,
            anchors: anchors.clone(),
            times: BreakTimes::default(),
        }
    }
}

/// |sum of pieces + dust - body| / body.
fn volume_error(pieces: &[BrokenPiece], report: &FractureReport, body: f64) -> f64 {
    let sum: f64 = pieces.iter().map(|piece| piece.mass.volume).sum();
    ((sum + report.dust_volume - body) / body).abs()
}
