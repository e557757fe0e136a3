import { Link, getRouteApi } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useMemo, useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { runsTexts } from '../view-texts/runs';
import { Action } from '../ui/action';
import { Fault } from '../ui/fault';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { Rows } from '../ui/rows';
import { saveFile } from '../ui/save-file';
import { Empty, Loading } from '../ui/states';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import { BulkActions } from './bulk-actions';
import { ColumnChoice } from './column-choice';
import { FilterBar } from './filter-bar';
import { ChartsOfRuns } from './run-charts';
import { type ColumnKey, runColumns, toCsvColumn, toRowStyle, useRunColumns } from './run-columns';
import { type RunFilters, isSearch, toChartSpan, toDay, toRunsQuery } from './run-filters';
import { RunName } from './run-name';
import { maxExportedRuns, writeRunsCsv } from './runs-csv';
import { SavedViews } from './saved-views';
import { SelectedRuns } from './selected-runs';
import { type RunTable, type RunTableRow, useRunTable } from './use-run-table';

const route = getRouteApi('/runs');
const refreshMs = 2000;
const pageSize = 100;

/** All runs of the account, filtered by the address, updated while it is open. */
export default function RunListView() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const client = useClient();
  const [columns, setColumns] = useRunColumns();
  const withInput = columns.includes('input');
  const searches = isSearch(filters);
  // The time at which a range begins stays the same for all pages of the list.
  const query = useMemo(() => ({ ...toRunsQuery(filters), withInput, limit: pageSize }), [filters, withInput]);
  const { items, isLive, isLoading, error, more, retry } = usePaged(
    ['runs', filters, withInput],
    (cursor) => client.runs.list({ ...query, cursor }),
    searches ? undefined : refreshMs,
  );
  const table = useRunTable(items, columns, setColumns);
  const selected = table.getSelectedRowModel().rows.map(({ original }) => original);
  const filter = (change: RunFilters): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const { kind, lensId, workflowId, tag } = filters;
  return (
    <Page title={texts.runs.title} above={error ? undefined : describeUpdates(searches, isLive || isLoading)}>
      <details className="fold" open={!matchMedia('(max-width: 40rem)').matches}>
        <summary>{texts.runs.filtersAndCharts}</summary>
        <FilterBar filters={filters} onChange={filter} />
        <div className="row">
          <SavedViews
            filters={filters}
            columns={columns}
            onOpen={(view) => {
              setColumns(view.columns);
              void navigate({ search: view.filters });
            }}
          />
          <ColumnChoice table={table} />
        </div>
        <ChartsOfRuns
          filters={{ kind, lensId, workflowId, tag }}
          span={toChartSpan(filters)}
          onChoose={(from, to) => filter({ from: toDay(from), until: toDay(to), range: undefined })}
        />
      </details>
      {isLoading ? (
        <Loading />
      ) : error && items.length === 0 ? (
        <Fault error={error} onRetry={retry} />
      ) : items.length === 0 ? (
        <NoRuns more={more} />
      ) : (
        <>
          <div className="list-head">
            <span className="quiet">
              {texts.runs.shown}{' '}
              <strong className="shown">{items.length.toLocaleString('en', { useGrouping: false })}</strong>
              {more && !searches && ` ${texts.runs.scroll}`}
            </span>
            {/* A page of a search can have no runs, so that the end of the list does not move. */}
            {more && searches && (
              <button type="button" onClick={more}>
                {runsTexts.searchOn}
              </button>
            )}
            {selected.length > 0 ? (
              <SelectedRuns runs={selected} onClear={() => table.resetRowSelection(true)} />
            ) : (
              <div className="row">
                {!searches && <BulkActions filters={filters} />}
                <Export list={() => client.runs.list(query)} columns={columns} />
              </div>
            )}
          </div>
          <Rows
            items={table.getRowModel().rows}
            label={texts.runs.title}
            heads={<Heads table={table} columns={columns} />}
            onEnd={more}
            row={(row, style) => <RunRow key={row.id} row={row} columns={columns} style={style} />}
          />
        </>
      )}
    </Page>
  );
}

const describeUpdates = (searches: boolean, isLive: boolean): string =>
  searches ? runsTexts.searched : isLive ? texts.runs.live : texts.runs.stopped;

/** A search that has found nothing yet can go on with older runs. */
const NoRuns = ({ more }: { more: (() => void) | undefined }) =>
  more ? (
    <Empty title={runsTexts.noneYet}>
      <button type="button" onClick={more}>
        {runsTexts.searchOn}
      </button>
    </Empty>
  ) : (
    <Empty title={texts.runs.none}>{texts.runs.noneHint}</Empty>
  );

interface ExportProps {
  list: () => AsyncIterable<shapes.RunItem>;
  columns: readonly ColumnKey[];
}

/** Saves the runs that the filters match, with the chosen columns. */
function Export({ list, columns }: ExportProps) {
  const [isWhole, setWhole] = useState(true);
  const save = async (): Promise<void> => {
    const { lines, isWhole } = await writeRunsCsv(list(), columns.map(toCsvColumn));
    saveFile(new Blob(lines, { type: 'text/csv' }), 'runs.csv');
    setWhole(isWhole);
  };
  return (
    <div className="row">
      <Action onAct={save}>{runsTexts.export}</Action>
      {!isWhole && <span role="status">{runsTexts.exportCut(maxExportedRuns)}</span>}
    </div>
  );
}

const Heads = ({ table, columns }: { table: RunTable; columns: readonly ColumnKey[] }) => (
  <div className="rows-heads quiet">
    <input
      type="checkbox"
      aria-label={runsTexts.selected.chooseAll}
      checked={table.getIsAllRowsSelected()}
      onChange={table.getToggleAllRowsSelectedHandler()}
    />
    <div className="run-columns" style={toRowStyle(columns)}>
      <span>{texts.status}</span>
      <span>{texts.name}</span>
      {columns.map((key) => (
        <span key={key} className={toCellClass(key)}>
          {runColumns[key].name}
        </span>
      ))}
      <span>{texts.created}</span>
    </div>
  </div>
);

const toCellClass = (key: ColumnKey): string => `chosen${runColumns[key].isNumber ? ' number' : ''}`;

interface RowProps {
  row: RunTableRow;
  columns: readonly ColumnKey[];
  style: object;
}

/** A run in the list. With the shift key its checkbox chooses all runs since the last one. */
function RunRow({ row, columns, style }: RowProps) {
  const run = row.original;
  const { id, status, tags, createdAt, errorCode } = run;
  return (
    <div className="rows-item run-row" style={style}>
      <input
        type="checkbox"
        aria-label={`${runsTexts.selected.choose} ${id.slice(-12)}`}
        checked={row.getIsSelected()}
        onChange={row.getToggleSelectedHandler()}
      />
      <Link className="run-link" to="/runs/$runId" params={{ runId: id }} style={toRowStyle(columns)}>
        <span>
          <Status value={status} />
        </span>
        <span>
          <RunName run={run} /> <span className="quiet">{errorCode ?? tags.join(', ')}</span>
        </span>
        {columns.map((key) => (
          <span key={key} className={toCellClass(key)}>
            {row.getValue<string | number>(key)}
          </span>
        ))}
        <Time at={createdAt} />
      </Link>
    </div>
  );
}
