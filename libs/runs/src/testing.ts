import type { Context } from '@lensforge/core';
import { newId } from '@lensforge/core';
import { aLens } from '@lensforge/lenses/testing';
import type { EntityManager } from 'typeorm';
import type { AcceptedRun, LensRunOrder } from './accept-lens-run.js';
import { acceptLensRun } from './accept-lens-run.js';
import { Model } from './model.entity.js';

export async function aRun(ctx: Context, wishes: Partial<LensRunOrder> = {}): Promise<AcceptedRun> {
  const lensId = wishes.lensId ?? (await aLens(ctx)).id;
  return acceptLensRun(ctx, { lensId, params: { Name: 'Ada' }, timeoutMs: 600_000, ...wishes });
}

/** An offline model that costs, for tests of money. */
export async function aPricedModel(ctx: Context, { perThousand = 1000, maxOutputTokens = 100 } = {}): Promise<Model> {
  const id = newId();
  const model = ctx.db.create(Model, {
    id,
    key: `priced-${id}`,
    providerKey: 'offline',
    displayName: 'Priced echo',
    creditsPer1kInput: perThousand,
    creditsPer1kOutput: perThousand,
    maxOutputTokens,
    isDefault: false,
    createdAt: ctx.now(),
  });
  await ctx.db.insert(Model, model);
  return model;
}

export interface SequenceFault {
  runId: string;
  lastSequence: number;
  stored: number[];
}

/** Runs whose stored events are not numbered from 1 to the run's last sequence number without a gap. */
export const sequenceFaults = (db: EntityManager): Promise<SequenceFault[]> =>
  db.query<SequenceFault[]>(
    `select r.id as "runId", r.last_sequence as "lastSequence",
            coalesce(array_agg(e.sequence order by e.sequence) filter (where e.sequence is not null), '{}') as stored
       from runs r left join run_events e on e.run_id = r.id
      group by r.id
     having r.last_sequence = 0 or count(e.sequence) <> r.last_sequence or max(e.sequence) <> r.last_sequence`,
  );
