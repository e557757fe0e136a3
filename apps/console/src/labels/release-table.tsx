import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useClient } from '../session/console';
import { labelsTexts } from '../view-texts/labels';
import { DataTable, type TableColumn } from '../ui/data-table';
import { Fault } from '../ui/fault';
import { duration } from '../ui/time';

type Grouping = NonNullable<shapes.ReleaseStatisticsQuery['by']>;
const groupings: readonly Grouping[] = ['version', 'label', 'arm'];

const nameGroup = ({ label, version }: shapes.ReleaseGroup): string =>
  [label, version].filter((part) => part !== null).join(' ');
const heads = labelsTexts.columns;
const sayTime = (ms: number | null): string => (ms === null ? '–' : duration(ms));

const columns: readonly TableColumn<shapes.ReleaseGroup>[] = [
  { name: heads.group, isHead: true, sortBy: nameGroup, show: (group) => nameGroup(group) || labelsTexts.noLabel },
  { name: heads.runs, isNamed: true, sortBy: ({ runs }) => runs, show: ({ runs }) => runs },
  {
    name: heads.failures,
    isNamed: true,
    sortBy: ({ failures }) => failures.mean,
    show: ({ failures }) => labelsTexts.share(failures),
  },
  { name: heads.median, isNamed: true, sortBy: ({ p50Ms }) => p50Ms, show: ({ p50Ms }) => sayTime(p50Ms) },
  { name: heads.slow, isNamed: true, sortBy: ({ p95Ms }) => p95Ms, show: ({ p95Ms }) => sayTime(p95Ms) },
  {
    name: heads.credits,
    isNamed: true,
    sortBy: ({ creditsPerRun }) => creditsPerRun.mean,
    show: ({ creditsPerRun }) => creditsPerRun.mean.toFixed(1),
  },
  {
    name: heads.scores,
    show: ({ scores }) =>
      scores.length === 0
        ? '–'
        : scores.map(({ name, mean, comparison }) => (
            <div key={name}>
              {name} {labelsTexts.share(mean)} {comparison && labelsTexts.scoreResults[comparison.result]}
            </div>
          )),
  },
  { name: heads.result, show: ({ comparison }) => comparison && labelsTexts.results[comparison.result] },
];

/** The runs of the last week by version, label or arm, and whether a group fails more often than the largest one. */
export function ReleaseTable({ target }: { target: { lensId: string } | { workflowId: string } }) {
  const client = useClient();
  const [by, setBy] = useState<Grouping>('version');
  const { data, isError, error, refetch } = useQuery({
    queryKey: ['release-statistics', target, by],
    queryFn: () => client.runs.getReleaseStatistics({ ...target, by }),
    placeholderData: keepPreviousData,
  });
  return (
    <section>
      <h2>{labelsTexts.compare}</h2>
      <label className="row">
        {labelsTexts.groupBy}{' '}
        <select value={by} onChange={({ target }) => setBy(groupings.find((each) => each === target.value) ?? by)}>
          {groupings.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      {isError && !data && <Fault error={error} onRetry={() => void refetch()} />}
      {data?.groups.length === 0 && <p className="quiet">{labelsTexts.noRuns}</p>}
      {data && data.groups.length > 0 && (
        <div className="scroll" tabIndex={0} role="region" aria-label={labelsTexts.compare}>
          <DataTable items={data.groups} getKey={nameGroup} columns={columns} />
        </div>
      )}
    </section>
  );
}
