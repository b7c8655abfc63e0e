//! scratch
use std::time::Instant;
use stillmate_core::{Color, Position};
use stillmate_reach::{Analyzer, Limits, Verdict};
fn main() {
    let nodes: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let an = Analyzer::new(Limits { nodes, threads: 1, ..Limits::default() });
    let count = std::env::args().nth(2).is_some();
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let fen: String = line.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
        let Ok(p) = Position::from_fen(&fen) else { continue };
        for w in Color::ALL {
            let f = an.decide(&p, w);
            let before = match &f.verdict { Verdict::Winnable(l) => l.0.len() as i64, _ => -1 };
            if before < 0 { continue; }
            let t = Instant::now();
            let s = an.shortest(&p, w, f.clone(), count);
            let after = match &s.finding.verdict { Verdict::Winnable(l) => l.0.len() as i64, _ => -1 };
            println!("{:?} {before} -> {after} at least {} proved {} nodes {} {:.1} ms lines {:?} {fen}", w, s.at_least, s.is_proved(), s.finding.nodes - f.nodes, t.elapsed().as_secs_f64()*1e3, s.lines);
        }
    }
}
