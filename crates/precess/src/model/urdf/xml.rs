//! An XML file as a tree of elements with their positions.

use std::ops::Range;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::model::Diagnostic;

/// Largest nesting; URDF needs six levels.
const MAX_DEPTH: usize = 64;
/// Largest number of attributes of an element; each is compared with the others.
const MAX_ATTRIBUTES: usize = 1000;

/// An element.
#[derive(Clone, Debug, Default)]
pub struct XmlElement {
    /// Name with its prefix.
    pub name: String,
    /// Position of the start tag, in bytes.
    pub span: Range<usize>,
    /// Attributes in their order.
    pub attributes: Vec<(String, String)>,
    /// Elements inside.
    pub children: Vec<XmlElement>,
    /// Its text, without that of the elements inside.
    pub text: String,
}

impl XmlElement {
    /// Value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// Removes an attribute here and in all elements inside.
    pub fn forget(&mut self, name: &str) {
        self.attributes.retain(|(n, _)| n != name);
        self.children.iter_mut().for_each(|c| c.forget(name));
    }
}

fn problem(message: String, span: Range<usize>) -> Diagnostic {
    Diagnostic { message, help: None, span: Some(span) }
}

/// Reads a file; stops at the first violation of XML.
pub fn parse(text: &str) -> Result<XmlElement, Diagnostic> {
    let mut reader = Reader::from_str(text);
    // The outermost entry collects the elements of the file itself.
    let mut open = vec![XmlElement::default()];
    loop {
        let start = reader.buffer_position() as usize;
        let event = reader.read_event().map_err(|e| {
            let at = (reader.error_position() as usize).min(text.len());
            problem(format!("not well-formed XML: {e}"), at..at + 1)
        })?;
        let span = start..reader.buffer_position() as usize;
        match event {
            Event::Start(tag) => {
                if open.len() > MAX_DEPTH {
                    return Err(problem(format!("elements are nested more than {MAX_DEPTH} deep"), span));
                }
                open.push(element(&tag, span)?);
            }
            Event::Empty(tag) => {
                let e = element(&tag, span)?;
                if let Some(parent) = open.last_mut() {
                    parent.children.push(e);
                }
            }
            // The reader has checked that it matches the last start tag.
            Event::End(_) => close(&mut open),
            Event::Text(words) => {
                if let (Some(parent), Ok(words)) = (open.last_mut(), words.decode()) {
                    parent.text.push_str(&words);
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    if let Some(e) = open.get(1..).and_then(<[XmlElement]>::last) {
        return Err(problem(
            format!("not well-formed XML: <{}> is not closed before the end of the file", e.name),
            e.span.clone(),
        ));
    }
    let roots = open.pop().unwrap_or_default().children;
    let mut roots = roots.into_iter();
    match (roots.next(), roots.next()) {
        (Some(root), None) => Ok(root),
        (Some(_), Some(second)) => {
            Err(problem(format!("a second root element <{}>", second.name), second.span))
        }
        (None, _) => Err(problem("there is no XML element in this file".to_string(), 0..1)),
    }
}

fn close(open: &mut Vec<XmlElement>) {
    if open.len() > 1
        && let Some(e) = open.pop()
        && let Some(parent) = open.last_mut()
    {
        parent.children.push(e);
    }
}

fn element(tag: &BytesStart, span: Range<usize>) -> Result<XmlElement, Diagnostic> {
    let bad = |e: String| problem(format!("not well-formed XML: {e}"), span.clone());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut attributes = Vec::new();
    for a in tag.attributes() {
        if attributes.len() == MAX_ATTRIBUTES {
            let message = format!("the element has more than {MAX_ATTRIBUTES} attributes");
            return Err(problem(message, span.start..span.start + 1));
        }
        let a = a.map_err(|e| bad(e.to_string()))?;
        let value = a
            .decoded_and_normalized_value(XmlVersion::Implicit1_0, tag.decoder())
            .map_err(|e| bad(e.to_string()))?;
        attributes.push((text(a.key.as_ref()), value.into_owned()));
    }
    Ok(XmlElement { name: text(tag.name().as_ref()), span, attributes, ..XmlElement::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_with_places() {
        let text = "<?xml version=\"1.0\"?>\n<a x='1'> <b/> <!-- c --> <d y=\"&lt;\">t</d></a>\n";
        let root = parse(text).unwrap();
        assert_eq!((root.name.as_str(), root.attribute("x")), ("a", Some("1")));
        assert_eq!(root.children.len(), 2);
        assert_eq!(text.get(root.children[0].span.clone()), Some("<b/>"));
        assert_eq!(root.children[1].attribute("y"), Some("<"));
    }

    #[test]
    fn mistakes_have_a_place() {
        for (text, at, message) in [
            ("<a>\n<b></a>", 7, "b"),
            ("<a><b>", 3, "not closed"),
            ("<a/><b/>", 4, "second root"),
            ("<a x=1/>", 0, "not well-formed"),
            ("nothing", 0, "no XML element"),
            ("", 0, "no XML element"),
        ] {
            let e = parse(text).unwrap_err();
            assert!(e.message.contains(message), "{text}: {}", e.message);
            assert_eq!(e.span.unwrap().start, at, "{text}");
        }
        assert!(parse(&"<a>".repeat(100_000)).unwrap_err().message.contains("nested"));
    }
}
