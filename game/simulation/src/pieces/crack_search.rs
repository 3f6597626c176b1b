//! The search for what blows have left on the surface of a body: cracks, and how a cracked sheet sags.

use std::sync::Arc;

use fracture_geometry::piece_mesh::{CapStyle, CrackStrips, Dent, Sag, SaggedSurface};
use fracture_geometry::steps::pause;
use fracture_geometry::{Mesh, Pattern, Solid};

use super::cracks::{CrackSet, Cracks};
use super::drawn::Drawn;
use super::lazy::LazyPattern;
use super::piece_hooks::ChunkHooks;
use super::shape::Shape;

/// A search for the cracks in the surface of a body.
pub(crate) struct CrackSearch {
    pub shape: Arc<Shape>,
    /// The pattern of the body.
    pub pattern: Arc<LazyPattern>,
    pub cracks: Cracks,
    /// Where a sheet has been pushed in that holds what is cracked.
    pub dents: Vec<Dent>,
    /// Surface of cut faces, which has none.
    pub cap_surface: Option<u32>,
    pub hooks: Option<ChunkHooks>,
}

/// The cracks in the surface of a body.
pub(crate) struct DrawnCracks {
    pub strips: Drawn,
    /// The surface itself, if it sags.
    pub sagged: Option<Drawn>,
}

impl CrackSearch {
    /// Finds the cracks, in steps. Of a pattern that cannot be made there are none.
    pub async fn run(&self) -> DrawnCracks {
        if self.shape.with_mesh(|mesh| mesh.triangles.is_empty()) {
            // Of a body that has just been added. An error is reported when it is prepared.
            let _ = self.shape.solid_in_steps().await;
        }
        let mut strips = Mesh::default();
        let mut sagged = None;
        if let (Some(sag), Some(last)) = (self.sag().await, self.cracks.0.last()) {
            sagged = self.sagged_surface(last, sag, &mut strips).await;
        }
        match (&sagged, self.cracks.0.split_last()) {
            // It has the cracks of the last set.
            (Some(facets), Some((_, others))) => self.add_strips(&mut strips, others, facets).await,
            _ => {
                let mesh = self.shape.current_mesh();
                self.add_strips(&mut strips, &self.cracks.0, &mesh).await;
            }
        }
        DrawnCracks {
            strips: self.drawn(strips),
            sagged: sagged.map(|facets| self.drawn(facets)),
        }
    }

    /// How the body sags, with its solid.
    async fn sag(&self) -> Option<(Arc<Solid>, Sag)> {
        if self.dents.is_empty() {
            return None; // the common case
        }
        let solid = self.shape.solid_in_steps().await.ok()?;
        let sag = Sag::of_sheet(solid.mesh(), &self.dents).await?;
        Some((solid.clone(), sag))
    }

    /// The surface of a body that sags, divided by a set of cracks, whose strips are added to others.
    async fn sagged_surface(
        &self,
        set: &CrackSet,
        (solid, sag): (Arc<Solid>, Sag),
        strips: &mut Mesh,
    ) -> Option<Mesh> {
        let pattern = self.pattern.detailed(set.kept.detail).await.ok()?;
        let cracks = strips_of(set, pattern.get().ok()?);
        let style = CapStyle::own_surface(solid.mesh());
        let surface = SaggedSurface::in_steps(&solid, &cracks, &sag, &style).await;
        *strips = surface.strips;
        Some(surface.facets)
    }

    async fn add_strips(&self, strips: &mut Mesh, sets: &[CrackSet], mesh: &Mesh) {
        for set in sets {
            pause().await;
            let pattern = self.pattern.detailed(set.kept.detail).await;
            let Some(Ok(pattern)) = pattern.as_ref().ok().map(|pattern| pattern.get()) else {
                continue;
            };
            let is_cracked = |surface| Some(surface) != self.cap_surface;
            strips_of(set, pattern)
                .add_to(strips, mesh, is_cracked)
                .await;
        }
    }

    fn drawn(&self, mesh: Mesh) -> Drawn {
        Drawn {
            payload: self.hooks.as_ref().map(|hooks| hooks.render(&mesh)),
            mesh: Arc::new(mesh),
        }
    }
}

fn strips_of<'a>(set: &'a CrackSet, pattern: &'a Pattern) -> CrackStrips<'a> {
    CrackStrips {
        pattern,
        placement: set.kept.placement,
        places: &set.places,
    }
}
