import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { lensesTexts } from '../view-texts/lenses';
import { type Settings, withoutEmpty } from './settings';

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
        <JsonField
          label={lensesTexts.outputSchema}
          fault={lensesTexts.noSchema}
          value={settings.outputSchema}
          accepts={isSchema}
          onChange={(outputSchema) => set({ outputSchema })}
        />
        <JsonField
          label={lensesTexts.paramTypes}
          fault={lensesTexts.noTypes}
          value={settings.params}
          accepts={isTypes}
          onChange={(params) => set({ params })}
        />
        <JsonField
          label={lensesTexts.examples}
          fault={lensesTexts.noTypes}
          value={settings.examples}
          accepts={isExamples}
          onChange={(examples) => set({ examples })}
        />
        <JsonField
          label={lensesTexts.tools}
          fault={lensesTexts.noTypes}
          value={settings.tools}
          accepts={isTools}
          onChange={(tools) => set({ tools })}
        />
        <label>
          {lensesTexts.toolsOf}
          <input
            value={settings.toolsOf ?? ''}
            maxLength={64}
            onChange={({ currentTarget: { value: toolsOf } }) => set({ toolsOf })}
          />
        </label>
        <fieldset className="row">
          <legend>{lensesTexts.mayOverride}</legend>
          {overridable.map((member) => (
            <label key={member} className="check">
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
        </fieldset>
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

interface JsonFieldProps<T> {
  label: string;
  fault: string;
  value: T | undefined;
  accepts: (value: unknown) => value is T;
  onChange: (value: T | undefined) => void;
}

/** A value as JSON; the last valid one applies while the text is none. */
function JsonField<T>({ label, fault, value, accepts, onChange }: JsonFieldProps<T>) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  const read = readJson(text, accepts);
  return (
    <label>
      {label}
      <textarea
        rows={text === '' ? 2 : 8}
        spellCheck={false}
        value={text}
        aria-invalid={read === null}
        onChange={({ currentTarget: { value: written } }) => {
          setText(written);
          const valid = readJson(written, accepts);
          if (valid !== null) onChange(valid);
        }}
      />
      {read === null && <span className="notice bad">{fault}</span>}
    </label>
  );
}

/** Undefined without a text; null for one that is not accepted. */
function readJson<T>(text: string, accepts: (value: unknown) => value is T): T | undefined | null {
  if (text.trim() === '') return undefined;
  try {
    const read: unknown = JSON.parse(text);
    return accepts(read) ? read : null;
  } catch {
    return null;
  }
}

const isSchema = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// The server checks the members.
const isTypes = (value: unknown): value is shapes.LensParamType[] => Array.isArray(value) && value.every(isSchema);
const isTools = (value: unknown): value is shapes.LensTool[] => Array.isArray(value) && value.every(isSchema);
const isExamples = (value: unknown): value is shapes.LensExample[] => Array.isArray(value) && value.every(isSchema);

/** The names in a list with commas; a comma at the end stays while a name is written. */
function splitNames(text: string): string[] {
  return text === '' ? [] : text.split(',').map((name) => name.trim());
}

const withoutUnset = (part: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined));

/** The settings without a field, as JSON. */
function listOthers({ sampling = {}, providers }: shapes.LensSettings): string {
  const { topP, stop, seed } = sampling;
  const others = withoutUnset({ topP, stop, seed, providers });
  return Object.keys(others).length > 0 ? JSON.stringify(others) : '';
}
