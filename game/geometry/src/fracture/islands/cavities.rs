//! What is around a cavity: one line through the solid's tree, and through a tree of what the break
//! has divided. So a cavity costs what the line meets, however large the solid is.

use crate::fracture::islands::components::Components;
use crate::fracture::islands::elements::{CutSolid, Element};
use crate::fracture::islands::shares;
use crate::fracture::islands::triangles::for_each_triangle;
use crate::mesh::bvh::Bvh;
use crate::mesh::ray::{ray_x_hit, RayHit};
use glam::DVec3;

/// Triangles of a cavity that a line is started from until one lies on no other surface.
const TRIES: usize = 8;

/// Finds the components around others.
pub struct EnclosingComponents<'a> {
    parts: &'a CutSolid<'a>,
    components: &'a Components,
    /// Polygons, rests and caps: their triangles and the component of each.
    divided: Vec<(u32, [DVec3; 3])>,
    tree: Bvh,
    open: Vec<u32>,
    /// How the line meets components.
    met: Vec<(u32, RayHit)>,
    around: Vec<u32>,
}

impl<'a> EnclosingComponents<'a> {
    /// Prepares what the break has divided; the solid is prepared already.
    pub fn new(parts: &'a CutSolid<'a>, components: &'a Components) -> Self {
        let mut divided = Vec::new();
        for component in 0..components.count() {
            let own = components.members(component).iter();
            for part in own.filter(|part| !part.is_whole()) {
                for_each_triangle(parts, *part, |triangle| divided.push((component, triangle)));
            }
        }
        let mut order: Vec<u32> = (0..divided.len() as u32).collect();
        let tree = Bvh::build(&mut order, |at| {
            divided[at as usize].1.map(|corner| corner.as_vec3())
        });
        Self {
            parts,
            components,
            divided: order.iter().map(|at| divided[*at as usize]).collect(),
            tree,
            open: Vec::new(),
            met: Vec::new(),
            around: Vec::new(),
        }
    }

    /// The components that wind around a component that no cut touches, ascending.
    pub fn of(&mut self, component: u32) -> &[u32] {
        for start in starts(self.parts, self.components, component) {
            self.shoot(start);
            self.met.retain(|(other, _)| *other != component);
            let touches = |(_, ray_x_hit): &(u32, RayHit)| *ray_x_hit == RayHit::Touches;
            if !self.met.iter().any(touches) {
                break;
            }
        }
        self.met.sort_unstable_by_key(|(component, _)| *component);
        self.around.clear();
        for same in self.met.chunk_by(|a, b| a.0 == b.0) {
            let winding: i32 = same.iter().map(|(_, ray_x_hit)| ray_x_hit.winding()).sum();
            self.around.extend((winding > 0).then_some(same[0].0));
        }
        &self.around
    }

    /// Collects what the line from a point along +x meets.
    fn shoot(&mut self, start: DVec3) {
        let Self {
            parts,
            components,
            divided,
            tree,
            open,
            met,
            ..
        } = self;
        met.clear();
        let mut add = |component, triangle| {
            let ray_x_hit = ray_x_hit(triangle, start);
            met.extend((ray_x_hit != RayHit::None).then_some((component, ray_x_hit)));
        };
        let solid = parts.solid;
        solid.tree().query_ray_x(start, open, |triangle| {
            if let Some(component) = components.of_triangle(solid, triangle) {
                add(component, solid.positions_of(triangle));
            }
        });
        tree.query_ray_x(start, open, |at| {
            let (component, triangle) = divided[at as usize];
            add(component, triangle);
        });
    }
}

/// The middles of some triangles of a component.
fn starts<'a>(
    parts: &'a CutSolid,
    components: &'a Components,
    component: u32,
) -> impl Iterator<Item = DVec3> + 'a {
    let solid = parts.solid;
    let triangles = components.members(component).iter().flat_map(|part| {
        let (patch, (block, share)) = match *part {
            Element::Patch(patch) => (Some(patch), (0, 0)),
            Element::Share(block, share) => (None, (block, share)),
            _ => (None, (0, 0)),
        };
        let of_patch = patch.map(|patch| solid.patches().triangles(patch));
        let of_share = shares::triangles(block, share);
        of_patch.into_iter().flatten().chain(of_share)
    });
    let middle = |[a, b, c]: [DVec3; 3]| (a + b + c) / 3.0;
    triangles
        .take(TRIES)
        .map(move |triangle| middle(solid.positions_of(triangle)))
}
