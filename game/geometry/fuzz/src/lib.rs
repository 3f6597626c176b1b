//! Bodies of the fuzz targets. Every output goes through the validators of the tests.
//!
//! `check` and `solids` are the tests' own files, so that a fuzzed break is held to the same
//! contract as any other.

#[path = "../../tests/check.rs"]
pub mod check;
#[path = "../../tests/solids.rs"]
pub mod solids;

pub mod bytes;
pub mod cuts;
pub mod meshes;
pub mod sites;
pub mod surfaces;

use bytes::Bytes;
use fracture_geometry::{fracture, FractureParams, Mesh, Pattern, Solid, Workspace};
use xxhash_rust::xxh3::xxh3_64;

/// Prints what is to be broken when `FRACTURE_SHOW` is set: a finding in the words of a test.
pub fn show(mesh: &Mesh, pattern: &Pattern, cut: &FractureParams) {
    if std::env::var_os("FRACTURE_SHOW").is_none() {
        return;
    }
    eprintln!("positions: {:?}", mesh.positions);
    eprintln!("triangles: {:?}", mesh.triangles);
    let sites: Vec<[f64; 3]> = (0..pattern.cell_count())
        .map(|c| pattern.site(c as u32).to_array())
        .collect();
    eprintln!("sites: {sites:?}\n{cut:?}");
}

/// Breaks and checks; a break that is refused is fine.
fn broken(solid: &Solid, pattern: &Pattern, cut: &FractureParams) {
    show(solid.mesh(), pattern, cut);
    if let Ok(result) = fracture(solid, pattern, cut, &mut Workspace::default()) {
        check::check(tolerance(solid), "fuzzed", solid, &result);
    }
}

/// Where a step of f32 moves the volume by a percent, sums of volumes say nothing.
fn tolerance(solid: &Solid) -> f64 {
    match check::coarseness(solid) {
        fine if fine < 0.01 => 1e-5 + fine,
        _ => f64::INFINITY,
    }
}

/// Meshes from bytes, cut by patterns from bytes.
pub fn fuzz_meshes(data: &[u8]) {
    let bytes = &mut Bytes::new(data);
    let is_raw = bytes.below(8) == 0;
    let Ok(pattern) = Pattern::from_sites(&sites::sites(bytes)) else {
        return;
    };
    let mesh = if is_raw {
        meshes::raw(bytes)
    } else {
        meshes::closed(bytes)
    };
    if let Ok(solid) = Solid::new(mesh) {
        let cut = cuts::fitting(bytes, &solid);
        broken(&solid, &pattern, &cut);
    }
}

/// Patterns from bytes, laid onto small solids.
pub fn fuzz_patterns(data: &[u8]) {
    let bytes = &mut Bytes::new(data);
    let mesh = meshes::stock(bytes);
    let list = if bytes.coin() {
        sites::sites(bytes)
    } else {
        sites::wild(bytes)
    };
    let Ok(pattern) = Pattern::from_sites(&list) else {
        return;
    };
    assert_eq!(
        Pattern::from_bytes(&pattern.to_bytes()).as_ref(),
        Ok(&pattern)
    );
    for cell in 0..pattern.cell_count() as u32 {
        let neighbors = pattern.neighbors(cell);
        assert!(neighbors
            .iter()
            .all(|n| pattern.neighbors(*n).contains(&cell)));
    }
    if let Ok(solid) = Solid::new(mesh) {
        let mut cut = cuts::fitting(bytes, &solid);
        if bytes.coin() {
            cut.placement = fracture_geometry::Placement::IDENTITY;
        }
        broken(&solid, &pattern, &cut);
    }
}

/// Valid pattern files with a few bytes changed and the hash put right again: whatever is read is a
/// pattern like any other.
pub fn fuzz_pattern_files(data: &[u8]) {
    const HEADER: usize = 20;
    let bytes = &mut Bytes::new(data);
    let Ok(pattern) = Pattern::from_sites(&sites::sites(bytes)) else {
        return;
    };
    let mut file = pattern.to_bytes();
    for _ in 0..1 + bytes.below(8) {
        let at = bytes.below(file.len().clamp(1, 65_536));
        match bytes.below(8) {
            0 => file.truncate(at),
            1 => file.insert(at, bytes.byte()),
            2 => {
                for (slot, byte) in file.iter_mut().skip(at / 4 * 4).zip([0xff; 4]) {
                    *slot = byte;
                }
            }
            _ => {
                let value = bytes.byte();
                if let Some(slot) = file.get_mut(at) {
                    *slot = value;
                }
            }
        }
    }
    let keep_hash = bytes.below(16) == 15;
    if let (false, Some((head, body))) = (keep_hash, file.split_at_mut_checked(HEADER)) {
        head[12..].copy_from_slice(&xxh3_64(body).to_le_bytes());
    }
    let Ok(read) = Pattern::from_bytes(&file) else {
        return;
    };
    assert_eq!(
        Pattern::from_bytes(&read.to_bytes()).map(|p| p.content_hash()),
        Ok(read.content_hash())
    );
    if let Ok(solid) = Solid::new(Mesh::sphere(0.7, 8, 6)) {
        for cut in [check::all(), check::near(glam::DVec3::X, 0.5)] {
            broken(&solid, &read, &cut);
        }
    }
}

/// Any placement, impact and radius on small solids.
pub fn fuzz_impacts(data: &[u8]) {
    let bytes = &mut Bytes::new(data);
    let mesh = meshes::stock(bytes);
    let cut = cuts::wild(bytes);
    let Ok(pattern) = Pattern::from_sites(&sites::sites(bytes)) else {
        return;
    };
    if let Ok(solid) = Solid::new(mesh) {
        broken(&solid, &pattern, &cut);
    }
}
