import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { useDeferredValue } from 'react';
import { lensesTexts } from '../view-texts/lenses';
import { CodeEditor } from '../ui/code-editor';
import { listParameters, listProblems, roughTokens } from './template';

const parameter = Decoration.mark({ class: 'cm-mark' });
const fault = Decoration.mark({ class: 'cm-fault' });

const matcher = new MatchDecorator({
  regexp: /\\?\[\[(?:[^[\]\n]+\]\])?|\{\{[^{}\n]+\}\}/g,
  decoration: ([text]) => {
    if (text.startsWith('\\')) return null;
    return text.endsWith(']]') ? parameter : fault;
  },
});

/** Marks parameters, and what looks like one and is none, in the lines that are drawn. */
const marks = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = matcher.createDeco(view);
    }
    update(update: ViewUpdate): void {
      this.decorations = matcher.updateDeco(update, this.decorations);
    }
  },
  { decorations: ({ decorations }) => decorations },
);
const extensions = [marks];

interface Props {
  value: string;
  onChange: (value: string) => void;
  /** The person may read the template and not change it. */
  readOnly?: boolean;
}

/** A field for a template, with its parameters marked, listed and counted, and with its faults. */
export function TemplateEditor({ value, onChange, readOnly = false }: Props) {
  // A long template is read after the key is shown.
  const template = useDeferredValue(value);
  const parameters = listParameters(template);
  const problems = readOnly ? [] : listProblems(template);
  return (
    <div>
      <strong aria-hidden="true">{lensesTexts.template}</strong>
      <CodeEditor
        label={lensesTexts.template}
        value={value}
        readOnly={readOnly}
        extensions={extensions}
        onChange={onChange}
      />
      <p className="quiet">
        {lensesTexts.templateHint} {lensesTexts.tokens(roughTokens(template))}
      </p>
      <div role="status">
        {problems.map((problem) => (
          <p key={problem.kind} className="notice bad">
            {lensesTexts.problems[problem.kind](problem)}
          </p>
        ))}
      </div>
      <p>
        {lensesTexts.parameters}:{' '}
        {parameters.length === 0
          ? lensesTexts.noParameters
          : parameters.map(({ label, optional }) => (
              <span key={label} className="status plain">
                {label} {optional && `(${lensesTexts.optional})`}
              </span>
            ))}
      </p>
    </div>
  );
}
