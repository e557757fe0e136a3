import { Link } from '@tanstack/react-router';
import { percent } from '../experiments/numbers';
import { countRuns, getFailedShare, sumBuckets } from '../runs/chart-series';
import { costText } from '../runs/token-text';
import { useRunStatistics } from '../runs/use-run-statistics';
import { texts } from '../texts';
import { Spark } from '../ui/spark';
import { Loaded } from '../ui/states';
import { duration } from '../ui/time';

/** The runs of the last day in four figures. Their charts are beside the list of runs. */
export function LastDay() {
  const words = texts.runs.charts;
  return (
    <section className="panel home-charts">
      <h2>{texts.home.lastDay}</h2>
      <Loaded query={useRunStatistics({}, 'day')}>
        {({ buckets }) => {
          const totals = sumBuckets(buckets);
          return (
            <>
              <div className="charts sparks">
                <Spark name={words.runs} value={totals.runs.toLocaleString('en')} values={buckets.map(countRuns)} />
                <Spark
                  name={words.failed}
                  value={totals.runs === 0 ? '–' : percent(totals.failed / totals.runs)}
                  values={buckets.map(getFailedShare)}
                  isBad
                />
                <Spark
                  name={words.time}
                  value={totals.slowestMs === null ? '–' : duration(totals.slowestMs)}
                  values={buckets.map(({ p95Ms }) => p95Ms)}
                />
                <Spark
                  name={words.credits}
                  value={costText({ creditCost: totals.credits, tokenDetails: totals })}
                  values={buckets.map(({ credits }) => credits)}
                />
              </div>
              <Link to="/runs" search={{ range: 'day' }}>
                {words.title}
              </Link>
            </>
          );
        }}
      </Loaded>
    </section>
  );
}
