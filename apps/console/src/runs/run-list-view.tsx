import { Link, getRouteApi } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useMemo, useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Fault } from '../ui/fault';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { Rows } from '../ui/rows';
import { Empty, Loading } from '../ui/states';
import { Status } from '../ui/status';
import { Time, duration } from '../ui/time';
import { BulkActions } from './bulk-actions';
import { FilterBar } from './filter-bar';
import { ChartsOfRuns } from './run-charts';
import { type RunFilters, toRunFilter } from './run-filters';
import { RunName } from './run-name';

const route = getRouteApi('/runs');
const refreshMs = 2000;
const pageSize = 100;

/** All runs of the account, filtered by the address, updated while it is open. */
export default function RunListView() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const client = useClient();
  // The time at which a range begins stays the same for all pages of the list.
  const query = useMemo(() => ({ ...toRunFilter(filters), limit: pageSize }), [filters]);
  const { items, isLive, isLoading, error, more, retry } = usePaged(
    ['runs', filters],
    (cursor) => client.runs.list({ ...query, cursor }),
    refreshMs,
  );
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const choose = (id: string): void =>
    setChosen((before) => (before.includes(id) ? before.filter((each) => each !== id) : [...before.slice(-1), id]));
  const filter = (change: RunFilters): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const { kind, lensId, workflowId, tag } = filters;
  return (
    <Page
      title={texts.runs.title}
      above={isLive || isLoading ? texts.runs.live : texts.runs.stopped}
      actions={<CompareLink chosen={chosen} />}
    >
      <details className="fold" open={!matchMedia('(max-width: 40rem)').matches}>
        <summary>{texts.runs.filtersAndCharts}</summary>
        <FilterBar filters={filters} onChange={filter} />
        <ChartsOfRuns filters={{ kind, lensId, workflowId, tag }} range={filters.range ?? 'week'} />
      </details>
      {isLoading ? (
        <Loading />
      ) : error && items.length === 0 ? (
        <Fault error={error} onRetry={retry} />
      ) : items.length === 0 ? (
        <Empty title={texts.runs.none}>{texts.runs.noneHint}</Empty>
      ) : (
        <>
          <div className="list-head">
            <span className="quiet">
              {texts.runs.shown}{' '}
              <strong className="shown">{items.length.toLocaleString('en', { useGrouping: false })}</strong>
              {more && ` ${texts.runs.scroll}`}
            </span>
            <BulkActions filters={filters} />
          </div>
          <Rows
            items={items}
            label={texts.runs.title}
            heads={<Heads />}
            onEnd={more}
            row={(run, style) => (
              <RunRow key={run.id} run={run} style={style} isChosen={chosen.includes(run.id)} onChoose={choose} />
            )}
          />
        </>
      )}
    </Page>
  );
}

/** Two chosen runs can be compared; until then a hint says so. */
const CompareLink = ({ chosen: [a, b] }: { chosen: readonly string[] }) =>
  a !== undefined && b !== undefined ? (
    <Link className="button" to="/runs/compare" search={{ a, b }}>
      {texts.runs.compare.two}
    </Link>
  ) : (
    <span className="quiet" role="status">
      {a === undefined ? '' : texts.runs.compare.oneMore}
    </span>
  );

const Heads = () => (
  <div className="rows-heads quiet">
    <span />
    <div className="run-columns">
      <span>{texts.status}</span>
      <span>{texts.name}</span>
      <span>{texts.runs.model}</span>
      <span className="number">{texts.runs.took}</span>
      <span className="number">{texts.runs.cost}</span>
      <span>{texts.created}</span>
    </div>
  </div>
);

interface RowProps {
  run: shapes.RunItem;
  style: object;
  isChosen: boolean;
  onChoose: (id: string) => void;
}

function RunRow({ run, style, isChosen, onChoose }: RowProps) {
  const { id, status, tags, modelKey, creditCost, createdAt, startedAt, completedAt, errorCode } = run;
  return (
    <div className="rows-item run-row" style={style}>
      <input
        type="checkbox"
        aria-label={`${texts.runs.compare.choose} ${id.slice(-12)}`}
        checked={isChosen}
        onChange={() => onChoose(id)}
      />
      <Link className="run-link" to="/runs/$runId" params={{ runId: id }}>
        <span>
          <Status value={status} />
        </span>
        <span>
          <RunName run={run} /> <span className="quiet">{errorCode ?? tags.join(', ')}</span>
        </span>
        <span className="quiet">{modelKey ?? '–'}</span>
        <span className="number">
          {startedAt !== null && completedAt !== null ? duration(Date.parse(completedAt) - Date.parse(startedAt)) : '–'}
        </span>
        <span className="number">{creditCost ?? '–'}</span>
        <Time at={createdAt} />
      </Link>
    </div>
  );
}
