import type { BattleType, ContenderType, NewContenderRequest } from '@lensforge/contracts';
import { type Context, DomainError, badInput } from '@lensforge/core';
import { missingParams, runnableLens, paramKey } from '@lensforge/lenses';
import { runnableWorkflow, validateInputs } from '@lensforge/workflows';
import type { StoredBattle } from './battle.entity.js';

const permitted: Readonly<Record<BattleType, readonly ContenderType[]>> = {
  ai_vs_ai: ['ai_model', 'ai_agent'],
  human_vs_human_ai_votes: ['human'],
  human_vs_human_open_votes: ['human'],
  human_vs_ai: ['human', 'ai_model', 'ai_agent'],
  workflow_battle: ['human', 'ai_model', 'ai_agent'],
  lenser_battle: ['human', 'ai_model', 'ai_agent'],
};

/** A person, or an AI lenser with its owner. */
export interface Lenser {
  id: string;
  /** The id of the person itself. */
  ownerId: string;
  isAi: boolean;
  isActive: boolean;
}

/** The person or AI lenser with this id; undefined if there is none. */
export async function findLenser({ db }: Context, lenserId: string): Promise<Lenser | undefined> {
  const [found] = await db.query<Lenser[]>(
    `select a.id, coalesce(a.owner_account_id, a.id) as "ownerId", l.account_id is not null as "isAi",
            a.disabled_at is null and o.disabled_at is null and l.archived_at is null as "isActive"
       from accounts a left join ai_lensers l on l.account_id = a.id left join accounts o on o.id = a.owner_account_id
      where a.id = $1 and (a.kind = 'person' or l.account_id is not null)`,
    [lenserId],
  );
  return found;
}

/** Returns the lenser; refuses one that is not active, of another kind, or that does not fit the type of the battle. */
export function fittingLenser(
  { battleType }: StoredBattle,
  contenderType: ContenderType,
  lenser: Lenser | undefined,
): Lenser {
  if (!permitted[battleType].includes(contenderType)) {
    throw badInput('contenderType', `must be ${permitted[battleType].join(' or ')} in a battle of type ${battleType}`);
  }
  const isAi = contenderType !== 'human';
  if (lenser?.isActive && lenser.isAi === isAi) return lenser;
  throw badInput('contenderRefId', `must be the id of ${isAi ? 'an active AI lenser' : "a person's profile"}`);
}

type Writers = Pick<NewContenderRequest, 'contenderType' | 'lensId' | 'workflowId'>;

/**
 * Refuses a lens or workflow that cannot write the answer of the contender. The caller and the creator, who runs it, must
 * both be able to see it, and the task must be all that it needs.
 */
export async function requireWriter(ctx: Context, battle: StoredBattle, writers: Writers): Promise<void> {
  const creator: Context = { ...ctx, actor: { ...ctx.actor, accountId: battle.creatorAccountId } };
  if (writers.lensId !== undefined) {
    requirePlace('lensId', battle.battleType === 'lenser_battle', writers);
    await requireLens(ctx, creator, writers.lensId);
  }
  if (writers.workflowId !== undefined) {
    requirePlace('workflowId', battle.battleType === 'workflow_battle', writers);
    await requireWorkflow(ctx, creator, { workflowId: writers.workflowId, taskPrompt: battle.taskPrompt });
  }
}

function requirePlace(path: 'lensId' | 'workflowId', isOfType: boolean, { contenderType }: Writers): void {
  const type = path === 'lensId' ? 'lenser_battle' : 'workflow_battle';
  if (!isOfType) throw badInput(path, `must be left out, except in a ${type}`);
  if (contenderType === 'human') throw badInput(path, 'must be left out: a person writes the answer');
}

const taskParam = 'task_prompt';

async function requireLens(ctx: Context, creator: Context, lensId: string): Promise<void> {
  const { version } = await orBadInput('lensId', ctx, (by) => runnableLens(by, lensId));
  await orBadInput('lensId', creator, (by) => runnableLens(by, lensId));
  if (!version.template.params.some(({ label }) => paramKey(label) === taskParam)) {
    throw badInput('lensId', `must be the id of a lens with the parameter ${taskParam}`);
  }
  if (version.settings?.tools)
    throw badInput('lensId', 'must be the id of a lens without tools, which a battle cannot perform');
  const missing = missingParams(version.params, [taskParam]);
  if (missing.length === 0) return;
  throw badInput('lensId', `must be the id of a lens that requires ${taskParam} alone, not ${missing.join(', ')}`);
}

async function requireWorkflow(
  ctx: Context,
  creator: Context,
  { workflowId, taskPrompt }: { workflowId: string; taskPrompt: string },
): Promise<void> {
  const { graph } = await orBadInput('workflowId', ctx, (by) => runnableWorkflow(by, workflowId));
  await orBadInput('workflowId', creator, (by) => runnableWorkflow(by, workflowId));
  try {
    await validateInputs(ctx, graph, { [taskParam]: taskPrompt });
  } catch (reason) {
    if (!(reason instanceof DomainError) || reason.code !== 'UNPROCESSABLE_PARAMS') throw reason;
    throw badInput('workflowId', `must be the id of a workflow with the input ${taskParam} alone: ${reason.message}`);
  }
}

/** Reads something of the request's body, so that its absence is a fault of the input. */
async function orBadInput<T>(
  path: 'lensId' | 'workflowId',
  ctx: Context,
  read: (ctx: Context) => Promise<T>,
): Promise<T> {
  try {
    return await read(ctx);
  } catch (reason) {
    if (!(reason instanceof DomainError) || reason.code !== 'NOT_FOUND') throw reason;
    const kind = path === 'lensId' ? 'lens' : 'workflow';
    throw badInput(path, `must be the id of a ${kind} that you and the creator of the battle can see`);
  }
}
