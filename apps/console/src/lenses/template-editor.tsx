import { lensesTexts } from '../view-texts/lenses';
import { listParameters, splitTemplate, roughTokens } from './template';

interface Props {
  value: string;
  onChange: (value: string) => void;
  /** The person may read the template and not change it. */
  readOnly?: boolean;
}

/** A field for a template, with its parameters marked, listed and counted. */
export function TemplateEditor({ value, onChange, readOnly = false }: Props) {
  const parameters = listParameters(value);
  return (
    <div>
      <label htmlFor="template">{lensesTexts.template}</label>
      <div className="editor">
        <div className="marks" aria-hidden="true">
          {splitTemplate(value).map(({ text, parameter }, at) =>
            parameter === undefined ? <span key={at}>{text}</span> : <mark key={at}>{text}</mark>,
          )}
        </div>
        <textarea
          id="template"
          spellCheck={false}
          value={value}
          readOnly={readOnly}
          aria-describedby="template-hint"
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </div>
      <p id="template-hint" className="quiet">
        {lensesTexts.templateHint} {lensesTexts.tokens(roughTokens(value))}
      </p>
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
