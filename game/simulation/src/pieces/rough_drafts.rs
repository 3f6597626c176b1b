//! Rough cut faces of pieces in the making.

use fracture_geometry::piece_mesh::{roughen_in_steps, Roughness};
use fracture_geometry::steps::finish;
use fracture_geometry::{MassProperties, Mesh, Piece, Solid};

use super::piece_draft::PieceDraft;
use crate::parallel::Helpers;

/// Gives the drafts of all pieces of a break of a solid their rough meshes, with the masses of these. Where there are
/// helpers, one of them begins with `beside`.
pub(super) async fn roughen_drafts<'p>(
    helpers: &Helpers,
    pieces: &[Piece],
    drafts: &mut [PieceDraft<'p>],
    solid: &Solid,
    roughness: &Roughness,
    beside: impl FnOnce(&[PieceDraft<'p>]) + Send,
) {
    let flat: &[PieceDraft] = drafts;
    let make = || rough_meshes(helpers, pieces, flat, solid, roughness);
    let (meshes, masses) = if helpers.threads() > 1 {
        helpers.join(|| finish(make()), || beside(flat)).0
    } else {
        make().await
    };
    for ((draft, mesh), mass) in drafts.iter_mut().zip(meshes).zip(masses) {
        if !draft.piece.open {
            draft.mass = mass;
        }
        draft.rough = Some(mesh);
    }
}

async fn rough_meshes(
    helpers: &Helpers,
    pieces: &[Piece],
    drafts: &[PieceDraft<'_>],
    solid: &Solid,
    roughness: &Roughness,
) -> (Vec<Mesh>, Vec<MassProperties>) {
    let flat: Vec<&Mesh> = drafts.iter().map(|draft| &draft.flat.mesh).collect();
    let threads = helpers.as_threads();
    let meshes = roughen_in_steps(&threads, pieces, &flat, solid, roughness).await;
    let masses = helpers
        .map_in_steps(&meshes, MassProperties::from_mesh)
        .await;
    (meshes, masses)
}
