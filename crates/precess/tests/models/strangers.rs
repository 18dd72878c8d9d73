//! Mistakes of people who write their first model: what is said, and where.

use precess::model::{Files, load, load_with};

/// A shaft on a bearing with what is added; the message of its mistake.
fn message(more: &str) -> String {
    let text = format!(
        "[[body]]\nname = \"rotor\"\nmass = 1\ninertia = [1, 1, 1]\nmarkers = {{ tip = [0, 0, 1] }}\n\
         [[joint]]\nname = \"shaft\"\ntype = \"revolute\"\nbodies = [\"ground\", \"rotor\"]\npoint = [0, 0, 0]\naxis = \"y\"\n{more}"
    );
    load("t.toml", &text, &[]).map(|_| String::new()).unwrap_or_else(|e| e.to_string())
}

fn actuator(value: &str) -> String {
    message(&format!(
        "[[force]]\nname = \"motor\"\ntype = \"actuator\"\njoint = \"shaft\"\nvalue = \"{value}\"\n\
         [[sensor]]\nname = \"tip\"\ntype = \"position\"\nbody = \"rotor\"\npoint = \"rotor.tip\"\n"
    ))
}

/// `if` is a corner of a law if its pieces meet, and a jump, which is refused, if they do not.
#[test]
fn pieces_of_laws_meet() {
    for law in [
        "if(v > 0, -2*v, -v)",
        "if(x > 0.1, 3*(x - 0.1), 0)",
        "if(tip.z > 0.9, tip.z - 0.9, 0)",
        "if(t > 0.2, 3, 1)",
    ] {
        assert_eq!(actuator(law), "", "{law}");
    }
    for (law, part) in [
        (
            "if(v > 0, -3, 3)",
            "the pieces of 'if(v > 0, -3, 3)' do not meet: the law jumps from 3 to -3 at v = 0",
        ),
        (
            "2*if(tip.z > 0.9, 5, 1)",
            "pieces of 'if(tip.z > 0.9, 5, 1)' do not meet: the law jumps from 2 to 10 at tip.z = 0.9",
        ),
        ("if(shaft.x > 1, 1, 0)*shaft.v", "'if(shaft.x > 1, 1, 0)' do not meet"),
        ("sign(tip.x)", "'sign(tip.x)' jumps with the motion"),
    ] {
        let e = actuator(law);
        assert!(e.contains(part), "{law}: {e}");
    }
}

/// A name that nothing has is called that, with the name that was meant.
#[test]
fn names_with_dots_have_suggestions() {
    let rate = |text: &str| message(&format!("[[state]]\nname = \"s\"\nrate = \"{text}\"\n"));
    for (e, part) in [
        (rate("rotor.tipp.z"), "unknown name 'rotor.tipp.z', did you mean 'rotor.tip.z'?"),
        (rate("2*shft.v"), "unknown name 'shft.v', did you mean 'shaft.v'?"),
        (rate("rotr.x"), "unknown name 'rotr.x', did you mean 'rotor.x'?"),
        (rate("rotor.w"), "unknown name 'rotor.w'"),
        (actuator("-3*shft.v"), "shaft"),
        (actuator("-3*tipp.z"), "tip"),
    ] {
        assert!(e.contains(part), "{part}: {e}");
    }
}

/// The last line of a file is in the file, with or without an end of line.
#[test]
fn mistakes_at_the_end_of_a_file() {
    for end in ["", "\n"] {
        for last in ["[[sensor]", "[run", "x = ", "[run]\nuntil = \"2 s", "[run]\nuntil = [1, 2", "[[force]]"]
        {
            let e = message(&format!("{last}{end}"));
            assert!(e.contains("t.toml:") && !e.contains("command line"), "{last:?} {end:?}: {e}");
        }
    }
}

/// What a part loses on its way into the model is known to whoever runs the model.
#[cfg(feature = "urdf")]
#[test]
fn parts_say_what_they_lose() {
    let mjcf = "<mujoco><worldbody><body name='a'><joint/><geom size='0.1'/></body></worldbody>\
        <contact><exclude body1='a' body2='b'/></contact><tendon/></mujoco>";
    let inner = "[[include]]\nfile = \"a.xml\"\n";
    let files = Files::memory([("a.xml", mjcf), ("inner.toml", inner)]);
    let text = "[[include]]\nfile = \"inner.toml\"\nprefix = \"p{i}\"\ncount = 2\n";
    let loaded = load_with("t.toml", text, &[], files).unwrap_or_else(|e| panic!("{e}"));
    let count = |part: &str| loaded.notices.iter().filter(|n| n.contains(part)).count();
    assert_eq!((count("<contact>"), count("<tendon>")), (1, 1), "{:?}", loaded.notices);
    assert!(loaded.notices.iter().all(|n| n.starts_with("part 'a.xml': ")), "{:?}", loaded.notices);
}
