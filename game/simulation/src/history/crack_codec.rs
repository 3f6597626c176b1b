//! The bytes of cracks in saves.

use fracture_geometry::byte_io::{write_count, write_f64s, ByteReader, Malformed};
use fracture_geometry::piece_mesh::CrackPlace;
use fracture_geometry::{BreakShape, CraterShape, FibreShape};
use glam::DVec3;

use super::laid_codec::{read_laid, write_laid};
use crate::pieces::{CrackSet, KeptPattern};

const BALL: u8 = 0;
const FIBRES: u8 = 1;
const CRATER: u8 = 2;

pub(super) fn write_kept(out: &mut Vec<u8>, kept: &KeptPattern) {
    write_laid(out, kept.detail, &kept.placement);
    match kept.shape {
        BreakShape::Ball => out.push(BALL),
        BreakShape::Fibres(shape) => {
            out.push(FIBRES);
            let [least, most] = shape.heights;
            let FibreShape {
                unit,
                through,
                section,
                growth,
                ..
            } = shape;
            write_f64s(out, &[unit, through, section, least, most, growth]);
        }
        BreakShape::Crater(shape) => {
            out.push(CRATER);
            let CraterShape {
                across,
                along,
                thickness,
                half_width,
            } = shape;
            write_f64s(out, &[across, along, thickness, half_width]);
        }
    }
}

pub(super) fn read_kept(reader: &mut ByteReader) -> Result<KeptPattern, Malformed> {
    let (detail, placement) = read_laid(reader)?;
    let shape = match reader.u8()? {
        BALL => BreakShape::Ball,
        FIBRES => {
            let [unit, through, section, least, most, growth] = reader.f64s()?;
            BreakShape::Fibres(FibreShape {
                unit,
                through,
                section,
                heights: [least, most],
                growth,
            })
        }
        CRATER => {
            let [across, along, thickness, half_width] = reader.f64s()?;
            BreakShape::Crater(CraterShape {
                across,
                along,
                thickness,
                half_width,
            })
        }
        _ => return Err(Malformed),
    };
    let kept = KeptPattern {
        detail,
        placement,
        shape,
    };
    let is_valid = kept.is_valid();
    is_valid.then_some(kept).ok_or(Malformed)
}

pub(super) fn write_cracks(out: &mut Vec<u8>, cracks: &[CrackSet]) {
    write_count(out, cracks.len());
    for set in cracks {
        write_kept(out, &set.kept);
        write_f64s(out, &set.radii);
        write_count(out, set.places.len());
        for place in &set.places {
            write_f64s(out, &place.point.to_array());
            write_f64s(out, &[place.reach]);
        }
    }
}

pub(super) fn read_cracks(reader: &mut ByteReader) -> Result<Vec<CrackSet>, Malformed> {
    let count = reader.u32()?;
    let sets = (0..count).map(|_| {
        let (kept, radii) = (read_kept(reader)?, reader.f64s()?);
        let count = reader.u32()?;
        let places = (0..count).map(|_| {
            Ok(CrackPlace {
                point: DVec3::from_array(reader.f64s()?),
                reach: reader.f64()?,
            })
        });
        let places: Result<Vec<_>, Malformed> = places.collect();
        let set = CrackSet {
            kept,
            radii,
            places: places?,
        };
        set.is_valid().then_some(set).ok_or(Malformed)
    });
    sets.collect()
}

#[cfg(test)]
mod tests {
    use fracture_geometry::Placement;

    use super::*;
    use crate::pieces::PatternDetail;

    fn cracks(shape: BreakShape) -> Vec<CrackSet> {
        let kept = KeptPattern {
            detail: PatternDetail {
                octaves: 1,
                halvings: 2,
            },
            placement: Placement::default(),
            shape,
        };
        let place = CrackPlace {
            point: DVec3::X,
            reach: 0.5,
        };
        vec![CrackSet {
            kept,
            radii: [0.1, 0.4],
            places: vec![place],
        }]
    }

    #[test]
    fn cracks_are_read_as_they_were_written_and_never_with_figures_that_are_none() {
        let fibres = FibreShape {
            unit: 0.1,
            through: 0.3,
            section: 1.0,
            heights: [0.5, 4.0],
            growth: 2.0,
        };
        let crater = CraterShape {
            across: 0.2,
            along: 0.1,
            thickness: f64::INFINITY,
            half_width: 0.5,
        };
        let [fibres, crater] = [BreakShape::Fibres(fibres), BreakShape::Crater(crater)];
        for shape in [BreakShape::Ball, fibres, crater] {
            let written = cracks(shape);
            let mut bytes = Vec::new();
            write_cracks(&mut bytes, &written);
            let read = read_cracks(&mut ByteReader(&bytes));
            assert_eq!(read.ok().as_ref(), Some(&written));
            for at in 0..bytes.len() - 8 {
                let mut damaged = bytes.clone();
                damaged[at..at + 8].copy_from_slice(&f64::NAN.to_le_bytes());
                if let Ok(read) = read_cracks(&mut ByteReader(&damaged)) {
                    let read = format!("{read:?}");
                    assert!(!read.contains("NaN"), "byte {at}: {read}");
                }
            }
        }
    }
}
