//! An entry that cannot be read hides no other mistake, and causes no messages about elements that use it.

use precess::model::{Files, load, load_with};

fn said(text: &str) -> String {
    load("t.toml", text, &[]).map_or_else(|e| e.to_string(), |_| String::new())
}

/// All parts of the message are there, and nothing else is reported as wrong.
fn assert_said(text: &str, parts: &[&str], problems: usize) {
    let found = said(text);
    for part in parts {
        assert!(found.contains(part), "{part}: {found}");
    }
    assert_eq!(found.matches("error: ").count(), problems, "{found}");
}

/// Entries of the wrong type in sections where every entry has a name: the others are known.
#[test]
fn entries_of_the_wrong_type() {
    let text = r#"
        [parameters]
        a = [1, 2]
        b = "2 kg"
        c = "a + 1"
        [points]
        P = [0, 0]
        Q = [0, 0, "1 m"]
        [tables.cam]
        rows = [[0, 0], [1]]
        [[body]]
        name = "one"
        mass = "b"
        inertia = ["a", 1, 1]
        position = "P"
        [[body]]
        name = "two"
        mass = "b + 1 m"
        inertia = [1, 1, 1]
        position = "Q"
        [[joint]]
        name = "hinge"
        type = "revolute"
        bodies = ["one", "two"]
        point = "P"
        axis = "P -> Q"
        drive = "cam(t)"
    "#;
    let parts = [
        "t.toml:3:",
        "t.toml:7:",
        "expected a list of two values",
        "'b + 1 m' mixes a mass (kg) with a length (m)",
    ];
    assert_said(text, &parts, 4);
}

/// An element has an entry that cannot be read: its other entries are checked, and so are elements that refer
/// to it.
#[test]
fn elements_with_a_wrong_entry() {
    let text = r#"
        [[body]]
        name = "one"
        mass = "heavy"
        inertia = [1, 1]
        [[body]]
        name = "two"
        mass = 1
        inertia = [1, 1, 1]
        position = [0, 0]
        [[joint]]
        name = "hinge"
        type = "revolut"
        bodies = ["one", "two"]
        point = [0, 0, 0]
        axis = "y"
        [[joint]]
        name = "slide"
        type = "prismatic"
        bodies = ["one", "tow"]
        point = "R"
        axis = "y"
        [[joint]]
        name = "ball"
        type = "spherical"
        bodies = ["one", "two"]
        point = "one"
        point2 = "two"
        [[sensor]]
        name = "angle"
        type = "coordinate"
        joint = "hinge"
        [[sensor]]
        name = "other"
        type = "coordinate"
        joint = "hnge"
        [run]
        untill = 3
        step = "1 kg"
    "#;
    let parts = [
        "unknown name 'heavy'",
        "expected three principal moments",
        "t.toml:10:",
        "did you mean 'revolute'",
        "unknown body 'tow'; known: one, two, ground",
        "unknown point 'R'",
        "unknown joint 'hnge'",
        "did you mean 'until'",
        "'1 kg' is a mass (kg), but a time (s) is needed",
    ];
    assert_said(text, &parts, parts.len());
}

/// If the name of a copy is not known, no other name becomes unknown.
#[test]
fn elements_without_a_name() {
    let text = r#"
        [[body]]
        name = "ball{i}"
        count = 3
        type = "rund"
        mass = 1
        [[force]]
        name = "push"
        type = "force"
        body = "ball2"
        force = [1, 0, 0]
    "#;
    assert_said(text, &["unknown value 'rund'"], 1);
}

/// A hinge with a table for its drive.
fn driven(table: &str, drive: &str) -> String {
    format!(
        "[parameters]\nl = \"2 m\"\n[tables.cam]\n{table}\n[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n\
         [[joint]]\nname = \"j\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"a\"]\npoint = [0, 0, 0]\n\
         axis = \"x\"\ndrive = \"{drive}\"\n"
    )
}

/// A wrong table is one mistake: elements that use it are not reported, and no other table is suggested.
#[test]
fn wrong_tables_are_one_mistake() {
    for (table, part) in [
        ("rows = [[0, 0]]", "this one has 1"),
        ("rows = [[0, 0], [0, 1]]", "from row 1 to 2"),
        ("rows = [[0, 0], [1, \"x\"]]", "row 2: unknown name 'x'"),
        ("file = \"none.csv\"", "cannot read 'none.csv'"),
        ("interpolation = \"spline\"", "unknown value 'spline'"),
        ("rows = [[0, 0], [1, 1]]\nfile = \"a.csv\"", "rows = [[x, y], ..] or file"),
    ] {
        assert_said(&driven(table, "cam(t)"), &[part], 1);
        let used = format!(
            "[parameters]\nk = \"cam(2)\"\n{}",
            driven(table, "cam(t)").replace("[parameters]\n", "")
        );
        assert_said(&used, &[part], 1);
    }
    let files = Files::memory([("rough.csv", "t,y\n0,1\n1,nan\n")]);
    let text = driven("file = \"rough.csv\"", "cam(t)");
    let e = load_with("t.toml", &text, &[], files).unwrap_err().to_string();
    assert!(e.contains("rough.csv: row 2 has a value that is not a finite number"), "{e}");
}

/// Tables with units have dimensions, which are checked on both sides.
#[test]
fn tables_have_dimensions() {
    let smooth = "interpolation = \"akima\"";
    let right = [
        format!("rows = [[0, 0], [1, 2], [2, 3]]\nunits = [\"s\", \"mm\"]\n{smooth}"),
        format!("rows = [[\"0 s\", 0], [1, \"2 mm\"], [2, 3]]\n{smooth}"),
        format!("rows = [[0, 0], [1, 2], [2, 3]]\nunits = [\"1\", \"mm\"]\n{smooth}"),
    ];
    for table in &right {
        assert_eq!(said(&driven(table, "cam(t)")), "", "{table}");
    }
    assert_said(
        &driven(&right[0], "cam(l)*t^2"),
        &["'cam(l)' reads a table of a time (s), its argument is a length (m)"],
        1,
    );
    let kg = right[0].replace("mm", "kg");
    assert_said(&driven(&kg, "cam(t)"), &["'cam(t)' is a mass (kg), but a length (m) is needed"], 1);
    let mixed = format!("rows = [[0, 0], [1, \"2 mm\"], [2, \"3 kg\"]]\n{smooth}");
    assert_said(&driven(&mixed, "cam(t)"), &["row 3: '3 kg' is a mass (kg), but a length (m) is needed"], 1);
    let twice = format!("rows = [[0, 0], [1, \"2 mm\"], [2, 3]]\nunits = [\"s\", \"mm\"]\n{smooth}");
    assert_said(&driven(&twice, "cam(t)"), &["the rows already have units"], 1);
}

/// A mistake in an expression of points is an unknown name, or the way it is written.
#[test]
fn expressions_of_points() {
    let text = |b: &str| {
        format!(
            "[points]\nA = [0, 0, 1]\nB = \"{b}\"\n[[body]]\nname = \"a\"\ntype = \"point\"\nmass = 1\nposition = \"B\"\n"
        )
    };
    assert_said(&text("A + Q"), &["unknown point 'Q'"], 1);
    let e = said(&text("A + [0.3, 0, 0]"));
    assert!(!e.contains("marker 'A") && e.contains("cannot read the expression"), "{e}");
    // A unit that stands alone.
    assert_said(
        &driven("rows = [[0, 0], [1, 1]]", "0.2 m/s*t^2/s"),
        &["a unit stands after a number: 1 s"],
        1,
    );
    // Units that are multiplied like names.
    assert_said(&driven("rows = [[0, 0], [1, 1]]", "0.2 m*s*t"), &["a space multiplies units: 2 N s"], 1);
}

/// Copies read the signals of their number, in every kind of expression.
#[test]
fn copies_read_their_own() {
    let text = r#"
        [[body]]
        name = "cart{i}"
        count = 3
        mass = "1 + i"
        inertia = [1, 1, 1]
        position = ["i", 0, 0]
        [[joint]]
        name = "rail{i}"
        count = 3
        type = "prismatic"
        bodies = ["ground", "cart{i}"]
        point = "cart{i}"
        axis = "x"
        [[constraint]]
        name = "even"
        equation = "rail0 - rail1"
        [[state]]
        name = "filter{i}"
        count = 2
        rate = "rail{i + 1} - filter{i}"
        [[force]]
        name = "pull{i}"
        count = 2
        type = "actuator"
        joint = "rail{i + 1}"
        value = "(i + 1)*(1 - filter{i})"
        [[force]]
        name = "push{i}"
        count = 1
        type = "actuator"
        along = "distance(cart{i}, cart{i + 2})"
        value = 0
        [[control]]
        name = "hold{i}"
        count = 3
        type = "lag"
        joint = "rail{i}"
        input = "-0.1*x"
        time = 0.1
        [[sensor]]
        name = "place{i}"
        count = 3
        type = "coordinate"
        joint = "rail{i}"
        [[event]]
        name = "there{i}"
        count = 2
        when = "place{i + 1} - place{i} > 1"
        action = "record"
    "#;
    let loaded = load("t.toml", text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let m = &loaded.model;
    assert_eq!((m.states.len(), m.controls.len(), m.events.len(), m.forces.len()), (2, 3, 2, 3));
    let built = precess::model::build(m, precess::formulation::Formulation::R3SO3);
    built.unwrap_or_else(|e| panic!("{e}"));
    assert_said(&text.replace("        action = \"record\"\n", ""), &["the key 'action' is missing"], 1);
}

/// Every part of a composite is checked, and there is no message that the body has no mass.
#[test]
fn composites_name_every_part() {
    let text = r#"
        [[body]]
        name = "tool"
        [body.shape]
        type = "composite"
        parts = [
            { type = "mesh", file = "none.stl", density = 1000 },
            { type = "sphere", radius = "-1 m", mass = 1 },
            { type = "box", size = [1, 1, 1] },
        ]
    "#;
    let parts = ["cannot read 'none.stl'", "-1", "each part has a mass or a density"];
    assert_said(text, &parts, parts.len());
}

/// A misspelt word is taken for the nearest known word, so that it hides no other mistake. Mistakes that
/// follow from this guess are not reported.
#[test]
fn misspelt_words_hide_nothing() {
    let text = r#"
        [tables.cam]
        rows = [[0, 0], [1, 2], [0.5, 0]]
        interpolation = "cubci"
        [[body]]
        name = "crank"
        density = "2 mm"
        shape = { type = "cylnder", radius = "-1 cm", lenght = "2 s" }
        [[body]]
        name = "sum"
        shape = { type = "composite", parts = [{ type = "sphere", radius = 1, density = 1, position = [1, 0, 0] }, { type = "box", size = [1, 1, 1], mass = "-1 kg" }] }
        [[joint]]
        name = "hinge"
        type = "revolut"
        bodies = ["ground", "crnk"]
        point = "P"
        axis = "y"
        drive = "2 kg"
        [[sensor]]
        name = "angle"
        type = "coordinat"
        joint = "hing"
    "#;
    let parts = [
        "did you mean 'cubic'",
        "'2 mm' is a length (m), but a density (kg/m^3) is needed",
        "did you mean 'cylinder'",
        "-0.01 is not positive",
        "did you mean 'length'",
        "unknown key 'position', did you mean 'at'",
        "-1 is not positive",
        "did you mean 'revolute'",
        "did you mean 'crank'",
        "unknown point 'P'",
        "'2 kg' is a mass (kg), but an angle (rad) is needed",
        "did you mean 'coordinate'",
        "unknown joint 'hing', did you mean 'hinge'",
        "t.toml:3:16\n   3 |         rows = [[0, 0], [1, 2], [0.5, 0]]",
    ];
    assert_said(text, &parts, parts.len());
    // A guess that does not fit is not reported as a second mistake.
    let guess =
        "[[body]]\nname = \"a\"\nmass = 1\nshape = { type = \"sphere\", radius = 1 }\nrotatio = \"x\"\n";
    assert_said(guess, &["did you mean 'rotation'"], 1);
    let wide = "[[body]]\nname = \"a\"\ndensity = 1\nshape = { type = \"tube\", radius = 1, inner_radius = 2, length = 1 }";
    assert_said(wide, &["the inner radius 2 is not smaller than the radius 1"], 1);
}

/// A joint that needs an orientation says so, also beside other mistakes; not of a body whose inertia is
/// wrong.
#[test]
fn orientations_are_missed_beside_other_mistakes() {
    let text = r#"
        [[body]]
        name = "bob"
        type = "point"
        mass = 1
        [[body]]
        name = "rod"
        mass = 1
        inertia = ["1 kg", 1, 1]
        [[joint]]
        name = "first"
        type = "revolute"
        bodies = ["ground", "bob"]
        point = [0, 0, 0]
        axis = "y"
        [[joint]]
        name = "second"
        type = "revolute"
        bodies = ["ground", "rod"]
        point = [0, 0, 0]
        axis = "y"
    "#;
    assert_said(text, &["'bob' is a point mass without orientation", "'1 kg' is a mass"], 2);
}

/// Mistakes of a part are shown at their places in its file, once for all copies; those of its include at the
/// include, and its files are looked for beside it.
#[test]
fn mistakes_of_parts_have_places() {
    let part = "[parameters]\nl = \"1 m\"\nk = \"2 N/m\"\n[tables.gait]\nfile = \"gait.csv\"\n[[body]]\nname = \
                \"leg\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 0, \"-l\"]\n[[include]]\nfile = \
                \"deep/toe.toml\"\nprefix = \"toe_\"\n";
    let toe = "[[body]]\nname = \"tip\"\ntype = \"point\"\nmass = 1\n[tables.b]\nfile = \"b.csv\"\n";
    let files = |leg: &str, toe: &str| {
        Files::memory([
            ("parts/leg.toml", leg),
            ("parts/gait.csv", "0,0\n1,1\n"),
            ("parts/deep/toe.toml", toe),
            ("parts/deep/b.csv", "0,0\n1,1\n"),
        ])
    };
    let include = |more: &str| format!("[[include]]\nfile = \"parts/leg.toml\"\n{more}\n");
    let said = |text: &str, files: Files| load_with("t.toml", text, &[], files).map_err(|e| e.to_string());
    let loaded = said(&include("parameters = { l = \"20 cm\" }"), files(part, toe)).unwrap();
    let names: Vec<&str> = loaded.model.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["leg", "toe_tip"]);
    assert_eq!(loaded.model.bodies[0].position.z, -0.2);
    // Mistakes in both files, and two copies.
    let (bad, worse) = (part.replace("mass = 1", "mass = -1"), toe.replace("mass = 1", "mass = 0"));
    let both = format!("{}{}", include("prefix = \"a\""), include("prefix = \"b\""));
    let e = said(&both, files(&bad, &worse)).unwrap_err();
    let lines =
        ["\n  parts/leg.toml:8:8: the mass -1 is not", "\n  parts/deep/toe.toml:4:8: the mass 0 is not"];
    assert!(lines.iter().all(|line| e.matches(line).count() == 1), "{e}");
    assert_eq!(e.matches("error: ").count(), 1, "{e}");
    // Mistakes of the include beside those of the part.
    let more = "parameters = { l = \"3 kg\", kk = 1 }\nmirror = \"w\"\nground = \"nobody\"";
    let e = said(&include(more), files(&bad, toe)).unwrap_err();
    let wanted = [
        "it is a mass (kg), but in parts/leg.toml it is a length (m)",
        "unknown parameter 'kk', did you mean 'k'",
        "unknown point 'w'",
        "unknown body 'nobody'",
        "parts/leg.toml:8:8",
    ];
    assert!(wanted.iter().all(|part| e.contains(part)), "{e}");
    assert_eq!(e.matches("error: ").count(), wanted.len(), "{e}");
    // A circle over folders.
    let circle = toe.to_string() + "[[include]]\nfile = \"again.toml\"\n";
    let again = Files::memory([
        ("parts/leg.toml", part),
        ("parts/gait.csv", "0,0\n1,1\n"),
        ("parts/deep/toe.toml", &circle),
        ("parts/deep/b.csv", "0,0\n1,1\n"),
        ("parts/deep/again.toml", "[[include]]\nfile = \"toe.toml\"\n"),
    ]);
    let e = said(&include(""), again).unwrap_err();
    assert!(e.contains("parts/deep/toe.toml > parts/deep/again.toml > parts/deep/toe.toml"), "{e}");
}

/// An element that could not be read hides unknown names of its own kind only, and a part that could not be
/// used hides what it would have had.
#[test]
fn gaps_hide_only_their_own_kind() {
    let text = r#"
        [[body]]
        name = "a"
        mass = 1
        inertia = [1, 1, 1]
        [[joint]]
        name = "k"
        type = "revolute"
        bodies = ["ground", "aa"]
        point = [0, 0, 0]
        axis = "z"
        [[sensor]]
        type = "position"
        body = "a"
        [[sensor]]
        name = "angle"
        type = "coordinate"
        joint = "kk"
        [[event]]
        name = "end"
        when = "what > 3"
        action = "stop"
    "#;
    // The event may refer to the sensor without a name.
    let parts = ["the key 'name' is missing", "did you mean 'a'", "did you mean 'k'"];
    assert_said(text, &parts, parts.len());
    let whole = "[[include]]\nfile = \"none.toml\"\nprefix = \"p_\"\n[[joint]]\nname = \"j\"\ntype = \"fixed\"\n\
                 bodies = [\"ground\", \"p_arm\"]\npoint = \"p_arm.tip\"\n";
    let e = load_with("t.toml", whole, &[], Files::memory([])).unwrap_err();
    assert_eq!(e.list.len(), 1, "{e}");
    assert!(e.to_string().contains("there is no file 'none.toml'"), "{e}");
}

/// Entries of includes can be replaced: by the prefix, or by the number from 0.
#[test]
fn includes_can_be_set() {
    let part = "[parameters]\nl = \"1 m\"\n[[body]]\nname = \"b\"\ntype = \"point\"\nmass = 1\nposition = [\"l\", 0, 0]\n";
    let whole = "[[include]]\nfile = \"p.toml\"\nprefix = \"left_\"\n[[include]]\nfile = \"p.toml\"\n";
    let set = |overrides: &[&str]| {
        let overrides: Vec<String> = overrides.iter().map(|o| o.to_string()).collect();
        let loaded = load_with("t.toml", whole, &overrides, Files::memory([("p.toml", part)]));
        loaded
            .map(|l| l.model.bodies.iter().map(|b| b.position.x).collect::<Vec<f64>>())
            .map_err(|e| e.to_string())
    };
    let given = ["include.left_.parameters.l=\"20 cm\"", "include.1.parameters.l=\"30 cm\""];
    assert_eq!(set(&given).unwrap(), [0.2, 0.3]);
    assert!(set(&["include.right_.mirror=x"]).unwrap_err().contains("there is no include named 'right_'"));
    assert!(set(&["include.2.mirror=x"]).unwrap_err().contains("there is no include named '2'"));
}
