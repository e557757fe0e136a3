import { useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Action } from '../ui/action';

interface Props {
  runId: string;
  id: string;
  onAnswered: () => Promise<unknown>;
}

/** A comment and the two answers to an approval. */
export function ApprovalAnswer({ runId, id, onAnswered }: Props) {
  const client = useClient();
  const [comment, setComment] = useState('');
  const answer = async (decision: 'approve' | 'reject'): Promise<void> => {
    const text = comment.trim();
    await client.runs.answerApproval(runId, id, { decision, ...(text !== '' && { comment: text }) });
    await onAnswered();
  };
  return (
    <div className="form">
      <label>
        {texts.approvals.comment}
        <textarea
          rows={2}
          maxLength={2000}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
      </label>
      <div className="row">
        <Action className="primary" onAct={() => answer('approve')}>
          {texts.runs.approve}
        </Action>
        <Action className="danger" onAct={() => answer('reject')}>
          {texts.runs.reject}
        </Action>
      </div>
    </div>
  );
}
