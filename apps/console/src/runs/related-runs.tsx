import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Fault } from '../ui/fault';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import { RunName } from './run-name';

const refreshMs = 5000;
const most = 20;

/** The run before, its parent, retries and children, each with a comparison. */
export function RelatedRuns({ run }: { run: shapes.PlatformRunStatus }) {
  const client = useClient();
  const { id, lensId, workflowId, parentRunId, createdAt, kind } = run;
  const isOpen = run.status === 'queued' || run.status === 'running';
  const children = useQuery({
    queryKey: ['run', id, 'children'],
    queryFn: async () => (await client.runs.list({ parentRunId: id, limit: most })).items,
    refetchInterval: isOpen ? refreshMs : false,
  });
  const subject = kind === 'lens' && lensId !== null ? { lensId } : workflowId === null ? undefined : { workflowId };
  const previous = useQuery({
    queryKey: ['run', id, 'previous'],
    queryFn: async () => {
      const found = await client.runs.list({ ...subject, createdBefore: createdAt, limit: 2 });
      return found.items.find((each) => each.id !== id) ?? null;
    },
    enabled: subject !== undefined,
    staleTime: Infinity,
  });
  const parent = useQuery({
    queryKey: ['run', parentRunId],
    queryFn: async () => client.runs.get(parentRunId ?? ''),
    enabled: parentRunId !== null && parentRunId !== undefined,
  });
  const rows: [string, Related][] = [
    ...(parent.data ? [[texts.runs.related.parent, parent.data] as [string, Related]] : []),
    ...(previous.data ? [[texts.runs.related.previous, previous.data] as [string, Related]] : []),
    ...(children.data ?? []).map((child): [string, Related] => [
      child.origin === 'node' ? texts.runs.related.child : texts.runs.related.retry,
      child,
    ]),
  ];
  const fault = children.error ?? previous.error;
  if (fault) return <Fault error={fault} onRetry={() => void Promise.all([children.refetch(), previous.refetch()])} />;
  if (rows.length === 0) return null;
  return (
    <section className="panel">
      <h2>{texts.runs.related.title}</h2>
      <div className="scroll" tabIndex={0} role="region" aria-label={texts.runs.related.title}>
        <table className="table">
          <tbody>
            {rows.map(([name, other]) => (
              <tr key={`${name} ${other.id}`}>
                <th scope="row">{name}</th>
                <td>
                  <Link to="/runs/$runId" params={{ runId: other.id }}>
                    <RunName run={other} />
                  </Link>
                </td>
                <td>
                  <Status value={other.status} />
                </td>
                <td>
                  <Time at={other.createdAt} />
                </td>
                <td>
                  <Link to="/runs/compare" search={{ a: other.id, b: id }}>
                    {texts.runs.related.compare}
                  </Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {children.data?.length === most && (
        <Link to="/runs" search={{ parentRunId: id }}>
          {texts.runs.related.all}
        </Link>
      )}
    </section>
  );
}

type Related = Pick<shapes.RunItem, 'id' | 'kind' | 'status'> &
  Partial<Pick<shapes.RunItem, 'title'>> & { createdAt?: string | undefined };
