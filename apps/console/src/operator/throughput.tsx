import { useState } from 'react';
import { RangeChips } from '../runs/range-chips';
import { Charts } from '../runs/run-charts';
import { type RunRange, getSpan } from '../runs/run-ranges';
import { useStatistics } from '../runs/use-run-statistics';
import { useClient } from '../session/console';
import { operatorTexts } from '../view-texts/operator';

/** The runs of all accounts over time. */
export function Throughput() {
  const client = useClient();
  const [range, setRange] = useState<RunRange>('hour');
  const statistics = useStatistics(['operator', 'run-statistics', range], () =>
    client.operator.getRunStatistics(getSpan(range)),
  );
  return (
    <section className="panel">
      <h2>{operatorTexts.throughput}</h2>
      <RangeChips value={range} onChange={(chosen) => setRange(chosen ?? range)} />
      <Charts query={statistics} />
    </section>
  );
}
