import { runsTexts } from '../view-texts/runs';
import { isColumnKey, runColumns } from './run-columns';
import type { RunTable } from './use-run-table';

/** The columns of the list, to switch on and off. */
export const ColumnChoice = ({ table }: { table: RunTable }) => (
  <details>
    <summary>{runsTexts.columns.title}</summary>
    <div className="row" role="group" aria-label={runsTexts.columns.title}>
      {table.getAllLeafColumns().map((column) => (
        <button
          type="button"
          key={column.id}
          className="chip"
          aria-pressed={column.getIsVisible()}
          onClick={() => column.toggleVisibility()}
        >
          {isColumnKey(column.id) && runColumns[column.id].name}
        </button>
      ))}
    </div>
  </details>
);
