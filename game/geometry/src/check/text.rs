//! A mesh's health in words, the remedy with each finding.

use super::MeshReport;
use std::fmt;

impl fmt::Display for MeshReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(
            f,
            "{} triangles, {} vertices at {} positions, {:.4} m across",
            self.triangles, self.vertices, self.points, self.diagonal
        )?;
        self.borders(f)?;
        self.edges(f)?;
        self.triangles(f)?;
        self.parts(f)?;
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
    fn borders(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Some(longest) = self.borders.first() else {
            return Ok(());
        };
        let [x, y, z] = longest.points.first().copied().unwrap_or_default();
        writeln!(
            f,
            "{} open borders, the longest {:.4} m around, {:.4} m across, from ({x:.4}, {y:.4}, {z:.4}); \
             fill or bridge them",
            self.borders.len(),
            longest.length,
            longest.diagonal,
        )
    }

    fn edges(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let lists = [
            (
                &self.turned,
                "edges between triangles that face opposite ways; turn one side round",
            ),
            (
                &self.crowded,
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

    fn triangles(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let lists = [
            (
                self.repeated.len(),
                "triangles use one position twice and are left out; delete them",
            ),
            (self.flat.len(), "triangles have no area; dissolve them"),
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
        if let Some(first) = self.crossings.list.first() {
            let [x, y, z] = first.at;
            let count = self.crossings.count;
            let more = if self.crossings.complete {
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

    fn parts(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.islands.len() > 1 {
            let tiny = self.tiny().count();
            writeln!(
                f,
                "{} parts that are not connected, {tiny} of them below a hundredth of the size; \
                 each becomes a piece of its own",
                self.islands.len()
            )?;
        }
        for island in self.islands.iter().filter(|island| island.inside_out) {
            let [x, y, z] = island.middle;
            writeln!(
                f,
                "a part of {} triangles about ({x:.4}, {y:.4}, {z:.4}) is inside out; turn it round",
                island.triangles.len()
            )?;
        }
        Ok(())
    }
}
