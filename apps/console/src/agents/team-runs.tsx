import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { agentsTexts } from '../view-texts/agents';
import { Action } from '../ui/action';
import { ConfirmedAction } from '../ui/confirmed-action';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Status } from '../ui/status';
import { Time } from '../ui/time';

const isEnded = (status: shapes.TeamRun['status']): boolean => ['completed', 'failed', 'cancelled'].includes(status);

/** The workflow runs in the name of an AI lenser; one with the policy manual waits for its owner. */
export function TeamRuns({ aiLenserId }: { aiLenserId: string }) {
  const client = useClient();
  const runs = usePaged(
    ['agent', aiLenserId, 'team-runs'],
    (cursor) => client.agents.listTeamRuns(aiLenserId, { limit: 30, cursor }),
    5000,
  );
  const act = async (call: Promise<unknown>): Promise<void> => {
    await call;
    runs.retry();
  };
  return (
    <section className="panel scroll">
      <p className="quiet">{agentsTexts.teamRunsHint}</p>
      <PagedList paged={runs} none={agentsTexts.noTeamRuns}>
        {(items) => (
          <table className="table stacks">
            <tbody>
              {items.map(({ id, workflowId, policy, status, createdAt, approvedAt, spentCredits }) => (
                <tr key={id}>
                  <td>
                    <Link to="/runs/$runId" params={{ runId: id }}>
                      {agentsTexts.run} {id.slice(-12)}
                    </Link>
                    <div className="quiet">
                      <Link to="/workflows/$workflowId" params={{ workflowId }}>
                        {texts.runs.workflow}
                      </Link>{' '}
                      · {agentsTexts.policies[policy]} · {spentCredits} {agentsTexts.credits}
                    </div>
                  </td>
                  <td>
                    <Status value={status} />
                  </td>
                  <td className="wide">
                    <Time at={createdAt} />
                  </td>
                  <td>
                    <div className="row">
                      {status === 'blocked' && approvedAt === null && policy === 'manual' && (
                        <Action className="primary" onAct={() => act(client.agents.approveTeamRun(aiLenserId, id))}>
                          {agentsTexts.approve}
                        </Action>
                      )}
                      {!isEnded(status) && (
                        <ConfirmedAction
                          question={agentsTexts.cancelQuestion}
                          onAct={() => act(client.agents.cancelTeamRun(aiLenserId, id))}
                        >
                          {agentsTexts.cancelRun}
                        </ConfirmedAction>
                      )}
                    </div>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </PagedList>
    </section>
  );
}
