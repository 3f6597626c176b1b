//! The bytes of bars in saves.

use fracture_geometry::bars::{Bar, BarBlow};
use fracture_geometry::byte_io::{write_count, write_f64s, ByteReader, Malformed};
use glam::DVec3;

use crate::pieces::PieceBars;

pub(super) fn write_bars(out: &mut Vec<u8>, bars: Option<&PieceBars>) {
    out.push(u8::from(bars.is_some()));
    let Some(PieceBars { bars, blows }) = bars else {
        return;
    };
    write_count(out, bars.len());
    for bar in bars {
        out.push(bar.axis as u8);
        out.push(u8::from(bar.is_end_held));
        write_f64s(out, &bar.start.to_array());
        write_f64s(out, &bar.end.to_array());
    }
    write_count(out, blows.len());
    for blow in blows {
        write_f64s(out, &blow.point.to_array());
        write_f64s(out, &blow.direction.to_array());
        write_f64s(out, &[blow.radius, blow.energy]);
    }
}

pub(super) fn read_bars(reader: &mut ByteReader) -> Result<Option<PieceBars>, Malformed> {
    match reader.u8()? {
        0 => return Ok(None),
        1 => {}
        _ => return Err(Malformed),
    }
    let bars = (0..reader.u32()?).map(|_| {
        let axis = reader.u8()?.into();
        let is_end_held = reader.u8()? != 0;
        let [start, end] = [reader.f64s()?, reader.f64s()?].map(DVec3::from_array);
        Ok(Bar {
            start,
            end,
            axis,
            is_end_held,
        })
    });
    let bars: Result<Vec<Bar>, Malformed> = bars.collect();
    let bars = bars?;
    let blows = (0..reader.u32()?).map(|_| {
        let [point, direction] = [reader.f64s()?, reader.f64s()?].map(DVec3::from_array);
        let [radius, energy] = reader.f64s()?;
        Ok(BarBlow {
            point,
            direction,
            radius,
            energy,
        })
    });
    let blows: Result<Vec<BarBlow>, Malformed> = blows.collect();
    let bars = PieceBars {
        bars,
        blows: blows?,
    };
    let is_valid = bars.is_valid();
    is_valid.then_some(Some(bars)).ok_or(Malformed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_read_as_they_were_written_and_never_with_figures_that_are_none() {
        let bar = Bar {
            start: DVec3::ZERO,
            end: DVec3::Y,
            axis: 1,
            is_end_held: true,
        };
        let blow = BarBlow {
            point: DVec3::ONE,
            direction: DVec3::Z,
            radius: 0.5,
            energy: 1e4,
        };
        let written = PieceBars {
            bars: vec![bar],
            blows: vec![blow],
        };
        let mut bytes = Vec::new();
        write_bars(&mut bytes, Some(&written));
        let read = read_bars(&mut ByteReader(&bytes));
        assert_eq!(read.ok().flatten().as_ref(), Some(&written));
        for at in 0..bytes.len() - 8 {
            let mut damaged = bytes.clone();
            damaged[at..at + 8].copy_from_slice(&f64::NAN.to_le_bytes());
            if let Ok(read) = read_bars(&mut ByteReader(&damaged)) {
                let read = format!("{read:?}");
                assert!(!read.contains("NaN"), "byte {at}: {read}");
            }
        }
    }
}
