import { workflowsTexts } from '../view-texts/workflows';
import { ExpressionField, Faults } from './expression-field';
import {
  type SettingKind,
  expressionOfField,
  isPick,
  textOfField,
  toExpression,
  withExpression,
  withField,
} from './node-fields';
import { AgentsField, PickField } from './pick-field';

interface Props {
  nodeId: string;
  faults: readonly string[];
  field: SettingKind;
  label: string;
  settings: Readonly<Record<string, unknown>>;
  onChange: (settings: unknown) => void;
}

/** The field of a setting: of its value, or of an expression for it. */
export function SettingField(props: Props) {
  const { field, label, nodeId, settings, faults, onChange } = props;
  const text = textOfField(settings, field);
  const change = (value: string | boolean): void => onChange(withField(settings, field, value));
  const expression = expressionOfField(settings, field);
  const isMember = expression !== undefined && field.expression === 'optional';
  if (field.expression !== 'always' && !isMember) {
    return (
      <div>
        <LiteralField {...props} text={text} change={change} />
        {field.expression === 'optional' && text !== undefined && (
          <button
            type="button"
            className="quiet"
            onClick={() => onChange(withExpression(settings, field, toExpression(field, text)))}
          >
            {workflowsTexts.useExpression} <span className="hidden">{label}</span>
          </button>
        )}
      </div>
    );
  }
  return (
    <div>
      <ExpressionField
        label={isMember ? `${label} (${workflowsTexts.anExpression})` : label}
        hint={field.hint}
        value={expression ?? text ?? ''}
        nodeId={nodeId}
        faults={faults}
        onChange={(value) => (isMember ? onChange(withExpression(settings, field, value)) : change(value))}
      />
      {isMember && (
        <button type="button" className="quiet" onClick={() => change('')}>
          {workflowsTexts.useValue}
        </button>
      )}
    </div>
  );
}

interface LiteralProps extends Props {
  /** Undefined for a value that a field cannot show. */
  text: string | undefined;
  change: (value: string | boolean) => void;
}

function LiteralField({ field: { name, kind, hint }, settings, faults, onChange, label, text, change }: LiteralProps) {
  if (kind === 'agents') {
    return (
      <AgentsField
        label={label}
        agents={settings[name]}
        faults={faults}
        onChange={(agents) => onChange({ ...settings, [name]: agents })}
      />
    );
  }
  if (text === undefined) {
    return (
      <p className="quiet">
        {label}: {workflowsTexts.expression}
      </p>
    );
  }
  if (kind === 'flag') {
    return (
      <label>
        <input type="checkbox" checked={text === 'true'} onChange={(event) => change(event.currentTarget.checked)} />{' '}
        {label}
      </label>
    );
  }
  if (isPick(kind)) {
    const parent = kind.of === undefined ? '' : settings[kind.of];
    return (
      <PickField
        pick={kind}
        parentId={typeof parent === 'string' ? parent : ''}
        label={label}
        value={text}
        faults={faults}
        onPick={change}
      />
    );
  }
  return (
    <>
      <label>
        {label}
        <ValueField kind={kind} value={text} hint={hint} isInvalid={faults.length > 0} onChange={change} />
      </label>
      <Faults messages={faults} />
    </>
  );
}

interface ValueProps {
  kind: 'long' | 'text' | 'number' | readonly string[];
  value: string;
  hint: string | undefined;
  isInvalid: boolean;
  onChange: (value: string) => void;
}

function ValueField({ kind, value, hint, isInvalid, onChange }: ValueProps) {
  const common = { value, placeholder: hint, 'aria-invalid': isInvalid };
  if (kind === 'long')
    return <textarea {...common} rows={3} onChange={(event) => onChange(event.currentTarget.value)} />;
  if (kind === 'text' || kind === 'number')
    return <input {...common} type={kind} onChange={(event) => onChange(event.currentTarget.value)} />;
  return (
    <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{workflowsTexts.usual}</option>
      {kind.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </select>
  );
}
