import { readBattleSubject } from '@lensforge/battles';
import type { ThreadSubject } from '@lensforge/contracts';
import { type Context, isServiceRole, notFound } from '@lensforge/core';
import { roleIn } from '@lensforge/identity';
import { readableLens } from '@lensforge/lenses';
import { readableRun } from '@lensforge/runs';
import { readableWorkflow } from '@lensforge/workflows';

/** The thing that a thread is about, for callers who may see it. */
export interface Subject {
  type: ThreadSubject;
  id: string;
  /** The account that it belongs to; a community belongs to itself. */
  ownerId: string;
  /** True while authors of a battle are withheld. */
  isBlind: boolean;
  /** True for contenders of a battle and owners of AI contenders. */
  takesPart: boolean;
}

const plain = { isBlind: false, takesPart: false } as const;

/** Reads a subject that the caller may see, with the scopes that reading it takes; NOT_FOUND otherwise. */
export async function readSubject(ctx: Context, type: ThreadSubject, id: string): Promise<Subject> {
  switch (type) {
    case 'lens':
      return { type, id, ...plain, ownerId: (await readableLens(ctx, id)).accountId };
    case 'workflow':
      return { type, id, ...plain, ownerId: (await readableWorkflow(ctx, id)).accountId };
    case 'run':
      return { type, id, ...plain, ownerId: (await readableRun(ctx, id)).accountId };
    case 'battle': {
      const { creatorId: ownerId, ...battle } = await readBattleSubject(ctx, id);
      return { type, id, ownerId, ...battle };
    }
    case 'community':
      if (!isServiceRole(ctx) && (await roleIn(ctx, id)) === undefined) throw notFound('community', id);
      return { type, id, ...plain, ownerId: id };
  }
}
