import { Link } from '@tanstack/react-router';
import type { AgentEvent, shapes } from '@lensforge/sdk';
import { useEffect, useState } from 'react';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { agentsTexts } from '../view-texts/agents';
import { Empty } from '../ui/states';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import { ActionApproval } from './action-approval';
import { usePendingApprovals } from './approvals';
import { RunTranscript } from './run-transcript';

const shownAtFirst = 50;

/** The events of an AI lenser, the newest first, as it happens; each of its runs has a transcript. */
export function Log({ aiLenserId }: { aiLenserId: string }) {
  const { client } = useConsole();
  const [events, setEvents] = useState<readonly AgentEvent[]>([]);
  const [shown, setShown] = useState(shownAtFirst);
  const pending = usePendingApprovals(aiLenserId);
  useEffect(() => {
    const controller = new AbortController();
    const follow = async (): Promise<void> => {
      const stream = client.agents.events(aiLenserId, { signal: controller.signal, maxReconnects: 1000 });
      for await (const event of stream) setEvents((before) => [event, ...before]);
    };
    setEvents([]);
    // Without the stream the rest of the view still works.
    follow().catch(() => undefined);
    return () => controller.abort();
  }, [client, aiLenserId]);
  if (events.length === 0) return <Empty title={agentsTexts.noEvents} />;
  return (
    <>
      <ol className="agent-log" aria-label={agentsTexts.transcript}>
        {events.slice(0, shown).map((event) => (
          <Entry
            key={event.sequence}
            event={event}
            approval={findApproval(event, pending.data)}
            onDecided={() => pending.refetch()}
          />
        ))}
      </ol>
      {events.length > shown && (
        <button type="button" onClick={() => setShown(shown * 2)}>
          {texts.more}
        </button>
      )}
    </>
  );
}

/** The approval that an event asks for, while it waits. */
const findApproval = ({ eventType, payload }: AgentEvent, pending: readonly shapes.AgentApproval[] = []) =>
  eventType === 'approval.requested' ? pending.find(({ id }) => id === payload.approvalId) : undefined;

interface EntryProps {
  event: AgentEvent;
  approval: shapes.AgentApproval | undefined;
  onDecided: () => Promise<unknown>;
}

function Entry({ event: { eventType, payload, runId, occurredAt }, approval, onDecided }: EntryProps) {
  const [isOpen, setOpen] = useState(false);
  const members: Readonly<Record<string, unknown>> = { ...payload };
  const status = [members['result'], members['status'], members['verdict']].find((each) => typeof each === 'string');
  const subject = [members['toolId'], members['action'], members['kind']].find((each) => typeof each === 'string');
  const { reason } = members;
  return (
    <li className="panel">
      <div className="row">
        <strong>{agentsTexts.events[eventType]}</strong>
        {subject !== undefined && <code>{subject}</code>}
        {members['allowed'] === false && <Status value="refused" />}
        {status !== undefined && <Status value={status} />}
        <span className="quiet">
          <Time at={occurredAt} />
        </span>
      </div>
      {typeof reason === 'string' && <p className="quiet">{reason}</p>}
      {approval && <ActionApproval approval={approval} onDecided={onDecided} />}
      {typeof runId === 'string' && eventType === 'run.started' && (
        <>
          <Link to="/runs/$runId" params={{ runId }}>
            {agentsTexts.run} {runId.slice(-12)}
          </Link>
          <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
            <summary>{agentsTexts.steps}</summary>
            {isOpen && <RunTranscript runId={runId} />}
          </details>
        </>
      )}
    </li>
  );
}
