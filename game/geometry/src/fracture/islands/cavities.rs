//! Components around a cavity: casts one ray through the solid's tree and through a tree of the cut elements.
//! So a cavity costs what the ray meets, however large the solid is.

use crate::fracture::ids::ComponentId;
use crate::fracture::islands::components::Components;
use crate::fracture::islands::elements::CutSolid;
use crate::mesh::bvh::Bvh;
use crate::mesh::ray::{ray_x_hit, RayHit};
use glam::DVec3;
use std::ops::ControlFlow;

/// Number of triangles of a cavity from which a ray is cast, until one touches no other surface.
const MAX_RAYS: usize = 8;

/// Finds the components around others.
pub struct EnclosingComponents<'a> {
    cut: &'a CutSolid<'a>,
    components: &'a Components,
    /// Triangles of polygons, residuals and caps, and their components.
    cut_triangles: Vec<(ComponentId, [DVec3; 3])>,
    tree: Bvh,
    /// Scratch of tree queries.
    open: Vec<u32>,
    /// Hits of the current ray.
    hits: Vec<(ComponentId, RayHit)>,
    enclosing: Vec<ComponentId>,
}

impl<'a> EnclosingComponents<'a> {
    /// Builds the tree of the cut elements.
    pub fn new(cut: &'a CutSolid<'a>, components: &'a Components) -> Self {
        let mut triangles = Vec::new();
        for component in components.ids() {
            let elements = components.elements(component).iter();
            for element in elements.filter(|element| !element.is_uncut()) {
                cut.for_each_triangle(*element, |triangle| triangles.push((component, triangle)));
            }
        }
        let (tree, order) = Bvh::build(triangles.len(), |at| {
            triangles[at as usize].1.map(|corner| corner.as_vec3())
        });
        Self {
            cut,
            components,
            cut_triangles: order.iter().map(|at| triangles[*at as usize]).collect(),
            tree,
            open: Vec::new(),
            hits: Vec::new(),
            enclosing: Vec::new(),
        }
    }

    /// Components that wind around another one, ascending.
    pub fn around(&mut self, component: ComponentId) -> &[ComponentId] {
        for start in ray_starts(self.cut, self.components, component) {
            self.cast_ray(start);
            self.hits.retain(|(other, _)| *other != component);
            if !self.hits.iter().any(|(_, hit)| *hit == RayHit::Touches) {
                break;
            }
        }
        self.hits.sort_unstable_by_key(|(component, _)| *component);
        self.enclosing.clear();
        for hits in self.hits.chunk_by(|a, b| a.0 == b.0) {
            let winding: i32 = hits.iter().map(|(_, hit)| hit.winding()).sum();
            self.enclosing.extend((winding > 0).then_some(hits[0].0));
        }
        &self.enclosing
    }

    /// Collects the hits of the ray from a point along +x.
    fn cast_ray(&mut self, start: DVec3) {
        let Self {
            cut,
            components,
            cut_triangles,
            tree,
            open,
            hits,
            ..
        } = self;
        hits.clear();
        let mut add = |component, triangle| {
            let hit = ray_x_hit(triangle, start);
            hits.extend((hit != RayHit::None).then_some((component, hit)));
        };
        let solid = cut.solid;
        solid.bvh().query_ray_x(start, open, |triangle| {
            if let Some(component) = components.of_triangle(cut, triangle) {
                add(component, solid.positions_of(triangle));
            }
        });
        tree.query_ray_x(start, open, |at| {
            let (component, triangle) = cut_triangles[at as usize];
            add(component, triangle);
        });
    }
}

/// Centres of some triangles of a component.
fn ray_starts(cut: &CutSolid, components: &Components, component: ComponentId) -> Vec<DVec3> {
    let mut starts = Vec::with_capacity(MAX_RAYS);
    // A patch may be most of the solid.
    let _ = components
        .elements(component)
        .iter()
        .try_for_each(|element| {
            cut.visit_triangles(*element, |[a, b, c]| {
                starts.push((a + b + c) / 3.0);
                if starts.len() < MAX_RAYS {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            })
        });
    starts
}
