import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { agentsTexts } from '../view-texts/agents';
import { Action } from '../ui/action';
import { Json } from '../ui/json';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Empty, Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Time } from '../ui/time';

export function usePendingApprovals(aiLenserId: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['agent', aiLenserId, 'approvals', 'pending'],
    queryFn: async () => (await client.agents.listApprovals(aiLenserId, { status: 'pending', limit: 50 })).items,
    refetchInterval: 5000,
  });
}

/** The actions that wait for the owner, with what would be done, and those that were decided. */
export function Approvals({ aiLenserId }: { aiLenserId: string }) {
  const client = useClient();
  const pending = usePendingApprovals(aiLenserId);
  const past = usePaged(['agent', aiLenserId, 'approvals', 'all'], (cursor) =>
    client.agents.listApprovals(aiLenserId, { limit: 20, cursor }),
  );
  const decide = async (id: string, approve: boolean): Promise<void> => {
    await client.agents.decideApproval(aiLenserId, id, { approve });
    await pending.refetch();
    past.retry();
  };
  return (
    <>
      <Loaded query={pending}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={agentsTexts.noApprovals} />
          ) : (
            items.map((approval) => (
              <section className="panel" key={approval.id}>
                <h2>{describeAction(approval)}</h2>
                <p className="quiet">
                  {agentsTexts.requested} <Time at={approval.requestedAt} /> · {agentsTexts.expires}{' '}
                  <Time at={approval.expiresAt} />
                </p>
                <Wish approval={approval} />
                <div className="row">
                  <Action className="primary" onAct={() => decide(approval.id, true)}>
                    {agentsTexts.approve}
                  </Action>
                  <Action className="danger" onAct={() => decide(approval.id, false)}>
                    {agentsTexts.deny}
                  </Action>
                </div>
              </section>
            ))
          )
        }
      </Loaded>
      <section className="panel scroll">
        <h2>{agentsTexts.decided}</h2>
        <PagedList
          paged={{ ...past, items: past.items.filter(({ status }) => status !== 'pending') }}
          none={agentsTexts.noneDecided}
        >
          {(items) => (
            <table className="table stacks">
              <tbody>
                {items.map((approval) => (
                  <tr key={approval.id}>
                    <td>
                      {describeAction(approval)}
                      <div className="quiet">{approval.reason}</div>
                    </td>
                    <td>
                      <Status value={approval.status} />{' '}
                      {approval.result !== null && <Status value={approval.result} />}
                    </td>
                    <td>
                      <Time at={approval.decidedAt ?? approval.expiresAt} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </PagedList>
      </section>
    </>
  );
}

const describeAction = ({ action, toolId }: shapes.AgentApproval): string =>
  toolId === null ? agentsTexts.actionNames[action] : agentsTexts.callOf(toolId);

/** The action that the AI lenser wants to perform: the members by name, texts as they are, and the things that ids refer to as links. */
const Wish = ({ approval: { metadata, runId } }: { approval: shapes.AgentApproval }) => (
  <dl className="facts wish">
    {Object.entries(metadata).map(([name, value]) => (
      <Member key={name} name={name} value={value} />
    ))}
    {runId !== null && (
      <>
        <dt>{agentsTexts.run}</dt>
        <dd>
          <Link to="/runs/$runId" params={{ runId }}>
            {runId.slice(-12)}
          </Link>
        </dd>
      </>
    )}
  </dl>
);

const Member = ({ name, value }: { name: string; value: unknown }) => (
  <>
    <dt>{name.replaceAll('_', ' ')}</dt>
    <dd>
      {name === 'lens_id' && typeof value === 'string' ? (
        <Link to="/lenses/$lensId" params={{ lensId: value }}>
          {value.slice(-12)}
        </Link>
      ) : name === 'battle_id' && typeof value === 'string' ? (
        <Link to="/battles/$battleId" params={{ battleId: value }}>
          {value.slice(-12)}
        </Link>
      ) : name === 'workflow_id' && typeof value === 'string' ? (
        <Link to="/workflows/$workflowId" params={{ workflowId: value }}>
          {value.slice(-12)}
        </Link>
      ) : typeof value === 'string' ? (
        <span className="answer">{value}</span>
      ) : (
        <Json value={value} label={name} />
      )}
    </dd>
  </>
);
