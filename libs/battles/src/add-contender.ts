import { type Contender, type NewContenderRequest, maxSlots } from '@lensforge/contracts';
import { type Context, DomainError, newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { requireConsent } from '@lensforge/identity';
import { type ReadableBattle, enterableBattle, lockBattle } from './access.js';
import { requireStatus } from './battle-states.js';
import { contenderView } from './battle-view.js';
import { type Lenser, findLenser, fittingLenser, requireWriter } from './contender-rules.js';
import { StoredContender } from './contender.entity.js';
import { appendBattleEvents } from './events/append-battle-events.js';
import { refuseOwnFamily } from './judge-family.js';

export interface NewContender extends NewContenderRequest {
  battleId: string;
}

/** Adds a contender in draft and open. The creator can enter any active lenser, its owner in open only. */
export async function addContender(ctx: Context, input: NewContender): Promise<Contender> {
  const found = await enterableBattle(ctx, input.battleId);
  await enteredLenser(ctx, found, input);
  // The check of a workflow's inputs can take a while, so the battle is not locked yet.
  await requireWriter(ctx, found.battle, input);
  return inTransaction(ctx, async (ctx) => {
    await lockBattle(ctx, input.battleId);
    return insertContender(ctx, await enterableBattle(ctx, input.battleId), input);
  });
}

/** The lenser, if the caller may enter it now and it fits the battle. */
async function enteredLenser(ctx: Context, { battle, viewer }: ReadableBattle, input: NewContender): Promise<Lenser> {
  const lenser = await findLenser(ctx, input.contenderRefId);
  const isOwn = lenser?.id === viewer.accountId || lenser?.ownerId === viewer.accountId;
  if (!viewer.isCreator && (!isOwn || battle.status === 'draft')) {
    throw new DomainError(
      'FORBIDDEN',
      'Only the creator of the battle can enter this lenser; you can enter yourself and your AI lensers while it is open',
    );
  }
  requireStatus(battle, ['draft', 'open'], 'entered');
  const fitting = fittingLenser(battle, input.contenderType, lenser);
  if (fitting.isAi) await requireConsent(ctx, fitting.id);
  return fitting;
}

async function insertContender(ctx: Context, found: ReadableBattle, input: NewContender): Promise<Contender> {
  const { battle, contenders, viewer } = found;
  const lenser = await enteredLenser(ctx, found, input);
  const { contenderType, displayName, slot, lensId = null, workflowId = null } = input;
  const entry = { lenserAccountId: lenser.id, lensId, workflowId };
  if (contenders.some((each) => isSame(each, entry))) {
    throw new DomainError('CONFLICT', 'This lenser already takes part with the same lens or workflow');
  }
  const slotLabel = freeSlot(found, slot);
  await refuseOwnFamily(ctx, battle, { contenders: [{ ...entry, contenderType }], path: 'contenderRefId' });
  const contender = ctx.db.create(StoredContender, {
    ...entry,
    id: newId(),
    battleId: battle.id,
    slotLabel,
    displayName,
    contenderType,
    ownerAccountId: lenser.ownerId,
    enteredBy: viewer.accountId,
    answerRunId: null,
    answerError: null,
    judgeScore: null,
    voteCount: null,
    voteScore: null,
    rank: null,
    createdAt: ctx.now(),
  });
  await ctx.db.insert(StoredContender, contender);
  const payload = { contenders: contenders.length + 1 };
  await appendBattleEvents(ctx, battle.id, [{ type: 'contender.added', payload }]);
  return contenderView({ battle, viewer }, contender, false);
}

const isSame = (
  contender: StoredContender,
  entry: Pick<StoredContender, 'lenserAccountId' | 'lensId' | 'workflowId'>,
): boolean =>
  contender.lenserAccountId === entry.lenserAccountId &&
  contender.lensId === entry.lensId &&
  contender.workflowId === entry.workflowId;

const labels = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The requested slot, or the first free one. The battle is locked, so that no other call can take it. */
function freeSlot({ battle: { maxContenders }, contenders }: ReadableBattle, requested: string | undefined): string {
  const most = Math.min(maxContenders, maxSlots);
  if (contenders.length >= most) {
    throw new DomainError('SLOTS_FULL', `The battle has ${contenders.length} contenders, of ${most} at most`);
  }
  const taken = new Set(contenders.map(({ slotLabel }) => slotLabel));
  const label = requested ?? labels.find((each) => !taken.has(each));
  if (label !== undefined && !taken.has(label)) return label;
  throw new DomainError('SLOTS_FULL', `The slot ${label} is taken; leave it out for the first free one`);
}
