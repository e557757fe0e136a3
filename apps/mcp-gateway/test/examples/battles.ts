import { aBattle, aContender } from '@lensforge/battles/testing';
import type { Example, Fixtures } from './fixtures.js';

type Traits = Parameters<typeof aBattle>[1];

const ofMine = async ({ mine }: Fixtures, traits: Traits = {}) =>
  (await aBattle(mine.ctx, { battleType: 'human_vs_ai', ...traits })).id;
const ofTheirs = async ({ theirs }: Fixtures, traits: Traits = {}) =>
  (await aBattle(theirs.ctx, { battleType: 'human_vs_ai', ...traits })).id;

/** Arguments that enter the caller, or another person. */
const entry = (battle_id: string, { mine }: Fixtures, contender_ref_id = mine.accountId) => ({
  battle_id,
  display_name: 'Somebody',
  contender_type: 'human',
  contender_ref_id,
});

/** A battle of the caller with an own entry, or with one of the other person. */
async function withEntry(fixtures: Fixtures, traits: Traits = {}, by = fixtures.mine) {
  const battle_id = await ofMine(fixtures, traits);
  const { id } = await aContender(fixtures.mine.ctx, { id: battle_id }, { lenserAccountId: by.accountId });
  return { battle_id, contender_id: id, content_text: 'Waves.' };
}

/** A battle of the caller, who has no credits for its judge. */
async function unpaidJudging(fixtures: Fixtures): Promise<string> {
  const traits: Traits = { status: 'voting', judgingMode: 'ai_judge', aiJudgeModelKey: 'claude-haiku-5-5' };
  const id = await ofMine(fixtures, traits);
  for (const text of ['Waves.', 'Foam.']) await aContender(fixtures.mine.ctx, { id }, { text });
  return id;
}

export const battleExamples: Record<string, Example> = {
  list_battles: { good: () => ({}), errors: {} },
  get_battle: {
    good: async (fixtures) => ({ battle_id: await ofMine(fixtures, { status: 'published' }) }),
    errors: { NOT_FOUND: ({ missing }) => ({ battle_id: missing }) },
    names: 'battle_id',
    hidden: (fixtures) => ofTheirs(fixtures),
  },
  get_battle_score: {
    good: async (fixtures) => ({ battle_id: await ofMine(fixtures, { status: 'published' }) }),
    errors: { NOT_FOUND: ({ missing }) => ({ battle_id: missing }) },
    names: 'battle_id',
    hidden: (fixtures) => ofTheirs(fixtures, { status: 'scoring' }),
  },
  get_battle_history: { good: ({ mine }) => ({ lenser_id: mine.accountId }), errors: {} },
  create_battle: {
    good: () => ({ title: 'Haiku', task_prompt: 'Write a haiku about the sea.' }),
    errors: {
      BAD_INPUT: () => ({ title: 'Haiku', task_prompt: 'Write a haiku.', ai_judge_model_key: 'no-such-model' }),
    },
  },
  add_battle_contender: {
    good: async (fixtures) => entry(await ofMine(fixtures), fixtures),
    errors: {
      NOT_FOUND: (fixtures) => entry(fixtures.missing, fixtures),
      FORBIDDEN: async (fixtures) =>
        entry(await ofTheirs(fixtures, { status: 'open' }), fixtures, fixtures.theirs.accountId),
      SLOTS_FULL: async (fixtures) => {
        const id = await ofMine(fixtures, { maxContenders: 2 });
        for (let count = 0; count < 2; count += 1) await aContender(fixtures.mine.ctx, { id });
        return entry(id, fixtures);
      },
      CONFLICT: async (fixtures) => {
        const id = await ofMine(fixtures);
        await aContender(fixtures.mine.ctx, { id }, { lenserAccountId: fixtures.mine.accountId });
        return entry(id, fixtures);
      },
      INVALID_TRANSITION: async (fixtures) => entry(await ofMine(fixtures, { status: 'closed' }), fixtures),
      BAD_INPUT: async (fixtures) => entry(await ofMine(fixtures, { battleType: 'ai_vs_ai' }), fixtures),
    },
    names: 'battle_id',
    hidden: (fixtures) => ofTheirs(fixtures),
  },
  submit_battle_run: {
    good: (fixtures) => withEntry(fixtures, { status: 'open' }),
    errors: {
      NOT_FOUND: ({ missing }) => ({ battle_id: missing, contender_id: missing, content_text: 'Waves.' }),
      FORBIDDEN: (fixtures) => withEntry(fixtures, { status: 'open' }, fixtures.theirs),
      INVALID_TRANSITION: (fixtures) => withEntry(fixtures, { status: 'closed' }),
    },
    names: 'battle_id',
    hidden: (fixtures) => ofTheirs(fixtures, { status: 'open' }),
  },
  set_battle_status: {
    good: async (fixtures) => ({ battle_id: await ofMine(fixtures), status: 'open' }),
    errors: {
      CONFIRMATION_REQUIRED: async (fixtures) => ({ battle_id: await ofMine(fixtures), status: 'archived' }),
      NOT_FOUND: ({ missing }) => ({ battle_id: missing, status: 'open' }),
      FORBIDDEN: async (fixtures) => ({
        battle_id: await ofTheirs(fixtures, { status: 'voting' }),
        status: 'scoring',
      }),
      INVALID_TRANSITION: async (fixtures) => ({ battle_id: await ofMine(fixtures), status: 'closed' }),
      THROTTLED: async (fixtures) => ({ battle_id: await unpaidJudging(fixtures), status: 'scoring' }),
    },
    names: 'battle_id',
    hidden: (fixtures) => ofTheirs(fixtures, { status: 'open' }),
  },
};
