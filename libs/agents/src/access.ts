import { type Context, DomainError, isUuid, notFound } from '@lensforge/core';
import { type OwnAiLenser, readableAiLenser } from '@lensforge/identity';

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

/** The id of an AI lenser of an owner, by its handle or id. */
export async function findOwnAgent({ db }: Context, ownerId: string, name: string): Promise<string | undefined> {
  const [found] = await db.query<{ id: string }[]>(
    `select a.id from accounts a join ai_lensers l on l.account_id = a.id
      where a.owner_account_id = $1 and (a.handle = $2 or a.id = $3::uuid)`,
    [ownerId, name.toLowerCase(), isUuid(name) ? name : null],
  );
  return found?.id;
}
