import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { labelsTexts } from '../view-texts/labels';
import { Action } from '../ui/action';
import type { Paged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Time } from '../ui/time';

/** The moves of labels that wait for a second person. */
export function LabelProposals({ paged }: { paged: Paged<shapes.LabelProposal> }) {
  if (paged.items.length === 0) return null;
  return (
    <PagedList paged={paged} none={texts.approvals.none}>
      {(items) => items.map((proposal) => <Proposal key={proposal.id} proposal={proposal} />)}
    </PagedList>
  );
}

function Proposal({ proposal }: { proposal: shapes.LabelProposal }) {
  const client = useClient();
  const queries = useQueryClient();
  const [comment, setComment] = useState('');
  const { id, label, title, lensId, workflowId, before, version, arms, reason, evidence, canDecide } = proposal;
  const decide = (decision: 'approve' | 'decline') => async (): Promise<void> => {
    const text = comment.trim();
    await client.labelProposals.decide(id, { decision, ...(text !== '' && { comment: text }) });
    await queries.invalidateQueries();
  };
  const heading = `${title ?? ''}: ${label} ${labelsTexts.moved(before ?? undefined, version)}`;
  return (
    <article className="panel" aria-label={heading}>
      <h2>
        {lensId !== null && (
          <Link to="/lenses/$lensId" params={{ lensId }}>
            {heading}
          </Link>
        )}
        {workflowId !== null && (
          <Link to="/workflows/$workflowId" params={{ workflowId }}>
            {heading}
          </Link>
        )}
      </h2>
      <ul>
        {arms && <li>{labelsTexts.arms(arms)}</li>}
        {proposal.rules !== undefined && <li>{labelsTexts.changesRules}</li>}
        {proposal.bounds !== undefined && (
          <li>{proposal.bounds ? labelsTexts.bounds(proposal.bounds) : labelsTexts.removeBounds}</li>
        )}
        {proposal.protected !== undefined && (
          <li>{proposal.protected ? labelsTexts.protect : labelsTexts.unprotect}</li>
        )}
        {proposal.override && <li>{labelsTexts.overridden}</li>}
        {evidence && (
          <li>
            <Link to="/experiments/$experimentId" params={{ experimentId: evidence.experimentId }}>
              {labelsTexts.evidence}
            </Link>
          </li>
        )}
        {reason !== null && <li>{reason}</li>}
      </ul>
      <p className="quiet">
        {texts.approvals.asked} <Time at={proposal.proposedAt} /> · {texts.approvals.expires}{' '}
        <Time at={proposal.expiresAt} />
      </p>
      <div className="form">
        <label>
          {texts.approvals.comment}
          <textarea
            rows={2}
            maxLength={500}
            value={comment}
            onChange={(event) => setComment(event.currentTarget.value)}
          />
        </label>
        <div className="row">
          {canDecide && (
            <Action className="primary" onAct={decide('approve')}>
              {texts.runs.approve}
            </Action>
          )}
          <Action className="danger" onAct={decide('decline')}>
            {canDecide ? texts.runs.reject : labelsTexts.withdraw}
          </Action>
          {!canDecide && <span className="quiet">{labelsTexts.waitsForOthers}</span>}
        </div>
      </div>
    </article>
  );
}
