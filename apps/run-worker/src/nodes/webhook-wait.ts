import { newId } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import { readWait } from '@lensforge/runs';
import type { WebhookWaitSettings } from '@lensforge/workflows';
import { type ExecuteNode, failed } from './node-type.js';

/** Waits for a call of its callback URL, which the owner of the run requests. */
export const webhookWait: ExecuteNode<WebhookWaitSettings> = async ({ settings, state, node, owner }) => {
  const id = typeof state?.['waitId'] === 'string' ? state['waitId'] : undefined;
  if (id === undefined) {
    const expiresMs = settings.expiresInSeconds * 1000;
    const ask = { id: newId(), kind: 'webhook' as const, message: null, details: null, expiresMs };
    return { kind: 'waiting', dueMs: expiresMs, state: { waitId: ask.id }, ask };
  }
  const wait = await withDbRetry(() => readWait(owner, node.runId, id));
  if (!wait) return failed('NOT_FOUND', 'the callback URL no longer exists', { retry: 'final' });
  if (wait.decision === null) return { kind: 'waiting', dueMs: Math.max(wait.msLeft, 1), state: { waitId: id } };
  if (wait.decision === 'expired' && settings.onExpire === 'fail') {
    return failed('EXPIRED', 'the callback URL was not called in time', { retry: 'final' });
  }
  return { kind: 'succeeded', output: { body: wait.decision === 'expired' ? null : wait.value } };
};
