import { texts } from '../texts';
import { type RunRange, rangeNames } from './run-ranges';

interface Props {
  value: RunRange | undefined;
  onChange: (range: RunRange | undefined) => void;
  /** The name of the choice without a range. */
  all?: string;
}

/** A choice of the range of time that a list or chart shows. */
export const RangeChips = ({ value, onChange, all }: Props) => (
  <div className="row" role="group" aria-label={texts.runs.range}>
    {all !== undefined && (
      <button type="button" className="chip" aria-pressed={value === undefined} onClick={() => onChange(undefined)}>
        {all}
      </button>
    )}
    {rangeNames.map((name) => (
      <button
        type="button"
        key={name}
        className="chip"
        aria-pressed={name === value}
        onClick={() => onChange(name === value && all !== undefined ? undefined : name)}
      >
        {texts.runs.ranges[name]}
      </button>
    ))}
  </div>
);
