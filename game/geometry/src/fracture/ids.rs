//! Id spaces of one break, a type each, so that none can stand in for another.
//!
//! | Type | Index of | Into |
//! | --- | --- | --- |
//! | [`LocalCell`] | an affected cell, ascending by cell | `AffectedCells::cells` |
//! | [`PolygonId`] | a clipped polygon, ascending by triangle, then by cell | `ClippedSurface::polygons` |
//! | [`SpanId`] | a part of a Voronoi edge inside the solid | `EdgeSpans::span` |
//! | [`CapId`] | a cap | `CutSolid::cap` |
//! | [`ResidualId`] | the remainder of a clipped triangle | `CutSolid::residual` |
//! | [`ElementId`] | a node of the union-find forest | `ElementIndex` |
//! | [`ComponentId`] | a connected component | `Components` |
//!
//! Patches of the solid are [`PatchId`](crate::PatchId). Plain `u32`: triangles, half-edges
//! (`3 * triangle + k`), edges, points, vertices and clusters of the solid; cells, faces, edges and vertices of the pattern; regions within one cap or residual;
//! pieces of the result.

macro_rules! id_types {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

id_types! {
    /// An affected cell.
    LocalCell;
    /// A clipped polygon.
    PolygonId;
    /// A part of a Voronoi edge inside the solid.
    SpanId;
    /// A cap.
    CapId;
    /// The remainder of a clipped triangle.
    ResidualId;
    /// An element of the cut solid as a node of the union-find forest.
    ElementId;
    /// A connected component.
    ComponentId;
}
