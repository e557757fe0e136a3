import { type ToolVerdict, contextWith, ownAgent, recordAgentEvent, toolVerdict } from '@lensforge/agents';
import { type Context, DomainError, platformActor } from '@lensforge/core';
import { type OwnAiLenser, consentFault, ownedAiLenser } from '@lensforge/identity';
import { readableThread } from '../access.js';

/** The tool that an answer uses. */
export const answerTool = 'run_lens';

export interface AnswerRights {
  agent: OwnAiLenser;
  /** The context that pays for the run and owns it, under the cap of the policy. */
  owner: Context;
}

export interface Mention {
  agentId: string;
  threadId: string;
  /** The author of the message. */
  authorId: string;
}

/** Decides whether an AI lenser answers a mention; a text is the reason why not. A refused tool is in the log of the AI lenser. */
export async function answerRights(
  ctx: Context,
  { agentId, threadId, authorId }: Mention,
): Promise<AnswerRights | string> {
  const agent = await found(() => ownAgent({ ...ctx, actor: platformActor }, agentId));
  if (agent?.status !== 'active') return 'The AI lenser is not active';
  const owner = asOwner(ctx, agent);
  const decided = await toolVerdict(ctx, { agentId, toolId: answerTool });
  const refusal = toRefusal(decided, agent, authorId === agent.owner.id);
  if (refusal) {
    const { verdict, reason, message } = refusal;
    await recordAgentEvent(ctx, { agentId, type: 'tool.decided', payload: { toolId: answerTool, verdict, reason } });
    return message;
  }
  const refused = await consentFault(ctx, { aiLenserId: agentId, accountId: authorId });
  if (refused !== undefined) return refused;
  // An AI lenser never has more than its owner.
  if (!(await found(() => readableThread(owner, threadId)))) return 'The owner cannot see the thread';
  if (await isMuted(ctx, threadId, agent)) return 'The AI lenser or its owner is muted';
  return { agent, owner };
}

type Refusal = Required<ToolVerdict> & { message: string };

/** `ask` is for others: the owner who mentions the AI lenser has agreed. */
function toRefusal(
  { verdict, reason = 'policy' }: ToolVerdict,
  { policy }: OwnAiLenser,
  byOwner: boolean,
): Refusal | undefined {
  if (verdict === 'deny') return { verdict, reason, message: refusals[reason] ?? reason };
  if (byOwner) return undefined;
  if (verdict === 'ask') return { verdict, reason, message: refusals[reason] ?? reason };
  // Any caller can mention an AI lenser, and its owner pays.
  if (policy.creditsPerDay !== null || policy.runsPerDay !== null) return undefined;
  const message = 'The policy has no cap for a day, so that only the owner gets answers';
  return { verdict: 'deny', reason: 'policy', message };
}

const refusals: Readonly<Partial<Record<Refusal['reason'], string>>> = {
  archived: 'The AI lenser is not active',
  not_granted: `The tool ${answerTool} is not granted to the AI lenser`,
  grant_refused: `The tool ${answerTool} is refused to the AI lenser`,
  policy: `The policy does not allow ${answerTool}`,
  approval_required: `The policy asks the owner before ${answerTool}: the owner can mention the AI lenser`,
};

const asOwner = (ctx: Context, agent: OwnAiLenser): Context =>
  contextWith(ctx, agent, ['community:write', 'threads:read', 'lenses:read', 'workflows:read']);

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

async function found<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (reason) {
    if (reason instanceof DomainError && reason.code === 'NOT_FOUND') return undefined;
    throw reason;
  }
}
