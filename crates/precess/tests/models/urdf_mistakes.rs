//! Mistakes in URDF files: clear words, with a place.

use super::urdf::{ARM, joint, link, refused, robot};
use precess::model::urdf::ImportOptions;

#[test]
fn mistakes_are_clear_and_have_a_place() {
    let none = ImportOptions::default();
    for (from, to, expected) in [
        ("</robot>", "", "not closed"),
        ("<mass value=\"4\"/>", "<mass value=\"4\">", "not well-formed"),
        ("<mass value=\"4\"/>", "", "link 'column'"),
        ("<mass value=\"4\"/>", "<mass value=\"heavy\"/>", "one finite number"),
        ("<mass value=\"4\"/>", "<mass value=\"nan\"/>", "one finite number"),
        ("<mass value=\"4\"/>", "<mass value=\"-4\"/>", "is negative"),
        ("<mass value=\"4\"/>", "<mass value=\"0\"/>", "an inertia but no mass"),
        ("izz=\"0.02\"", "izz=\"2\"", "exceeds the sum"),
        ("xyz=\"0.25 0 0\"", "xyz=\"0.25 0\"", "3 finite numbers"),
        ("xyz=\"0.25 0 0\"", "xyz=\"0.25 0 x 0\"", "3 finite numbers"),
        ("xyz=\"0 2 1\"", "xyz=\"0 0 0\"", "axis of length zero"),
        ("type=\"continuous\"", "type=\"hinge\"", "hinge"),
        ("<parent link=\"column\"/>", "", "joint 'shoulder'"),
        ("<parent link=\"column\"/>", "<parent link=\"colunm\"/>", "did you mean 'column'"),
        (
            "<child link=\"slide\"/>",
            "<child link=\"upper\"/>",
            "child of joint 'shoulder' and of joint 'extend'",
        ),
        ("<link name=\"tool\"/>", "<link name=\"slide\"/>", "is taken"),
        ("name=\"extend\"", "name=\"shoulder\"", "is taken"),
        ("name=\"extend\"", "name=\"ext{i}\"", "has a brace"),
        (
            "<joint name=\"flange\" type=\"fixed\">",
            "<joint name=\"flange\" type=\"continuous\">",
            "moves but has no inertia",
        ),
        ("<link name=\"world\"/>", "<link name=\"world\"/><link name=\"lost\"/>", "2 links have no parent"),
    ] {
        assert!(ARM.contains(from), "{from}");
        let message = refused(&ARM.replace(from, to), &none);
        assert!(message.contains(expected), "{from} -> {to}\n{message}");
        assert!(message.contains("robot.urdf:") && message.contains('^'), "no place:\n{message}");
    }
    // All at once.
    let two =
        ARM.replace("<mass value=\"4\"/>", "<mass value=\"x\"/>").replace("xyz=\"0 2 1\"", "xyz=\"0 2\"");
    assert!(refused(&two, &none).contains("2 problems"));
    for (text, expected) in [
        ("", "no XML element"),
        ("<sdf/>", "<sdf>"),
        ("<robot/>", "no links"),
        ("<robot><link name=\"world\"/></robot>", "nothing moves"),
        ("<robot xmlns:xacro=\"x\"><xacro:include filename=\"a\"/></robot>", "xacro"),
    ] {
        let message = refused(text, &none);
        assert!(message.contains(expected), "{text}\n{message}");
    }
    let circle = robot(&[
        "<link name=\"world\"/>".to_string(),
        link("a", "0 0 0"),
        link("b", "0 0 0"),
        joint("x", "fixed", "a", "b", ""),
        joint("y", "fixed", "b", "a", ""),
    ]);
    assert!(refused(&circle, &none).contains("circle"));
    let given =
        |name: &str| ImportOptions { joints: vec![(name.to_string(), 0.1)], ..ImportOptions::default() };
    assert!(refused(ARM, &given("sholder")).contains("did you mean 'shoulder'"));
    assert!(refused(ARM, &given("flange")).contains("only revolute and prismatic"));
}
