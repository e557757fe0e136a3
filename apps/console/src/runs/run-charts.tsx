import type { shapes } from '@lensforge/sdk';
import { useId, useState } from 'react';
import { percent, whole } from '../experiments/numbers';
import { texts } from '../texts';
import type { ChartLine } from '../charts/chart-data';
import { Chart } from '../ui/chart';
import { Fault } from '../ui/fault';
import { duration } from '../ui/time';
import { countFailed, countRuns, getFailedShare, sumBuckets } from './chart-series';
import { RangeChips } from './range-chips';
import type { RunRange, TimeSpan } from './run-ranges';
import { costText } from './token-text';
import { type ChartFilters, type useStatistics, useRunStatistics } from './use-run-statistics';

/** The charts of the caller's runs that match, with a choice of the range. */
export function RunCharts({ filters }: { filters: ChartFilters }) {
  const [range, setRange] = useState<RunRange>('week');
  return (
    <section className="panel">
      <h2>{texts.runs.charts.title}</h2>
      <RangeChips value={range} onChange={(chosen) => setRange(chosen ?? range)} />
      <ChartsOfRuns filters={filters} span={range} />
    </section>
  );
}

interface RunsProps {
  filters: ChartFilters;
  span: RunRange | TimeSpan;
  onChoose?: (from: number, to: number) => void;
}

/** The charts of the caller's runs that match, for a range or between two times. */
export const ChartsOfRuns = ({ filters, span, onChoose }: RunsProps) => (
  <Charts query={useRunStatistics(filters, span)} onChoose={onChoose} />
);

interface ChartsProps {
  query: ReturnType<typeof useStatistics>;
  onChoose?: ((from: number, to: number) => void) | undefined;
}

/** Rate, failures, times and costs of runs over time, also as a table. */
export function Charts({ query: { data, isError, error, refetch }, onChoose }: ChartsProps) {
  if (isError && !data) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <div className="charts loading" role="status">
        {texts.loading}
      </div>
    );
  }
  return <Drawn statistics={data} onChoose={onChoose} />;
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
/** Round milliseconds, seconds, minutes and hours. */
const timeSteps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * 60_000),
  ...[1, 2, 4, 8, 12, 24].map((hours) => hours * 3_600_000),
];
const minutes = { ms: 60_000, format: clock };
const hours = { ms: 3_600_000, format: dayAndHour };
const days = { ms: 86_400_000, format: day };

interface DrawnProps {
  statistics: shapes.RunStatistics;
  onChoose: ((from: number, to: number) => void) | undefined;
}

function Drawn({ statistics: { buckets, interval, truncated }, onChoose }: DrawnProps) {
  const sync = useId();
  const words = texts.runs.charts;
  const totals = sumBuckets(buckets);
  const { ms, format } = interval === 'minute' ? minutes : interval === 'day' ? days : hours;
  const nameTime = (at: number): string => format.format(at);
  const common = {
    times: buckets.map(({ at }) => Date.parse(at)),
    bucketMs: ms,
    sync,
    nameTime,
    onChoose,
  };
  /** The words of a chart about the bucket at a place. */
  const tell =
    (say: (bucket: shapes.RunBucket) => string) =>
    (at: number): string => {
      const bucket = buckets[at];
      return bucket ? say(bucket) : '';
    };
  const line = (read: (bucket: shapes.RunBucket) => number | null, look: Omit<ChartLine, 'values'>): ChartLine => ({
    ...look,
    values: buckets.map(read),
  });
  return (
    <>
      {truncated && <p className="notice">{words.truncated}</p>}
      <div className="charts">
        <Chart
          {...common}
          name={words.runs}
          value={totals.runs.toLocaleString('en')}
          tell={tell((bucket) => words.ofWhichFailed(countRuns(bucket), countFailed(bucket)))}
          write={whole}
          lines={[
            line(countRuns, { shape: 'bars', colour: 'bad' }),
            line((bucket) => countRuns(bucket) - countFailed(bucket), { shape: 'bars', colour: 'accent' }),
          ]}
        />
        <Chart
          {...common}
          name={words.failed}
          value={totals.runs === 0 ? '–' : percent(totals.failed / totals.runs)}
          tell={tell((bucket) => sayShare(getFailedShare(bucket)))}
          highest={1}
          write={percent}
          lines={[line(getFailedShare, { shape: 'line', colour: 'bad' })]}
        />
        <Chart
          {...common}
          name={words.time}
          value={totals.slowestMs === null ? '–' : duration(totals.slowestMs)}
          tell={tell(({ p95Ms }) => (p95Ms === null ? '–' : duration(p95Ms)))}
          steps={timeSteps}
          write={(ms) => (ms === 0 ? '0' : duration(ms))}
          lines={[
            line(({ p95Ms }) => p95Ms, { shape: 'line', colour: 'wait', isDashed: true }),
            line(({ p50Ms }) => p50Ms, { shape: 'line', colour: 'accent' }),
          ]}
        />
        <Chart
          {...common}
          name={words.credits}
          value={costText({ creditCost: totals.credits, tokenDetails: totals })}
          tell={tell(({ credits }) => credits.toLocaleString('en'))}
          write={whole}
          lines={[line(({ credits }) => credits, { shape: 'bars', colour: 'accent' })]}
        />
      </div>
      <BucketTable buckets={buckets} nameOf={(at) => nameTime(Date.parse(at))} />
    </>
  );
}

const sayShare = (share: number | null): string => (share === null ? '–' : percent(share));
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
