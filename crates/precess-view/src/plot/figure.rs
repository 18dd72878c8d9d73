//! The content of a figure, as plain data.

/// Panels in a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Title above all panels; may be empty.
    pub title: String,
    /// Panels in a row.
    pub columns: usize,
    /// Width and height of a panel in pixels.
    pub panel_size: [f64; 2],
    /// Position of the names of the series.
    pub legend: Legend,
    /// Lines of small text below all panels.
    pub notes: Vec<String>,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
}

/// Position of the names of the series. They never cover the curves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Legend {
    /// Right of a single panel with many series, above the curves otherwise.
    #[default]
    Auto,
    /// Above the curves of every panel.
    Above,
    /// Right of every panel.
    Right,
    /// Once, below all panels.
    Shared,
    /// Nowhere.
    None,
}

/// One pair of axes with its content.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// Title; may be empty.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// True if one unit has the same length on both axes (paths in space).
    pub equal: bool,
    /// Curves.
    pub series: Vec<Series>,
    /// Slope triangles.
    pub slopes: Vec<Slope>,
    /// Horizontal and vertical lines.
    pub references: Vec<Reference>,
    /// Coloured cells instead of curves.
    pub map: Option<Map>,
}

/// An axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// Label.
    pub label: String,
    /// Unit; empty for pure numbers.
    pub unit: String,
    /// Linear or logarithmic.
    pub scale: Scale,
    /// Ends; from the data if not given.
    pub range: Option<[f64; 2]>,
}

/// Conversion of values to lengths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Linear.
    #[default]
    Linear,
    /// Logarithmic; values that are not positive are omitted.
    Log,
}

/// Style of a series.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// A line.
    #[default]
    Line,
    /// Markers.
    Markers,
    /// Both.
    LineAndMarkers,
    /// Small dots: for many values that jump from one to the next, where lines would fill the panel.
    Dots,
}

impl Style {
    /// True if a line joins the points.
    pub(crate) fn has_line(self) -> bool {
        matches!(self, Style::Line | Style::LineAndMarkers)
    }

    /// Radius of the marker at a point, if there is one.
    pub fn radius(self) -> Option<f64> {
        match self {
            Style::Line => None,
            Style::Markers | Style::LineAndMarkers => Some(3.0),
            Style::Dots => Some(1.1),
        }
    }
}

/// A curve. Points with a coordinate that is not finite are gaps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Name in the legend; without an entry if empty.
    pub name: String,
    /// Abscissae.
    pub x: Vec<f64>,
    /// Ordinates.
    pub y: Vec<f64>,
    /// Line or markers.
    pub style: Style,
    /// Colour by number; the index in its panel if not given.
    pub colour: Option<usize>,
    /// Dash pattern by number, 0 is solid; chosen with the colour if not given.
    pub dash: Option<usize>,
}

/// A triangle that shows a slope, with the order written on it: y ~ x^order on two logarithmic axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Slope {
    /// The slope, in decades per decade (on linear axes in units per unit).
    pub order: f64,
    /// Index of the nearby series; any free position if not given.
    pub near: Option<usize>,
}

/// A line through the whole panel.
#[derive(Clone, Debug, PartialEq)]
pub enum Reference {
    /// At this ordinate, with a text.
    Horizontal(f64, String),
    /// At this abscissa, with a text.
    Vertical(f64, String),
}

/// Coloured cells over two lists of names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// Columns from left to right.
    pub x: Vec<String>,
    /// Rows from top to bottom.
    pub y: Vec<String>,
    /// Cells row by row.
    pub cells: Vec<Cell>,
    /// Name of the values, and the values of the lightest and of the darkest cell.
    pub values: (String, [f64; 2]),
    /// Conversion of values to colours.
    pub scale: Scale,
    /// Names and colours of the classes.
    pub classes: Vec<(String, String)>,
    /// Meaning of a white dot on a cell.
    pub mark: String,
}

/// A cell of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// A value on the colour scale, if the cell has no class.
    pub value: f64,
    /// Class by number.
    pub class: Option<usize>,
    /// True for a white dot.
    pub marked: bool,
}

impl Figure {
    /// A figure without panels.
    pub fn new(title: impl Into<String>) -> Self {
        Figure {
            title: title.into(),
            columns: 1,
            panel_size: [560.0, 380.0],
            legend: Legend::Auto,
            notes: Vec::new(),
            panels: Vec::new(),
        }
    }

    /// Adds a panel.
    pub fn panel(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }

    /// Panels in a row.
    pub fn columns(mut self, n: usize) -> Self {
        self.columns = n.max(1);
        self
    }

    /// Width and height of a panel in pixels, including its labels.
    pub fn panel_size(mut self, width: f64, height: f64) -> Self {
        self.panel_size = [width, height];
        self
    }

    /// Position of the names of the series.
    pub fn legend(mut self, legend: Legend) -> Self {
        self.legend = legend;
        self
    }

    /// Adds a line of small text below all panels.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }
}

impl Panel {
    /// An empty panel with linear axes.
    pub fn new(title: impl Into<String>) -> Self {
        Panel { title: title.into(), ..Panel::default() }
    }

    /// The horizontal axis.
    pub fn x(mut self, axis: Axis) -> Self {
        self.x = axis;
        self
    }

    /// The vertical axis.
    pub fn y(mut self, axis: Axis) -> Self {
        self.y = axis;
        self
    }

    /// Makes one unit the same length on both axes.
    pub fn equal(mut self) -> Self {
        self.equal = true;
        self
    }

    /// Adds a curve.
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// Adds a slope triangle.
    pub fn slope(mut self, slope: Slope) -> Self {
        self.slopes.push(slope);
        self
    }

    /// Adds a line through the panel.
    pub fn reference(mut self, reference: Reference) -> Self {
        self.references.push(reference);
        self
    }

    /// Shows coloured cells instead of curves.
    pub fn map(mut self, map: Map) -> Self {
        self.map = Some(map);
        self
    }
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: impl Into<String>, unit: impl Into<String>) -> Self {
        Axis { label: label.into(), unit: unit.into(), scale: Scale::Linear, range: None }
    }

    /// A logarithmic axis.
    pub fn log(label: impl Into<String>, unit: impl Into<String>) -> Self {
        Axis { scale: Scale::Log, ..Axis::linear(label, unit) }
    }

    /// With these ends.
    pub fn range(mut self, low: f64, high: f64) -> Self {
        self.range = Some([low, high]);
        self
    }

    /// Label and unit as written on the axis.
    pub fn caption(&self) -> String {
        match (self.label.is_empty(), self.unit.is_empty()) {
            (_, true) => self.label.clone(),
            (true, false) => self.unit.clone(),
            (false, false) => format!("{}, {}", self.label, self.unit),
        }
    }
}

impl Series {
    /// A line.
    pub fn line(name: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Self {
        Series { name: name.into(), x, y, ..Series::default() }
    }

    /// A line with markers.
    pub fn marked(name: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Self {
        Series { style: Style::LineAndMarkers, ..Series::line(name, x, y) }
    }

    /// Markers.
    pub fn markers(name: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Self {
        Series { style: Style::Markers, ..Series::line(name, x, y) }
    }

    /// Small dots.
    pub fn dots(name: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Self {
        Series { style: Style::Dots, ..Series::line(name, x, y) }
    }

    /// With this colour of the palette.
    pub fn colour(mut self, n: usize) -> Self {
        self.colour = Some(n);
        self
    }

    /// With this dash pattern, 0 is solid.
    pub fn dash(mut self, n: usize) -> Self {
        self.dash = Some(n);
        self
    }

    /// Points in order.
    pub fn points(&self) -> impl ExactSizeIterator<Item = [f64; 2]> + '_ {
        self.x.iter().zip(&self.y).map(|(&x, &y)| [x, y])
    }
}

impl Slope {
    /// A triangle of this slope where there is space.
    pub fn new(order: f64) -> Self {
        Slope { order, near: None }
    }

    /// Near a series of the panel, by its index.
    pub fn near(mut self, series: usize) -> Self {
        self.near = Some(series);
        self
    }
}

impl Scale {
    /// The value as a length: itself or its decimal logarithm. NaN for values that cannot be shown.
    pub fn apply(self, x: f64) -> f64 {
        match self {
            Scale::Linear if x.is_finite() => x,
            Scale::Log if x.is_finite() && x > 0.0 => x.log10(),
            _ => f64::NAN,
        }
    }
}
