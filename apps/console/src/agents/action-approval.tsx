import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { agentsTexts } from '../view-texts/agents';
import { Action } from '../ui/action';
import { Json } from '../ui/json';
import { Time } from '../ui/time';

interface Props {
  approval: shapes.AgentApproval;
  /** The handle of the AI lenser, where it is not clear. */
  handle?: string;
  onDecided: () => Promise<unknown>;
}

/** An action that waits for the owner of the AI lenser, with what would be done. */
export function ActionApproval({ approval, handle, onDecided }: Props) {
  const client = useClient();
  const { id, aiLenserId, requestedAt, expiresAt } = approval;
  const decide = async (approve: boolean): Promise<void> => {
    await client.agents.decideApproval(aiLenserId, id, { approve });
    await onDecided();
  };
  return (
    <section className="panel">
      <h2>{describeAction(approval)}</h2>
      <p className="quiet">
        {handle !== undefined && (
          <>
            <Link to="/agents/$aiLenserId" params={{ aiLenserId }}>
              @{handle}
            </Link>{' '}
            ·{' '}
          </>
        )}
        {agentsTexts.requested} <Time at={requestedAt} /> · {agentsTexts.expires} <Time at={expiresAt} />
      </p>
      <Wish approval={approval} />
      <div className="row">
        <Action className="primary" onAct={() => decide(true)}>
          {agentsTexts.approve}
        </Action>
        <Action className="danger" onAct={() => decide(false)}>
          {agentsTexts.deny}
        </Action>
      </div>
    </section>
  );
}

export const describeAction = ({ action, toolId }: shapes.AgentApproval): string =>
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
