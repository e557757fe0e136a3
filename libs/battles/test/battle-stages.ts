import type { BattleEvent } from '@lensforge/contracts';
import { type Context, newId, platformActor } from '@lensforge/core';
import { claimRuns, finishRuns } from '@lensforge/runs';
import { ballotOrder } from '../src/ballot.js';
import { StoredBattle } from '../src/battle.entity.js';
import { StoredContender } from '../src/contender.entity.js';
import { readBattleEvents } from '../src/events/read-battle-events.js';

export const battleOf = (ctx: Context, id: string): Promise<StoredBattle> =>
  ctx.db.findOneByOrFail(StoredBattle, { id });

export const contendersOf = (ctx: Context, battleId: string): Promise<StoredContender[]> =>
  ctx.db.find(StoredContender, { where: { battleId }, order: { slotLabel: 'asc' } });

/** The events of a battle, as `type payload`. */
export async function eventsOf(ctx: Context, battleId: string): Promise<string[]> {
  const events = await readBattleEvents(ctx, battleId, 0, 1000);
  return events.map(({ eventType, payload }) => `${eventType} ${inWords(payload)}`);
}

const members = ['received', 'of', 'judged', 'total', 'contenders', 'votes', 'status'];

const inWords = (payload: BattleEvent['payload']): string =>
  members.flatMap((name) => (name in payload ? [String(payload[name])] : [])).join(' of ');

/** The ids by which a voter knows contenders with a submission, by their own ids. */
export function blindIds(battle: StoredBattle, voter: Context, contenders: readonly { id: string }[]): string[] {
  const ballot = ballotOrder(battle, voter.actor.accountId, contenders);
  const blind = new Map([...ballot].map(([id, contender]) => [contender.id, id]));
  return contenders.map(({ id }) => blind.get(id) ?? '');
}

/** Claims a queued run and ends it with an output, or without one as failed. */
export async function endRun(ctx: Context, runId: string, output: { text: string } | { json: unknown } | 'failed') {
  const platform = { ...ctx, actor: platformActor };
  const [run] = await claimRuns(platform, [{ runId, generation: 0, worker: 'w', leaseMs: 60_000 }]);
  if (!run) throw new Error(`run ${runId} could not be claimed`);
  const failed = output === 'failed';
  const contentText = failed || !('text' in output) ? null : output.text;
  const contentJson = failed || !('json' in output) ? null : output.json;
  await finishRuns(platform, [
    {
      runId,
      workflowId: run.workflowId,
      attempt: run.attempt,
      events: [],
      artifacts: failed
        ? []
        : [
            {
              id: newId(),
              kind: contentText === null ? 'json' : 'text',
              contentText,
              contentJson,
              isPrimaryOutput: true,
            },
          ],
      tokenInput: 1,
      tokenOutput: 1,
      hold: 0,
      cost: 0,
      failure: failed ? { errorCode: 'PROVIDER_FAILED', errorMessage: 'The provider is away' } : null,
    },
  ]);
}
