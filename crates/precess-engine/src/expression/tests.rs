use super::*;
use precess_lie::larger;

fn names() -> Names {
    let mut names = Names::from([("l", 0.5), ("f", 2.0), ("w", 0.012)].map(|(n, x)| (n.to_string(), x)));
    names.dimensions.insert("w".to_string(), Dimension::new([1, 0, 0, 0]));
    let table =
        Table::new(&[[0.0, 1.0], [1.0, 3.0]], table::BetweenRows::Linear, table::Outside::Hold).unwrap();
    names.tables = Arc::new(BTreeMap::from([("road".to_string(), Arc::new(table))]));
    names
}

fn value(text: &str) -> Result<f64, String> {
    let names = names();
    let e = Expression::parse(text, &|n| names.contains_key(n))?.bind(&names)?;
    e.constant().ok_or_else(|| format!("{:?}", e.var_names()))
}

#[test]
fn operators_functions_and_units() {
    for (text, expected) in [
        ("2 + 3*4 - 5", 9.0),
        ("2 - 3 + 4", 3.0),
        ("2*3/4*2", 3.0),
        ("2/4/2", 0.25),
        ("2^3^2", 64.0),
        ("-2^2", -4.0),
        ("2^-1", 0.5),
        ("3*(-2)", -6.0),
        ("min(3, 1, 2) + max(1, 5, 2, 4)", 6.0),
        ("clamp(7, 0, 2) + clamp(-1, 0, 2)", 2.0),
        ("if(1 < 2 and not 3 <= 2, 10, 20)", 10.0),
        ("if(1 > 2 or 2 != 2, 10, 20)", 20.0),
        ("if(f >= 2, f, -f)", 2.0),
        ("(3 > 2)*5", 5.0),
        ("step(0.5, 0, 1) + step(0.5, 0, 1, 3) + step(0.25, 0, 1, 0) + step(1, 1)", 2.25),
        ("poly345(0.5, 1) + cycloid(3, 6)", 1.0),
        ("road(0.25) + road(2*f)", 4.5),
        ("mod(7.5, 2) + mod(-0.5, 2)", 3.0),
        ("12 mm", 0.012),
        ("2*l + 12 mm", 1.012),
        ("5 kN/m", 5000.0),
        ("1 kN/(2*l)", 1000.0),
        ("(l + 1) mm", 0.0015),
        ("l mm", 0.0005),
        ("1/(4) mm", 250.0),
        ("sin x_is_missing", f64::NAN),
        ("100*l cm", 0.5),
        ("3 m/s^2*f", 6.0),
        ("sqrt(4 m^2)", 2.0),
        ("5 min", 300.0),
        ("min(1 min, 70 s)", 60.0),
    ] {
        match value(text) {
            Ok(x) => assert!((x - expected).abs() < 1e-14 * expected.abs(), "{text}: {x}"),
            Err(e) => assert!(expected.is_nan(), "{text}: {e}"),
        }
    }
    for bad in [
        "",
        "2*",
        "2 3",
        "((1)",
        "3*-f",
        "1 - -f",
        "clamp(1, 2)",
        "min(1)",
        "foo(2)",
        "sin()",
        "2 q",
        "a b",
        "1 <",
        "if(1, 2)",
        "road(1, 2)",
        "10 + 20 deg",
        "1e",
        "f f",
        "m/2 3",
        "2 m^x",
    ] {
        let e = value(bad);
        assert!(e.is_err(), "{bad}: {e:?}");
    }
    assert!(value("5 kg/l").is_ok() && value("-30 deg").is_ok() && value("10 + (20 deg)").is_ok());
    let names = Names::from([("m".to_string(), 2.0)]);
    let read = |text: &str| Expression::parse(text, &|n| names.contains_key(n));
    for ambiguous in ["2*5 kN/m", "5 kN/m + 1", "(5 kN)/2 + 3 N/m"] {
        let e = read(ambiguous).unwrap_err();
        assert!(e.contains("a unit and a name"), "{ambiguous}: {e}");
    }
    // A single quantity.
    for (text, value) in [("5 kN/m", 5000.0), ("5e3 N/m", 5000.0), ("-1.5 kN s/m", -1500.0), ("5 kN", 5000.0)]
    {
        assert_eq!(read(text).unwrap().bind(&names).unwrap().constant(), Some(value), "{text}");
    }
    assert_eq!(read("(5 kN)/m").unwrap().bind(&names).unwrap().constant(), Some(2500.0));
}

#[test]
fn dimensions() {
    let kind = |text: &str| Expression::parse(text, &|_| false).unwrap().kind(&names());
    let length = Kind::Known(Dimension::new([1, 0, 0, 0]));
    for (text, expected) in [
        ("2", Kind::Pure),
        ("l", Kind::Any),
        ("w", length),
        ("2*w + 3 mm", length),
        ("l*w", Kind::Any),
        ("w + l", length),
        ("sqrt(w^2 + 4 mm^2)", length),
        ("w*sin(3*pi)", length),
        ("w/(3 s)", Kind::Known(Dimension::new([1, 0, -1, 0]))),
        ("w^-2", Kind::Known(Dimension::new([-2, 0, 0, 0]))),
        ("max(w, 1 in, 3)", length),
        ("trapezoid(2 s, w, 1 m/s, 3)", length),
        ("if(w > 1 mm, 2 mm, w)", length),
        ("w/(1 mm)", Kind::Known(Dimension::NONE)),
    ] {
        assert_eq!(kind(text), Ok(expected), "{text}");
    }
    for (bad, both) in [
        ("w + 1 kg", ["a length (m)", "a mass (kg)"]),
        ("max(1 s, w)", ["a time (s)", "a length (m)"]),
        ("if(w > 1 N, 1, 2)", ["a length (m)", "a force (N)"]),
        ("sin(2*w)", ["sin(2*w)", "a length (m)"]),
        ("w^l + 3 kg*w^(1 m)", ["w^(1 m)", "a length (m)"]),
    ] {
        let e = kind(bad).unwrap_err();
        assert!(both.iter().all(|part| e.contains(part)), "{bad}: {e}");
    }
}

#[test]
fn the_part_that_is_not_a_number_is_named() {
    let culprit = |text: &str| Expression::parse(text, &|_| false).unwrap().culprit(&names()).unwrap();
    assert_eq!(culprit("2 + 3*sqrt(l - f)"), "'sqrt(l - f)' is NaN with l = 0.5, f = 2");
    assert_eq!(culprit("exp(1/(f - 2))"), "'1/(f - 2)' is inf with f = 2");
}

/// Profiles end at the right values, and keep their limits of speed and acceleration.
#[test]
fn profiles_keep_their_limits() {
    for (text, distance, [v, a, j]) in [
        ("trapezoid(t, 3, 2, 1.5)", 3.0, [2.0, 1.5, f64::INFINITY]),
        ("trapezoid(t, -0.5, 2, 1.5)", -0.5, [2.0, 1.5, f64::INFINITY]),
        ("scurve(t, 3, 1, 2, 4)", 3.0, [1.0, 2.0, 4.0]),
        ("scurve(t, 0.2, 1, 2, 4)", 0.2, [1.0, 2.0, 4.0]),
        ("scurve(t, -5, 3, 2, 4)", -5.0, [3.0, 2.0, 4.0]),
        ("scurve(t, 1.5, 3, 2, 4)", 1.5, [3.0, 2.0, 4.0]),
    ] {
        let e = Expression::parse(text, &|_| false).unwrap();
        let at = |t: f64| e.eval(&[jet::Jet::first(t)]);
        let (dt, mut last, mut fastest) = (1e-3, at(0.0), 0.0_f64);
        for i in 1..20_000 {
            let now = at(f64::from(i) * dt);
            assert!((now.f - last.f).abs() <= v * dt * 1.0001, "{text}: velocity at {i}");
            assert!((now.a - last.a).abs() <= a * dt * 1.0001, "{text}: acceleration at {i}");
            assert!(
                (now.aa - last.aa).abs() <= j * dt * 1.0001,
                "{text}: jerk at {i}: {} {}",
                now.aa,
                last.aa
            );
            fastest = larger(fastest, now.a.abs());
            last = now;
        }
        assert!((last.f - distance).abs() < 1e-12, "{text}: {}", last.f);
        assert!(last.a.abs() < 1e-12 && fastest > 0.3, "{text}");
    }
    // Ends of smooth steps: value, slope and curvature.
    for (text, slopes) in
        [("step(t, 0, 1, 1)", 1), ("poly345(t, 1)", 2), ("cycloid(t, 1)", 2), ("step(t, 0, 1, 3)", 2)]
    {
        let e = Expression::parse(text, &|_| false).unwrap();
        for (t, y) in [(0.0, 0.0), (1.0 - 1e-12, 1.0)] {
            let jet = e.eval(&[jet::Jet::first(t)]);
            assert!((jet.f - y).abs() < 1e-9 && jet.a.abs() < 1e-9, "{text}: {jet:?}");
            assert!(slopes < 2 || jet.aa.abs() < 1e-9, "{text}: {jet:?}");
        }
    }
}
