import {
  type ColumnDef,
  type SortFn,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { texts } from '../texts';

export interface TableColumn<T> {
  name: string;
  show: (item: T) => ReactNode;
  /** The value by which the table can be sorted; for tables that have all their rows. */
  sortBy?: (item: T) => number | string | null;
  /** The value is a number, which stands at the right. */
  isNumber?: boolean;
  /** The value names its row. */
  isHead?: boolean;
  /** On a phone, where a table has no heads, the name of the column stands before the value. */
  isNamed?: boolean;
  className?: string;
}

interface Props<T> {
  columns: readonly TableColumn<T>[];
  items: readonly T[];
  getKey: (item: T) => string;
  className?: string;
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });
type Features = typeof features;
/** The items of all tables, which a column reads with its own functions. */
interface Item {
  key: string;
  item: unknown;
}

const compare: SortFn<Features, Item> = (one, other, column) => {
  const [a, b] = [one.getValue(column), other.getValue(column)];
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
};

/** Values from the least to the greatest, then the other way round, then as before. */
const arrows = { asc: ArrowUp, desc: ArrowDown } as const;
const directions = { asc: 'ascending', desc: 'descending' } as const;

/** A table with heads, which sorts its rows by the columns that allow it. */
export function DataTable<T>({ columns, items, getKey, className = 'table stacks' }: Props<T>) {
  const data = useMemo(() => items.map((item) => ({ key: getKey(item), item })), [items, getKey]);
  const table = useTable({
    features,
    data,
    columns: columns.map(({ name, sortBy }, at): ColumnDef<Features, Item> => ({
      id: String(at),
      header: name,
      accessorFn: ({ item }) => sortBy?.(item as T) ?? undefined,
      enableSorting: sortBy !== undefined,
      sortFn: compare,
      sortUndefined: 'last',
    })),
    getRowId: ({ key }) => key,
  });
  const heads = table.getHeaderGroups().flatMap(({ headers }) => headers);
  return (
    <table className={className}>
      <thead>
        <tr>
          {heads.map(({ id, column }, at) => {
            const { name = '', isNumber, className: own } = columns[at] ?? {};
            const sorted = column.getIsSorted();
            const Arrow = sorted === false ? ArrowUpDown : arrows[sorted];
            return (
              <th
                key={id}
                scope="col"
                className={toClass(isNumber, own)}
                aria-sort={sorted === false ? undefined : directions[sorted]}
              >
                {column.getCanSort() ? (
                  <button type="button" className="sort" onClick={column.getToggleSortingHandler()}>
                    {name} <Arrow size="0.9em" aria-hidden="true" />
                    <span className="hidden">{texts.sort}</span>
                  </button>
                ) : (
                  name
                )}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>
        {table.getRowModel().rows.map(({ id, original }) => (
          <tr key={id}>
            {columns.map(({ name, show, isNumber, isHead, isNamed, className: own }, at) => {
              const cell = {
                className: toClass(isNumber, own),
                ...(isNamed && { 'data-name': name }),
                children: show(original.item as T),
              };
              return isHead ? <th key={at} scope="row" {...cell} /> : <td key={at} {...cell} />;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const toClass = (isNumber: boolean | undefined, own: string | undefined): string | undefined =>
  [isNumber && 'number', own].filter(Boolean).join(' ') || undefined;
