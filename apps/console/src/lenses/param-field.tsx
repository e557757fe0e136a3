import type { shapes } from '@lensforge/sdk';
import { lensesTexts } from '../view-texts/lenses';

interface Props {
  label: string;
  optional: boolean;
  type: shapes.LensParamType | undefined;
  value: string;
  onChange: (value: string) => void;
}

/** A field for the value of a parameter, by its type. */
export function ParamField({ label, optional, type, value, onChange }: Props) {
  const choices = type?.type === 'boolean' ? ['true', 'false'] : type?.values;
  const common = { required: !optional, value, placeholder: toPlaceholder(type) };
  return (
    <label>
      {label} {optional && <span className="quiet">({lensesTexts.optional})</span>}
      {type?.description !== undefined && <span className="quiet"> {type.description}</span>}
      {choices ? (
        <select required={!optional} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">{type?.default === undefined ? '' : lensesTexts.defaultValue(toText(type.default))}</option>
          {choices.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      ) : type?.type === 'number' ? (
        <input
          type="number"
          step="any"
          min={type.min}
          max={type.max}
          {...common}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <textarea rows={2} {...common} onChange={(event) => onChange(event.currentTarget.value)} />
      )}
    </label>
  );
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const toPlaceholder = (type: shapes.LensParamType | undefined): string | undefined =>
  type?.default !== undefined
    ? lensesTexts.defaultValue(toText(type.default))
    : type?.example !== undefined
      ? lensesTexts.exampleValue(toText(type.example))
      : undefined;
