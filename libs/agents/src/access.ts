import type { Context } from '@lensforge/core';
import { DomainError, notFound } from '@lensforge/core';
import type { OwnAiLenser } from '@lensforge/identity';
import { readableAiLenser } from '@lensforge/identity';

/** An AI lenser of the caller, or any one for the service role. Others find neither its grants nor its actions. */
export async function ownAgent(ctx: Context, agentId: string): Promise<OwnAiLenser> {
  const { instructions, policy, ...profile } = await readableAiLenser(ctx, agentId);
  if (instructions === undefined || policy === undefined) throw notFound('AI lenser', agentId);
  return { ...profile, instructions, policy };
}

export function requireActive({ handle, status }: Pick<OwnAiLenser, 'handle' | 'status'>): void {
  if (status === 'active') return;
  throw new DomainError('CONFLICT', `The AI lenser ${handle} is archived`, { status });
}
