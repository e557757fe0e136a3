import { useState } from 'react';
import { RangeChips } from '../runs/range-chips';
import { Charts } from '../runs/run-charts';
import { type RunRange, getRangeBegin, ranges } from '../runs/run-ranges';
import { useClient } from '../session/console';
import { operatorTexts } from '../view-texts/operator';

/** The runs of all accounts over time. */
export function Throughput() {
  const client = useClient();
  const [range, setRange] = useState<RunRange>('hour');
  return (
    <section className="panel">
      <h2>{operatorTexts.throughput}</h2>
      <RangeChips value={range} onChange={(chosen) => setRange(chosen ?? range)} />
      <Charts
        queryKey={['operator', 'run-statistics', range]}
        read={async () =>
          client.operator.getRunStatistics({ from: getRangeBegin(range), interval: ranges[range].interval })
        }
      />
    </section>
  );
}
