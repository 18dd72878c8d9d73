//! Import of MJCF: kinematics, masses, joints, forces, and a list of everything that is lost.

use precess::formulation::Formulation;
use precess::model::mjcf::import;
use precess::model::{build, load};

const ARM: &str = r#"<mujoco model="arm">
  <compiler angle="degree"/>
  <option gravity="0 0 -9.8"/>
  <default><joint damping="0.5"/><default class="stiff"><joint damping="2" stiffness="10" springref="30"/></default></default>
  <worldbody>
    <geom type="plane" size="1 1 0.1"/>
    <body name="upper" pos="0 0 1" euler="0 0 90">
      <joint name="shoulder" type="hinge" axis="0 1 0" range="-90 45"/>
      <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.05" density="500"/>
      <site name="tip" pos="0.5 0 0"/>
      <body name="lower" pos="0.5 0 0">
        <joint name="elbow" class="stiff" axis="0 1 0" frictionloss="0.3"/>
        <geom type="box" pos="0.2 0 0" size="0.2 0.02 0.03" mass="1.5"/>
        <body name="hand" pos="0.4 0 0">
          <inertial pos="0.05 0 0" mass="0.3" diaginertia="1e-3 2e-3 2e-3"/>
        </body>
      </body>
    </body>
    <body name="cart" pos="2 0 0">
      <joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/><joint name="turn" type="hinge" axis="0 1 0"/>
      <geom type="sphere" size="0.1"/>
    </body>
  </worldbody>
  <actuator><motor name="m" joint="shoulder" gear="20" ctrlrange="-1 1"/><position name="p" joint="elbow" kp="40"/><muscle name="k" joint="elbow"/></actuator>
  <equality><joint joint1="elbow" joint2="shoulder" polycoef="0 2 0 0 0"/></equality>
  <contact><exclude body1="upper" body2="lower"/></contact>
</mujoco>"#;

#[test]
fn an_arm_of_mujoco() {
    let import = import("arm.xml", ARM).unwrap_or_else(|e| panic!("{e}"));
    let loaded =
        load("arm.toml", &import.to_toml(), &[]).unwrap_or_else(|e| panic!("{e}\n{}", import.to_toml()));
    let m = &loaded.model;
    let body = |name: &str| m.bodies.iter().find(|b| b.name == name).unwrap();
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{a} {b}");
    // Turned by 90 degrees about z: x of the body is y of the world.
    near(body("upper").position.y, 0.25);
    near(body("upper").position.z, 1.0);
    near(body("lower").position.y, 0.7);
    near(body("hand").position.y, 0.95);
    let r: f64 = 0.05;
    near(body("upper").mass, 500.0 * std::f64::consts::PI * r * r * (0.5 + 4.0 / 3.0 * r));
    near(body("lower").mass, 1.5);
    let joint = |name: &str| m.joints.iter().find(|j| j.name == name).unwrap();
    near(joint("shoulder").frame.column(2).x, -1.0);
    near(joint("elbow").point.y, 0.5);
    assert!(m.gears.len() == 1 && m.gears[0].ratio == -2.0);
    let force = |name: &str| m.forces.iter().any(|f| f.name == name);
    assert!(
        ["friction_shoulder", "limit_shoulder", "friction_elbow", "spring_elbow", "m", "p"]
            .iter()
            .all(|n| force(n))
    );
    let text = import.to_toml();
    assert!(
        text.contains("constant = 0.3")
            && text.contains("viscous = 2.0")
            && text.contains("rest = 0.5235987755982988"),
        "{text}"
    );
    assert!(text.contains("lower = -1.5707963267948966") && text.contains("upper = 0.7853981633974483"));
    // Everything that is lost is named.
    let notes = import.notes.to_string();
    let light = "body cart has 3 joints: between them are light bodies, x_link, z_link, of a millionth of";
    for part in ["muscle", "<contact>", "bodies pass through each other", light] {
        assert!(notes.contains(part), "{part}: {notes}");
    }
    // The cart moves in its plane: three coordinates of six are free.
    let built = build(m, Formulation::R3SO3).unwrap();
    let check = precess::study::check::check(m, &loaded.settings);
    assert!(check.is_runnable(), "{:?}", check.problems);
    assert_eq!(built.system.group().dim(), 24 + 2 * 6);
    // Two hinges coupled by an equality, and three motions of the cart.
    assert_eq!(check.mobility.coordinates - check.mobility.rank, 4);
}

/// Where a body ends after half a second.
fn end(text: &str, body: &str) -> nalgebra::Vector3<f64> {
    let loaded = load("t.toml", text, &[]).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut s = crate::model_util::start(&loaded, Formulation::R3SO3);
    let options = crate::model_util::options(precess::integrate::Form::StabilizedIndex2);
    s.run(&options, 1e-3, 0.5, |_, _| {});
    let state = s.system.bodies(&s.state.at());
    state.iter().find(|b| b.name == body).unwrap().position
}

/// Two hinges of one body are a universal joint, whose first axis is that of the parent and whose second is
/// that of the body; each keeps its own damper, limit and motor.
#[test]
fn several_joints_follow_each_other() {
    let robot = |more: &str, actuator: &str| {
        let text = format!(
            r#"<mujoco><compiler angle="radian"/><worldbody><body name="arm">
            <joint name="yaw" axis="0 0 1" {more}/><joint name="pitch" axis="0 1 0"/>
            <inertial pos="0.3 0.1 0.05" mass="2" diaginertia="0.01 0.05 0.06"/>
            </body></worldbody><actuator>{actuator}</actuator></mujoco>"#
        );
        import("arm.xml", &text).unwrap_or_else(|e| panic!("{e}"))
    };
    let universal = |more: &str| {
        format!(
            "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"arm\"\nmass = 2\ninertia = [0.01, 0.05, \
             0.06]\nposition = [0.3, 0.1, 0.05]\n[[joint]]\nname = \"u\"\ntype = \"universal\"\nbodies = \
             [\"ground\", \"arm\"]\npoint = [0, 0, 0]\naxis = [0, 0, 1]\naxis2 = [0, 1, 0]\n{more}"
        )
    };
    let free = robot("", "").to_toml();
    let difference = (end(&free, "arm") - end(&universal(""), "arm")).norm();
    assert!(difference < 1e-5, "{difference}");
    // The arm has turned about both axes.
    assert!(end(&free, "arm").z < -0.1 && end(&free, "arm").y > 0.2, "{}", end(&free, "arm"));
    // A motor about the first axis, which is one of space: a torque about z.
    let driven =
        robot("", "<motor name=\"m\" joint=\"yaw\" gear=\"3\" ctrlrange=\"-1 1\" forcerange=\"-0.5 0.5\"/>");
    let driven = driven.to_toml().replace("command_m = 0.0", "command_m = 7.0");
    let torque = "[[force]]\nname = \"m\"\ntype = \"torque\"\nbody = \"arm\"\ntorque = [0, 0, 1.5]\n";
    // The joint transmits torques about z as well: the universal joint leaves that axis free.
    let difference = (end(&driven, "arm") - end(&universal(torque), "arm")).norm();
    assert!(difference < 1e-5, "{difference}");
    assert!((end(&driven, "arm") - end(&free, "arm")).norm() > 1e-2);
    // What belongs to a joint is kept.
    let kept = robot("damping=\"0.2\" range=\"-1 1\" stiffness=\"3\" frictionloss=\"0.1\"", "");
    let text = kept.to_toml();
    for part in ["friction_yaw", "limit_yaw", "spring_yaw", "viscous = 0.2", "constant = 0.1"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!kept.notes.to_string().contains("left out"), "{}", kept.notes);
}

/// A general actuator with an affine bias is the position servo of the same numbers.
#[test]
fn general_actuators_are_servos() {
    let slider = |actuator: &str| {
        let text = format!(
            r#"<mujoco><option gravity="0 0 0"/><worldbody><body name="a"><joint name="s" type="slide" axis="1 0 0"/>
            <geom size="0.1" mass="2"/></body></worldbody><actuator>{actuator}</actuator></mujoco>"#
        );
        let import = import("a.xml", &text).unwrap_or_else(|e| panic!("{e}"));
        assert!(!import.notes.to_string().contains("left out"), "{}", import.notes);
        end(&import.to_toml().replace("command_m = 0.0", "command_m = 0.7"), "a").x
    };
    let servo = slider(r#"<position name="m" joint="s" kp="50" kv="3" gear="2" ctrlrange="-0.5 0.5"/>"#);
    let general = r#"<general name="m" joint="s" gainprm="50" biastype="affine" biasprm="0 -50 -3" gear="2" ctrlrange="-0.5 0.5"/>"#;
    let found = slider(general);
    assert!((servo - found).abs() < 1e-12 && servo > 0.1, "{servo} {found}");
    // A constant force of 2 * (0.7 + 1) N on 2 kg for half a second.
    let constant = slider(r#"<general name="m" joint="s" biastype="affine" biasprm="1" gear="2"/>"#);
    assert!((constant - 0.5 * 1.7 * 0.25).abs() < 1e-9, "{constant}");
}

/// Moments of a capsule against a sum of thin discs.
#[test]
fn a_capsule_is_a_cylinder_with_half_balls() {
    let text = r#"<mujoco><worldbody><body name="c"><freejoint/><geom type="capsule" size="0.2 0.35" density="1000"/></body></worldbody></mujoco>"#;
    let loaded = load("c.toml", &import("c.xml", text).unwrap().to_toml(), &[]).unwrap();
    let (n, half, r) = (200_000, 0.55, 0.2_f64);
    let (mut mass, mut across, mut along) = (0.0, 0.0, 0.0);
    for i in 0..n {
        let z = -half + 2.0 * half * (i as f64 + 0.5) / n as f64;
        let over = (z.abs() - 0.35).max(0.0);
        let s = r * r - over * over;
        let dm = 1000.0 * std::f64::consts::PI * s * 2.0 * half / n as f64;
        mass += dm;
        along += 0.5 * dm * s;
        across += dm * (0.25 * s + z * z);
    }
    let precess::mechanics::BodyKind::Rigid { inertia } = loaded.model.bodies[0].kind else { panic!() };
    assert!((loaded.model.bodies[0].mass - mass).abs() < 1e-6 * mass);
    assert!(
        (inertia[(0, 0)] - across).abs() < 1e-6 * across && (inertia[(2, 2)] - along).abs() < 1e-6 * along
    );
}

#[test]
fn mistakes_have_places() {
    for (text, message) in [
        ("<robot/>", "an MJCF has <mujoco>"),
        ("<mujoco/>", "nothing moves"),
        ("<mujoco><worldbody><body name='a'><geom size='0.1 x'/></body></worldbody></mujoco>", ""),
        ("<mujoco><worldbody><body name='a'/></worldbody></mujoco>", "has no mass"),
        (
            "<mujoco><worldbody><body name='a' pos='1 2'><geom size='1'/></body></worldbody></mujoco>",
            "expected 3 finite numbers",
        ),
        (
            "<mujoco><worldbody><body name='a'><geom size='1'/><joint axis='1 0 0'/><joint \
             type='ball'/></body></worldbody></mujoco>",
            "body 'a' has a ball joint beside others",
        ),
    ] {
        match import("a.xml", text) {
            Err(e) => assert!(e.to_string().contains(message), "{text}: {e}"),
            Ok(_) => assert!(message.is_empty(), "{text}"),
        }
    }
}

/// Equalities that are switched off close nothing.
#[test]
fn equalities_that_are_not_active() {
    let two = |active: &str| {
        let text = format!(
            r#"<mujoco><worldbody><body name="a" pos="0 0 1"><freejoint/><geom size="0.1"/></body>
            <body name="b" pos="0.5 0 1"><freejoint/><geom size="0.1"/></body></worldbody>
            <equality><connect name="c" body1="a" body2="b" anchor="0.25 0 0" {active}/></equality></mujoco>"#
        );
        import("eq.xml", &text).unwrap()
    };
    for (active, closed) in [("", true), ("active=\"true\"", true), ("active=\"false\"", false)] {
        let found = two(active);
        assert_eq!(found.file.joint.len() == 1, closed, "{active}");
        let said = found.notes.to_string().contains("equality c is not active: it is left out");
        assert_eq!(said, !closed, "{active}: {}", found.notes);
    }
}

/// No list of numbers is cut or completed in silence.
#[test]
fn lists_of_wrong_length_or_with_other_words_are_refused() {
    let robot = |geom: &str, actuator: &str, equality: &str| {
        format!(
            r#"<mujoco><worldbody><body name="a"><joint name="s" axis="1 0 0"/><geom {geom}/>
            <body name="b"><joint name="t" axis="0 1 0"/><geom size="0.1"/></body></body></worldbody>
            <actuator><general name="m" joint="s" {actuator}/></actuator>
            <equality><joint joint1="s" joint2="t" {equality}/></equality></mujoco>"#
        )
    };
    let (geom, gear, ratio) =
        ("type=\"box\" size=\"1 2 3\"", "gear=\"1 0 0 0 0 0\"", "polycoef=\"0 1 0 0 0\"");
    import("a.xml", &robot(geom, gear, ratio)).unwrap();
    for (key, text) in [
        ("size", robot("type=\"box\" size=\"1 2 3 4\"", gear, ratio)),
        ("size", robot("type=\"box\" size=\"0,5 1 2\"", gear, ratio)),
        ("size", robot("type=\"box\" size=\"1 2\"", gear, ratio)),
        ("pos", robot("size=\"1\" pos=\"0 0 1 5\"", gear, ratio)),
        ("pos", robot("size=\"1\" pos=\"0 1\"", gear, ratio)),
        ("gear", robot(geom, "gear=\"1 0 0 0 0 0 0\"", ratio)),
        ("gear", robot(geom, "gear=\"0,5\"", ratio)),
        ("gainprm", robot(geom, "gainprm=\"0,5\"", ratio)),
        ("polycoef", robot(geom, gear, "polycoef=\"0 1 0 0 0 0\"")),
        ("polycoef", robot(geom, gear, "polycoef=\"0 0,5\"")),
    ] {
        let e = import("a.xml", &text).map(|i| i.to_toml()).unwrap_err().to_string();
        assert!(e.contains(key), "{key}: {e}");
    }
}

/// Attributes that change the motion and are not read are listed, also those of defaults. Looks and contacts
/// are not worth a line.
#[test]
fn attributes_that_are_not_read_are_listed() {
    let text = r#"<mujoco><option wind="1 0 0" timestep="0.001"/><default><joint actuatorfrcrange="-1 1"/></default>
        <worldbody><body name="a" gravcomp="1" pos="0 0 1"><joint name="s" axis="1 0 0" springdamper="0.1 1" damping="1"/>
        <geom size="0.1" rgba="1 0 0 1" contype="0"/></body></worldbody>
        <actuator><position name="m" joint="s" kp="3" timeconst="0.1" dampratio="1"/></actuator></mujoco>"#;
    let notes = import("a.xml", text).unwrap().notes.to_string();
    for part in [
        "attribute gravcomp of <body>: a",
        "attribute springdamper of <joint>: s",
        "attribute actuatorfrcrange of <joint>",
        "attribute timeconst of <position>: m",
        "attribute dampratio of <position>: m",
        "attribute wind of <option>",
    ] {
        assert!(notes.contains(part), "{part}: {notes}");
    }
    for part in ["rgba", "contype", "damping of", "kp", "timestep", "axis"] {
        assert!(!notes.contains(&format!("attribute {part}")), "{part}: {notes}");
    }
}
