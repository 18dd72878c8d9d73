// An editor for TOML with problems underlined at their places.
import { EditorView, drawSelection, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { EditorState } from "@codemirror/state";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { tags } from "@lezer/highlight";

const COLOURS = HighlightStyle.define([
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" }, { tag: tags.string, color: "var(--string)" },
  { tag: tags.number, color: "var(--number)" }, { tag: tags.atom, color: "var(--number)" },
  { tag: tags.propertyName, color: "var(--ink)" }, { tag: tags.bracket, color: "var(--accent)", fontWeight: "600" },
]);
const LOOK = EditorView.theme({
  "&": { height: "100%", fontSize: "12.5px", backgroundColor: "var(--solid)", color: "var(--ink)" },
  ".cm-scroller": { fontFamily: "ui-monospace, 'DejaVu Sans Mono', monospace", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--solid)", color: "var(--soft)", border: "0" },
  "&.cm-focused": { outline: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-tooltip": { backgroundColor: "var(--solid)", color: "var(--ink)", border: "1px solid var(--edge)" },
});

/** From bytes of UTF-8, as the simulator counts, to places of a text of JavaScript. */
export function places(text) {
  const bytes = new TextEncoder().encode(text), decoder = new TextDecoder();
  return n => n >= bytes.length ? text.length : bytes.length === text.length ? n : decoder.decode(bytes.subarray(0, n)).length;
}

const EXTENSIONS = [
  lineNumbers(), EditorView.lineWrapping, history(), drawSelection(), highlightSpecialChars(), highlightActiveLine(), bracketMatching(), lintGutter(),
  StreamLanguage.define(toml), syntaxHighlighting(COLOURS), LOOK, keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
  EditorView.contentAttributes.of({ "aria-label": "model file" }),
];

/** `changed()` is called when somebody types. */
export function editor(parent, changed) {
  const typed = t => ["input", "delete", "undo", "redo", "move"].some(e => t.isUserEvent(e));
  const listen = EditorView.updateListener.of(u => u.docChanged && u.transactions.some(typed) && changed());
  const fresh = doc => EditorState.create({ doc, extensions: [...EXTENSIONS, listen] });
  const view = new EditorView({ parent, state: fresh("") }), text = () => view.state.doc.toString();
  return {
    view, text,
    /** Another text, with a history of its own. */
    set: t => {
      view.setState(fresh(t));
      view.scrollDOM.scrollTop = 0;
    },
    /** Underlines problems, at least one character of their line. */
    problems(list) {
      const doc = text(), at = places(doc);
      const marks = list.filter(p => p.from != null).map(p => {
        let from = Math.min(at(p.from), doc.length), to = Math.min(at(p.to), doc.length);
        const line = view.state.doc.lineAt(from);
        to = Math.min(Math.max(to, from + 1), line.to);
        if (to <= from) from = Math.max(line.from, to - 1);
        return { from, to: Math.max(to, from), severity: "error", message: p.message + (p.help ? "\n" + p.help : "") };
      });
      view.dispatch(setDiagnostics(view.state, marks.sort((a, b) => a.from - b.from)));
    },
    /** To a line, counted from one. */
    go(line) {
      const at = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines))).from;
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
      view.focus();
    },
  };
}
