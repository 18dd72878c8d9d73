"""Methods that build a model, with the words of model files. Written by tools/python-builder from the schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, TypeVar, Union

__all__ = ["Builder", "Settings"]

Number = Union[float, int, str]
"""A number, or a text with a unit or an expression: 0.5, "12 mm", "2*pi*f"."""
Vector = Sequence[Number]
"""Three numbers."""
Place = Union[str, Sequence[Number]]
"""A point or direction, the name of a point or marker ("body.marker"), or "x", "-y", "A -> B" for a direction."""
M = TypeVar("M", bound="Builder")


class Settings(TypedDict, total=False):
    """Settings of a run by keyword: the keys of [integrator] and [run]."""

    method: str
    """Method; see `precess methods`. With a tolerance bliedf, gen-alpha, or auto for the better of both."""
    form: str
    """index3 | stabilized-index2 | index2 | index1."""
    formulation: str
    """Coordinates: r3so3 | se3 | so3 | euler-parameters | tait-bryan | directors."""
    rho: Number
    """Spectral radius at infinite frequency of generalized-alpha."""
    hht: Number
    """HHT parameter alpha in [0, 1/3] instead of rho."""
    alpha_m: Number
    """Generalized-alpha parameter; give all of alpha_m, alpha_f, beta, gamma instead of rho."""
    alpha_f: Number
    """Generalized-alpha parameter."""
    beta: Number
    """Newmark's beta; with gamma alone: Newmark's method."""
    gamma: Number
    """Newmark's gamma."""
    start: str
    """Starting values: classical | table1 | table2."""
    start_s: Number
    """s of the starting values table1 and table2: differences are taken over s steps. In (0, 1], 0.1 by
    default."""
    modified_start: bool
    """bliedf in the form index3: shift the starting velocities so that multipliers keep their order. True by
    default."""
    history: str
    """Starting values of bliedf with fixed steps: a file of results with t, q, v, vdot and lambda at the
    first k or k + 1 steps, for example from a run with a tolerance and `--every` with the step. They are
    computed by default."""
    map: str
    """Local coordinates of rotations in gen-alpha, and in bliedf with k = 2, with fixed steps: exponential
    (default) | cayley."""
    eta: str
    """Direction of the stabilisation: mass | paper."""
    k: int
    """Number of steps of bliedf, 2 to 6, which is its order; with a tolerance its largest order, unless
    max_order is given."""
    correction: bool | str
    """Commutators in bliedf: true (as magnus) | false (as none) | magnus | paper | none."""
    sigma: Number
    """Sigma-modification of generalized-alpha: a number or optimal; 0 if absent."""
    sigma_variant: str
    """Solution of the modified equations: exact | published | printed (Algorithm 2 with the series (65))."""
    sigma_predictor: Number
    """Factor of the published predictor: 1 as printed or 0.5 as derived."""
    eta_term: str
    """Term of eta in the increment: plain | tangent."""
    predictor: str
    """First guess of Newton's method in a step: auto | constant | paper | extrapolate."""
    newton: str
    """Newton strategy: auto | full | once | kept | simplified | modified; with a tolerance the first four."""
    solver: str
    """Factorisation of the iteration matrix: auto | dense | pivoted."""
    newton_tolerance: Number
    """Accuracy of Newton's method relative to its first correction in a step; for variational and energy-
    momentum methods, its final residual."""
    recovery: bool
    """Try rescues if Newton's method fails in a step: the exact matrix, other first guesses, shorter steps.
    True by default; studies never do."""
    theta: Number
    """theta of vi-theta, 0 to 1; 1/2 by default."""
    vartheta: Number
    """vartheta of vi-theta, 0 to 1/2; 1/2 by default."""
    variant: str
    """Option of vi-theta: a (constraints at q_theta) or b (at the nodes, default)."""
    lagrangian_quadrature: str | Sequence[Vector]
    """Quadrature of the Lagrangian in vi-family: midpoint (default), trapezoidal, simpson, gauss, or pairs of
    a weight and a node in [0, 1]."""
    velocity_quadrature: str | Sequence[Vector]
    """Quadrature of the constraints of velocities in vi-family; midpoint by default."""
    position_quadrature: str | Sequence[Vector]
    """Quadrature of the constraints of positions in vi-family; trapezoidal by default, so that they hold at
    the nodes."""
    allow_unstable: bool
    """Accept members of vi-theta and vi-family whose errors grow in every step: option a with theta other
    than 1/2, or position constraints whose nodes have a mean other than 1/2. False by default."""
    guess: str
    """Initial guess of variational and energy-momentum methods: simple or advanced."""
    max_iterations: int
    """Largest number of Newton iterations in a step."""
    atol_rotation: Number
    """Tolerance of rotations in rad; from tol if absent."""
    atol_position: Number
    """Tolerance of positions in m; from tol and the size of the model if absent."""
    atol_angular_velocity: Number
    """Tolerance of angular velocities in rad/s; from tol and the time scale of the model if absent."""
    atol_velocity: Number
    """Tolerance of velocities in m/s; from tol, size and time scale of the model if absent."""
    max_order: int
    """Largest order of bliedf with a tolerance, 1 to 6; 5 by default."""
    max_step: Number
    """Longest step in seconds of methods with automatic steps."""
    project_velocity_at: Vector
    """Project the velocities onto the constraints after each of these times."""
    project_every_step: bool | str
    """Project positions and velocities after every step: true, or "position" or "velocity" for only one of
    them."""
    projection_norm: str
    """Norm of projections: mass (the kinetic energy of the correction, default) or euclidean (all bodies move
    equally)."""
    restart_after_projection: bool
    """Restart the integrator with its starting values after a projection. Velocities stay projected: Table 1
    replaces Table 2, and bliedf does not shift them. In index-3 form a projection of the velocities costs the
    multipliers an order with or without a restart; stabilized-index2 keeps it."""
    fix_initial: bool
    """Project inconsistent initial values onto the constraints instead of refusing them."""
    assemble: bool
    """Close the joints from rough positions before the run, as `precess assemble` does."""


PLACES: dict[str, str] = {
    "method": "integrator.method",
    "form": "integrator.form",
    "formulation": "integrator.formulation",
    "rho": "integrator.rho",
    "hht": "integrator.hht",
    "alpha_m": "integrator.alpha_m",
    "alpha_f": "integrator.alpha_f",
    "beta": "integrator.beta",
    "gamma": "integrator.gamma",
    "start": "integrator.start",
    "start_s": "integrator.start_s",
    "modified_start": "integrator.modified_start",
    "history": "integrator.history",
    "map": "integrator.map",
    "eta": "integrator.eta",
    "k": "integrator.k",
    "correction": "integrator.correction",
    "sigma": "integrator.sigma",
    "sigma_variant": "integrator.sigma_variant",
    "sigma_predictor": "integrator.sigma_predictor",
    "eta_term": "integrator.eta_term",
    "predictor": "integrator.predictor",
    "newton": "integrator.newton",
    "solver": "integrator.solver",
    "newton_tolerance": "integrator.newton_tolerance",
    "recovery": "integrator.recovery",
    "theta": "integrator.theta",
    "vartheta": "integrator.vartheta",
    "variant": "integrator.variant",
    "lagrangian_quadrature": "integrator.lagrangian_quadrature",
    "velocity_quadrature": "integrator.velocity_quadrature",
    "position_quadrature": "integrator.position_quadrature",
    "allow_unstable": "integrator.allow_unstable",
    "guess": "integrator.guess",
    "max_iterations": "integrator.max_iterations",
    "atol_rotation": "integrator.atol_rotation",
    "atol_position": "integrator.atol_position",
    "atol_angular_velocity": "integrator.atol_angular_velocity",
    "atol_velocity": "integrator.atol_velocity",
    "max_order": "integrator.max_order",
    "max_step": "run.max_step",
    "project_velocity_at": "run.project_velocity_at",
    "project_every_step": "run.project_every_step",
    "projection_norm": "run.projection_norm",
    "restart_after_projection": "run.restart_after_projection",
    "fix_initial": "run.fix_initial",
    "assemble": "run.assemble",
}
"""Where settings stand in a model file."""


class Builder:
    """Adds elements to a model; every method returns the model."""

    def _add(self: M, section: str, entry: dict[str, Any]) -> M:
        raise NotImplementedError

    def body(
        self: M,
        name: str,
        *,
        type: Literal["rigid", "point", "modal"] | None = None,
        count: Number | None = None,
        mass: Number | None = None,
        inertia: Sequence[Number] | Sequence[Sequence[Number]] | None = None,
        inertia_frame: str | Sequence[Number] | Sequence[Sequence[Number]] | Mapping[str, Any] | None = None,
        shape: Mapping[str, Any] | None = None,
        look: Sequence[Mapping[str, Any]] | None = None,
        modal: Mapping[str, Any] | None = None,
        density: Number | None = None,
        markers: Mapping[str, Any] | None = None,
        position: Place | None = None,
        rotation: str | Sequence[Number] | Sequence[Sequence[Number]] | Mapping[str, Any] | None = None,
        velocity: Place | None = None,
        angular_velocity: Vector | None = None,
        angular_velocity_global: Vector | None = None,
        motion: Mapping[str, Any] | None = None,
    ) -> M:
        """A rigid body, a point mass (type="point") or a body with modes (type="modal").

        type: `rigid` (default), `point` or `modal`.
        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        mass: Mass in kg; from shape and density if absent.
        inertia: Inertia about the centre of mass in kg m^2: three moments about the axes of the body (or inertia)
            frame, or a symmetric 3x3 matrix. From the shape if absent.
        inertia_frame: Axes of `inertia` or `shape` relative to the body frame.
        shape: Homogeneous shape around the centre of mass.
        look: Solids without mass that pictures show; `shape` if absent.
        modal: modal: modes, nodes and damping. Mass and inertia follow from it; `position` is the origin of the
            frame.
        density: Density of the shape in kg/m^3; for a rod without a radius in kg/m. A rod with a radius may also
            have kg/m: "1.2 kg/m".
        markers: Named points and frames in the body frame, from its origin (the centre of mass, unless the shape is
            a composite or a mesh); `"body.marker"` is a point.
        position: Centre of mass in m; the origin if absent. For composites and meshes, the origin of the shape.
        rotation: Orientation of the body frame; that of the inertial frame if absent.
        velocity: Velocity of the centre of mass in m/s, inertial frame; zero if absent.
        angular_velocity: Angular velocity in rad/s, body frame; zero if absent.
        angular_velocity_global: Angular velocity in rad/s, inertial frame, instead of `angular_velocity`.
        motion: Prescribed motion of the body: a moving base. It needs no mass."""
        entry: dict[str, Any] = {
            "name": name,
            "type": type,
            "count": count,
            "mass": mass,
            "inertia": inertia,
            "inertia_frame": inertia_frame,
            "shape": shape,
            "look": look,
            "modal": modal,
            "density": density,
            "markers": markers,
            "position": position,
            "rotation": rotation,
            "velocity": velocity,
            "angular_velocity": angular_velocity,
            "angular_velocity_global": angular_velocity_global,
            "motion": motion,
        }
        return self._add("body", entry)

    def beam(
        self: M,
        name: str,
        *,
        count: Number | None = None,
        from_: Place | None = None,
        to: Place | None = None,
        through: Place | None = None,
        points: Sequence[Place] | None = None,
        frames: Sequence[Mapping[str, Any]] | None = None,
        up: Place | None = None,
        twist: Number | None = None,
        elements: Number | None = None,
        stations: Mapping[str, Any] | None = None,
        section: Mapping[str, Any] | None = None,
        young: Number | None = None,
        poisson: Number | None = None,
        shear: Number | None = None,
        density: Number | None = None,
        shear_factors: Vector | None = None,
        stiffness: Vector | None = None,
        mass_per_length: Number | None = None,
        inertia_per_length: Vector | None = None,
        mass: Literal["consistent", "lumped"] | None = None,
        damping: Number | None = None,
        residual_flexibility: bool | None = None,
        load: Vector | None = None,
        load_follows: bool | None = None,
        velocity: Place | None = None,
        angular_velocity: Vector | None = None,
    ) -> M:
        """A flexible beam; its nodes are bodies NAME.0, NAME.1, .., also NAME.start and NAME.end.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        from_: Beginning of the line without stress.
        to: Its end.
        through: A third point between them: the line is the arc of a circle.
        points: Instead of from and to: a smooth line through these points.
        frames: Instead of from and to: frames of the line, for any shape.
        up: Direction of the z axis of the section at the beginning; z if absent (y for a vertical line, the axis of
            an arc).
        twist: Angle in rad by which the sections turn about the line from the beginning to the end.
        elements: Number of elements. If absent, 8, or one between each two neighbouring frames.
        stations: Named positions at which the beam has a node, as parts of its length from 0 to 1.
        section: Shape of the section, with `young`, `poisson` or `shear`, and `density`.
        young: Modulus of elasticity in Pa.
        poisson: Poisson's ratio; 0.3 if neither it nor `shear` is given.
        shear: Shear modulus in Pa, instead of Poisson's ratio.
        density: Density in kg/m^3.
        shear_factors: Shear factors along y and z of the section; those of its shape if absent.
        stiffness: Instead of section and material: GJ, EI_y, EI_z in N m^2, EA, GA_y, GA_z in N.
        mass_per_length: With `stiffness`: mass per length in kg/m.
        inertia_per_length: With `stiffness`: rotary inertia per length about the axes of the section in kg m.
        mass: `consistent` (default) or `lumped`.
        damping: Damping of Kelvin and Voigt: stress = stiffness (strain + damping strain'), a time in s.
        residual_flexibility: Bending of few slender elements under end loads becomes exact; false if absent.
        load: Load per length in N/m, functions of time, spread over the nodes.
        load_follows: The load turns with the sections; false if absent.
        velocity: Velocity of the beginning in m/s, inertial frame; the beam begins as a rigid body.
        angular_velocity: Angular velocity in rad/s, inertial frame."""
        entry: dict[str, Any] = {
            "name": name,
            "count": count,
            "from": from_,
            "to": to,
            "through": through,
            "points": points,
            "frames": frames,
            "up": up,
            "twist": twist,
            "elements": elements,
            "stations": stations,
            "section": section,
            "young": young,
            "poisson": poisson,
            "shear": shear,
            "density": density,
            "shear_factors": shear_factors,
            "stiffness": stiffness,
            "mass_per_length": mass_per_length,
            "inertia_per_length": inertia_per_length,
            "mass": mass,
            "damping": damping,
            "residual_flexibility": residual_flexibility,
            "load": load,
            "load_follows": load_follows,
            "velocity": velocity,
            "angular_velocity": angular_velocity,
        }
        return self._add("beam", entry)

    def include(
        self: M,
        file: str,
        *,
        count: Number | None = None,
        prefix: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        mirror: Place | None = None,
        rotation: str | Sequence[Number] | Sequence[Sequence[Number]] | Mapping[str, Any] | None = None,
        position: Place | None = None,
        ground: str | None = None,
    ) -> M:
        """Another model file, or the description of a robot, as a part.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in the prefix.
        prefix: Prefix of the names of its elements, for example "left_".
        parameters: Other values for its parameters.
        mirror: The normal of a plane through the origin of the part; the part is mirrored at this plane before it
            is turned and moved: "y" swaps left and right.
        rotation: Rotation of the part; none if absent.
        position: Position of the origin of the part in m; the origin if absent.
        ground: A body of the model that replaces the ground of the part; it must come before."""
        entry: dict[str, Any] = {
            "file": file,
            "count": count,
            "prefix": prefix,
            "parameters": parameters,
            "mirror": mirror,
            "rotation": rotation,
            "position": position,
            "ground": ground,
        }
        return self._add("include", entry)

    def joint(
        self: M,
        name: str,
        type: Literal["spherical", "revolute", "prismatic", "universal", "cylindrical", "planar", "fixed", "point-on-plane", "point-on-line", "rigid-distance", "screw", "knife-edge", "rolling", "generic"],
        bodies: Sequence[str],
        *,
        count: Number | None = None,
        point: Place | None = None,
        point2: Place | None = None,
        axis: Place | None = None,
        axis2: Place | None = None,
        drive: Number | None = None,
        drive_displacement: Number | None = None,
        enabled: bool | None = None,
        drive_enabled: bool | None = None,
        coordinate: Number | None = None,
        rate: Number | None = None,
        frame: Literal["body", "ground"] | None = None,
        lock: Sequence[str] | None = None,
        pitch: Number | None = None,
    ) -> M:
        """A joint of any type.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        point: Point of the joint at t = 0.
        point2: Rigid distance, and a joint that is open at the start (`enabled = false`): the point on the second
            body; `point` is on the first. Rolling: the centre of the wheel or ball. Other joints have one point; if
            this is given, both must coincide once the joint is closed (`precess assemble`).
        axis: Axis of the joint (the normal of a plane), fixed in the first body. Knife edge: the direction across
            the blade, fixed in the second.
        axis2: Second axis: of a universal joint, fixed in the second body; of a generic joint, the direction of its
            x axis; rolling: the axis of a wheel, a ball has none; of a revolute, prismatic, cylindrical or planar
            joint, the axis on the second body if it is given separately, with the same direction once the joint is
            closed.
        drive: Prescribed coordinate as a function of t: the angle in rad, or the displacement in m of a joint
            without an angle.
        drive_displacement: Prescribed displacement of a joint that also has an angle (cylindrical), as a function
            of t, zero at t = 0.
        enabled: False for a joint that an event closes.
        drive_enabled: False for a drive that an event turns on; it continues from the current coordinate.
        coordinate: Value of the joint coordinate (rad, m) in the positions at t = 0; zero if absent, however tilted
            the bodies are there.
        rate: Initial rate of the joint coordinate (rad/s, m/s): velocities of bodies that are not given follow from
            it.
        frame: Spherical joint: frame of its constraint rows, and so of its multipliers: ground (default), or body
            for the first body. The motion does not depend on it; the drift of the forms index1 and index2 does.
        lock: Generic joint: locked motions out of "tx", "ty", "tz", "rx", "ry", "rz", with z along `axis`.
        pitch: Screw: displacement per turn in m, positive for a right-handed thread."""
        entry: dict[str, Any] = {
            "name": name,
            "type": type,
            "bodies": bodies,
            "count": count,
            "point": point,
            "point2": point2,
            "axis": axis,
            "axis2": axis2,
            "drive": drive,
            "drive_displacement": drive_displacement,
            "enabled": enabled,
            "drive_enabled": drive_enabled,
            "coordinate": coordinate,
            "rate": rate,
            "frame": frame,
            "lock": lock,
            "pitch": pitch,
        }
        return self._add("joint", entry)

    def spherical(
        self: M,
        name: str,
        body1: str,
        body2: str,
        *,
        count: Number | None = None,
        point: Place | None = None,
        point2: Place | None = None,
        enabled: bool | None = None,
        frame: Literal["body", "ground"] | None = None,
    ) -> M:
        """Points coincide.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        point: Point of the joint at t = 0.
        point2: Rigid distance, and a joint that is open at the start (`enabled = false`): the point on the second
            body; `point` is on the first. Rolling: the centre of the wheel or ball. Other joints have one point; if
            this is given, both must coincide once the joint is closed (`precess assemble`).
        enabled: False for a joint that an event closes.
        frame: Spherical joint: frame of its constraint rows, and so of its multipliers: ground (default), or body
            for the first body. The motion does not depend on it; the drift of the forms index1 and index2 does."""
        entry: dict[str, Any] = {
            "type": "spherical",
            "bodies": [body1, body2],
            "name": name,
            "count": count,
            "point": point,
            "point2": point2,
            "enabled": enabled,
            "frame": frame,
        }
        return self._add("joint", entry)

    def revolute(
        self: M,
        name: str,
        body1: str,
        body2: str,
        *,
        count: Number | None = None,
        point: Place | None = None,
        point2: Place | None = None,
        axis: Place | None = None,
        axis2: Place | None = None,
        drive: Number | None = None,
        enabled: bool | None = None,
        drive_enabled: bool | None = None,
        coordinate: Number | None = None,
        rate: Number | None = None,
    ) -> M:
        """Rotation about an axis.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        point: Point of the joint at t = 0.
        point2: Rigid distance, and a joint that is open at the start (`enabled = false`): the point on the second
            body; `point` is on the first. Rolling: the centre of the wheel or ball. Other joints have one point; if
            this is given, both must coincide once the joint is closed (`precess assemble`).
        axis: Axis of the joint (the normal of a plane), fixed in the first body. Knife edge: the direction across
            the blade, fixed in the second.
        axis2: Second axis: of a universal joint, fixed in the second body; of a generic joint, the direction of its
            x axis; rolling: the axis of a wheel, a ball has none; of a revolute, prismatic, cylindrical or planar
            joint, the axis on the second body if it is given separately, with the same direction once the joint is
            closed.
        drive: Prescribed coordinate as a function of t: the angle in rad, or the displacement in m of a joint
            without an angle.
        enabled: False for a joint that an event closes.
        drive_enabled: False for a drive that an event turns on; it continues from the current coordinate.
        coordinate: Value of the joint coordinate (rad, m) in the positions at t = 0; zero if absent, however tilted
            the bodies are there.
        rate: Initial rate of the joint coordinate (rad/s, m/s): velocities of bodies that are not given follow from
            it."""
        entry: dict[str, Any] = {
            "type": "revolute",
            "bodies": [body1, body2],
            "name": name,
            "count": count,
            "point": point,
            "point2": point2,
            "axis": axis,
            "axis2": axis2,
            "drive": drive,
            "enabled": enabled,
            "drive_enabled": drive_enabled,
            "coordinate": coordinate,
            "rate": rate,
        }
        return self._add("joint", entry)

    def prismatic(
        self: M,
        name: str,
        body1: str,
        body2: str,
        *,
        count: Number | None = None,
        point: Place | None = None,
        point2: Place | None = None,
        axis: Place | None = None,
        axis2: Place | None = None,
        drive: Number | None = None,
        enabled: bool | None = None,
        drive_enabled: bool | None = None,
        coordinate: Number | None = None,
        rate: Number | None = None,
    ) -> M:
        """Translation along an axis.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        point: Point of the joint at t = 0.
        point2: Rigid distance, and a joint that is open at the start (`enabled = false`): the point on the second
            body; `point` is on the first. Rolling: the centre of the wheel or ball. Other joints have one point; if
            this is given, both must coincide once the joint is closed (`precess assemble`).
        axis: Axis of the joint (the normal of a plane), fixed in the first body. Knife edge: the direction across
            the blade, fixed in the second.
        axis2: Second axis: of a universal joint, fixed in the second body; of a generic joint, the direction of its
            x axis; rolling: the axis of a wheel, a ball has none; of a revolute, prismatic, cylindrical or planar
            joint, the axis on the second body if it is given separately, with the same direction once the joint is
            closed.
        drive: Prescribed coordinate as a function of t: the angle in rad, or the displacement in m of a joint
            without an angle.
        enabled: False for a joint that an event closes.
        drive_enabled: False for a drive that an event turns on; it continues from the current coordinate.
        coordinate: Value of the joint coordinate (rad, m) in the positions at t = 0; zero if absent, however tilted
            the bodies are there.
        rate: Initial rate of the joint coordinate (rad/s, m/s): velocities of bodies that are not given follow from
            it."""
        entry: dict[str, Any] = {
            "type": "prismatic",
            "bodies": [body1, body2],
            "name": name,
            "count": count,
            "point": point,
            "point2": point2,
            "axis": axis,
            "axis2": axis2,
            "drive": drive,
            "enabled": enabled,
            "drive_enabled": drive_enabled,
            "coordinate": coordinate,
            "rate": rate,
        }
        return self._add("joint", entry)

    def universal(
        self: M,
        name: str,
        body1: str,
        body2: str,
        *,
        count: Number | None = None,
        point: Place | None = None,
        point2: Place | None = None,
        axis: Place | None = None,
        axis2: Place | None = None,
        enabled: bool | None = None,
    ) -> M:
        """Rotation about two perpendicular axes.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        point: Point of the joint at t = 0.
        point2: Rigid distance, and a joint that is open at the start (`enabled = false`): the point on the second
            body; `point` is on the first. Rolling: the centre of the wheel or ball. Other joints have one point; if
            this is given, both must coincide once the joint is closed (`precess assemble`).
        axis: Axis of the joint (the normal of a plane), fixed in the first body. Knife edge: the direction across
            the blade, fixed in the second.
        axis2: Second axis: of a universal joint, fixed in the second body; of a generic joint, the direction of its
            x axis; rolling: the axis of a wheel, a ball has none; of a revolute, prismatic, cylindrical or planar
            joint, the axis on the second body if it is given separately, with the same direction once the joint is
            closed.
        enabled: False for a joint that an event closes."""
        entry: dict[str, Any] = {
            "type": "universal",
            "bodies": [body1, body2],
            "name": name,
            "count": count,
            "point": point,
            "point2": point2,
            "axis": axis,
            "axis2": axis2,
            "enabled": enabled,
        }
        return self._add("joint", entry)

    def cylindrical(
        self: M,
        name: str,
        body1: str,
        body2: str,
        *,
        count: Number | None = None,
        point: Place | None = None,
        point2: Place | None = None,
        axis: Place | None = None,
        axis2: Place | None = None,
        drive: Number | None = None,
        drive_displacement: Number | None = None,
        enabled: bool | None = None,
        drive_enabled: bool | None = None,
        coordinate: Number | None = None,
        rate: Number | None = None,
    ) -> M:
        """Rotation about and translation along an axis.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        point: Point of the joint at t = 0.
        point2: Rigid distance, and a joint that is open at the start (`enabled = false`): the point on the second
            body; `point` is on the first. Rolling: the centre of the wheel or ball. Other joints have one point; if
            this is given, both must coincide once the joint is closed (`precess assemble`).
        axis: Axis of the joint (the normal of a plane), fixed in the first body. Knife edge: the direction across
            the blade, fixed in the second.
        axis2: Second axis: of a universal joint, fixed in the second body; of a generic joint, the direction of its
            x axis; rolling: the axis of a wheel, a ball has none; of a revolute, prismatic, cylindrical or planar
            joint, the axis on the second body if it is given separately, with the same direction once the joint is
            closed.
        drive: Prescribed coordinate as a function of t: the angle in rad, or the displacement in m of a joint
            without an angle.
        drive_displacement: Prescribed displacement of a joint that also has an angle (cylindrical), as a function
            of t, zero at t = 0.
        enabled: False for a joint that an event closes.
        drive_enabled: False for a drive that an event turns on; it continues from the current coordinate.
        coordinate: Value of the joint coordinate (rad, m) in the positions at t = 0; zero if absent, however tilted
            the bodies are there.
        rate: Initial rate of the joint coordinate (rad/s, m/s): velocities of bodies that are not given follow from
            it."""
        entry: dict[str, Any] = {
            "type": "cylindrical",
            "bodies": [body1, body2],
            "name": name,
            "count": count,
            "point": point,
            "point2": point2,
            "axis": axis,
            "axis2": axis2,
            "drive": drive,
            "drive_displacement": drive_displacement,
            "enabled": enabled,
            "drive_enabled": drive_enabled,
            "coordinate": coordinate,
            "rate": rate,
        }
        return self._add("joint", entry)

    def planar(
        self: M,
        name: str,
        body1: str,
        body2: str,
        *,
        count: Number | None = None,
        point: Place | None = None,
        point2: Place | None = None,
        axis: Place | None = None,
        axis2: Place | None = None,
        drive: Number | None = None,
        enabled: bool | None = None,
        drive_enabled: bool | None = None,
        coordinate: Number | None = None,
        rate: Number | None = None,
    ) -> M:
        """Motion in a plane.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        point: Point of the joint at t = 0.
        point2: Rigid distance, and a joint that is open at the start (`enabled = false`): the point on the second
            body; `point` is on the first. Rolling: the centre of the wheel or ball. Other joints have one point; if
            this is given, both must coincide once the joint is closed (`precess assemble`).
        axis: Axis of the joint (the normal of a plane), fixed in the first body. Knife edge: the direction across
            the blade, fixed in the second.
        axis2: Second axis: of a universal joint, fixed in the second body; of a generic joint, the direction of its
            x axis; rolling: the axis of a wheel, a ball has none; of a revolute, prismatic, cylindrical or planar
            joint, the axis on the second body if it is given separately, with the same direction once the joint is
            closed.
        drive: Prescribed coordinate as a function of t: the angle in rad, or the displacement in m of a joint
            without an angle.
        enabled: False for a joint that an event closes.
        drive_enabled: False for a drive that an event turns on; it continues from the current coordinate.
        coordinate: Value of the joint coordinate (rad, m) in the positions at t = 0; zero if absent, however tilted
            the bodies are there.
        rate: Initial rate of the joint coordinate (rad/s, m/s): velocities of bodies that are not given follow from
            it."""
        entry: dict[str, Any] = {
            "type": "planar",
            "bodies": [body1, body2],
            "name": name,
            "count": count,
            "point": point,
            "point2": point2,
            "axis": axis,
            "axis2": axis2,
            "drive": drive,
            "enabled": enabled,
            "drive_enabled": drive_enabled,
            "coordinate": coordinate,
            "rate": rate,
        }
        return self._add("joint", entry)

    def fixed(
        self: M,
        name: str,
        body1: str,
        body2: str,
        *,
        count: Number | None = None,
        point: Place | None = None,
        point2: Place | None = None,
        enabled: bool | None = None,
    ) -> M:
        """No relative motion.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        point: Point of the joint at t = 0.
        point2: Rigid distance, and a joint that is open at the start (`enabled = false`): the point on the second
            body; `point` is on the first. Rolling: the centre of the wheel or ball. Other joints have one point; if
            this is given, both must coincide once the joint is closed (`precess assemble`).
        enabled: False for a joint that an event closes."""
        entry: dict[str, Any] = {
            "type": "fixed",
            "bodies": [body1, body2],
            "name": name,
            "count": count,
            "point": point,
            "point2": point2,
            "enabled": enabled,
        }
        return self._add("joint", entry)

    def point_on_plane(
        self: M,
        name: str,
        body1: str,
        body2: str,
        *,
        count: Number | None = None,
        point: Place | None = None,
        point2: Place | None = None,
        axis: Place | None = None,
        enabled: bool | None = None,
    ) -> M:
        """A point of the second body stays in a plane of the first.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        point: Point of the joint at t = 0.
        point2: Rigid distance, and a joint that is open at the start (`enabled = false`): the point on the second
            body; `point` is on the first. Rolling: the centre of the wheel or ball. Other joints have one point; if
            this is given, both must coincide once the joint is closed (`precess assemble`).
        axis: Axis of the joint (the normal of a plane), fixed in the first body. Knife edge: the direction across
            the blade, fixed in the second.
        enabled: False for a joint that an event closes."""
        entry: dict[str, Any] = {
            "type": "point-on-plane",
            "bodies": [body1, body2],
            "name": name,
            "count": count,
            "point": point,
            "point2": point2,
            "axis": axis,
            "enabled": enabled,
        }
        return self._add("joint", entry)

    def point_on_line(
        self: M,
        name: str,
        body1: str,
        body2: str,
        *,
        count: Number | None = None,
        point: Place | None = None,
        point2: Place | None = None,
        axis: Place | None = None,
        drive: Number | None = None,
        enabled: bool | None = None,
        drive_enabled: bool | None = None,
        coordinate: Number | None = None,
        rate: Number | None = None,
    ) -> M:
        """A point of the second body stays on a line of the first.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        point: Point of the joint at t = 0.
        point2: Rigid distance, and a joint that is open at the start (`enabled = false`): the point on the second
            body; `point` is on the first. Rolling: the centre of the wheel or ball. Other joints have one point; if
            this is given, both must coincide once the joint is closed (`precess assemble`).
        axis: Axis of the joint (the normal of a plane), fixed in the first body. Knife edge: the direction across
            the blade, fixed in the second.
        drive: Prescribed coordinate as a function of t: the angle in rad, or the displacement in m of a joint
            without an angle.
        enabled: False for a joint that an event closes.
        drive_enabled: False for a drive that an event turns on; it continues from the current coordinate.
        coordinate: Value of the joint coordinate (rad, m) in the positions at t = 0; zero if absent, however tilted
            the bodies are there.
        rate: Initial rate of the joint coordinate (rad/s, m/s): velocities of bodies that are not given follow from
            it."""
        entry: dict[str, Any] = {
            "type": "point-on-line",
            "bodies": [body1, body2],
            "name": name,
            "count": count,
            "point": point,
            "point2": point2,
            "axis": axis,
            "drive": drive,
            "enabled": enabled,
            "drive_enabled": drive_enabled,
            "coordinate": coordinate,
            "rate": rate,
        }
        return self._add("joint", entry)

    def rigid_distance(
        self: M,
        name: str,
        body1: str,
        body2: str,
        *,
        count: Number | None = None,
        point: Place | None = None,
        point2: Place | None = None,
        enabled: bool | None = None,
    ) -> M:
        """Two points keep their distance.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        point: Point of the joint at t = 0.
        point2: Rigid distance, and a joint that is open at the start (`enabled = false`): the point on the second
            body; `point` is on the first. Rolling: the centre of the wheel or ball. Other joints have one point; if
            this is given, both must coincide once the joint is closed (`precess assemble`).
        enabled: False for a joint that an event closes."""
        entry: dict[str, Any] = {
            "type": "rigid-distance",
            "bodies": [body1, body2],
            "name": name,
            "count": count,
            "point": point,
            "point2": point2,
            "enabled": enabled,
        }
        return self._add("joint", entry)

    def screw(
        self: M,
        name: str,
        body1: str,
        body2: str,
        *,
        count: Number | None = None,
        point: Place | None = None,
        point2: Place | None = None,
        axis: Place | None = None,
        drive: Number | None = None,
        enabled: bool | None = None,
        drive_enabled: bool | None = None,
        coordinate: Number | None = None,
        rate: Number | None = None,
        pitch: Number | None = None,
    ) -> M:
        """Rotation about an axis moves the second body along it, by `pitch` per turn.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        point: Point of the joint at t = 0.
        point2: Rigid distance, and a joint that is open at the start (`enabled = false`): the point on the second
            body; `point` is on the first. Rolling: the centre of the wheel or ball. Other joints have one point; if
            this is given, both must coincide once the joint is closed (`precess assemble`).
        axis: Axis of the joint (the normal of a plane), fixed in the first body. Knife edge: the direction across
            the blade, fixed in the second.
        drive: Prescribed coordinate as a function of t: the angle in rad, or the displacement in m of a joint
            without an angle.
        enabled: False for a joint that an event closes.
        drive_enabled: False for a drive that an event turns on; it continues from the current coordinate.
        coordinate: Value of the joint coordinate (rad, m) in the positions at t = 0; zero if absent, however tilted
            the bodies are there.
        rate: Initial rate of the joint coordinate (rad/s, m/s): velocities of bodies that are not given follow from
            it.
        pitch: Screw: displacement per turn in m, positive for a right-handed thread."""
        entry: dict[str, Any] = {
            "type": "screw",
            "bodies": [body1, body2],
            "name": name,
            "count": count,
            "point": point,
            "point2": point2,
            "axis": axis,
            "drive": drive,
            "enabled": enabled,
            "drive_enabled": drive_enabled,
            "coordinate": coordinate,
            "rate": rate,
            "pitch": pitch,
        }
        return self._add("joint", entry)

    def knife_edge(
        self: M,
        name: str,
        body1: str,
        body2: str,
        *,
        count: Number | None = None,
        point: Place | None = None,
        point2: Place | None = None,
        axis: Place | None = None,
        enabled: bool | None = None,
    ) -> M:
        """A point of the second body does not move along `axis`, which turns with that body: a blade on ice. It constrains velocities.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        point: Point of the joint at t = 0.
        point2: Rigid distance, and a joint that is open at the start (`enabled = false`): the point on the second
            body; `point` is on the first. Rolling: the centre of the wheel or ball. Other joints have one point; if
            this is given, both must coincide once the joint is closed (`precess assemble`).
        axis: Axis of the joint (the normal of a plane), fixed in the first body. Knife edge: the direction across
            the blade, fixed in the second.
        enabled: False for a joint that an event closes."""
        entry: dict[str, Any] = {
            "type": "knife-edge",
            "bodies": [body1, body2],
            "name": name,
            "count": count,
            "point": point,
            "point2": point2,
            "axis": axis,
            "enabled": enabled,
        }
        return self._add("joint", entry)

    def rolling(
        self: M,
        name: str,
        body1: str,
        body2: str,
        *,
        count: Number | None = None,
        point: Place | None = None,
        point2: Place | None = None,
        axis: Place | None = None,
        axis2: Place | None = None,
        enabled: bool | None = None,
    ) -> M:
        """A wheel or a ball rolls on a plane through `point` with the normal `axis`, both of the first body. Its centre is `point2`, and `axis2` the axis of a wheel; without it the second body is a ball. It touches the plane at t = 0, which gives its radius.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        point: Point of the joint at t = 0.
        point2: Rigid distance, and a joint that is open at the start (`enabled = false`): the point on the second
            body; `point` is on the first. Rolling: the centre of the wheel or ball. Other joints have one point; if
            this is given, both must coincide once the joint is closed (`precess assemble`).
        axis: Axis of the joint (the normal of a plane), fixed in the first body. Knife edge: the direction across
            the blade, fixed in the second.
        axis2: Second axis: of a universal joint, fixed in the second body; of a generic joint, the direction of its
            x axis; rolling: the axis of a wheel, a ball has none; of a revolute, prismatic, cylindrical or planar
            joint, the axis on the second body if it is given separately, with the same direction once the joint is
            closed.
        enabled: False for a joint that an event closes."""
        entry: dict[str, Any] = {
            "type": "rolling",
            "bodies": [body1, body2],
            "name": name,
            "count": count,
            "point": point,
            "point2": point2,
            "axis": axis,
            "axis2": axis2,
            "enabled": enabled,
        }
        return self._add("joint", entry)

    def generic(
        self: M,
        name: str,
        body1: str,
        body2: str,
        *,
        count: Number | None = None,
        point: Place | None = None,
        point2: Place | None = None,
        axis: Place | None = None,
        axis2: Place | None = None,
        drive: Number | None = None,
        drive_displacement: Number | None = None,
        enabled: bool | None = None,
        drive_enabled: bool | None = None,
        coordinate: Number | None = None,
        rate: Number | None = None,
        lock: Sequence[str] | None = None,
    ) -> M:
        """Locks any subset of the six relative motions.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        point: Point of the joint at t = 0.
        point2: Rigid distance, and a joint that is open at the start (`enabled = false`): the point on the second
            body; `point` is on the first. Rolling: the centre of the wheel or ball. Other joints have one point; if
            this is given, both must coincide once the joint is closed (`precess assemble`).
        axis: Axis of the joint (the normal of a plane), fixed in the first body. Knife edge: the direction across
            the blade, fixed in the second.
        axis2: Second axis: of a universal joint, fixed in the second body; of a generic joint, the direction of its
            x axis; rolling: the axis of a wheel, a ball has none; of a revolute, prismatic, cylindrical or planar
            joint, the axis on the second body if it is given separately, with the same direction once the joint is
            closed.
        drive: Prescribed coordinate as a function of t: the angle in rad, or the displacement in m of a joint
            without an angle.
        drive_displacement: Prescribed displacement of a joint that also has an angle (cylindrical), as a function
            of t, zero at t = 0.
        enabled: False for a joint that an event closes.
        drive_enabled: False for a drive that an event turns on; it continues from the current coordinate.
        coordinate: Value of the joint coordinate (rad, m) in the positions at t = 0; zero if absent, however tilted
            the bodies are there.
        rate: Initial rate of the joint coordinate (rad/s, m/s): velocities of bodies that are not given follow from
            it.
        lock: Generic joint: locked motions out of "tx", "ty", "tz", "rx", "ry", "rz", with z along `axis`."""
        entry: dict[str, Any] = {
            "type": "generic",
            "bodies": [body1, body2],
            "name": name,
            "count": count,
            "point": point,
            "point2": point2,
            "axis": axis,
            "axis2": axis2,
            "drive": drive,
            "drive_displacement": drive_displacement,
            "enabled": enabled,
            "drive_enabled": drive_enabled,
            "coordinate": coordinate,
            "rate": rate,
            "lock": lock,
        }
        return self._add("joint", entry)

    def gear(
        self: M,
        name: str,
        joints: Sequence[str],
        ratio: Number,
        *,
        count: Number | None = None,
        of: Sequence[Literal["angle", "displacement"]] | None = None,
    ) -> M:
        """A ratio between two joint coordinates.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        of: The coordinates of the joints, if they have two."""
        entry: dict[str, Any] = {
            "name": name,
            "joints": joints,
            "ratio": ratio,
            "count": count,
            "of": of,
        }
        return self._add("gear", entry)

    def constraint(
        self: M,
        name: str,
        equation: Number,
        *,
        count: Number | None = None,
    ) -> M:
        """An expression of positions that stays zero.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names."""
        entry: dict[str, Any] = {
            "name": name,
            "equation": equation,
            "count": count,
        }
        return self._add("constraint", entry)

    def state(
        self: M,
        name: str,
        rate: Number,
        *,
        count: Number | None = None,
        initial: Number | None = None,
    ) -> M:
        """A variable with a given rate.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        initial: Its value at t = 0; zero if absent."""
        entry: dict[str, Any] = {
            "name": name,
            "rate": rate,
            "count": count,
            "initial": initial,
        }
        return self._add("state", entry)

    def algebraic(
        self: M,
        name: str,
        equation: Number,
        *,
        count: Number | None = None,
        guess: Number | None = None,
    ) -> M:
        """A variable that an equation determines.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        guess: Initial guess of its value at t = 0; zero if absent."""
        entry: dict[str, Any] = {
            "name": name,
            "equation": equation,
            "count": count,
            "guess": guess,
        }
        return self._add("algebraic", entry)

    def force(
        self: M,
        name: str,
        type: Literal["force", "torque", "spring", "bushing", "joint-spring", "friction", "drag", "actuator", "torsion-spring", "potential", "limit", "plate"] = "force",
        *,
        count: Number | None = None,
        enabled: bool | None = None,
        body: str | None = None,
        bodies: Sequence[str] | None = None,
        joint: str | None = None,
        along: str | None = None,
        of: Literal["angle", "displacement"] | None = None,
        point: Place | None = None,
        point2: Place | None = None,
        axis: Place | None = None,
        rotation: str | Sequence[Number] | Sequence[Sequence[Number]] | Mapping[str, Any] | None = None,
        frame: Literal["inertial", "body", "first", "second"] | None = None,
        force: Vector | None = None,
        torque: Vector | None = None,
        value: Number | None = None,
        stiffness: Number | Vector | Sequence[Vector] | None = None,
        damping: Number | Vector | Sequence[Vector] | None = None,
        free_length: Number | None = None,
        rest: Number | None = None,
        preload: Number | None = None,
        potential: Number | None = None,
        table: Sequence[Vector] | None = None,
        interpolation: Literal["monotone-cubic", "linear"] | None = None,
        coefficient: Number | None = None,
        wind: Vector | None = None,
        viscous: Number | None = None,
        radius: Number | None = None,
        bearing_length: Number | None = None,
        speed: Number | None = None,
        constant: Number | None = None,
        lower: Number | None = None,
        upper: Number | None = None,
        width: Number | None = None,
        events: bool | None = None,
    ) -> M:
        """A force of any type.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        enabled: False for a force that an event turns on.
        body: force, torque, drag, plate: the body.
        bodies: spring, bushing, torsion-spring: the two bodies.
        joint: joint-spring, friction, actuator, limit: the joint.
        along: actuator: the quantity on which it acts instead of a joint: a coordinate `bead.x`, or `distance(a,
            b)`.
        of: The coordinate of a cylindrical joint.
        point: Point of application at t = 0 (the centre of mass if absent); for a spring on the first body.
        point2: spring: the point on the second body.
        axis: torsion-spring: the axis at t = 0, fixed in the first body. plate: its normal at t = 0.
        rotation: bushing: axes of its frame at t = 0, fixed in the first body; those of the inertial frame if
            absent.
        frame: force, torque: frame of the components, inertial (default) or body.
        force: force: components in N, functions of t, sensors and joint coordinates.
        torque: torque: components in N m, functions of t, sensors and joint coordinates.
        value: actuator: N m or N, a function of t, the coordinate x and its rate v; also of sensors, other
            positions, rates, states and algebraic variables.
        stiffness: spring, bushing in N/m; rotations of joint-spring, torsion-spring, limit and bushing in N m/rad.
        damping: spring, bushing in N s/m; rotations of joint-spring, torsion-spring, limit and bushing in N m
            s/rad; zero if absent.
        free_length: spring: length without force in m; the length at t = 0 if absent.
        rest: joint-spring, torsion-spring: coordinate without force (rad, m), zero at t = 0; zero if absent.
        preload: spring, joint-spring, torsion-spring: force at the free length (N, N m), tension positive; zero if
            absent.
        potential: spring: energy in J instead of stiffness, a function of the distance l of the two points.
            potential: energy in J, an expression of coordinates (`bead.x`), `distance(a, b)`, `angle(a, b, c)` and
            joint coordinates.
        table: spring: rows [length in m, tension in N] instead of stiffness. joint-spring: rows [coordinate, effort
            that pulls it back].
        interpolation: spring, joint-spring: between the rows of the table, monotone-cubic (default) or linear.
        coefficient: drag: c in F = -c |w| w, plate: c in F = -c |w| (n . w) n, in N s^2/m^2. friction: Coulomb
            coefficient; none if absent.
        wind: drag, plate: velocity of the medium in m/s; zero if absent.
        viscous: friction: viscous coefficient (N m s/rad, N s/m).
        radius: friction: bearing radius in m.
        bearing_length: friction: bearing length in m, over which a bending moment loads the bearing.
        speed: friction: rate (rad/s, m/s) below which dry friction fades.
        constant: friction: constant dry friction (N m, N), independent of the load of the joint.
        lower: limit: smallest value of the coordinate (rad, m); none if absent.
        upper: limit: largest value of the coordinate (rad, m); none if absent.
        width: limit: depth (rad, m) over which a stop becomes hard; 1 mrad or 0.1 mm if absent.
        events: limit: true for stops without a width; steps of a run end where contact begins and ends."""
        entry: dict[str, Any] = {
            "name": name,
            "type": type,
            "count": count,
            "enabled": enabled,
            "body": body,
            "bodies": bodies,
            "joint": joint,
            "along": along,
            "of": of,
            "point": point,
            "point2": point2,
            "axis": axis,
            "rotation": rotation,
            "frame": frame,
            "force": force,
            "torque": torque,
            "value": value,
            "stiffness": stiffness,
            "damping": damping,
            "free_length": free_length,
            "rest": rest,
            "preload": preload,
            "potential": potential,
            "table": table,
            "interpolation": interpolation,
            "coefficient": coefficient,
            "wind": wind,
            "viscous": viscous,
            "radius": radius,
            "bearing_length": bearing_length,
            "speed": speed,
            "constant": constant,
            "lower": lower,
            "upper": upper,
            "width": width,
            "events": events,
        }
        return self._add("force", entry)

    def torque(
        self: M,
        name: str,
        *,
        count: Number | None = None,
        enabled: bool | None = None,
        body: str | None = None,
        frame: Literal["inertial", "body", "first", "second"] | None = None,
        torque: Vector | None = None,
    ) -> M:
        """Torque on a body.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        enabled: False for a force that an event turns on.
        body: force, torque, drag, plate: the body.
        frame: force, torque: frame of the components, inertial (default) or body.
        torque: torque: components in N m, functions of t, sensors and joint coordinates."""
        entry: dict[str, Any] = {
            "type": "torque",
            "name": name,
            "count": count,
            "enabled": enabled,
            "body": body,
            "frame": frame,
            "torque": torque,
        }
        return self._add("force", entry)

    def spring(
        self: M,
        name: str,
        *,
        count: Number | None = None,
        enabled: bool | None = None,
        bodies: Sequence[str] | None = None,
        point: Place | None = None,
        point2: Place | None = None,
        stiffness: Number | Vector | Sequence[Vector] | None = None,
        damping: Number | Vector | Sequence[Vector] | None = None,
        free_length: Number | None = None,
        preload: Number | None = None,
        potential: Number | None = None,
        table: Sequence[Vector] | None = None,
        interpolation: Literal["monotone-cubic", "linear"] | None = None,
    ) -> M:
        """Spring and damper between two points.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        enabled: False for a force that an event turns on.
        bodies: spring, bushing, torsion-spring: the two bodies.
        point: Point of application at t = 0 (the centre of mass if absent); for a spring on the first body.
        point2: spring: the point on the second body.
        stiffness: spring, bushing in N/m; rotations of joint-spring, torsion-spring, limit and bushing in N m/rad.
        damping: spring, bushing in N s/m; rotations of joint-spring, torsion-spring, limit and bushing in N m
            s/rad; zero if absent.
        free_length: spring: length without force in m; the length at t = 0 if absent.
        preload: spring, joint-spring, torsion-spring: force at the free length (N, N m), tension positive; zero if
            absent.
        potential: spring: energy in J instead of stiffness, a function of the distance l of the two points.
            potential: energy in J, an expression of coordinates (`bead.x`), `distance(a, b)`, `angle(a, b, c)` and
            joint coordinates.
        table: spring: rows [length in m, tension in N] instead of stiffness. joint-spring: rows [coordinate, effort
            that pulls it back].
        interpolation: spring, joint-spring: between the rows of the table, monotone-cubic (default) or linear."""
        entry: dict[str, Any] = {
            "type": "spring",
            "name": name,
            "count": count,
            "enabled": enabled,
            "bodies": bodies,
            "point": point,
            "point2": point2,
            "stiffness": stiffness,
            "damping": damping,
            "free_length": free_length,
            "preload": preload,
            "potential": potential,
            "table": table,
            "interpolation": interpolation,
        }
        return self._add("force", entry)

    def bushing(
        self: M,
        name: str,
        *,
        count: Number | None = None,
        enabled: bool | None = None,
        bodies: Sequence[str] | None = None,
        point: Place | None = None,
        rotation: str | Sequence[Number] | Sequence[Sequence[Number]] | Mapping[str, Any] | None = None,
        stiffness: Number | Vector | Sequence[Vector] | None = None,
        damping: Number | Vector | Sequence[Vector] | None = None,
    ) -> M:
        """Elastic bearing.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        enabled: False for a force that an event turns on.
        bodies: spring, bushing, torsion-spring: the two bodies.
        point: Point of application at t = 0 (the centre of mass if absent); for a spring on the first body.
        rotation: bushing: axes of its frame at t = 0, fixed in the first body; those of the inertial frame if
            absent.
        stiffness: spring, bushing in N/m; rotations of joint-spring, torsion-spring, limit and bushing in N m/rad.
        damping: spring, bushing in N s/m; rotations of joint-spring, torsion-spring, limit and bushing in N m
            s/rad; zero if absent."""
        entry: dict[str, Any] = {
            "type": "bushing",
            "name": name,
            "count": count,
            "enabled": enabled,
            "bodies": bodies,
            "point": point,
            "rotation": rotation,
            "stiffness": stiffness,
            "damping": damping,
        }
        return self._add("force", entry)

    def joint_spring(
        self: M,
        name: str,
        *,
        count: Number | None = None,
        enabled: bool | None = None,
        joint: str | None = None,
        of: Literal["angle", "displacement"] | None = None,
        stiffness: Number | Vector | Sequence[Vector] | None = None,
        damping: Number | Vector | Sequence[Vector] | None = None,
        rest: Number | None = None,
        preload: Number | None = None,
        table: Sequence[Vector] | None = None,
        interpolation: Literal["monotone-cubic", "linear"] | None = None,
    ) -> M:
        """Spring and damper at a joint.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        enabled: False for a force that an event turns on.
        joint: joint-spring, friction, actuator, limit: the joint.
        of: The coordinate of a cylindrical joint.
        stiffness: spring, bushing in N/m; rotations of joint-spring, torsion-spring, limit and bushing in N m/rad.
        damping: spring, bushing in N s/m; rotations of joint-spring, torsion-spring, limit and bushing in N m
            s/rad; zero if absent.
        rest: joint-spring, torsion-spring: coordinate without force (rad, m), zero at t = 0; zero if absent.
        preload: spring, joint-spring, torsion-spring: force at the free length (N, N m), tension positive; zero if
            absent.
        table: spring: rows [length in m, tension in N] instead of stiffness. joint-spring: rows [coordinate, effort
            that pulls it back].
        interpolation: spring, joint-spring: between the rows of the table, monotone-cubic (default) or linear."""
        entry: dict[str, Any] = {
            "type": "joint-spring",
            "name": name,
            "count": count,
            "enabled": enabled,
            "joint": joint,
            "of": of,
            "stiffness": stiffness,
            "damping": damping,
            "rest": rest,
            "preload": preload,
            "table": table,
            "interpolation": interpolation,
        }
        return self._add("force", entry)

    def friction(
        self: M,
        name: str,
        *,
        count: Number | None = None,
        enabled: bool | None = None,
        joint: str | None = None,
        of: Literal["angle", "displacement"] | None = None,
        coefficient: Number | None = None,
        viscous: Number | None = None,
        radius: Number | None = None,
        bearing_length: Number | None = None,
        speed: Number | None = None,
        constant: Number | None = None,
    ) -> M:
        """Joint friction.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        enabled: False for a force that an event turns on.
        joint: joint-spring, friction, actuator, limit: the joint.
        of: The coordinate of a cylindrical joint.
        coefficient: drag: c in F = -c |w| w, plate: c in F = -c |w| (n . w) n, in N s^2/m^2. friction: Coulomb
            coefficient; none if absent.
        viscous: friction: viscous coefficient (N m s/rad, N s/m).
        radius: friction: bearing radius in m.
        bearing_length: friction: bearing length in m, over which a bending moment loads the bearing.
        speed: friction: rate (rad/s, m/s) below which dry friction fades.
        constant: friction: constant dry friction (N m, N), independent of the load of the joint."""
        entry: dict[str, Any] = {
            "type": "friction",
            "name": name,
            "count": count,
            "enabled": enabled,
            "joint": joint,
            "of": of,
            "coefficient": coefficient,
            "viscous": viscous,
            "radius": radius,
            "bearing_length": bearing_length,
            "speed": speed,
            "constant": constant,
        }
        return self._add("force", entry)

    def drag(
        self: M,
        name: str,
        *,
        count: Number | None = None,
        enabled: bool | None = None,
        body: str | None = None,
        point: Place | None = None,
        coefficient: Number | None = None,
        wind: Vector | None = None,
    ) -> M:
        """Quadratic drag.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        enabled: False for a force that an event turns on.
        body: force, torque, drag, plate: the body.
        point: Point of application at t = 0 (the centre of mass if absent); for a spring on the first body.
        coefficient: drag: c in F = -c |w| w, plate: c in F = -c |w| (n . w) n, in N s^2/m^2. friction: Coulomb
            coefficient; none if absent.
        wind: drag, plate: velocity of the medium in m/s; zero if absent."""
        entry: dict[str, Any] = {
            "type": "drag",
            "name": name,
            "count": count,
            "enabled": enabled,
            "body": body,
            "point": point,
            "coefficient": coefficient,
            "wind": wind,
        }
        return self._add("force", entry)

    def actuator(
        self: M,
        name: str,
        *,
        count: Number | None = None,
        enabled: bool | None = None,
        joint: str | None = None,
        along: str | None = None,
        of: Literal["angle", "displacement"] | None = None,
        value: Number | None = None,
    ) -> M:
        """Force or torque at a joint.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        enabled: False for a force that an event turns on.
        joint: joint-spring, friction, actuator, limit: the joint.
        along: actuator: the quantity on which it acts instead of a joint: a coordinate `bead.x`, or `distance(a,
            b)`.
        of: The coordinate of a cylindrical joint.
        value: actuator: N m or N, a function of t, the coordinate x and its rate v; also of sensors, other
            positions, rates, states and algebraic variables."""
        entry: dict[str, Any] = {
            "type": "actuator",
            "name": name,
            "count": count,
            "enabled": enabled,
            "joint": joint,
            "along": along,
            "of": of,
            "value": value,
        }
        return self._add("force", entry)

    def torsion_spring(
        self: M,
        name: str,
        *,
        count: Number | None = None,
        enabled: bool | None = None,
        bodies: Sequence[str] | None = None,
        axis: Place | None = None,
        stiffness: Number | Vector | Sequence[Vector] | None = None,
        damping: Number | Vector | Sequence[Vector] | None = None,
        rest: Number | None = None,
        preload: Number | None = None,
    ) -> M:
        """Spring and damper of the angle between two bodies about an axis, without a joint.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        enabled: False for a force that an event turns on.
        bodies: spring, bushing, torsion-spring: the two bodies.
        axis: torsion-spring: the axis at t = 0, fixed in the first body. plate: its normal at t = 0.
        stiffness: spring, bushing in N/m; rotations of joint-spring, torsion-spring, limit and bushing in N m/rad.
        damping: spring, bushing in N s/m; rotations of joint-spring, torsion-spring, limit and bushing in N m
            s/rad; zero if absent.
        rest: joint-spring, torsion-spring: coordinate without force (rad, m), zero at t = 0; zero if absent.
        preload: spring, joint-spring, torsion-spring: force at the free length (N, N m), tension positive; zero if
            absent."""
        entry: dict[str, Any] = {
            "type": "torsion-spring",
            "name": name,
            "count": count,
            "enabled": enabled,
            "bodies": bodies,
            "axis": axis,
            "stiffness": stiffness,
            "damping": damping,
            "rest": rest,
            "preload": preload,
        }
        return self._add("force", entry)

    def potential(
        self: M,
        name: str,
        *,
        count: Number | None = None,
        enabled: bool | None = None,
        potential: Number | None = None,
    ) -> M:
        """Potential of coordinates, distances, angles and joint coordinates.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        enabled: False for a force that an event turns on.
        potential: spring: energy in J instead of stiffness, a function of the distance l of the two points.
            potential: energy in J, an expression of coordinates (`bead.x`), `distance(a, b)`, `angle(a, b, c)` and
            joint coordinates."""
        entry: dict[str, Any] = {
            "type": "potential",
            "name": name,
            "count": count,
            "enabled": enabled,
            "potential": potential,
        }
        return self._add("force", entry)

    def limit(
        self: M,
        name: str,
        *,
        count: Number | None = None,
        enabled: bool | None = None,
        joint: str | None = None,
        of: Literal["angle", "displacement"] | None = None,
        stiffness: Number | Vector | Sequence[Vector] | None = None,
        damping: Number | Vector | Sequence[Vector] | None = None,
        lower: Number | None = None,
        upper: Number | None = None,
        width: Number | None = None,
        events: bool | None = None,
    ) -> M:
        """Stops of a joint coordinate: springs with dampers beyond a lower and an upper limit.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        enabled: False for a force that an event turns on.
        joint: joint-spring, friction, actuator, limit: the joint.
        of: The coordinate of a cylindrical joint.
        stiffness: spring, bushing in N/m; rotations of joint-spring, torsion-spring, limit and bushing in N m/rad.
        damping: spring, bushing in N s/m; rotations of joint-spring, torsion-spring, limit and bushing in N m
            s/rad; zero if absent.
        lower: limit: smallest value of the coordinate (rad, m); none if absent.
        upper: limit: largest value of the coordinate (rad, m); none if absent.
        width: limit: depth (rad, m) over which a stop becomes hard; 1 mrad or 0.1 mm if absent.
        events: limit: true for stops without a width; steps of a run end where contact begins and ends."""
        entry: dict[str, Any] = {
            "type": "limit",
            "name": name,
            "count": count,
            "enabled": enabled,
            "joint": joint,
            "of": of,
            "stiffness": stiffness,
            "damping": damping,
            "lower": lower,
            "upper": upper,
            "width": width,
            "events": events,
        }
        return self._add("force", entry)

    def plate(
        self: M,
        name: str,
        *,
        count: Number | None = None,
        enabled: bool | None = None,
        body: str | None = None,
        point: Place | None = None,
        axis: Place | None = None,
        coefficient: Number | None = None,
        wind: Vector | None = None,
    ) -> M:
        """Pressure of a flow on a flat plate, along its normal: lift and drag.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        enabled: False for a force that an event turns on.
        body: force, torque, drag, plate: the body.
        point: Point of application at t = 0 (the centre of mass if absent); for a spring on the first body.
        axis: torsion-spring: the axis at t = 0, fixed in the first body. plate: its normal at t = 0.
        coefficient: drag: c in F = -c |w| w, plate: c in F = -c |w| (n . w) n, in N s^2/m^2. friction: Coulomb
            coefficient; none if absent.
        wind: drag, plate: velocity of the medium in m/s; zero if absent."""
        entry: dict[str, Any] = {
            "type": "plate",
            "name": name,
            "count": count,
            "enabled": enabled,
            "body": body,
            "point": point,
            "axis": axis,
            "coefficient": coefficient,
            "wind": wind,
        }
        return self._add("force", entry)

    def control(
        self: M,
        name: str,
        type: Literal["pid", "lag"],
        *,
        count: Number | None = None,
        enabled: bool | None = None,
        joint: str | None = None,
        of: Literal["angle", "displacement"] | None = None,
        drives: str | None = None,
        set_point: Number | None = None,
        proportional: Number | None = None,
        integral: Number | None = None,
        derivative: Number | None = None,
        filter: Number | None = None,
        input: Number | None = None,
        time: Number | None = None,
        initial: Number | None = None,
    ) -> M:
        """A control.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        enabled: False for a control that an event turns on.
        joint: The joint whose coordinate is measured.
        of: The coordinate of a cylindrical joint.
        drives: The joint that is driven; the measured one if absent.
        set_point: pid: desired coordinate (rad, m), a function of t.
        proportional: pid: k_p, output per error; zero if absent.
        integral: pid: k_i, output per integral of the error; zero if absent.
        derivative: pid: k_d, output per rate of the error; zero if absent.
        filter: pid: time constant of the derivative filter in s; ideal derivative if absent.
        input: lag: the command, a function of t, the coordinate x and its rate v.
        time: lag: time constant in s.
        initial: lag: output at t = 0 (N m, N); zero if absent."""
        entry: dict[str, Any] = {
            "name": name,
            "type": type,
            "count": count,
            "enabled": enabled,
            "joint": joint,
            "of": of,
            "drives": drives,
            "set_point": set_point,
            "proportional": proportional,
            "integral": integral,
            "derivative": derivative,
            "filter": filter,
            "input": input,
            "time": time,
            "initial": initial,
        }
        return self._add("control", entry)

    def sensor(
        self: M,
        name: str,
        type: Literal["position", "velocity", "acceleration", "angular-velocity", "angular-acceleration", "coordinate", "rate", "reaction-force", "reaction-torque", "guide-force", "guide-torque", "drive-effort", "effort", "total-force", "total-torque", "formula", "spring-length", "spring-force", "control", "kinetic-energy", "potential-energy", "energy", "linear-momentum", "angular-momentum"],
        *,
        count: Number | None = None,
        body: str | None = None,
        point: Place | None = None,
        joint: str | None = None,
        of: Literal["angle", "displacement"] | None = None,
        joints: Sequence[str] | None = None,
        frame: Literal["inertial", "body", "first", "second"] | None = None,
        value: Number | None = None,
        force: str | None = None,
        control: str | None = None,
    ) -> M:
        """A sensor.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names.
        body: The body.
        point: A point of the body at t = 0; its centre of mass if absent.
        joint: The joint.
        of: The coordinate of a cylindrical joint.
        joints: total-force, total-torque: joints whose forces on their second bodies are added up.
        frame: Frame of a reaction: inertial (default), first or second body; of an angular velocity or
            acceleration: body (default) or inertial.
        value: formula: for example "atan2(left.x - right.x, 1.2 m)*1 rad". Names with blanks are put in braces:
            {left arm}.x; a sensor of three values without a component stands for its length.
        force: The spring; for effort the force.
        control: The control."""
        entry: dict[str, Any] = {
            "name": name,
            "type": type,
            "count": count,
            "body": body,
            "point": point,
            "joint": joint,
            "of": of,
            "joints": joints,
            "frame": frame,
            "value": value,
            "force": force,
            "control": control,
        }
        return self._add("sensor", entry)

    def event(
        self: M,
        name: str,
        when: str,
        *,
        count: Number | None = None,
        direction: Literal["rising", "falling", "both"] | None = None,
        action: Literal["record", "stop", "switch"] | None = None,
        enable: Sequence[str] | None = None,
        disable: Sequence[str] | None = None,
    ) -> M:
        """An event.

        count: Number of copies; `i` counts from 0 in expressions and as `{i}` in names and in `when`.
        direction: Direction of the zero crossings that count: rising, falling or both (default).
        action: record, stop or switch.
        enable: switch: forces, controls and joints to turn on, and drives as JOINT.drive.
        disable: switch: forces, controls and joints to turn off, and drives as JOINT.drive."""
        entry: dict[str, Any] = {
            "name": name,
            "when": when,
            "count": count,
            "direction": direction,
            "action": action,
            "enable": enable,
            "disable": disable,
        }
        return self._add("event", entry)
