//! Orders and levels of generalized-alpha on the heavy top against independently computed values.
use precess::formulation::Formulation;
use precess::integrate::*;
use precess::problems::*;
use precess::study::*;

#[test]
fn look() {
    for (f, form, start) in [
        (Formulation::R3SO3, Form::Index3, Start::Classical),
        (Formulation::R3SO3, Form::Index3, Start::Table2 { s: 0.1 }),
        (Formulation::R3SO3, Form::StabilizedIndex2, Start::Classical),
        (Formulation::R3SO3, Form::StabilizedIndex2, Start::Table1 { s: 0.1 }),
        (Formulation::SE3, Form::Index3, Start::Classical),
        (Formulation::SE3, Form::StabilizedIndex2, Start::Classical),
        (Formulation::R3SO3, Form::Index2, Start::Classical),
        (Formulation::R3SO3, Form::Index1, Start::Classical),
        (Formulation::SO3, Form::Index3, Start::Classical),
    ] {
        let top = HeavyTop::fast(f);
        let reference = TopReference::new(&top, 1.0);
        for h in [1e-3, 5e-4, 2.5e-4] {
            let mut m = MethodOptions { form, start, eta: Eta::Paper, ..Default::default() }
                .generalized_alpha()
                .unwrap();
            let mut s = InitialValues::new(&top.q_0(), &top.v_0()).consistent(&top).unwrap();
            let mut rec = ErrorRecorder::new(&reference, &[(0.0, 1.0), (0.5, 1.0)]);
            let r = Run::new(h, 1.0).run(&top, &mut m, &mut s, &mut rec);
            let r = r.unwrap();
            println!(
                "{f:?} {form:?} {start:?} h {h}: {:.4e} {:.4e} {:.4e} | {:.4e} phi {:.1e} bv {:.2e} it {:.3} us {:.3}",
                rec.errors[0].q,
                rec.errors[0].v,
                rec.errors[0].lambda,
                rec.errors[1].lambda,
                rec.errors[0].phi,
                rec.errors[0].bv,
                r.iterations as f64 / r.steps as f64,
                r.wall.as_secs_f64() * 1e6 / r.steps as f64
            );
        }
    }
}
