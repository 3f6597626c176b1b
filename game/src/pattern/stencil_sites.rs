//! The sites of a stencil, as the file of a pattern keeps them.

use fracture_geometry::{glam::DVec3, stencil::sites_of_points};
use fyrox::core::visitor::prelude::*;
use std::{fmt, fmt::Write, sync::Arc};

/// Sites of a stencil in metres, shared by copies. Files have them as text, one in each line.
#[derive(Clone, Default)]
pub struct StencilSites(Arc<[[f32; 3]]>);

impl StencilSites {
    /// Rounds sites to single precision.
    pub fn new(sites: &[DVec3]) -> Self {
        Self(sites.iter().map(|site| site.as_vec3().to_array()).collect())
    }

    /// The number of sites.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The sites.
    pub fn sites(&self) -> Vec<DVec3> {
        let sites = self.0.iter();
        sites.map(|site| DVec3::from(site.map(f64::from))).collect()
    }

    /// The bits of the sites, by which equal ones are known.
    pub(super) fn bits(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().flatten().map(|number| number.to_bits())
    }
}

impl PartialEq for StencilSites {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.bits().eq(other.bits())
    }
}

impl fmt::Debug for StencilSites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} sites", self.count())
    }
}

impl Visit for StencilSites {
    fn visit(&mut self, name: &str, visitor: &mut Visitor) -> VisitResult {
        let mut text = String::new();
        if visitor.is_reading() {
            if text.visit(name, visitor).is_err() {
                return Ok(()); // an older file
            }
            *self = if text.is_empty() {
                Self::default()
            } else {
                let sites = sites_of_points(&text);
                Self::new(&sites.map_err(|error| VisitError::User(error.to_string()))?)
            };
            return Ok(());
        }
        for [x, y, z] in self.0.iter() {
            writeln!(text, "{x} {y} {z}").map_err(|error| VisitError::User(error.to_string()))?;
        }
        text.visit(name, visitor)
    }
}
