//! A whole break on the worker: from the hit to finished pieces with colliders and velocities.

use std::sync::atomic::AtomicBool;
use std::sync::Arc;

use fracture_geometry::{
    fracture, CellSelection, Fracture, FractureParams, FractureReport, Piece, PieceKind, Placement,
    Solid, Workspace,
};
use glam::DVec3;

use crate::event::BreakFailure;
use crate::history::SourceInfo;
use crate::pieces::{
    fraction_absorbed, HullCount, ImpulseDistribution, PushedPiece, RemainderCollider,
};
use crate::pieces::{Anchor, Anchors, LazyPattern, PatternFit, Shape};
use crate::pieces::{BrokenPiece, CutInheritance, PieceOptions};
use crate::stress::LazyLattice;

/// A hit in body space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalImpact {
    pub point: DVec3,
    pub normal: DVec3,
    pub impulse: DVec3,
    pub already_applied: bool,
    pub energy: f64,
    pub radius: f64,
    /// Turn of the pattern about the normal, radians.
    pub spin: f64,
    /// Whether it cuts the body in two across the normal.
    pub blade: bool,
}

/// All that a break needs, so that the worker never looks at the simulation.
pub(crate) struct BreakJob {
    pub shape: Arc<Shape>,
    pub pattern: Arc<LazyPattern>,
    pub fit: PatternFit,
    pub hit: LocalImpact,
    pub anchors: Anchors,
    pub making: PieceOptions,
    pub max_push_speed: f64,
    /// To be made of the whole body, when what remains of it is going to be weighed.
    pub lattice: Option<Arc<LazyLattice>>,
}

/// The result of a break.
pub(crate) struct BreakResult {
    pub pieces: Vec<BrokenPiece>,
    pub report: FractureReport,
    /// Of what was broken.
    pub facts: SourceInfo,
    pub volume_error: f64,
    pub hulls: HullCount,
    /// Area of the new faces of one side, m^2.
    pub new_area: f32,
    /// What holds the pieces.
    pub anchors: Arc<[Anchor]>,
}

impl BreakJob {
    /// Breaks the body. Cancellation is looked at in the cut and between pieces.
    pub fn run(
        self,
        cancel: Arc<AtomicBool>,
        workspace: &mut Workspace,
    ) -> Result<BreakResult, BreakFailure> {
        let solid = self.shape.solid()?;
        self.shape.slim();
        let pattern = self.pattern.get()?;
        let cut = self.cut(solid);
        workspace.set_cancel(Some(cancel.clone()));
        let mut broken = fracture(solid, pattern, &cut, workspace)?;
        if broken.pieces.len() < 2 {
            return Err(BreakFailure::OnePiece);
        }
        if self.hit.blade {
            sort_by_size(&mut broken);
        }
        let stock = self.shape.stock(solid);
        let by = (&self.pattern, self.hit.blade);
        let bequest =
            stock.map(|stock| CutInheritance::of_break(stock, by, cut.placement, &broken));
        if self.hit.blade {
            name_as_islands(&mut broken);
        }
        let bounds = solid.bounds().as_vec3();
        let anchors = self.anchors.resolve(bounds);
        let crater = RemainderCollider::new(pattern, &cut.placement, &broken);
        let mut finishing = self
            .making
            .finishing(&self.shape, solid, &anchors, crater, &cancel);
        finishing.bequest = bequest.as_ref();
        finishing.free = self.anchors.is_free().then_some(&self.shape);
        finishing.clipping = bequest.as_ref().and_then(CutInheritance::clipping);
        let mut pieces = finishing.run(&broken.pieces, &[])?;
        self.push(&mut pieces);
        let cap_surface = finishing.cap.surface;
        let outcome = BreakResult::new(solid, &broken, pieces, cap_surface, &anchors);
        if let Some(lattice) = self.lattice.as_ref().filter(|_| !solid.is_shell()) {
            // What comes of it is told to whoever weighs.
            let _ = lattice.get_or_make(solid);
        }
        workspace.recycle(broken);
        Ok(outcome)
    }

    /// Lays the pattern onto the body.
    fn cut(&self, solid: &Solid) -> FractureParams {
        let hit = &self.hit;
        let fit = &self.fit;
        if hit.blade {
            let [low, high] = solid.bounds().corners();
            let size = (high - low).length();
            return FractureParams {
                placement: Placement::at_impact(hit.point, hit.normal, 0.0, size),
                selection: CellSelection::All,
            };
        }
        FractureParams {
            placement: fit.placement(solid, hit.point, hit.normal, hit.spin, hit.radius),
            selection: CellSelection::Within {
                point: hit.point,
                radius: hit.radius,
            },
        }
    }

    /// Shares the hit's impulse among the free pieces.
    fn push(&self, pieces: &mut [BrokenPiece]) {
        let free = |piece: &&BrokenPiece| !piece.anchored;
        let targets: Vec<PushedPiece> = pieces
            .iter()
            .filter(free)
            .map(|piece| PushedPiece {
                mass: piece.kilograms,
                center: piece.mass.center,
                inertia: piece.mass.inertia(self.making.density),
            })
            .collect();
        let push = ImpulseDistribution {
            point: self.hit.point,
            impulse: self.hit.impulse * self.fraction_absorbed(&targets),
            energy: self.hit.energy,
            radius: self.hit.radius,
            already_applied: self.hit.already_applied,
            held: targets.len() < pieces.len(),
            max_speed: self.max_push_speed,
        };
        let pushed = pieces.iter_mut().filter(|piece| !piece.anchored);
        for (piece, velocity) in pushed.zip(push.velocities(&targets)) {
            piece.push = velocity.map(|velocity| velocity.as_vec3());
        }
    }

    /// Which part of the hit's impulse is taken by what it sets free. That may be much lighter than what a body
    /// stopped that was held; what was free itself takes what is stated.
    fn fraction_absorbed(&self, free: &[PushedPiece]) -> f64 {
        if self.anchors.is_free() {
            return 1.0;
        }
        let mass = free.iter().map(|piece| piece.mass).sum();
        fraction_absorbed(mass, self.hit.impulse.length(), self.hit.energy)
    }
}

/// The largest first.
fn sort_by_size(broken: &mut Fracture) {
    let volume = |piece: &Piece| piece.mass.volume;
    let pieces = &mut broken.pieces;
    pieces.sort_by(|a, b| volume(b).total_cmp(&volume(a)));
}

/// What a blade has parted are two sides of the whole and nothing that was broken off: each stays that is held.
fn name_as_islands(broken: &mut Fracture) {
    for (part, piece) in (0..).zip(&mut broken.pieces) {
        piece.kind = PieceKind::Island { part };
    }
}

/// The area of the cracks, of one side; what touches in a sheet is given as lengths.
fn new_area(broken: &Fracture, solid: &Solid) -> f32 {
    let sum: f32 = broken.contacts.iter().map(|contact| contact.area).sum();
    sum * solid.thickness().map_or(1.0, |thickness| thickness as f32)
}

impl BreakResult {
    pub(crate) fn new(
        solid: &Solid,
        broken: &Fracture,
        pieces: Vec<BrokenPiece>,
        cap_surface: u32,
        anchors: &Arc<[Anchor]>,
    ) -> Self {
        Self {
            facts: SourceInfo::new(solid, cap_surface),
            volume_error: volume_error(&pieces, &broken.report, solid.mass().volume),
            new_area: new_area(broken, solid),
            hulls: pieces.iter().map(|piece| piece.hulls).sum(),
            pieces,
            report: broken.report,
            anchors: anchors.clone(),
        }
    }
}

/// |sum of pieces + dust - whole| / whole.
fn volume_error(pieces: &[BrokenPiece], report: &FractureReport, whole: f64) -> f64 {
    let sum: f64 = pieces.iter().map(|piece| piece.mass.volume).sum();
    ((sum + report.dust_volume - whole) / whole).abs()
}
