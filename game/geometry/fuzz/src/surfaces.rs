//! Meshes as they come out of asset files: split at seams, with doubled, lost, turned and flat
//! triangles, several surfaces, and attributes that may not fit.

use crate::bytes::Bytes;
use crate::{check, cuts, meshes, sites};
use fracture_geometry::check::{check_closed, MeshReport};
use fracture_geometry::piece_mesh::CapStyle;
use fracture_geometry::repair::RepairOptions;
use fracture_geometry::{fracture, Fracture, Mesh, Pattern, Solid, Workspace};

/// A mesh as an asset file might hold it.
pub fn surface(bytes: &mut Bytes) -> Mesh {
    let stock = meshes::stock(bytes);
    let mut mesh = split(bytes, &stock);
    for _ in 0..bytes.below(6) {
        let at = bytes.below(mesh.triangles.len().clamp(1, 65_536));
        let Some(triangle) = mesh.triangles.get(at).copied() else {
            break;
        };
        match bytes.below(6) {
            0 => {
                mesh.triangles.remove(at);
            }
            1 => mesh.triangles.push(triangle),
            2 => mesh.triangles[at].swap(1, 2),
            3 => mesh.triangles.push([triangle[0], triangle[1], triangle[1]]),
            4 => {
                let step = bytes.below(5) as f32 - 2.0;
                mesh.positions[triangle[0] as usize][bytes.below(3)] += step * 1e-7;
            }
            _ => mesh.positions[triangle[1] as usize][bytes.below(3)] = bytes.wild() as f32,
        }
    }
    dress(bytes, &mut mesh);
    mesh
}

/// Every corner may get a vertex of its own.
fn split(bytes: &mut Bytes, mesh: &Mesh) -> Mesh {
    let mut out = Mesh::from_triangles(mesh.positions.clone(), mesh.triangles.clone());
    let own = bytes.coin();
    for corner in out.triangles.iter_mut().flatten() {
        if own && bytes.coin() {
            let position = mesh.positions[*corner as usize];
            *corner = out.positions.len() as u32;
            out.positions.push(position);
        }
    }
    out
}

fn dress(bytes: &mut Bytes, mesh: &mut Mesh) {
    let count = mesh.positions.len() + usize::from(bytes.below(32) == 31);
    if bytes.coin() {
        mesh.normals = vec![[bytes.wild() as f32, 0.0, 1.0]; count];
    }
    if bytes.coin() {
        mesh.tangents = vec![[bytes.wild() as f32, 0.0, 0.0, 1.0]; count];
    }
    if bytes.coin() {
        mesh.uvs = vec![[bytes.wild() as f32; 2]; count];
    }
    if bytes.coin() {
        mesh.colors = vec![[bytes.wild() as f32; 4]; count];
    }
    if bytes.coin() {
        let surface = |_| {
            if bytes.below(32) == 31 {
                u32::MAX
            } else {
                bytes.below(4) as u32
            }
        };
        mesh.surfaces = (0..mesh.triangles.len()).map(surface).collect();
    }
}

/// Looked over, prepared as it is or mended, broken, dressed; what comes out as a solid is broken
/// once more.
pub fn fuzz(data: &[u8]) {
    let bytes = &mut Bytes::new(data);
    let mesh = surface(bytes);
    let Ok(pattern) = Pattern::from_sites(&sites::sites(bytes)) else {
        return;
    };
    let health = MeshReport::new(&mesh);
    let solid = match Solid::new(mesh.clone()) {
        Ok(solid) => {
            assert!(health.is_ok_and(|h| !h.to_string().is_empty() && h.unbalanced.is_empty()));
            solid
        }
        Err(_) => {
            let repair = RepairOptions {
                max_hole: f64::from(bytes.byte()) / 64.0,
                ..RepairOptions::default()
            };
            let Ok((solid, _)) = Solid::repaired(mesh, &repair) else {
                return;
            };
            solid
        }
    };
    let cut = cuts::fitting(bytes, &solid);
    crate::show(solid.mesh(), &pattern, &cut);
    let Ok(result) = fracture(&solid, &pattern, &cut, &mut Workspace::default()) else {
        return;
    };
    if solid.is_shell() {
        sheets_add_up(&solid, &result);
    } else {
        check::check(crate::tolerance(&solid), "surface", &solid, &result);
    }
    for piece in &result.pieces {
        let own = piece.to_mesh(&solid, &CapStyle::own_surface(solid.mesh()));
        assert!(piece.open || check_closed(&own).is_closed());
        if let Ok(again) = Solid::new(own) {
            crate::broken(&again, &pattern, &cuts::fitting(bytes, &again));
        }
    }
}

fn sheets_add_up(solid: &Solid, result: &Fracture) {
    let sum: f64 = result.pieces.iter().map(|p| p.mass.volume).sum();
    let whole = solid.mass().volume;
    let error = (sum + result.report.dust_volume - whole).abs() / whole;
    // Steps of f32 widen needles, by as much as their edges are long.
    let [low, high] = solid.bounds().corners();
    let step = low.abs().max(high.abs()).max_element() * f64::from(f32::EPSILON);
    let mesh = solid.mesh();
    let place = |v: u32| glam::Vec3::from(mesh.positions[v as usize]).as_dvec3();
    let around = |t: &[u32; 3]| {
        let [a, b, c] = t.map(place);
        let area = 0.5 * (b - a).cross(c - a).length();
        (area, a.distance(b) + b.distance(c) + c.distance(a))
    };
    let sums = mesh.triangles.iter().map(around);
    let (area, length) = sums.fold((0.0, 0.0), |s, t| (s.0 + t.0, s.1 + t.1));
    let coarse = length * step / area;
    let tolerance = if coarse < 0.01 {
        1e-5 + 10.0 * coarse
    } else {
        f64::INFINITY
    };
    assert!(error <= tolerance, "area off by {error:e}");
}
