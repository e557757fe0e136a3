import { lazy, Suspense, useState } from 'react';
import type { ChartData } from '../charts/chart-data';

const TimeChart = lazy(async () => ({ default: (await import('../charts/time-chart')).TimeChart }));

interface Props extends ChartData {
  name: string;
  /** The figure of the whole range. */
  value: string;
  /** The time of a bucket in words. */
  nameTime: (at: number) => string;
  /** The words of the chart about a bucket. */
  tell: (at: number) => string;
}

/** A chart with its figure. Under the pointer the figure is that of one bucket. */
export function Chart({ name, value, nameTime, tell, ...data }: Props) {
  const [at, setAt] = useState<number>();
  const { times } = data;
  const time = at === undefined ? undefined : times[at];
  const [first = 0, last = first] = [times[0], times.at(-1)];
  return (
    <figure className="chart-box">
      <figcaption>
        <span className="quiet">{time === undefined ? name : nameTime(time)}</span>{' '}
        <strong>{at === undefined || time === undefined ? value : tell(at)}</strong>
      </figcaption>
      <div role="img" aria-label={`${name}: ${value}. ${nameTime(first)} – ${nameTime(last)}`}>
        <Suspense fallback={<div className="chart-canvas" />}>
          <TimeChart {...data} onPoint={setAt} />
        </Suspense>
      </div>
    </figure>
  );
}
