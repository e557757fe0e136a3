import { useState } from 'react';
import { useConsole } from '../session/console';
import { runsTexts } from '../view-texts/runs';
import { readStored, store } from '../ui/stored';
import { type ColumnKey, readColumns } from './run-columns';
import { type RunFilters, readRunFilters } from './run-filters';

interface View {
  name: string;
  filters: RunFilters;
  columns: readonly ColumnKey[];
}

interface Props {
  filters: RunFilters;
  columns: readonly ColumnKey[];
  onOpen: (view: View) => void;
}

const words = runsTexts.views;
const maxViews = 30;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const readViews = (stored: unknown): View[] =>
  (Array.isArray(stored) ? stored.filter(isRecord) : []).flatMap(({ name, filters, columns }) =>
    typeof name === 'string' && isRecord(filters)
      ? [{ name, filters: readRunFilters(filters), columns: readColumns(columns) }]
      : [],
  );

/** Filters and columns under a name, kept in this browser for the account. */
export function SavedViews({ filters, columns, onOpen }: Props) {
  const { me } = useConsole();
  const key = `lensforge.runViews.${me.account?.id ?? ''}`;
  const [views, setViews] = useState(() => readViews(readStored(key)));
  const [name, setName] = useState('');
  const change = (next: View[]): void => {
    store(key, next.length > 0 ? next : undefined);
    setViews(next);
  };
  const save = (): void => {
    const saved = { name: name.trim(), filters, columns };
    change([...views.filter((each) => each.name !== saved.name), saved].slice(-maxViews));
    setName('');
  };
  return (
    <details>
      <summary>{words.title}</summary>
      <div className="row" role="group" aria-label={words.title}>
        {views.map((view) => (
          <span key={view.name} className="row">
            <button type="button" className="chip" onClick={() => onOpen(view)}>
              {view.name}
            </button>
            <button
              type="button"
              className="chip"
              aria-label={`${words.remove} ${view.name}`}
              onClick={() => change(views.filter((each) => each !== view))}
            >
              ×
            </button>
          </span>
        ))}
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() !== '') save();
          }}
        >
          <input
            aria-label={words.name}
            placeholder={words.name}
            maxLength={50}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <button type="submit">{words.save}</button>
        </form>
      </div>
    </details>
  );
}
