import {
  type ColumnDef,
  type Row,
  type RowSelectionState,
  columnVisibilityFeature,
  rowSelectionFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { type ColumnKey, columnKeys, runColumns } from './run-columns';

const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature });
type Features = typeof features;

export type RunTable = ReturnType<typeof useRunTable>;
export type RunTableRow = Row<Features, shapes.RunItem>;

const columns = columnKeys.map((key): ColumnDef<Features, shapes.RunItem> => ({
  id: key,
  header: runColumns[key].name,
  accessorFn: (run) => runColumns[key].show(run) ?? '–',
}));

/** The table of the listed runs, with the columns that are shown and the runs that are chosen. */
export function useRunTable(
  items: shapes.RunItem[],
  shown: readonly ColumnKey[],
  onShow: (columns: readonly ColumnKey[]) => void,
) {
  const [rowSelection, setRowSelection] = useState<RowSelectionState>({});
  const columnVisibility = Object.fromEntries(columnKeys.map((key) => [key, shown.includes(key)]));
  return useTable({
    features,
    columns,
    data: items,
    getRowId: ({ id }) => id,
    state: { columnVisibility, rowSelection },
    onRowSelectionChange: setRowSelection,
    onColumnVisibilityChange: (change) => {
      const next = typeof change === 'function' ? change(columnVisibility) : change;
      onShow(columnKeys.filter((key) => next[key]));
    },
  });
}
