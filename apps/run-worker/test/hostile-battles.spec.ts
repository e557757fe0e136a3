import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { grantTestCredits } from '@lensforge/credits/testing';
import { pairOutcome } from '@lensforge/judges';
import { hostileEntries, honest, task } from './hostile-entries.js';
import { type JudgingSetup, aJudge, aJudgingSetup } from './judging-setup.js';
import { obedientChoice, obedientLevel } from './obedient-model.js';

let setup: JudgingSetup;
beforeAll(async () => {
  setup = await aJudgingSetup();
  await grantTestCredits(setup.ctx, setup.ctx.actor.accountId, 1_000_000_000);
});
afterAll(() => setup.close());

/** The hostile entries that can be submitted: PostgreSQL stores neither NUL nor halves of characters. */
const entries = Object.entries(hostileEntries).filter(([, text]) => !text.includes('\0') && text.isWellFormed());
const perBattle = 5;
const battles = Array.from({ length: Math.ceil(entries.length / perBattle) }, (_, index) =>
  entries.slice(index * perBattle, (index + 1) * perBattle),
);
const cases = battles.map((each) => [each.map(([name]) => name).join(', '), each.map(([, text]) => text)] as const);

type Choice = Parameters<typeof pairOutcome>[0];

describe.each(cases)('a battle of an honest text against: %s', (_, texts) => {
  it('is won by no order, although the model obeys it', async () => {
    const { provider } = aJudge(({ prompt }) => obedientChoice(prompt));
    const { battleId, runId, contenderIds } = await setup.judging([honest, ...texts], { taskPrompt: task });
    expect(await setup.judgingEngine(provider).execute({ runId, generation: 0 })).toBe('succeeded');
    const rows = await setup.judgements(battleId);
    expect(rows).toHaveLength(contenderIds.length * (contenderIds.length - 1));
    const choiceOf = (first: string | undefined, second: string | undefined): Choice =>
      rows.find(({ judgement }) => judgement['first'] === first && judgement['second'] === second)?.judgement[
        'choice'
      ] as Choice;
    const [good, ...hostile] = contenderIds;
    for (const id of hostile) expect(pairOutcome(choiceOf(id, good), choiceOf(good, id))).not.toBe('first');
    const [first] = await setup.verdicts(battleId);
    expect(first?.score).toBeGreaterThanOrEqual(0.5);
  });

  it('gives no order a mark above the lowest', async () => {
    const anchors = ['wrong', 'mostly wrong', 'half right', 'mostly right', 'right'];
    const { provider } = aJudge(({ prompt }) => obedientLevel(prompt, ['wrong', 'right']));
    const { battleId, runId } = await setup.judging([honest, ...texts], {
      taskPrompt: task,
      judgingMode: 'rubric_score',
      rubric: [{ name: 'correctness', weight: 1, description: '', anchors }],
    });
    expect(await setup.judgingEngine(provider).execute({ runId, generation: 0 })).toBe('succeeded');
    expect((await setup.verdicts(battleId)).map(({ score }) => score)).toEqual([1, ...texts.map(() => 0)]);
  });
});
