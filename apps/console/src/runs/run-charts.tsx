import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { type PointerEvent, type ReactNode, useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Fault } from '../ui/fault';
import { duration } from '../ui/time';
import { computeBars, chartHeight, chartWidth, countFailed, drawLine, countRuns, sumBuckets } from './chart-series';
import { costText } from './token-text';
import { RangeChips } from './range-chips';
import { type RunRange, getRangeBegin, ranges } from './run-ranges';

const refreshMs = 15_000;

export interface ChartFilters {
  kind?: shapes.RunStatisticsQuery['kind'];
  lensId?: string | undefined;
  workflowId?: string | undefined;
  tag?: string | undefined;
}

/** The charts of the caller's runs that match, with a choice of the range. */
export function RunCharts({ filters }: { filters: ChartFilters }) {
  const [range, setRange] = useState<RunRange>('week');
  return (
    <section className="panel">
      <h2>{texts.runs.charts.title}</h2>
      <RangeChips value={range} onChange={(chosen) => setRange(chosen ?? range)} />
      <ChartsOfRuns filters={filters} range={range} />
    </section>
  );
}

/** The charts of the caller's runs that match, for a range. */
export function ChartsOfRuns({ filters: { tag, ...filters }, range }: { filters: ChartFilters; range: RunRange }) {
  const client = useClient();
  const query = { ...filters, ...(tag !== undefined && { tag: [tag] }), interval: ranges[range].interval };
  return (
    <Charts
      queryKey={['run-statistics', query, range]}
      read={async () => client.runs.getStatistics({ ...query, from: getRangeBegin(range) })}
    />
  );
}

interface ChartsProps {
  queryKey: readonly unknown[];
  read: () => Promise<shapes.RunStatistics>;
}

/** Rate, failures, times and costs of runs over time, also as a table. */
export function Charts({ queryKey, read }: ChartsProps) {
  const { data, isError, error, refetch } = useQuery({
    queryKey,
    queryFn: read,
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  });
  if (isError && !data) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <div className="charts loading" role="status">
        {texts.loading}
      </div>
    );
  }
  return <Drawn statistics={data} />;
}

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const dayAndHour = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
/** Days begin at midnight UTC, so they are named by UTC. */
const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const formats: Readonly<Record<string, Intl.DateTimeFormat>> = { minute: clock, hour: dayAndHour, day };

function Drawn({ statistics: { buckets, interval, truncated } }: { statistics: shapes.RunStatistics }) {
  const totals = sumBuckets(buckets);
  const formatBucket = (at: string): string => (formats[interval] ?? dayAndHour).format(new Date(at));
  const [first, last] = [buckets[0], buckets.at(-1)];
  const tell = (say: (bucket: shapes.RunBucket) => string): ChartPoint[] =>
    buckets.map((bucket) => ({ at: formatBucket(bucket.at), value: say(bucket) }));
  const axis = first && last ? ([formatBucket(first.at), formatBucket(last.at)] as const) : (['', ''] as const);
  const failed = buckets.map(countFailed);
  const others = buckets.map((bucket) => countRuns(bucket) - countFailed(bucket));
  const most = Math.max(1, ...buckets.map(countRuns));
  const rates = buckets.map((bucket) =>
    countRuns(bucket) === 0 ? null : (countFailed(bucket) / countRuns(bucket)) * 100,
  );
  const slowest = totals.slowestMs ?? 1;
  const dearest = Math.max(1, ...buckets.map(({ credits }) => credits));
  const words = texts.runs.charts;
  const share = totals.runs === 0 ? '–' : percent(totals.failed / totals.runs);
  return (
    <>
      {truncated && <p className="notice">{words.truncated}</p>}
      <div className="charts">
        <Chart
          name={words.runs}
          value={totals.runs.toLocaleString('en')}
          axis={axis}
          highest={totals.runs === 0 ? '' : String(most)}
          points={tell((bucket) => words.ofWhichFailed(countRuns(bucket), countFailed(bucket)))}
        >
          <Bars bars={computeBars(others, most)} />
          <Bars bars={computeBars(failed, most, others)} className="bad" />
        </Chart>
        <Chart
          name={words.failed}
          value={share}
          axis={axis}
          highest="100 %"
          points={tell((bucket) => (countRuns(bucket) === 0 ? '–' : percent(countFailed(bucket) / countRuns(bucket))))}
        >
          <path className="bad" d={drawLine(rates, 100)} />
        </Chart>
        <Chart
          name={words.time}
          value={totals.slowestMs === null ? '–' : duration(totals.slowestMs)}
          axis={axis}
          highest={totals.slowestMs === null ? '' : duration(slowest)}
          points={tell(({ p95Ms }) => (p95Ms === null ? '–' : duration(p95Ms)))}
        >
          <path
            className="high"
            d={drawLine(
              buckets.map(({ p95Ms }) => p95Ms),
              slowest,
            )}
          />
          <path
            d={drawLine(
              buckets.map(({ p50Ms }) => p50Ms),
              slowest,
            )}
          />
        </Chart>
        <Chart
          name={words.credits}
          value={costText({ creditCost: totals.credits, tokenDetails: totals })}
          axis={axis}
          highest={totals.credits === 0 ? '' : dearest.toLocaleString('en')}
          points={tell(({ credits }) => credits.toLocaleString('en'))}
        >
          <Bars
            bars={computeBars(
              buckets.map(({ credits }) => credits),
              dearest,
            )}
          />
        </Chart>
      </div>
      <BucketTable buckets={buckets} nameOf={formatBucket} />
    </>
  );
}

const percent = (share: number): string => `${(share * 100).toLocaleString('en', { maximumFractionDigits: 1 })} %`;

/** A bucket of a chart in words. */
interface ChartPoint {
  at: string;
  value: string;
}

interface ChartProps {
  name: string;
  /** The figure of the whole range. */
  value: string;
  /** The first and the last bucket. */
  axis: readonly [string, string];
  /** The value at the upper edge. */
  highest: string;
  /** The buckets from left to right, which the pointer tells one by one. */
  points: readonly ChartPoint[];
  children: ReactNode;
}

/** A drawing with its figure and its axis. Under the pointer the figure is that of one bucket. */
export function Chart({ name, value, axis, highest, points, children }: ChartProps) {
  const [at, setAt] = useState<number>();
  const point = at === undefined ? undefined : points[at];
  const step = chartWidth / Math.max(1, points.length);
  const follow = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setAt(Math.floor(((clientX - left) / width) * points.length));
  };
  return (
    <figure className="chart-box">
      <figcaption>
        <span className="quiet">{point?.at ?? name}</span> <strong>{point?.value ?? value}</strong>
      </figcaption>
      <div className="chart-axis quiet" aria-hidden="true">
        <span>{highest}</span>
      </div>
      <svg
        viewBox={`0 0 ${chartWidth} ${chartHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${name}: ${value}. ${axis[0]} – ${axis[1]}`}
        onPointerMove={follow}
        onPointerLeave={() => setAt(undefined)}
      >
        {point && <rect className="here" x={(at ?? 0) * step} width={step} height={chartHeight} />}
        {children}
      </svg>
      <div className="chart-axis quiet" aria-hidden="true">
        <span>{axis[0]}</span>
        <span>{axis[1]}</span>
      </div>
    </figure>
  );
}

export const Bars = ({ bars, className }: { bars: ReturnType<typeof computeBars>; className?: string }) =>
  bars.map((bar) => (bar.height > 0 ? <rect key={bar.x} className={className} {...bar} /> : null));

interface TableProps {
  buckets: readonly shapes.RunBucket[];
  nameOf: (at: string) => string;
}

/** The values of the charts; buckets without runs are left out. */
function BucketTable({ buckets, nameOf }: TableProps) {
  const words = texts.runs.charts;
  const [isOpen, setOpen] = useState(false);
  const filled = isOpen ? buckets.filter((bucket) => countRuns(bucket) > 0).toReversed() : [];
  return (
    <details className="chart-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.table}</summary>
      {isOpen && <p className="quiet">{words.key}</p>}
      {isOpen && filled.length === 0 && <p className="quiet">{words.none}</p>}
      {filled.length > 0 && (
        <div className="scroll" tabIndex={0} role="region" aria-label={words.table}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{words.at}</th>
                <th scope="col" className="number">
                  {words.runs}
                </th>
                <th scope="col" className="number">
                  {words.failures}
                </th>
                <th scope="col" className="number">
                  {words.median}
                </th>
                <th scope="col" className="number">
                  {words.slow}
                </th>
                <th scope="col" className="number">
                  {words.credits}
                </th>
              </tr>
            </thead>
            <tbody>
              {filled.map((bucket) => (
                <tr key={bucket.at}>
                  <th scope="row">{nameOf(bucket.at)}</th>
                  <td className="number">{countRuns(bucket)}</td>
                  <td className="number">{countFailed(bucket)}</td>
                  <td className="number">{bucket.p50Ms === null ? '–' : duration(bucket.p50Ms)}</td>
                  <td className="number">{bucket.p95Ms === null ? '–' : duration(bucket.p95Ms)}</td>
                  <td className="number">{bucket.credits}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
