import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { lensesTexts } from '../view-texts/lenses';

export type Settings = shapes.LensSettings | null;

interface Props {
  value: Settings;
  onChange: (value: Settings) => void;
  /** The names of the models to choose from. */
  models: readonly string[];
  readOnly: boolean;
}

const efforts = ['low', 'medium', 'high'] as const;
const overridable = ['model', 'sampling', 'outputSchema'] as const;

/** Fields for the settings of a lens. Settings without a field of their own stay as they are. */
export function ModelSettings({ value, onChange, models, readOnly }: Props) {
  const settings = value ?? {};
  const { sampling = {}, mayOverride = [] } = settings;
  const set = (change: shapes.LensSettings): void => onChange(withoutEmpty({ ...settings, ...change }));
  const setSampling = (change: Record<string, unknown>): void =>
    set({ sampling: withoutUnset({ ...sampling, ...change }) });
  const others = listOthers(settings);
  return (
    <details className="panel" open={value !== null}>
      <summary>{lensesTexts.modelSettings}</summary>
      <fieldset disabled={readOnly} className="form">
        <p className="quiet">{lensesTexts.modelSettingsHint}</p>
        <label>
          {lensesTexts.models}
          <input
            list="models-of-lens"
            value={settings.models?.join(', ') ?? ''}
            placeholder={lensesTexts.anyModel}
            onChange={({ currentTarget: { value: names } }) => set({ models: splitNames(names) })}
          />
          <datalist id="models-of-lens">
            {models.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </datalist>
        </label>
        <div className="columns">
          <NumberField
            label={lensesTexts.temperature}
            value={sampling.temperature}
            limits={{ min: 0, max: 2, step: 0.1 }}
            onChange={(temperature) => setSampling({ temperature })}
          />
          <NumberField
            label={lensesTexts.maxOutputTokens}
            value={sampling.maxOutputTokens}
            limits={{ min: 1, max: 1_000_000, step: 1 }}
            onChange={(maxOutputTokens) => setSampling({ maxOutputTokens })}
          />
          <label>
            {lensesTexts.reasoningEffort}
            <select
              value={sampling.reasoningEffort ?? ''}
              onChange={({ currentTarget: { value: effort } }) => setSampling({ reasoningEffort: effort || undefined })}
            >
              <option value="">{lensesTexts.notSet}</option>
              {efforts.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>
        </div>
        <SchemaField value={settings.outputSchema} onChange={(outputSchema) => set({ outputSchema })} />
        <div className="row">
          {lensesTexts.mayOverride}
          {overridable.map((member) => (
            <label key={member}>
              <input
                type="checkbox"
                checked={mayOverride.includes(member)}
                onChange={({ currentTarget: { checked } }) =>
                  set({
                    mayOverride: overridable.filter((each) => (each === member ? checked : mayOverride.includes(each))),
                  })
                }
              />{' '}
              {lensesTexts.overridable[member]}
            </label>
          ))}
        </div>
        {others !== '' && (
          <p className="quiet">
            {lensesTexts.otherSettings} <code>{others}</code>
          </p>
        )}
      </fieldset>
    </details>
  );
}

interface NumberFieldProps {
  label: string;
  value: number | undefined;
  limits: { min: number; max: number; step: number };
  onChange: (value: number | undefined) => void;
}

const NumberField = ({ label, value, limits, onChange }: NumberFieldProps) => (
  <label>
    {label}
    <input
      type="number"
      {...limits}
      value={value ?? ''}
      onChange={({ currentTarget: { valueAsNumber } }) =>
        onChange(Number.isNaN(valueAsNumber) ? undefined : valueAsNumber)
      }
    />
  </label>
);

interface SchemaFieldProps {
  value: shapes.LensSettings['outputSchema'];
  onChange: (value: Record<string, unknown> | undefined) => void;
}

/** A JSON Schema as text; the last valid one applies while the text is none. */
function SchemaField({ value, onChange }: SchemaFieldProps) {
  const [text, setText] = useState(value ? JSON.stringify(value, null, 2) : '');
  const schema = readSchema(text);
  return (
    <label>
      {lensesTexts.outputSchema}
      <textarea
        rows={text === '' ? 2 : 8}
        spellCheck={false}
        value={text}
        aria-invalid={schema === null}
        onChange={({ currentTarget: { value: written } }) => {
          setText(written);
          const read = readSchema(written);
          if (read !== null) onChange(read);
        }}
      />
      {schema === null && <span className="notice bad">{lensesTexts.noSchema}</span>}
    </label>
  );
}

/** Undefined without a text; null for one that is no JSON object. */
export function readSchema(text: string): Record<string, unknown> | undefined | null {
  if (text.trim() === '') return undefined;
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** The names in a list with commas; a comma at the end stays while a name is written. */
function splitNames(text: string): string[] {
  return text === '' ? [] : text.split(',').map((name) => name.trim());
}

const withoutUnset = (part: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined));

/** Settings without empty parts; null without any. */
export function withoutEmpty(settings: shapes.LensSettings): Settings {
  const set = Object.entries(settings).filter(
    ([name, value]) => value !== undefined && (name === 'outputSchema' || Object.keys(value as object).length > 0),
  );
  return set.length > 0 ? (Object.fromEntries(set) as shapes.LensSettings) : null;
}

/** The settings without a field, as JSON. */
function listOthers({ sampling = {}, providers }: shapes.LensSettings): string {
  const { topP, stop, seed } = sampling;
  const others = withoutUnset({ topP, stop, seed, providers });
  return Object.keys(others).length > 0 ? JSON.stringify(others) : '';
}
