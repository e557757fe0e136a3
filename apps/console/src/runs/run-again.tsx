import { useNavigate } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { runsTexts } from '../view-texts/runs';
import { Action } from '../ui/action';
import { useRunInput } from './run-input';

/** Starts a run with the same values and the same version, if the run had values of its own. */
export function RunAgain({
  run: { id, kind, lensId, lensVersionId, workflowId, workflowVersionId },
}: {
  run: shapes.PlatformRunStatus;
}) {
  const client = useClient();
  const navigate = useNavigate();
  const params = useRunInput(id).data?.params;
  const start = (): PromiseLike<{ runId: string }> | undefined => {
    if (!params) return undefined;
    if (kind === 'workflow' && workflowId && workflowVersionId)
      return client.workflows.run(workflowId, { inputs: params, version: workflowVersionId });
    if (kind === 'lens' && lensId && lensVersionId)
      return client.lenses.execute(lensId, { params, version: lensVersionId });
    return undefined;
  };
  const again = async (): Promise<void> => {
    const accepted = await start();
    if (accepted) await navigate({ to: '/runs/$runId', params: { runId: accepted.runId } });
  };
  return (
    <Action disabled={!params} onAct={again}>
      {runsTexts.again}
    </Action>
  );
}
