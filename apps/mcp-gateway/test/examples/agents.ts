import type { Context } from '@lensforge/core';
import { newId } from '@lensforge/core';
import { MAX_AI_LENSERS, listAiLensers } from '@lensforge/identity';
import { anAiLenser } from '@lensforge/identity/testing';
import type { Example, Fixtures } from './fixtures.js';

const aName = () => ({ handle: `ai-${newId()}`, display_name: 'Ada the Second' });
const patch = { bio: 'Writes short answers.' };

/** An active AI lenser of the caller; the same one while it is active, since an owner has few. */
async function ownOf(ctx: Context): Promise<{ ai_lenser_id: string }> {
  const { items } = await listAiLensers(ctx, { owner: ctx.actor.accountId, limit: 1 });
  return { ai_lenser_id: (items[0] ?? (await anAiLenser(ctx))).id };
}

const mine = ({ mine: { ctx } }: Fixtures) => ownOf(ctx);
const theirs = ({ theirs: { ctx } }: Fixtures) => ownOf(ctx);
const missing = ({ missing: ai_lenser_id }: Fixtures) => ({ ai_lenser_id });

export const agentExamples: Record<string, Example> = {
  list_ai_lensers: { good: ({ theirs: { accountId } }) => ({ owner_lenser_id: accountId }), errors: {} },
  get_ai_lenser: { good: mine, errors: { NOT_FOUND: missing } },
  create_ai_lenser: {
    good: aName,
    errors: {
      CONFLICT: async ({ theirs: { ctx } }) => ({ ...aName(), handle: (await anAiLenser(ctx)).handle }),
      FORBIDDEN: ({ theirs: { accountId } }) => ({ ...aName(), owner_lenser_id: accountId }),
      BAD_INPUT: () => ({ ...aName(), ai_model_key: 'no-such-model' }),
      THROTTLED: async ({ mine: { ctx } }) => {
        for (let count = 0; count < MAX_AI_LENSERS; count += 1) await anAiLenser(ctx);
        return aName();
      },
    },
  },
  update_ai_lenser: {
    good: async (fixtures) => ({ ...(await mine(fixtures)), patch }),
    errors: {
      NOT_FOUND: (fixtures) => ({ ...missing(fixtures), patch }),
      FORBIDDEN: async (fixtures) => ({ ...(await theirs(fixtures)), patch }),
      BAD_INPUT: async (fixtures) => ({ ...(await mine(fixtures)), patch: { ai_model_key: 'no-such-model' } }),
      CONFLICT: async ({ mine: { ctx } }) => ({ ai_lenser_id: (await anAiLenser(ctx, { archived: true })).id, patch }),
    },
  },
  archive_ai_lenser: {
    good: async (fixtures) => ({ ...(await mine(fixtures)), confirm: true }),
    errors: {
      NOT_FOUND: (fixtures) => ({ ...missing(fixtures), confirm: true }),
      FORBIDDEN: async (fixtures) => ({ ...(await theirs(fixtures)), confirm: true }),
    },
  },
};
