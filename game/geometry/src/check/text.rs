//! Text of a mesh report, with the remedy for each fault.

use super::MeshReport;
use std::fmt;

impl fmt::Display for MeshReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(
            f,
            "{} triangles, {} vertices at {} positions, {:.4} m across",
            self.triangles, self.vertices, self.points, self.diagonal
        )?;
        self.write_boundary_loops(f)?;
        self.write_edges(f)?;
        self.write_triangles(f)?;
        self.write_components(f)?;
        let verdict = if self.is_sound() {
            "sound: it breaks as it is"
        } else if self.is_closed() && self.volume > 0.0 {
            "closed: it breaks, and may look odd where it is not sound"
        } else {
            "not closed: it has to be repaired, or breaks as a shell"
        };
        write!(f, "{verdict}")
    }
}

impl MeshReport {
    fn write_boundary_loops(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Some(longest) = self.boundary_loops.first() else {
            return Ok(());
        };
        let [x, y, z] = longest.points.first().copied().unwrap_or_default();
        writeln!(
            f,
            "{} open borders, the longest {:.4} m around, {:.4} m across, from ({x:.4}, {y:.4}, {z:.4}); \
             fill or bridge them",
            self.boundary_loops.len(),
            longest.length,
            longest.diagonal,
        )
    }

    fn write_edges(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let lists = [
            (
                &self.inconsistent,
                "edges between triangles that face opposite ways; turn one side round",
            ),
            (
                &self.non_manifold,
                "edges of more than two triangles; no fault where parts only touch",
            ),
            (
                &self.unbalanced,
                "of those with a triangle too many or missing; delete inner walls",
            ),
        ];
        for (list, what) in lists.iter().filter(|(list, _)| !list.is_empty()) {
            let [x, y, z] = list.first().map_or([0.0; 3], |ends| ends[0]);
            writeln!(
                f,
                "{} {what}; the first at ({x:.4}, {y:.4}, {z:.4})",
                list.len()
            )?;
        }
        Ok(())
    }

    fn write_triangles(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let lists = [
            (
                self.degenerate.len(),
                "triangles use one position twice and are left out; delete them",
            ),
            (
                self.zero_area.len(),
                "triangles have no area; dissolve them",
            ),
            (
                self.slivers.len(),
                "slivers, triangles thinner than a thousandth of their length; dissolve them",
            ),
            (
                self.duplicates.len(),
                "triangles are there twice; delete the copies",
            ),
        ];
        for (count, what) in lists.iter().filter(|(count, _)| *count > 0) {
            writeln!(f, "{count} {what}")?;
        }
        if let Some(first) = self.self_intersections.list.first() {
            let [x, y, z] = first.point;
            let count = self.self_intersections.count;
            let more = if self.self_intersections.is_complete {
                ""
            } else {
                " or more"
            };
            writeln!(
                f,
                "{count}{more} pairs of triangles pass through each other, the first at \
                 ({x:.4}, {y:.4}, {z:.4}); unite the parts"
            )?;
        }
        Ok(())
    }

    fn write_components(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.components.len() > 1 {
            let tiny = self.tiny_components().count();
            writeln!(
                f,
                "{} parts that are not connected, {tiny} of them below a hundredth of the size; \
                 each becomes a piece of its own",
                self.components.len()
            )?;
        }
        for component in self.components.iter().filter(|c| c.inside_out) {
            let [x, y, z] = component.center.to_array();
            writeln!(
                f,
                "a part of {} triangles about ({x:.4}, {y:.4}, {z:.4}) is inside out; turn it round",
                component.triangles.len()
            )?;
        }
        Ok(())
    }
}
