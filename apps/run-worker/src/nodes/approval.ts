import { newId } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import { type WaitState, readWait } from '@lensforge/runs';
import type { ApprovalSettings } from '@lensforge/workflows';
import { type ExecuteNode, type NodeOutcome, failed } from './node-type.js';

/** Creates an approval and waits for it without a worker; the answer, or its expiry, is the output. */
export const approval: ExecuteNode<ApprovalSettings> = async ({ settings, resolve, state, node, owner }) => {
  const id = typeof state?.['waitId'] === 'string' ? state['waitId'] : undefined;
  if (id === undefined) {
    const message = resolve(settings.message);
    const expiresMs = settings.expiresInSeconds * 1000;
    const ask = {
      id: newId(),
      kind: 'approval' as const,
      expiresMs,
      message: (typeof message === 'string' ? message : JSON.stringify(message)).slice(0, 10_000),
      details: settings.data === undefined ? null : resolve(settings.data),
    };
    return { kind: 'waiting', dueMs: expiresMs, state: { waitId: ask.id }, ask };
  }
  const wait = await withDbRetry(() => readWait(owner, node.runId, id));
  if (!wait) return failed('NOT_FOUND', 'the approval no longer exists', { retry: 'final' });
  if (wait.decision === null) return { kind: 'waiting', dueMs: Math.max(wait.msLeft, 1), state: { waitId: id } };
  return toApprovalOutcome(settings, wait);
};

function toApprovalOutcome({ onExpire, onReject }: ApprovalSettings, wait: WaitState): NodeOutcome {
  const { decision, answeredBy: by, comment, value } = wait;
  const data = value ?? wait.details;
  if (decision !== 'expired') {
    const resolved = decision === 'approved' ? 'approved' : 'rejected';
    if (resolved === 'rejected' && onReject === 'fail') {
      return { ...failed('REJECTED', comment ?? 'was rejected', { retry: 'final' }), resolved };
    }
    return { kind: 'succeeded', output: { decision: resolved, by, comment, data }, resolved };
  }
  if (onExpire === 'fail') {
    return { ...failed('EXPIRED', 'the approval was not answered in time', { retry: 'final' }), resolved: 'expired' };
  }
  const outcome = { approve: 'approved', reject: 'rejected', continue: 'expired' }[onExpire];
  if (onExpire === 'reject' && onReject === 'fail') {
    return { ...failed('REJECTED', 'the approval was not answered in time', { retry: 'final' }), resolved: 'expired' };
  }
  return { kind: 'succeeded', output: { decision: outcome, by: null, comment: null, data }, resolved: 'expired' };
}
