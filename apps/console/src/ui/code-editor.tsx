import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  readOnly?: boolean;
  /** Such as marks of names; the same array at each drawing. */
  extensions?: readonly Extension[];
}

/** Marks a change that the person did not make here. */
const fromOutside = Annotation.define<boolean>();

const theme = EditorView.theme({
  '&': {
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    background: 'var(--panel)',
    color: 'var(--text)',
    fontSize: 'var(--text-s)',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', minHeight: '14rem', maxHeight: '70vh' },
  '.cm-content': { padding: 'var(--space-4) 0', caretColor: 'var(--text)' },
  '.cm-gutters': { background: 'var(--panel)', color: 'var(--quiet)', border: 'none' },
  '.cm-mark': { background: 'var(--accent-soft)', borderRadius: '3px' },
  '.cm-fault': { textDecoration: 'underline wavy var(--bad)', textDecorationSkipInk: 'none' },
});

/**
 * A field for long texts, which draws only the lines in view. It has a shadow root, in which its styles are allowed by the content
 * policy.
 */
export function CodeEditor({ label, value, onChange, readOnly = false, extensions = [] }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const options = useRef(new Compartment());
  const change = useRef(onChange);
  useEffect(() => {
    change.current = onChange;
  });
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: view.current?.state.doc ?? '',
        extensions: [
          history(),
          highlightSpecialChars(),
          lineNumbers(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.lineWrapping,
          theme,
          options.current.of([]),
          EditorView.updateListener.of(({ docChanged, state, transactions }) => {
            const isFromOutside = transactions.some((each) => each.annotation(fromOutside));
            if (docChanged && !isFromOutside) change.current(state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => {
    view.current?.dispatch({
      effects: options.current.reconfigure([
        EditorState.readOnly.of(readOnly),
        EditorView.contentAttributes.of({
          'aria-label': label,
          spellcheck: 'false',
          'aria-readonly': String(readOnly),
        }),
        ...extensions,
      ]),
    });
  }, [label, readOnly, extensions]);
  // A value from outside, such as a discarded draft, takes the place of the text.
  useEffect(() => {
    const { current } = view;
    if (current && current.state.doc.toString() !== value)
      current.dispatch({
        changes: { from: 0, to: current.state.doc.length, insert: value },
        annotations: fromOutside.of(true),
      });
  }, [value]);
  return <div ref={host} className="code-editor" />;
}
