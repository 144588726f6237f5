//! Medians of paired rounds, and the table that they are printed as.

use std::hint::black_box;
use std::time::Instant;

/// How long a call takes in nanoseconds. What it gives is dropped when the clock has stopped.
pub fn time<T>(call: impl FnOnce() -> T) -> f64 {
    let started = Instant::now();
    let result = black_box(call());
    let elapsed = started.elapsed();
    drop(result);
    elapsed.as_secs_f64() * 1e9
}

/// A share of the samples lies at or below it: 0.5 for the median.
pub fn quantile(samples: &mut [f64], share: f64) -> f64 {
    samples.sort_unstable_by(f64::total_cmp);
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "there are some hundred samples, and the share is between 0 and 1"
    )]
    let place = ((samples.len() - 1) as f64 * share).round() as usize;
    samples[place]
}

/// The medians of several measurements. They take turns, so that whatever slows the machine down slows all of them.
pub fn medians<const N: usize>(
    rounds: usize,
    mut measurements: [&mut dyn FnMut() -> f64; N],
) -> [f64; N] {
    let mut samples = [const { Vec::new() }; N];
    for _ in 0..rounds {
        for (samples, measure) in samples.iter_mut().zip(&mut measurements) {
            samples.push(measure());
        }
    }
    samples.map(|mut samples| quantile(&mut samples, 0.5))
}

/// left / right
pub fn ratio(left: f64, right: f64) -> String {
    format!("{:.2}×", left / right)
}

/// The larger unit that leaves at least one digit before the point.
pub fn duration(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{ns:.1} ns"),
        ns if ns < 1e6 => format!("{:.1} µs", ns / 1e3),
        ns => format!("{:.2} ms", ns / 1e6),
    }
}

/// Bytes by how many there are of what they hold.
pub fn bytes_per(bytes: usize, of: usize) -> String {
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let share = bytes as f64 / of as f64;
    format!("{share:.1} B")
}

/// The head of the table, whose rows are printed as they are measured, so that a long run shows where it is.
pub fn head() {
    row("", "median", "remark");
}

pub fn heading(what: &str) {
    println!("\n{what}");
}

pub fn row(what: &str, value: &str, remark: &str) {
    println!("{what:<62} {value:>9}  {remark}");
}
