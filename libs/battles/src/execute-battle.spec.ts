import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { actingAs, anAiLenser } from '@lensforge/identity/testing';
import { archiveAiLenser, updateAiLenser } from '@lensforge/identity';
import { archiveLens } from '@lensforge/lenses';
import { aLens } from '@lensforge/lenses/testing';
import { importModels } from '@lensforge/models';
import { aPricedModel } from '@lensforge/models/testing';
import { carryOutRunOperation, readRunOperation, retryRun, startRunOperation } from '@lensforge/runs';
import { aWorkflow } from '@lensforge/workflows/testing';
import { type BattleFixture, battleFixture, codeOf, refusal } from '../test/battle-fixture.js';
import { battleOf, contendersOf, endRun, eventsOf } from '../test/battle-stages.js';
import { advanceBattle } from './advance-battle.js';
import { readSystemPrompt } from './answer-prompt.js';
import type { StoredBattle } from './battle.entity.js';
import type { StoredContender } from './contender.entity.js';
import { budgetFault } from './budget-fault.js';
import { executeBattle } from './execute-battle.js';
import { setBattleStatus } from './set-battle-status.js';
import { submitEntry } from './submit-entry.js';
import { type ContenderTraits, aBattle, aContender } from './testing.js';

let fixture: BattleFixture;
let ada: Context;
let owner: Context;
beforeAll(async () => {
  fixture = await battleFixture();
  [ada, owner] = [await fixture.aPerson(), await fixture.aPerson()];
});
afterAll(() => fixture.close());

const timeoutMs = 60_000;
const execute = (battleId: string, more: object = {}) => executeBattle(ada, { battleId, timeoutMs, ...more });

/** An open battle of AI contenders with these traits. */
async function anOpenBattle(
  contenders: readonly (ContenderTraits & { lenser?: Parameters<typeof anAiLenser>[1] })[] = [{}, {}],
  traits: Partial<StoredBattle> = {},
): Promise<{ id: string; contenders: StoredContender[] }> {
  const { id } = await aBattle(ada, { status: 'open', ...traits });
  const made = [];
  for (const { lenser, ...more } of contenders) {
    const lenserAccountId = (await anAiLenser(owner, lenser)).id;
    const ai = { contenderType: 'ai_agent', lenserAccountId, ownerAccountId: owner.actor.accountId } as const;
    made.push(await aContender(ada, { id }, { ...ai, ...more }));
  }
  return { id, contenders: made };
}

/** A BYOK key with an endpoint that has the model `model-<key>`. */
async function aByokKeyOf(ctx: Context): Promise<string> {
  const id = newId();
  await ctx.db.query(
    `insert into byok_key_pairs (version, public_key, private_key) values (1, decode(repeat('00', 32), 'hex'), '')
     on conflict do nothing`,
  );
  await ctx.db.query(
    `insert into byok_keys (id, account_id, provider, label, last4, base_url, key_pair, data_key, secret)
     values ($1, $2, 'openai-compatible', 'mine', 'abcd', 'https://models.example', 1, '', '')`,
    [id, ctx.actor.accountId],
  );
  await ctx.db.query(
    `insert into models (id, provider_key, key, display_name, enabled, byok_key_id)
     values ($1, 'openai-compatible', $2, 'x', false, $3)`,
    [newId(), `model-${id}`, id],
  );
  return id;
}

interface StoredRun {
  id: string;
  kind: string;
  own: boolean;
  params: Record<string, string>;
  cause: object;
  model: string | null;
  budget: number | null;
}

const runsOf = (battleId: string): Promise<StoredRun[]> =>
  ada.db.query(
    `select r.id, r.kind, r.account_id = $2 as own, r.params, r.cause, m.key as model, r.budget_credits::float8 as budget
       from runs r left join models m on m.id = r.model_id where r.cause ->> 'battleId' = $1 order by r.id`,
    [battleId, ada.actor.accountId],
  );
const statusOf = async (runId: string): Promise<string | undefined> =>
  (await ada.db.query<{ status: string }[]>('select status from runs where id = $1', [runId]))[0]?.status;
const textsOf = async (battleId: string): Promise<string[]> =>
  (
    await ada.db.query<{ text: string }[]>(
      `select c.slot_label || ': ' || s.content_text as text from battle_submissions s
         join battle_contenders c on c.id = s.contender_id where s.battle_id = $1 order by 1`,
      [battleId],
    )
  ).map(({ text }) => text);
const advance = (battleId: string) => advanceBattle(fixture.platform, battleId);

describe('executeBattle', () => {
  it('starts a run of the creator for each AI contender without an answer, and moves the battle', async () => {
    const { id } = await anOpenBattle([{}, { text: 'Here already.' }, {}], { battleType: 'human_vs_ai' });
    await aContender(ada, { id });
    const [a, , c] = await contendersOf(ada, id);
    const { runs, ...reply } = await execute(id);
    expect(reply).toEqual({ battleId: id, status: 'executing', warnings: [] });
    expect(runs.map(({ contenderId }) => contenderId)).toEqual([a?.id, c?.id]);
    expect(await runsOf(id)).toMatchObject(
      [a, c].map((contender) => ({
        kind: 'prompt',
        own: true,
        cause: { kind: 'battle', battleId: id, contenderId: contender?.id },
      })),
    );
    expect((await contendersOf(ada, id)).map(({ answerRunId }) => answerRunId)).toEqual([
      runs[0]?.runId,
      null,
      runs[1]?.runId,
      null,
    ]);
    expect(await eventsOf(ada, id)).toEqual(['status.changed executing']);
  });

  it('sends the task to the model of each AI lenser, and names the agents whose instructions the worker adds', async () => {
    const priced = await aPricedModel(ada, { perThousand: 0 });
    const instructions = 'Rhyme, always.';
    const { id, contenders } = await anOpenBattle([
      { contenderType: 'ai_model', lenser: { instructions, aiModelKey: priced.key } },
      { lenser: { instructions } },
      {},
    ]);
    await execute(id);
    const [model, agent, plain] = await runsOf(id);
    const task = 'Write a haiku about the sea.';
    expect(model).toMatchObject({ params: { prompt: task }, model: priced.key });
    expect(agent?.params).toEqual({ prompt: task, instructedBy: contenders[1]?.lenserAccountId });
    expect(plain).toMatchObject({ params: { prompt: task }, model: 'echo' });
    expect(await readSystemPrompt(ada, contenders[1]?.lenserAccountId ?? '', { kind: 'battle' })).toMatch(
      /^Rhyme, always\./,
    );
    expect(await readSystemPrompt(ada, contenders[2]?.lenserAccountId ?? '', { kind: 'battle' })).toBeUndefined();
  });

  it.each(['ai_agent', 'ai_model'] as const)(
    'retries the failed answer of an %s while its owner lets the creator use it, with the error of the start',
    async (contenderType) => {
      const { id, contenders } = await anOpenBattle([{ contenderType, lenser: { usableBy: 'anyone' } }]);
      const aiLenserId = contenders[0]?.lenserAccountId ?? '';
      const { runs } = await execute(id);
      const runId = runs[0]?.runId ?? '';
      await endRun(ada, runId, 'failed');
      const retried = await retryRun(ada, { runId, idempotencyKey: 'once' });
      expect((await runsOf(id)).map(({ params }) => params)).toEqual(Array(2).fill((await runsOf(id))[0]?.params));
      await updateAiLenser(owner, { aiLenserId, usableBy: 'nobody' });
      expect(await refusal(retryRun(ada, { runId }))).toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining('lets no other account use it'),
      });
      expect(await retryRun(ada, { runId, idempotencyKey: 'once' })).toMatchObject({ ...retried, isNew: false });
      await updateAiLenser(owner, { aiLenserId, usableBy: 'communities' });
      expect((await refusal(retryRun(ada, { runId }))).message).toContain('only members of their communities');
      await ada.db.query('update battle_contenders set entered_by = owner_account_id where battle_id = $1', [id]);
      expect(await retryRun(ada, { runId })).toMatchObject({ isNew: true });
      await archiveAiLenser(owner, aiLenserId);
      expect((await refusal(retryRun(ada, { runId }))).message).toContain('is archived');
    },
  );

  it('refuses the answers in a bulk retry whose owners have withdrawn their consent, and retries the others', async () => {
    const { id, contenders } = await anOpenBattle();
    const { runs } = await execute(id);
    for (const { runId } of runs) await endRun(ada, runId, 'failed');
    await updateAiLenser(owner, { aiLenserId: contenders[0]?.lenserAccountId ?? '', usableBy: 'nobody' });
    const { id: operationId } = await startRunOperation(ada, { action: 'retry', filter: { kind: 'prompt' } });
    await carryOutRunOperation(
      fixture.platform,
      { operationId, generation: 0 },
      {
        onFault: (reason) => {
          throw reason;
        },
        signal: new AbortController().signal,
        leaseMs: 60_000,
        page: 10,
        pauseMs: 1,
        countRun: () => Promise.resolve(undefined),
      },
    );
    const retries = (await runsOf(id)).slice(2);
    expect(retries.map(({ cause }) => cause)).toMatchObject([{ contenderId: contenders[1]?.id }]);
    expect(await readRunOperation(ada, operationId)).toMatchObject({ error: { code: 'CONFLICT' } });
  });

  it('sends an agent of another owner to no endpoint of the creator', async () => {
    const byok = await aByokKeyOf(ada);
    const own = await anAiLenser(ada, { instructions: 'Mine.', aiModelKey: `model-${byok}` });
    const ofAda = { lenserAccountId: own.id, ownerAccountId: ada.actor.accountId };
    const { id, contenders } = await anOpenBattle([{ lenser: { instructions: 'Secret.' } }, ofAda]);
    const { runs } = await execute(id, { fundingSource: 'user_byok_cloud', byokKeyRefId: byok });
    const [foreign, mine] = await contendersOf(ada, id);
    expect(mine?.answerError).toBeNull();
    expect(runs.map(({ contenderId }) => contenderId)).toEqual([contenders[1]?.id]);
    expect(foreign?.answerError).toContain('no BYOK key of yours is used with it');
    const [started] = await runsOf(id);
    expect(started?.params).toEqual({ prompt: 'Write a haiku about the sea.', instructedBy: own.id });
  });

  it('runs an AI lenser only while its owner lets the creator use it, or entered it', async () => {
    const { id, contenders } = await anOpenBattle([
      { lenser: { usableBy: 'nobody' } },
      { lenser: { usableBy: 'communities' } },
      { lenser: { usableBy: 'nobody' } },
      { lenser: { usableBy: 'anyone' } },
    ]);
    await ada.db.query('update battle_contenders set entered_by = owner_account_id where id = $1', [contenders[2]?.id]);
    const { runs } = await execute(id);
    expect(runs.map(({ contenderId }) => contenderId)).toEqual([contenders[2]?.id, contenders[3]?.id]);
    const errors = (await contendersOf(ada, id)).map(({ answerError }) => answerError);
    expect(errors).toEqual([
      expect.stringContaining('lets no other account use it'),
      expect.stringContaining('only members of their communities'),
      null,
      null,
    ]);
  });

  it('runs the lens or workflow of a contender with the task', async () => {
    const templateBody = 'Write something for this task, and be brief, if you please: [[Task_Prompt]]';
    const lens = await aLens(ada, { templateBody });
    const priced = await aPricedModel(ada, { perThousand: 0 });
    const lenses = await anOpenBattle(
      [{ lensId: lens.id, lenser: { aiModelKey: priced.key } }, { lensId: (await aLens(ada, { templateBody })).id }],
      { battleType: 'lenser_battle' },
    );
    await execute(lenses.id);
    const task_prompt = 'Write a haiku about the sea.';
    expect(await runsOf(lenses.id)).toMatchObject([
      { kind: 'lens', params: { task_prompt }, model: 'echo' },
      { kind: 'lens', params: { task_prompt }, model: 'echo' },
    ]);
    const workflow = await aWorkflow(ada);
    const workflows = await anOpenBattle([{ workflowId: workflow.id }], { battleType: 'workflow_battle' });
    await execute(workflows.id);
    expect(await runsOf(workflows.id)).toMatchObject([{ kind: 'workflow', params: { task_prompt } }]);
  });

  it('asks one model for all lenses, also those that set another, and takes a refused task as a fault of one', async () => {
    const templateBody = 'Write something for this task, and be brief, if you please: [[task_prompt]]';
    const other = await aPricedModel(ada, { perThousand: 0 });
    const setting = await aLens(ada, {
      templateBody,
      settings: { models: [`offline/${other.key}`], sampling: { seed: 7 } },
    });
    const strict = await aLens(ada, {
      templateBody,
      settings: { params: [{ label: 'task_prompt', type: 'text', max: 5 }] },
    });
    const { id } = await anOpenBattle([{ lensId: setting.id }, { lensId: strict.id }], { battleType: 'lenser_battle' });
    await execute(id);
    expect(await runsOf(id)).toMatchObject([{ kind: 'lens', model: 'echo' }]);
    const errors = (await contendersOf(ada, id)).map(({ answerError }) => answerError);
    expect(errors).toEqual([null, expect.stringContaining('params.task_prompt must have at most 5')]);
  });

  it('records as answer errors what prevents the run of one contender', async () => {
    const lens = await aLens(ada);
    await archiveLens(ada, lens.id);
    const { id, contenders } = await anOpenBattle([
      {},
      {},
      { lenser: { aiModelKey: 'no-such-model' } },
      { lensId: lens.id },
    ]);
    await archiveAiLenser(owner, contenders[1]?.lenserAccountId ?? '');
    const { runs, warnings } = await execute(id);
    expect(runs.map(({ contenderId }) => contenderId)).toEqual([contenders[0]?.id]);
    const errors = (await contendersOf(ada, id)).map(({ answerError }) => answerError);
    expect(errors).toEqual([
      null,
      expect.stringContaining('is archived'),
      expect.stringContaining('no-such-model'),
      expect.any(String),
    ]);
    expect(warnings.join(' ')).toContain('could not write 3 answers');
  });

  it('fits the holds of all runs and the budgets of workflows in the budget of the battle, or starts nothing', async () => {
    const rich = await aPersonWithCredits(10_000);
    const priced = await aPricedModel(ada);
    const lenser = { aiModelKey: priced.key };
    const ofRich = { creatorAccountId: rich.actor.accountId };
    const poor = await anOpenBattle([{ lenser }, { lenser }], { ...ofRich, budgetCredits: '100' });
    const failed = await refusal(executeBattle(rich, { battleId: poor.id, timeoutMs }));
    expect(failed).toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      message: expect.stringContaining('budgetCredits'),
      details: { limitOf: 'battle', limit: 100, needed: expect.any(Number) },
    });
    expect(await runsOf(poor.id)).toEqual([]);
    expect(await battleOf(ada, poor.id)).toMatchObject({ status: 'open' });
    const prices = { creditsPer1kInput: 1000, creditsPer1kOutput: 1000 };
    await importModels(ada, [{ provider: 'judge', key: 'large', ...prices, capabilities: ['json'] }]);
    const judged = { judgingMode: 'ai_judge', aiJudgeModelKey: 'judge/large', budgetCredits: '1000' } as const;
    const unpaidJudge = await anOpenBattle([{ lenser }, { lenser }], { ...ofRich, ...judged });
    expect(await codeOf(executeBattle(rich, { battleId: unpaidJudge.id, timeoutMs }))).toBe('INSUFFICIENT_CREDITS');
    const workflow = await aWorkflow(rich);
    const both = await anOpenBattle([{ workflowId: workflow.id }, { lenser }, { workflowId: workflow.id }], {
      ...ofRich,
      battleType: 'workflow_battle',
      budgetCredits: '1000',
    });
    await executeBattle(rich, { battleId: both.id, timeoutMs });
    const [{ hold }] = await ada.db.query<[{ hold: number }]>(
      `select sum(credit_hold)::float8 as hold from runs where cause ->> 'battleId' = $1 and kind = 'prompt'`,
      [both.id],
    );
    const share = Math.floor((1000 - hold) / 2);
    expect((await runsOf(both.id)).map(({ kind, budget }) => [kind, budget])).toEqual([
      ['prompt', null],
      ['workflow', share],
      ['workflow', share],
    ]);
    // A retry may cost the same again, and the first run has used a part of the budget.
    const [, first, second] = (await runsOf(both.id)).map(({ id }) => id) as [string, string, string];
    const fault = (runId: string) => budgetFault(ada, { battleId: both.id, runId });
    expect([await fault(first), await fault(second)]).toEqual([undefined, undefined]);
    const fail = async (runId: string, cost: number): Promise<void> => {
      await endRun(ada, runId, 'failed');
      await ada.db.query('update runs set credit_cost = $2 where id = $1', [runId, cost]);
    };
    await fail(first, 0);
    const retry = (await retryRun(rich, { runId: first })).runId;
    expect(await fault(retry)).toBeUndefined();
    await fail(retry, 10);
    const another = (await retryRun(rich, { runId: first })).runId;
    expect(await fault(another)).toBe(
      `This answer may cost ${share} credits, and budgetCredits of the battle has ${1000 - hold - share - 10} left`,
    );
  });

  it('is for the creator of an open battle', async () => {
    const { id } = await anOpenBattle();
    const order = { battleId: id, timeoutMs };
    expect(await codeOf(executeBattle(owner, order))).toBe('FORBIDDEN');
    expect(await codeOf(executeBattle(await fixture.aPerson(), order))).toBe('NOT_FOUND');
    expect(await codeOf(execute(newId()))).toBe('NOT_FOUND');
    await execute(id);
    expect(await refusal(execute(id))).toMatchObject({ code: 'INVALID_TRANSITION', details: { status: 'executing' } });
    const draft = await aBattle(ada);
    expect(await codeOf(execute(draft.id))).toBe('INVALID_TRANSITION');
  });

  it('starts each run once when it is called twice at the same time', async () => {
    const { id } = await anOpenBattle();
    const outcomes = await Promise.allSettled([execute(id), execute(id), execute(id)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await runsOf(id)).toHaveLength(2);
  });

  it('refuses funding sources that runs of battles cannot have', async () => {
    const { id } = await anOpenBattle();
    for (const fundingSource of ['sponsored', 'user_byok_local', 'user_byok_cloud']) {
      expect(await codeOf(execute(id, { fundingSource }))).toBe('BAD_INPUT');
    }
    expect(await codeOf(execute(id, { byokKeyRefId: newId() }))).toBe('BAD_INPUT');
    expect(await runsOf(id)).toEqual([]);
  });

  it('starts scoring when no answer is missing', async () => {
    const { id } = await anOpenBattle([{ text: 'Waves.' }, { text: 'Foam.' }]);
    expect(await execute(id)).toEqual({ battleId: id, status: 'voting', runs: [], warnings: [] });
  });
});

describe('advanceBattle', () => {
  async function anExecutingBattle(traits: Partial<StoredBattle> = {}) {
    const { id } = await anOpenBattle([{}, {}], traits);
    const [first, second] = (await execute(id)).runs.map(({ runId }) => runId) as [string, string];
    return { id, first, second };
  }

  it('writes the answers of runs that succeeded, and starts scoring with the last', async () => {
    const { id, first, second } = await anExecutingBattle();
    await endRun(ada, first, { text: 'Waves.' });
    await advance(id);
    expect(await textsOf(id)).toEqual(['A: Waves.']);
    await endRun(ada, second, { json: { lines: 3 } });
    for (let n = 0; n < 3; n += 1) await advance(id);
    expect(await textsOf(id)).toEqual(['A: Waves.', 'B: {\n  "lines": 3\n}']);
    expect(await eventsOf(ada, id)).toEqual([
      'status.changed executing',
      'submission.received 1 of 2',
      'submission.received 2 of 2',
      'status.changed voting',
    ]);
  });

  it('has one effect when jobs arrive together', async () => {
    const { id, first, second } = await anExecutingBattle({ judgingMode: 'ai_judge' });
    await endRun(ada, first, { text: 'Waves.' });
    await endRun(ada, second, { text: 'Foam.' });
    await Promise.all([1, 2, 3, 4].map(() => advance(id)));
    expect((await eventsOf(ada, id)).slice(1)).toEqual([
      'submission.received 1 of 2',
      'submission.received 2 of 2',
      'status.changed scoring',
    ]);
    expect((await runsOf(id)).map(({ kind }) => kind)).toEqual(['prompt', 'prompt', 'judging']);
  });

  it('records failed runs, and takes the answer of a retry', async () => {
    const { id, first, second } = await anExecutingBattle();
    await endRun(ada, first, 'failed');
    await endRun(ada, second, { text: 'Foam.' });
    await advance(id);
    const errors = async () => (await contendersOf(ada, id)).map(({ answerError }) => answerError);
    expect(await errors()).toEqual(['The provider is away', null]);
    expect(await battleOf(ada, id)).toMatchObject({ status: 'executing' });
    const { runId } = await retryRun(ada, { runId: first });
    await advance(id);
    expect(await errors()).toEqual([null, null]);
    await endRun(ada, runId, { text: 'Waves, at last.' });
    await advance(id);
    expect(await textsOf(id)).toEqual(['A: Waves, at last.', 'B: Foam.']);
    expect(await battleOf(ada, id)).toMatchObject({ status: 'voting' });
  });

  it.each([
    ['an empty answer', { text: '' }, 'must not be empty'],
    ['an answer that is too long', { text: 'x'.repeat(100_001) }, 'at most 100000 characters'],
  ])('records %s as an error, which the creator can make good by hand', async (_, output, error) => {
    const { id, first, second } = await anExecutingBattle();
    await endRun(ada, first, { text: 'Waves.' });
    await endRun(ada, second, output);
    await advance(id);
    const [, failed] = await contendersOf(ada, id);
    expect(failed?.answerError).toContain(error);
    const entry = { battleId: id, contenderId: failed?.id ?? '', contentText: 'By hand.' };
    expect(await submitEntry(ada, entry)).toMatchObject({ status: 'voting' });
  });

  it('does not replace a text that was submitted by hand', async () => {
    const { id, first } = await anExecutingBattle();
    const [contender] = await contendersOf(ada, id);
    await submitEntry(ada, { battleId: id, contenderId: contender?.id ?? '', contentText: 'By hand.' });
    await endRun(ada, first, { text: 'By a model.' });
    await advance(id);
    expect(await textsOf(id)).toEqual(['A: By hand.']);
  });

  it('reports the progress of a judging once, and changes nothing in other statuses', async () => {
    const { id } = await aBattle(ada, { status: 'scoring', judgingMode: 'ai_judge', judgingTotal: 2 });
    for (const item of ['a', 'b']) {
      await ada.db.query(
        `insert into battle_judgements (battle_id, item, run_id, judgement, reasoning, judge)
         values ($1, $2, $3, '{}', 'x', 'offline')`,
        [id, item, newId()],
      );
    }
    for (let n = 0; n < 3; n += 1) await advance(id);
    expect(await eventsOf(ada, id)).toEqual(['judging.progress 2 of 2']);
    const { id: open } = await aBattle(ada, { status: 'open' });
    await advance(open);
    await advance(newId());
    expect(await eventsOf(ada, open)).toEqual([]);
  });

  it('ignores answers that arrive after the battle has moved on, whose runs are canceled', async () => {
    const { id, first, second } = await anExecutingBattle();
    await endRun(ada, first, { text: 'Waves.' });
    await advance(id);
    await setBattleStatus(ada, { battleId: id, status: 'voting' });
    expect(await statusOf(second)).toBe('canceled');
    await advance(id);
    expect(await textsOf(id)).toEqual(['A: Waves.']);
  });

  it('archiving cancels the runs of all answers and their retries', async () => {
    const { id, first, second } = await anExecutingBattle();
    await endRun(ada, first, 'failed');
    const { runId: retry } = await retryRun(ada, { runId: first });
    await setBattleStatus(ada, { battleId: id, status: 'archived', confirm: true });
    expect([await statusOf(first), await statusOf(second), await statusOf(retry)]).toEqual([
      'failed',
      'canceled',
      'canceled',
    ]);
  });
});

async function aPersonWithCredits(credits: number): Promise<Context> {
  const person = await fixture.aPerson();
  await ada.db.query('insert into credit_accounts values ($1, $2, 0)', [person.actor.accountId, credits]);
  return actingAs(person, person.actor.accountId);
}
