//! Cross sections: stiffness and inertia, given directly or from a material and a shape.

use nalgebra::{Matrix6, Vector3, Vector6};

use crate::flex::BeamError;

/// Stiffness and inertia of a cross section, per length, in its own frame at the centroid.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Stiffness; on the diagonal `GJ, EI_y, EI_z, EA, GA_y, GA_z`.
    pub stiffness: Matrix6<f64>,
    /// Mass per length.
    pub mass: f64,
    /// Rotary inertia per length about the axes of the section, the first one along the beam.
    pub inertia: Vector3<f64>,
}

fn positive(what: &'static str, value: f64) -> Result<f64, BeamError> {
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(BeamError::NotPositive { what, value }) }
}

const STIFFNESSES: [&str; 6] = [
    "the torsional stiffness GJ",
    "the bending stiffness EI_y",
    "the bending stiffness EI_z",
    "the axial stiffness EA",
    "the shear stiffness GA_y",
    "the shear stiffness GA_z",
];
const INERTIAS: [&str; 3] =
    ["the rotary inertia J1 about the axis of the beam", "the rotary inertia J2", "the rotary inertia J3"];

impl Section {
    /// A section with the stiffnesses `GJ, EI_y, EI_z, EA, GA_y, GA_z`.
    pub fn new(stiffness: Vector6<f64>, mass: f64, inertia: Vector3<f64>) -> Result<Self, BeamError> {
        for (what, value) in STIFFNESSES.into_iter().zip(stiffness.iter()) {
            positive(what, *value)?;
        }
        Section::coupled(Matrix6::from_diagonal(&stiffness), mass, inertia)
    }

    /// A section with a full stiffness matrix, if bending, torsion, stretch and shear are coupled.
    pub fn coupled(stiffness: Matrix6<f64>, mass: f64, inertia: Vector3<f64>) -> Result<Self, BeamError> {
        let stiffness = (stiffness + stiffness.transpose()) * 0.5;
        if stiffness.iter().any(|x| !x.is_finite()) || stiffness.cholesky().is_none() {
            let smallest = match stiffness.iter().all(|x| x.is_finite()) {
                true => stiffness.symmetric_eigenvalues().min(),
                false => f64::NAN,
            };
            return Err(BeamError::StiffnessNotDefinite { smallest });
        }
        positive("the mass per length", mass)?;
        for (what, value) in INERTIAS.into_iter().zip(inertia.iter()) {
            positive(what, *value)?;
        }
        Ok(Section { stiffness, mass, inertia })
    }

    /// A section from a material and a shape.
    pub fn of(material: &Material, shape: &Shape) -> Result<Self, BeamError> {
        let e = positive("the modulus of elasticity", material.young)?;
        let g = positive("the shear modulus", material.shear)?;
        let rho = positive("the density", material.density)?;
        shape.check()?;
        let (area, [i_y, i_z]) = (shape.area(), shape.second_moments());
        let factors = shape.shear_factors(0.5 * e / g - 1.0);
        let stiffness = Vector6::new(
            g * shape.torsion(),
            e * i_y,
            e * i_z,
            e * area,
            factors[0] * g * area,
            factors[1] * g * area,
        );
        Section::new(stiffness, rho * area, Vector3::new(i_y + i_z, i_y, i_z) * rho)
    }

    /// The stiffness of an element of this length with *residual bending flexibility*: the shear is made
    /// softer so that one element has the deflection of a cantilever with a load at its end,
    /// `1/GA_y' = 1/GA_y + L^2/(12 EI_z)` and `1/GA_z' = 1/GA_z + L^2/(12 EI_y)`.
    ///
    /// It helps slender beams with few elements. Couplings between shear and the other strains do not change.
    #[must_use]
    pub fn with_residual_flexibility(&self, length: f64) -> Self {
        let mut stiffness = self.stiffness;
        for (shear, bending) in [(4, 2), (5, 1)] {
            let (ga, ei) = (self.stiffness[(shear, shear)], self.stiffness[(bending, bending)]);
            stiffness[(shear, shear)] = 1.0 / (1.0 / ga + length * length / (12.0 * ei));
        }
        Section { stiffness, ..self.clone() }
    }
}

/// An isotropic material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Modulus of elasticity E.
    pub young: f64,
    /// Shear modulus G.
    pub shear: f64,
    /// Density.
    pub density: f64,
}

impl Material {
    /// A material with Poisson's ratio instead of the shear modulus.
    pub fn isotropic(young: f64, poisson: f64, density: f64) -> Self {
        Material { young, shear: 0.5 * young / (1.0 + poisson), density }
    }
}

/// The shape of a cross section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A rectangle.
    Rectangle {
        /// Extent along the axis `y` of the section.
        width: f64,
        /// Extent along the axis `z`.
        height: f64,
    },
    /// A full circle.
    Circle {
        /// Radius.
        radius: f64,
    },
    /// A circular tube.
    Tube {
        /// Outer radius.
        outer: f64,
        /// Inner radius.
        inner: f64,
    },
}

impl Shape {
    fn check(&self) -> Result<(), BeamError> {
        match *self {
            Shape::Rectangle { width, height } => {
                positive("the width of the section", width)?;
                positive("the height of the section", height).map(|_| ())
            }
            Shape::Circle { radius } => positive("the radius of the section", radius).map(|_| ()),
            Shape::Tube { outer, inner } => {
                positive("the outer radius of the section", outer)?;
                positive("the inner radius of the section", inner)?;
                if inner < outer { Ok(()) } else { Err(BeamError::NoWall { outer, inner }) }
            }
        }
    }

    /// Outer and inner radius of the round shapes.
    fn radii(&self) -> Option<[f64; 2]> {
        match *self {
            Shape::Rectangle { .. } => None,
            Shape::Circle { radius } => Some([radius, 0.0]),
            Shape::Tube { outer, inner } => Some([outer, inner]),
        }
    }

    /// Area.
    pub fn area(&self) -> f64 {
        match (self.radii(), *self) {
            (Some([a, b]), _) => std::f64::consts::PI * (a * a - b * b),
            (None, Shape::Rectangle { width, height }) => width * height,
            _ => f64::NAN,
        }
    }

    /// Second moments of area `I_y` (of `z^2`) and `I_z` (of `y^2`).
    pub fn second_moments(&self) -> [f64; 2] {
        match (self.radii(), *self) {
            (Some([a, b]), _) => [std::f64::consts::FRAC_PI_4 * (a.powi(4) - b.powi(4)); 2],
            (None, Shape::Rectangle { width, height }) => {
                [width * height.powi(3) / 12.0, height * width.powi(3) / 12.0]
            }
            _ => [f64::NAN; 2],
        }
    }

    /// Torsion constant of Saint-Venant; for a rectangle by its series.
    pub fn torsion(&self) -> f64 {
        let Shape::Rectangle { width, height } = *self else {
            return self.second_moments().iter().sum();
        };
        let (a, b) = (width.max(height), width.min(height));
        let pi = std::f64::consts::PI;
        let term = |n: f64| (0.5 * n * pi * a / b).tanh() / n.powi(5);
        // The remainder after 200 terms is below round-off.
        let sum: f64 = (0..200).rev().map(|i| term((2 * i + 1) as f64)).sum();
        a * b.powi(3) / 3.0 * (1.0 - 192.0 * b / (pi.powi(5) * a) * sum)
    }

    /// Shear factors along `y` and `z`: 5/6 for a rectangle, those of Cowper (1966) for round sections.
    pub fn shear_factors(&self, poisson: f64) -> [f64; 2] {
        let Some([outer, inner]) = self.radii() else { return [5.0 / 6.0; 2] };
        let m2 = (inner / outer).powi(2);
        let wall = (1.0 + m2).powi(2);
        [6.0 * (1.0 + poisson) * wall / ((7.0 + 6.0 * poisson) * wall + (20.0 + 12.0 * poisson) * m2); 2]
    }
}
