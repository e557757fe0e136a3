interface Props<T extends string> {
  label: string;
  all: string;
  options: readonly T[];
  value: T | undefined;
  onChange: (value: T | undefined) => void;
}

/** A filter: one of a few values, or all. */
export const Chips = <T extends string>({ label, all, options, value, onChange }: Props<T>) => (
  <div className="row" role="group" aria-label={label}>
    <button type="button" className="chip" aria-pressed={value === undefined} onClick={() => onChange(undefined)}>
      {all}
    </button>
    {options.map((each) => (
      <button
        type="button"
        key={each}
        className="chip"
        aria-pressed={each === value}
        onClick={() => onChange(each === value ? undefined : each)}
      >
        {each.replaceAll('_', ' ')}
      </button>
    ))}
  </div>
);
