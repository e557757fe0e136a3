import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useClient } from '../session/console';
import { workflowsTexts } from '../view-texts/workflows';
import { Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import { toGraph } from './graph';
import { GraphCanvas } from './graph-canvas';
import { unitedGraph } from './version-diff';
import { DataTable } from '../ui/data-table';
import { texts } from '../texts';

/** The versions of a workflow; two of them are compared on one graph. */
export function Versions({ workflowId, headId }: { workflowId: string; headId: string }) {
  const client = useClient();
  const [pair, setPair] = useState<{ from: number; to: number }>();
  const versions = useQuery({
    queryKey: ['workflow', workflowId, 'versions', headId],
    queryFn: async () => (await client.workflows.listVersions(workflowId, { limit: 100 })).items,
  });
  return (
    <>
      <h2>{workflowsTexts.versions}</h2>
      <Loaded query={versions}>
        {(items) => (
          <>
            {items.length > 1 && (
              <Compared numbers={items.map(({ number }) => number)} pair={pair} onChange={setPair} />
            )}
            {pair && <Difference workflowId={workflowId} {...pair} />}
            <DataTable
              items={items}
              getKey={({ id }) => id}
              columns={[
                { name: workflowsTexts.versionColumns.version, isHead: true, show: ({ number }) => number },
                {
                  name: workflowsTexts.versionColumns.contents,
                  show: ({ nodeCount, changelog }) => `${nodeCount} ${workflowsTexts.nodeCount} ${changelog}`,
                },
                { name: workflowsTexts.versionColumns.saved, show: ({ createdAt }) => <Time at={createdAt} /> },
                {
                  name: texts.actions,
                  show: ({ number }) =>
                    number > 1 && (
                      <button type="button" onClick={() => setPair({ from: number - 1, to: number })}>
                        {workflowsTexts.showChanges}
                      </button>
                    ),
                },
              ]}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

interface ComparedProps {
  numbers: readonly number[];
  pair: { from: number; to: number } | undefined;
  onChange: (pair: { from: number; to: number } | undefined) => void;
}

function Compared({ numbers, pair, onChange }: ComparedProps) {
  const [newest = 1] = numbers;
  const { from = newest - 1, to = newest } = pair ?? {};
  const choice = (label: string, value: number, change: (number: number) => void) => (
    <label>
      {label}{' '}
      <select value={value} onChange={(event) => change(Number(event.currentTarget.value))}>
        {numbers.map((number) => (
          <option key={number}>{number}</option>
        ))}
      </select>
    </label>
  );
  return (
    <div className="row">
      {choice(workflowsTexts.compareFrom, from, (number) => onChange({ from: number, to }))}
      {choice(workflowsTexts.compareTo, to, (number) => onChange({ from, to: number }))}
      {pair ? (
        <button type="button" onClick={() => onChange(undefined)}>
          {workflowsTexts.hideChanges}
        </button>
      ) : (
        <button type="button" onClick={() => onChange({ from, to })}>
          {workflowsTexts.compare}
        </button>
      )}
    </div>
  );
}

function Difference({ workflowId, from, to }: { workflowId: string; from: number; to: number }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['workflow', workflowId, 'diff', from, to],
    queryFn: async () => {
      const [diff, before, after] = await Promise.all([
        client.workflows.diffVersions(workflowId, { from: String(from), to: String(to) }),
        client.workflows.getVersion(workflowId, String(from)),
        client.workflows.getVersion(workflowId, String(to)),
      ]);
      return { diff, before: toGraph(before.graph), after: toGraph(after.graph) };
    },
  });
  return (
    <Loaded query={query}>
      {({ diff, before, after }) => (
        <section aria-label={workflowsTexts.changes(from, to)}>
          <h3>{workflowsTexts.changes(from, to)}</h3>
          <GraphCanvas {...unitedGraph(before, after, diff)} />
          <ChangeTable diff={diff} />
        </section>
      )}
    </Loaded>
  );
}

const formatValue = (value: unknown): string => (value === undefined || value === null ? '–' : JSON.stringify(value));

/** Every difference in words, for those who cannot use the picture. */
function ChangeTable({ diff: { nodes, edges, changes } }: { diff: shapes.WorkflowDiffReply }) {
  const marks = workflowsTexts.marks;
  const edgeName = ({ from, to, when }: shapes.WorkflowEdgeShape): string =>
    `${from} → ${to}${when === undefined ? '' : ` · ${when}`}`;
  const parts = [
    ...nodes.added.map((id) => [marks.added, id] as const),
    ...nodes.removed.map((id) => [marks.removed, id] as const),
    ...edges.added.map((edge) => [marks.added, edgeName(edge)] as const),
    ...edges.removed.map((edge) => [marks.removed, edgeName(edge)] as const),
  ];
  const settings = [
    ...nodes.changed.flatMap(({ id, changes }) =>
      changes.map((change) => ({ ...change, path: `${id}.${change.path}` })),
    ),
    ...changes,
  ];
  if (parts.length === 0 && settings.length === 0) return <p>{workflowsTexts.noChanges}</p>;
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={workflowsTexts.changed}>
      <ul>
        {parts.map(([mark, name]) => (
          <li key={`${mark} ${name}`}>
            <Status value={mark} /> {name}
          </li>
        ))}
      </ul>
      {settings.length > 0 && (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{workflowsTexts.setting}</th>
              <th scope="col">{workflowsTexts.before}</th>
              <th scope="col">{workflowsTexts.after}</th>
            </tr>
          </thead>
          <tbody>
            {settings.map(({ path, before, after }) => (
              <tr key={path}>
                <th scope="row">{path}</th>
                <td>
                  <code>{formatValue(before)}</code>
                </td>
                <td>
                  <code>{formatValue(after)}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
