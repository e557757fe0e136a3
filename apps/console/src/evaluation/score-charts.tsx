import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { percent } from '../experiments/numbers';
import { useClient } from '../session/console';
import { Chart } from '../ui/chart';
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
  const line = (member: keyof shapes.MeanEstimate) => days.map((each) => each?.[member] ?? null);
  return (
    <Chart
      name={name}
      value={percent(mean.mean)}
      times={days.map((_, at) => begin + at * dayMs)}
      bucketMs={dayMs}
      nameTime={(at) => day.format(at)}
      tell={(at) => sayMean(days[at])}
      highest={1}
      write={percent}
      lines={[
        { shape: 'line', colour: 'wait', isDashed: true, values: line('low') },
        { shape: 'line', colour: 'wait', isDashed: true, values: line('high') },
        { shape: 'line', colour: 'accent', values: line('mean') },
      ]}
    />
  );
}

const sayMean = (estimate: shapes.MeanEstimate | undefined): string => (estimate ? percent(estimate.mean) : '–');
