//! Convex parts and cached hulls as bytes, to be kept in a file: searching them takes a hundred times as long
//! as reading.
//!
//! Any bytes may be read. Nothing is allocated for more than they hold, and all indices and trees are checked;
//! hulls that fit nothing cost the time of a search, as those of another solid would.

use super::cached::{CachedHulls, MergedHull};
use super::convex_parts::ConvexParts;
use crate::byte_io::{write_count, write_f64s, write_triangles, ByteReader, Malformed};
use crate::hulls::search::split_tree::SplitTree;
use crate::hulls::shape::convex_hull::ConvexHull;
use crate::hulls::shape::convex_polyhedron::ConvexPolyhedron;
use crate::math::{Aabb, Plane};
use crate::solid::Solid;
use glam::DVec3;

/// Distance by which hulls may be outside of their solid's box, in diagonals of the box: more than they are by
/// rounding.
const OUTSIDE: f64 = 0.01;

impl ConvexParts {
    /// Appends the parts to bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        write_count(out, self.polyhedra.len());
        for polyhedron in &self.polyhedra {
            write_hull(out, &polyhedron.to_hull());
        }
    }

    /// Reads the parts of a solid.
    ///
    /// # Errors
    /// [`Malformed`] for bytes that are too few, or cannot be parts of this solid.
    pub fn read(reader: &mut ByteReader, solid: &Solid) -> Result<Self, Malformed> {
        let space = HullSpace::new(solid);
        let polyhedra =
            (0..reader.u32()?).map(|_| Ok(ConvexPolyhedron::from_hull(&space.read_hull(reader)?)));
        Ok(Self {
            polyhedra: polyhedra.collect::<Result<_, Malformed>>()?,
        })
    }
}

impl CachedHulls {
    /// Appends the hulls to bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        write_f64s(out, &[self.size]);
        self.tree.write(out);
        write_count(out, self.hulls.len());
        for merged in &self.hulls {
            write_hull(out, &merged.hull);
            write_count(out, merged.leaves.len());
            let leaves = merged.leaves.iter();
            leaves.for_each(|leaf| out.extend(leaf.to_le_bytes()));
        }
    }

    /// Reads the hulls of a solid.
    ///
    /// # Errors
    /// [`Malformed`] for bytes that are too few, or cannot be hulls of this solid.
    pub fn read(reader: &mut ByteReader, solid: &Solid) -> Result<Self, Malformed> {
        let space = HullSpace::new(solid);
        let size = reader.f64()?;
        let tree = SplitTree::read(reader)?;
        let hulls = (0..reader.u32()?).map(|_| {
            let hull = space.read_hull(reader)?;
            let leaves = (0..reader.u32()?).map(|_| reader.u32());
            let leaves: Vec<u32> = leaves.collect::<Result<_, _>>()?;
            let are_nodes = leaves.iter().all(|leaf| *leaf < tree.node_count());
            are_nodes
                .then_some(MergedHull { hull, leaves })
                .ok_or(Malformed)
        });
        let hulls = hulls.collect::<Result<Vec<_>, Malformed>>()?;
        let is_size = hulls.is_empty() || size > 0.0 && size.is_finite();
        is_size
            .then_some(Self { hulls, tree, size })
            .ok_or(Malformed)
    }
}

fn write_hull(out: &mut Vec<u8>, hull: &ConvexHull) {
    write_count(out, hull.points.len());
    write_count(out, hull.triangles.len());
    for point in &hull.points {
        write_f64s(out, &point.to_array());
    }
    write_triangles(out, &hull.triangles, hull.points.len());
    for plane in &hull.planes {
        plane.write(out);
    }
}

/// The space that the hulls of a solid can be in.
struct HullSpace(Aabb);

impl HullSpace {
    fn new(solid: &Solid) -> Self {
        let mut bounds = solid.bounds();
        let margin = DVec3::splat(OUTSIDE * bounds.diagonal());
        bounds.min -= margin;
        bounds.max += margin;
        Self(bounds)
    }

    fn read_hull(&self, reader: &mut ByteReader) -> Result<ConvexHull, Malformed> {
        let [points, triangles] = [reader.u32()? as usize, reader.u32()? as usize];
        if points < 4 || triangles < 4 {
            return Err(Malformed);
        }
        let mut rest = ByteReader(reader.take(points.checked_mul(24).ok_or(Malformed)?)?);
        let points = (0..points).map(|_| {
            let point = DVec3::from_array(rest.f64s()?);
            let is_inside = point.cmpge(self.0.min).all() && point.cmple(self.0.max).all();
            is_inside.then_some(point).ok_or(Malformed)
        });
        let points: Vec<DVec3> = points.collect::<Result<_, _>>()?;
        let triangles = reader.triangles(triangles, points.len())?;
        let planes = triangles.iter().map(|_| Plane::read(reader));
        Ok(ConvexHull {
            planes: planes.collect::<Result<_, _>>()?,
            points,
            triangles,
        })
    }
}
