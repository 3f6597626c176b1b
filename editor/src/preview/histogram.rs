//! Histogram of pieces by volume, in decades.

/// Most bars.
pub const BARS: usize = 12;
/// Most decades; smaller pieces are counted in the first bar.
pub const DECADES: usize = 6;

/// Counts of volumes in bins of equal width of their logarithm.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    /// Pieces in each bin, the smallest volumes first; at most [`BARS`] bins.
    pub bars: Vec<usize>,
    /// Volumes at the boundaries of decades, m^3, from the start of the first bar to the end of the
    /// last.
    pub ticks: Vec<f64>,
}

impl Histogram {
    /// Counts volumes (m^3).
    pub fn of(volumes: &[f64]) -> Self {
        let logs: Vec<f64> = volumes.iter().map(|v| v.max(1e-15).log10()).collect();
        let ends = logs.iter().fold(None, |ends: Option<[f64; 2]>, log| {
            let [low, high] = ends.unwrap_or([*log; 2]);
            Some([low.min(*log), high.max(*log)])
        });
        let Some([low, high]) = ends else {
            return Self::default();
        };
        let last = (high.floor() + 1.0) as i32;
        let first = (low.floor() as i32).clamp(last - DECADES as i32, last - 1);
        let decades = (last - first) as usize;
        let in_a_decade = BARS / decades;
        let mut bars = vec![0; decades * in_a_decade];
        for log in logs {
            let at = (log - f64::from(first)) * in_a_decade as f64;
            let at = (at.max(0.0) as usize).min(bars.len() - 1);
            if let Some(bar) = bars.get_mut(at) {
                *bar += 1;
            }
        }
        let ticks = (first..=last).map(|tick| 10f64.powi(tick)).collect();
        Self { bars, ticks }
    }
}

/// Formats a power of ten (m^3) in a suitable unit.
pub fn label(tick: f64) -> String {
    let exponent = tick.log10().round() as i32;
    let (unit, of_unit) = match exponent {
        e if e < -6 => ("mm³", -9),
        e if e < -3 => ("cm³", -6),
        e if e < 0 => ("dm³", -3),
        _ => ("m³", 0),
    };
    format!("{} {unit}", 10f64.powi(exponent - of_unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_have_the_unit_that_suits_them() {
        let ticks = [-10, -9, -7, -6, -4, -3, -1, 0, 1].map(|e| label(10f64.powi(e)));
        let expected = [
            "0.1 mm³", "1 mm³", "100 mm³", "1 cm³", "100 cm³", "1 dm³", "100 dm³", "1 m³", "10 m³",
        ];
        assert_eq!(ticks, expected);
    }

    #[test]
    fn every_piece_is_in_one_bar() {
        assert_eq!(Histogram::of(&[]), Histogram::default());
        let one = Histogram::of(&[0.5]);
        assert_eq!((one.bars.iter().sum::<usize>(), one.bars.len()), (1, BARS));
        let even: Vec<f64> = (0..40).map(|n| 1.1e-3 * 1.25f64.powi(n)).collect();
        let spread = Histogram::of(&even);
        assert_eq!(spread.bars.iter().sum::<usize>(), 40);
        assert_eq!(spread.ticks.len(), 5);
        let (last, full) = spread.bars.split_last().unwrap();
        assert!(full.iter().all(|bar| (3..=4).contains(bar)), "{spread:?}");
        assert!(*last > 0, "{spread:?}");
    }

    #[test]
    fn whatever_the_sizes_are_there_are_bars_for_them() {
        let sizes = [0.0, 1e-300, 1e-15, 1e-9, 1.0, 10.0, 1e12, f64::MAX];
        for volumes in [vec![1.0; 7], sizes.to_vec(), vec![f64::NAN, f64::INFINITY]] {
            let chart = Histogram::of(&volumes);
            assert_eq!(chart.bars.iter().sum::<usize>(), volumes.len(), "{chart:?}");
            assert!((1..=BARS).contains(&chart.bars.len()), "{chart:?}");
            assert!((2..=DECADES + 1).contains(&chart.ticks.len()), "{chart:?}");
        }
    }
}
