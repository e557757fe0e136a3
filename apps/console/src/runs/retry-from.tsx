import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Action } from '../ui/action';

interface Props {
  run: shapes.PlatformRunStatus;
  workflowId: string;
  nodeId: string;
}

/** Runs a node of an unsuccessful run and all after it again, also in a version that was saved meanwhile. */
export function RetryFrom({ run, workflowId, nodeId }: Props) {
  const client = useClient();
  const navigate = useNavigate();
  const { data: newest } = useQuery({
    queryKey: ['workflow', workflowId],
    queryFn: async () => client.workflows.get(workflowId),
    select: ({ headVersion }) => headVersion,
  });
  const retry = async (version?: string): Promise<void> => {
    const { runId } = await client.runs.retry(run.id, { fromNode: nodeId, ...(version !== undefined && { version }) });
    await navigate({ to: '/runs/$runId', params: { runId } });
  };
  return (
    <div className="row">
      <Action onAct={() => retry()}>{texts.runs.retryFrom}</Action>
      {newest && newest.id !== run.workflowVersionId && (
        <Action onAct={() => retry(newest.id)}>{texts.runs.retryFromWith(newest.number)}</Action>
      )}
    </div>
  );
}
