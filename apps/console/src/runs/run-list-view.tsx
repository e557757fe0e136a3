import { Link, getRouteApi } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useMemo } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Chips } from '../ui/chips';
import { Fault } from '../ui/fault';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { Rows } from '../ui/rows';
import { Empty, Loading } from '../ui/states';
import { Status } from '../ui/status';
import { Time, duration } from '../ui/time';
import type { RunFilters } from './run-filters';
import { kinds, statuses } from './run-filters';
import type { RunFigures } from './run-figures';
import { figuresOf } from './run-figures';

const route = getRouteApi('/runs');
const refreshMs = 2000;
const pageSize = 100;

const queryOf = ({ status, tag, ...rest }: RunFilters): shapes.RunsQuery => ({
  ...rest,
  ...(status && { status: [status] }),
  ...(tag && { tag: [tag] }),
  limit: pageSize,
});

/** All runs of the account, filtered by the address, updated while it is open. */
export default function RunListView() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const client = useClient();
  const { items, isLoading, error, more, retry } = usePaged(
    ['runs', filters],
    (cursor) => client.runs.list({ ...queryOf(filters), cursor }),
    refreshMs,
  );
  const figures = useMemo(() => figuresOf(items), [items]);
  const filter = (change: RunFilters): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  return (
    <Page title={texts.runs.title} above={texts.runs.live}>
      <div className="chips">
        <Chips
          label={texts.status}
          all={texts.runs.all}
          options={statuses}
          value={filters.status}
          onChange={(status) => filter({ status })}
        />
        <select
          aria-label={texts.runs.kind}
          value={filters.kind ?? ''}
          onChange={(event) => filter({ kind: kinds.find((each) => each === event.currentTarget.value) })}
        >
          <option value="">
            {texts.runs.kind}: {texts.runs.all}
          </option>
          {kinds.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        {(['tag', 'lensId', 'workflowId'] as const).map(
          (name) =>
            filters[name] !== undefined && (
              <button
                key={name}
                type="button"
                className="chip"
                aria-pressed
                onClick={() => filter({ [name]: undefined })}
              >
                {name}: {filters[name]} ×
              </button>
            ),
        )}
      </div>
      {isLoading ? (
        <Loading />
      ) : error && items.length === 0 ? (
        <Fault error={error} onRetry={retry} />
      ) : items.length === 0 ? (
        <Empty title={texts.runs.none}>{texts.runs.noneHint}</Empty>
      ) : (
        <>
          <Figures figures={figures} />
          <Rows
            items={items}
            label={texts.runs.title}
            onEnd={more}
            row={(run, style) => <RunRow key={run.id} run={run} style={style} />}
          />
        </>
      )}
    </Page>
  );
}

function RunRow({ run, style }: { run: shapes.RunItem; style: object }) {
  const { id, kind, status, tags, modelKey, creditCost, createdAt, errorCode } = run;
  return (
    <Link className="rows-item run-row" style={style} to="/runs/$runId" params={{ runId: id }}>
      <span>
        <Status value={status} />
      </span>
      <span>
        {kind} <code className="quiet">{id.slice(-12)}</code> {errorCode ?? tags.join(', ')}
      </span>
      <span className="quiet">{modelKey ?? '–'}</span>
      <span>{creditCost ?? '–'}</span>
      <Time at={createdAt} />
    </Link>
  );
}

function Figures({ figures: { count, failed, medianMs, credits, bars } }: { figures: RunFigures }) {
  const highest = Math.max(1, ...bars.map((bar) => Math.max(bar.succeeded, bar.failed)));
  const width = 400 / Math.max(1, bars.length);
  return (
    <div className="figures">
      <div className="figure">
        {texts.runs.shown} <strong>{count}</strong>
      </div>
      <div className="figure">
        {texts.runs.failed} <strong>{count === 0 ? '–' : `${Math.round((failed / count) * 100)} %`}</strong>
      </div>
      <div className="figure">
        {texts.runs.median} <strong>{medianMs === undefined ? '–' : duration(medianMs)}</strong>
      </div>
      <div className="figure">
        {texts.runs.cost} <strong>{credits}</strong>
      </div>
      <div className="figure">
        <svg className="chart" viewBox="0 0 400 60" preserveAspectRatio="none" role="img" aria-label={texts.runs.chart}>
          {bars.map((bar, at) => (
            <g key={at}>
              <rect
                className="bar"
                x={at * width}
                width={width * 0.8}
                y={40 - (bar.succeeded / highest) * 40}
                height={(bar.succeeded / highest) * 40}
              />
              <rect
                className="bar bad"
                x={at * width}
                width={width * 0.8}
                y={41}
                height={(bar.failed / highest) * 19}
              />
            </g>
          ))}
        </svg>
      </div>
    </div>
  );
}
