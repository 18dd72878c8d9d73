// Elements. Texts of a model are texts, never markup.

/** An element with a class, a text and children. */
export function el(tag, name = "", text = "", ...children) {
  const e = document.createElement(tag);
  if (name) e.className = name;
  if (text !== "") e.textContent = text;
  e.append(...children);
  return e;
}

const ICONS = {
  play: "M7 4.5v15l13-7.5z",
  pause: "M6 4.5h4.4v15H6zM13.6 4.5H18v15h-4.4z",
  back: "M15.5 5v14L6 12z",
  ahead: "M8.5 5v14L18 12z",
  loop: "M7 7h9v3l4.5-4.5L16 1v3.500H4.500V12H7zm10 10H8v-3l-4.500 4.500L8 23v-3.500h11.500V12H17z",
  fit: "M4 4h6v2H6v4H4zm10 0h6v6h-2V6h-4zM4 14h2v4h4v2H4zm14 0h2v6h-6v-2h4z",
  theme: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zm0 2v14a7 7 0 0 0 0-14z",
  plots: "M3 3h2v16h16v2H3zm4 12 4-5 3 3 5-7 1.600 1.100L14.300 16l-3.100-3.100-2.600 3.300z",
  link: "M10 7H7a5 5 0 0 0 0 10h3v-2H7a3 3 0 0 1 0-6h3zm4 0h3a5 5 0 0 1 0 10h-3v-2h3a3 3 0 0 0 0-6h-3zm-6 4h8v2H8z",
  help: "M11 17h2v2h-2zm1-13a4.400 4.400 0 0 0-4.400 4.400h2a2.400 2.400 0 1 1 2.400 2.400c-.9.3-1 .9-1 1.700V15h2v-2.100"
    + "c1.900-.5 3.400-2 3.400-4.500A4.400 4.400 0 0 0 12 4z",
};

/** A picture on a button. */
export function icon(name) {
  const ns = "http://www.w3.org/2000/svg", svg = document.createElementNS(ns, "svg"), path = document.createElementNS(ns, "path");
  for (const [k, v] of Object.entries({ viewBox: "0 0 24 24", width: 20, height: 20, fill: "currentColor", "aria-hidden": "true" }))
    svg.setAttribute(k, v);
  path.setAttribute("d", ICONS[name]);
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}

/** A button with a word or a picture. */
export function button(name, title, content) {
  const b = el("button", name, ICONS[content] ? "" : content);
  if (ICONS[content]) b.append(icon(content));
  b.type = "button";
  b.title = title;
  b.setAttribute("aria-label", title);
  return b;
}
