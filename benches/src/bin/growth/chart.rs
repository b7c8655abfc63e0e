//! Charts of times on a logarithmic scale, side by side, as SVG.

use std::fmt::Write;

/// Values of one kind.
pub(crate) struct Series {
    pub(crate) name: &'static str,
    /// Counts and microseconds.
    pub(crate) points: Vec<(f64, f64)>,
}

/// A chart; what it counts is its title.
pub(crate) struct Chart {
    pub(crate) title: &'static str,
    pub(crate) series: Vec<Series>,
}

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 50.0;
const TOP: f64 = 30.0;
const GAP: f64 = 70.0;
/// Colours that differ in brightness, too.
const COLORS: [&str; 2] = ["#1f4e9c", "#d98014"];
/// Powers of ten of a microsecond, from bottom to top.
const DECADES: (i32, i32) = (-1, 7);

/// All charts, with the same scale of time.
pub(crate) fn page(charts: &[Chart]) -> String {
    let width = LEFT + charts.len() as f64 * (WIDTH + GAP);
    let height = TOP + HEIGHT + 50.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (index, chart) in charts.iter().enumerate() {
        let left = LEFT + index as f64 * (WIDTH + GAP);
        writeln!(svg, "<g transform=\"translate({left},{TOP})\">").expect("memory takes all");
        draw(&mut svg, chart);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw(svg: &mut String, chart: &Chart) {
    let counts = || chart.series.iter().flat_map(|series| &series.points);
    let least = counts().map(|(x, _)| *x).fold(f64::INFINITY, f64::min);
    let most = counts().map(|(x, _)| *x).fold(least + 1.0, f64::max);
    let x = |count: f64| (count - least) / (most - least) * WIDTH;
    let y = |micros: f64| {
        let (bottom, top) = DECADES;
        let share = (micros.log10() - f64::from(bottom)) / f64::from(top - bottom);
        HEIGHT * (1.0 - share.clamp(0.0, 1.0))
    };
    for decade in DECADES.0..=DECADES.1 {
        let at = y(10_f64.powi(decade));
        let label = match decade {
            ..0 => format!("{} ns", 10_i32.pow((decade + 3).unsigned_abs())),
            0..3 => format!("{} µs", 10_i32.pow(decade.unsigned_abs())),
            3..6 => format!("{} ms", 10_i32.pow((decade - 3).unsigned_abs())),
            _ => format!("{} s", 10_i32.pow((decade - 6).unsigned_abs())),
        };
        element(
            svg,
            &format!("<line x2=\"{WIDTH}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>"),
        );
        text(svg, (-6.0, at + 4.0), "end", "black", &label);
    }
    let mut count = least;
    while count <= most {
        text(
            svg,
            (x(count), HEIGHT + 18.0),
            "middle",
            "black",
            &format!("{count:.0}"),
        );
        count += ((most - least) / 8.0).ceil();
    }
    text(
        svg,
        (WIDTH / 2.0, HEIGHT + 38.0),
        "middle",
        "black",
        chart.title,
    );
    for (index, (series, color)) in chart.series.iter().zip(COLORS).enumerate() {
        let points = series.points.iter();
        let points: Vec<String> = points
            .map(|(count, micros)| format!("{:.1},{:.1}", x(*count), y(*micros)))
            .collect();
        let path = points.join(" ");
        element(
            svg,
            &format!(
                "<polyline points=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>"
            ),
        );
        for point in &points {
            let (cx, cy) = point.split_once(',').unwrap_or_default();
            element(
                svg,
                &format!("<circle cx=\"{cx}\" cy=\"{cy}\" r=\"3\" fill=\"{color}\"/>"),
            );
        }
        let at = (8.0, 12.0 + 16.0 * index as f64);
        text(svg, at, "start", color, series.name);
    }
}

fn element(svg: &mut String, element: &str) {
    svg.push_str(element);
    svg.push('\n');
}

fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, color: &str, text: &str) {
    element(
        svg,
        &format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{color}\">{text}</text>"
        ),
    );
}
