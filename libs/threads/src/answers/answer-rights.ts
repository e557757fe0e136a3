import type { Context } from '@lensforge/core';
import { DomainError, platformActor } from '@lensforge/core';
import type { OwnAiLenser } from '@lensforge/identity';
import { ownedAiLenser } from '@lensforge/identity';
import { readableThread } from '../access.js';

export interface AnswerRights {
  agent: OwnAiLenser;
  /** The context that pays for the run and owns it. */
  owner: Context;
  /** The credits that the run may cost; undefined without a cap. */
  maxCredits: number | undefined;
}

export interface Mention {
  agentId: string;
  threadId: string;
  /** The author of the message. */
  authorId: string;
}

/**
 * Decides whether an AI lenser answers a mention; a text is the reason why not. The AI lenser stays locked until the
 * transaction ends, so that its caps hold for concurrent mentions.
 */
export async function answerRights(
  ctx: Context,
  { agentId, threadId, authorId }: Mention,
): Promise<AnswerRights | string> {
  const agent = await found(() => ownedAiLenser({ ...ctx, actor: platformActor }, agentId));
  if (agent?.status !== 'active') return 'The AI lenser is not active';
  const owner = asOwner(ctx, agent);
  const byOwner = authorId === agent.owner.id;
  const refusal = refusalByPolicy(agent, byOwner);
  if (refusal !== undefined) return refusal;
  // An AI lenser never has more than its owner.
  if (!(await found(() => readableThread(owner, threadId)))) return 'The owner cannot see the thread';
  if (await isMuted(ctx, threadId, agent)) return 'The AI lenser or its owner is muted';
  const { creditsPerDay, runsPerDay } = agent.policy;
  const { runs, credits } = await usedToday(ctx, agentId);
  if (runsPerDay !== null && runs >= runsPerDay) return `The policy allows ${runsPerDay} runs a day`;
  if (creditsPerDay === null) return { agent, owner, maxCredits: undefined };
  if (credits > creditsPerDay) return `The policy allows ${creditsPerDay} credits a day`;
  return { agent, owner, maxCredits: creditsPerDay - credits };
}

/** The verdict on the tool run_lens. `ask` is for others: the owner who mentions the AI lenser has agreed. */
function refusalByPolicy({ policy }: OwnAiLenser, byOwner: boolean): string | undefined {
  const verdict = policy.actions.run_lens ?? 'deny';
  if (verdict === 'deny') return 'The policy does not allow run_lens';
  if (byOwner) return undefined;
  if (verdict === 'ask') return 'The policy asks the owner before run_lens: the owner can mention the AI lenser';
  // Anybody can mention an AI lenser, and its owner pays.
  if (policy.creditsPerDay !== null || policy.runsPerDay !== null) return undefined;
  return 'The policy has no cap for a day, so that only the owner gets answers';
}

const asOwner = (ctx: Context, { id, owner }: OwnAiLenser): Context => ({
  ...ctx,
  actor: {
    credential: { kind: 'service', id },
    accountId: owner.id,
    userId: null,
    scopes: ['community:write', 'threads:read', 'lenses:read', 'workflows:read'],
  },
});

/** The thread as the owner of an AI lenser sees it; false when it is hidden from the owner, or the AI lenser is muted. */
export async function mayStillAnswer(ctx: Context, { agentId, threadId }: Omit<Mention, 'authorId'>): Promise<boolean> {
  const agent = await found(() => ownedAiLenser({ ...ctx, actor: platformActor }, agentId));
  if (agent?.status !== 'active' || (await isMuted(ctx, threadId, agent))) return false;
  const thread = await found(() => readableThread(asOwner(ctx, agent), threadId));
  return thread !== undefined && !thread.subject?.isBlind;
}

async function isMuted({ db }: Context, threadId: string, { id, owner }: OwnAiLenser): Promise<boolean> {
  const mutes = await db.query<unknown[]>('select from thread_mutes where thread_id = $1 and account_id = any ($2)', [
    threadId,
    [id, owner.id],
  ]);
  return mutes.length > 0;
}

/** The runs and credits of the AI lenser's answers on this UTC day; open runs count with their hold. */
async function usedToday({ db, now }: Context, agentId: string): Promise<{ runs: number; credits: number }> {
  const day = new Date(now());
  day.setUTCHours(0, 0, 0, 0);
  const [used] = await db.query<[{ runs: number; credits: number }]>(
    `with today as materialized (
       select run_id from thread_answers where agent_account_id = $1 and run_id is not null and started_at >= $2
     )
     select (select count(*)::int from today) as runs,
            (select coalesce(sum(coalesce(credit_cost, credit_hold)), 0)::float8
               from runs where id = any (array(select run_id from today))) as credits`,
    [agentId, day],
  );
  return used;
}

async function found<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (reason) {
    if (reason instanceof DomainError && reason.code === 'NOT_FOUND') return undefined;
    throw reason;
  }
}
