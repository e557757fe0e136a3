import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { percent } from '../experiments/numbers';
import { drawLine } from '../runs/chart-series';
import { Chart } from '../runs/run-charts';
import { useClient } from '../session/console';
import { Loaded } from '../ui/states';
import { evaluationTexts } from '../view-texts/evaluation';

const dayMs = 86_400_000;
const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

type Target = { lensId: string } | { workflowId: string };

/** The mean of each score of a lens or workflow by day, with its interval, and whether it has drifted; read when it is opened. */
export function ScoreCharts({ target }: { target: Target }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{evaluationTexts.scores}</summary>
      {isOpen && <Charts target={target} />}
    </details>
  );
}

function Charts({ target }: { target: Target }) {
  const client = useClient();
  const statistics = useQuery({
    queryKey: ['score-statistics', target],
    queryFn: () => client.runs.getScoreStatistics(target),
  });
  return (
    <Loaded query={statistics}>
      {({ from, to, series }) =>
        series.length === 0 ? (
          <p className="quiet">{evaluationTexts.noScores}</p>
        ) : (
          <div className="charts">
            {series.map((each) => (
              <div key={each.name}>
                <ScoreChart series={each} from={from} to={to} />
                <p className="quiet">
                  {evaluationTexts.counted(each.scores, each.errors)}: {evaluationTexts.drift[each.drift.result]}
                </p>
              </div>
            ))}
          </div>
        )
      }
    </Loaded>
  );
}

function ScoreChart({
  series: { name, mean, buckets },
  from,
  to,
}: {
  series: shapes.ScoreSeries;
  from: string;
  to: string;
}) {
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const byDay = new Map(buckets.map((bucket) => [Math.round((Date.parse(bucket.at) - begin) / dayMs), bucket.mean]));
  const days = Array.from({ length: Math.ceil((end - begin) / dayMs) }, (_, at) => byDay.get(at));
  const line = (member: keyof shapes.MeanEstimate): string =>
    drawLine(
      days.map((each) => each?.[member] ?? null),
      1,
    );
  return (
    <Chart
      name={name}
      value={percent(mean.mean)}
      axis={[day.format(begin), day.format(end)]}
      highest="100 %"
      points={days.map((each, at) => ({
        at: day.format(begin + at * dayMs),
        value: each ? percent(each.mean) : '–',
      }))}
    >
      <path className="high" d={line('low')} />
      <path className="high" d={line('high')} />
      <path d={line('mean')} />
    </Chart>
  );
}
