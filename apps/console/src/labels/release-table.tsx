import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useClient } from '../session/console';
import { labelsTexts } from '../view-texts/labels';
import { ColumnHeads } from '../ui/column-heads';
import { Fault } from '../ui/fault';
import { duration } from '../ui/time';

type Grouping = NonNullable<shapes.ReleaseStatisticsQuery['by']>;
const groupings: readonly Grouping[] = ['version', 'label', 'arm'];

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
          <table className="table stacks">
            <ColumnHeads names={labelsTexts.columns} />
            <tbody>
              {data.groups.map((group) => (
                <Group key={`${group.label} ${group.versionId}`} group={group} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Group({ group }: { group: shapes.ReleaseGroup }) {
  const { label, version, runs, failures, p50Ms, p95Ms, creditsPerRun, scores, comparison } = group;
  const name = [label, version].filter((part) => part !== null).join(' ');
  return (
    <tr>
      <th scope="row">{name === '' ? labelsTexts.noLabel : name}</th>
      <td>{runs}</td>
      <td>{labelsTexts.share(failures)}</td>
      <td>{p50Ms === null ? '–' : duration(p50Ms)}</td>
      <td>{p95Ms === null ? '–' : duration(p95Ms)}</td>
      <td>{creditsPerRun.mean.toFixed(1)}</td>
      <td>
        {scores.length === 0 && '–'}
        {scores.map(({ name, mean, comparison: against }) => (
          <div key={name}>
            {name} {labelsTexts.share(mean)} {against && labelsTexts.scoreResults[against.result]}
          </div>
        ))}
      </td>
      <td>{comparison && labelsTexts.results[comparison.result]}</td>
    </tr>
  );
}
