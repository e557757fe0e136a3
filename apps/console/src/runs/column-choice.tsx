import { runsTexts } from '../view-texts/runs';
import { type ColumnKey, columnKeys, runColumns } from './run-columns';

interface Props {
  columns: readonly ColumnKey[];
  onChange: (columns: readonly ColumnKey[]) => void;
}

/** The columns of the list, to switch on and off. */
export const ColumnChoice = ({ columns, onChange }: Props) => (
  <details>
    <summary>{runsTexts.columns.title}</summary>
    <div className="row" role="group" aria-label={runsTexts.columns.title}>
      {columnKeys.map((key) => {
        const isShown = columns.includes(key);
        return (
          <button
            type="button"
            key={key}
            className="chip"
            aria-pressed={isShown}
            onClick={() => onChange(isShown ? columns.filter((each) => each !== key) : [...columns, key])}
          >
            {runColumns[key].name}
          </button>
        );
      })}
    </div>
  </details>
);
