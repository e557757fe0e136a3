import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ExperimentFormat, type ExperimentRequest, parse, platformEvents } from '@lensforge/contracts';
import { type Context, newId, platformActor } from '@lensforge/core';
import { grantTestCredits } from '@lensforge/credits/testing';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aToken, actingAs, anAccount } from '@lensforge/identity/testing';
import { listLensVersions, runnableLens, updateLens } from '@lensforge/lenses';
import { aLens } from '@lensforge/lenses/testing';
import { aPricedModel } from '@lensforge/models/testing';
import { limitRuns } from '@lensforge/runs';
import { closeSandbox } from '@lensforge/sandbox';
import { aWorkflow } from '@lensforge/workflows/testing';
import { type OpenRun, answerRuns, openRuns } from '../../test/answer-runs.js';
import {
  advanceExperiment,
  cancelExperiment,
  changeCases,
  createDataset,
  createExperiment,
  exportExperiment,
  listCells,
  listExperiments,
  readExperiment,
  readExperimentEvents,
  readableExperimentLog,
  removeExperiment,
  restoreExperiments,
  resumeExperiment,
} from '../index.js';

let database: TestDatabase;
let platform: Context;
let ada: Context;
let eve: Context;
let lensId: string;

beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 20 });
  limitRuns(database.source, { atOnce: 10_000, backlog: 20_000 });
  platform = { ...database.ctx, actor: platformActor };
  const aPerson = async () => actingAs(database.ctx, (await anAccount(database.ctx)).id);
  [ada, eve] = [await aPerson(), await aPerson()];
  lensId = (await aLens(ada, { templateBody: 'Say [[Word]]' })).id;
});
afterAll(async () => {
  closeSandbox();
  await database.close();
});

const advance = (id: string, ctx = platform) => advanceExperiment(ctx, id, { timeoutMs: 60_000 });

let count = 0;
async function aDataset(cases: number, who = ada): Promise<string> {
  const { id } = await createDataset(who, { name: `Dataset ${(count += 1)}` });
  const save = Array.from({ length: cases }, (_, at) => ({
    key: `c${String(at).padStart(4, '0')}`,
    params: { Word: `w${at}` },
    expected: 'ok',
  }));
  await changeCases(who, { datasetId: id, save });
  return id;
}

const exact = { name: 'exact', kind: 'check', assertions: [{ type: 'equals' }] } as const;

async function anExperiment(cases: number, more: Partial<ExperimentRequest> = {}, who = ada): Promise<string> {
  const order = {
    target: { lensId },
    arms: [{ name: 'new' }],
    dataset: more.dataset ?? { id: await aDataset(cases, who) },
    scorers: [{ ...exact, assertions: [...exact.assertions] }],
    ...more,
  };
  return (await createExperiment(who, order)).id;
}

const answer = (id: string, toAnswer?: (run: OpenRun) => string | null, cost?: number): Promise<number> =>
  answerRuns(platform, id, toAnswer, cost);

/** Advances an experiment until it has ended. */
async function complete(id: string, toAnswer?: (run: OpenRun) => string | null, cost = 0): Promise<void> {
  for (let round = 0; round < 100; round += 1) {
    await advance(id);
    if ((await readExperiment(ada, id)).completedAt !== null) return;
    await answer(id, toAnswer, cost);
  }
  throw new Error('the experiment does not end');
}

const runsOf = async (id: string): Promise<number> => {
  const [{ runs }] = await database.source.query<[{ runs: number }]>(
    `select count(*)::int as runs from runs where cause ->> 'experimentId' = $1`,
    [id],
  );
  return runs;
};

describe('an experiment', () => {
  it('runs each case with each arm and repetition once, and compares the arms with the baseline', async () => {
    const old = await runnableLens(ada, lensId);
    const id = await anExperiment(12, {
      name: 'Shorter',
      arms: [
        { name: 'old', version: old.version.semver },
        { name: 'new', candidate: { templateBody: 'Please say [[Word]]' } },
      ],
      baseline: 'old',
      repetitions: 2,
      gate: { rules: [{ scorer: 'exact', min: 0.6 }, { scorer: 'exact', noProvenLoss: {} }, { noNewFailures: true }] },
    });
    expect(await readExperiment(ada, id)).toMatchObject({
      name: 'Shorter',
      status: 'running',
      cells: 48,
      cellsDone: 0,
      results: null,
      outcome: null,
      baseline: 'old',
      arms: [
        { name: 'old', versionId: old.version.id, isCandidate: false },
        { name: 'new', isCandidate: true, version: expect.stringContaining('-candidate.') },
      ],
    });
    await complete(id, ({ versionId, word }) => (versionId === old.version.id || word >= 'w2' ? 'ok' : 'no'));
    const found = await readExperiment(ada, id);
    expect(found).toMatchObject({ status: 'completed', cellsDone: 48, reason: null });
    // w0, w1, w10 and w11 are wrong.
    expect(found.results).toMatchObject([
      {
        arm: 'old',
        answered: 24,
        failed: 0,
        scorers: [{ scorer: 'exact', score: { mean: 1 }, passHatK: 1, difference: null }],
      },
      {
        arm: 'new',
        answered: 24,
        scorers: [
          {
            score: { mean: expect.closeTo(8 / 12, 6) },
            difference: { mean: expect.closeTo(-4 / 12, 6), worse: 4, better: 0, equal: 8, pValue: 0.125 },
          },
        ],
      },
    ]);
    expect(found.outcome).toMatchObject({
      result: 'failed',
      rules: [
        { arm: 'new', result: 'passed' },
        { arm: 'new', result: 'failed' },
        { arm: 'new', result: 'failed', reason: '4 cases that the baseline passes: c0000, c0001, c0010, c0011' },
      ],
    });
    const mean = expect.closeTo(8 / 12, 6);
    expect((await listExperiments(ada, { limit: 1 })).items).toMatchObject([
      {
        id,
        gateResult: 'failed',
        arms: [
          { name: 'old', isBaseline: true, gateResult: null, scores: [{ scorer: 'exact', mean: 1, passRate: 1 }] },
          { name: 'new', isBaseline: false, gateResult: 'failed', scores: [{ scorer: 'exact', mean, passRate: mean }] },
        ],
      },
    ]);
    expect(await runsOf(id)).toBe(48);
    await advance(id);
    expect(await runsOf(id)).toBe(48);
  });

  it('appends its progress and statuses to its events, without gaps', async () => {
    const id = await anExperiment(3);
    await complete(id);
    const events = await readExperimentEvents(ada, id, 0, 100);
    expect(events.map(({ sequence, eventType, payload }) => [sequence, eventType, payload])).toEqual([
      [1, 'status.changed', { status: 'running', reason: null, gate: null }],
      [2, 'cells.scored', { done: 3, of: 3 }],
      [3, 'status.changed', { status: 'completed', reason: null, gate: null }],
    ]);
    expect((await readableExperimentLog(ada, id)).lastSequence).toBe(3);
    await expect(readableExperimentLog(eve, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('leaves the newest version and its list as they were when it tries a text', async () => {
    const before = await listLensVersions(ada, { lensId });
    const candidate = { templateBody: 'Kindly say [[Word]]' };
    const ids = [await anExperiment(1, { arms: [{ candidate }] }), await anExperiment(1, { arms: [{ candidate }] })];
    const [one, other] = await Promise.all(ids.map((id) => readExperiment(ada, id)));
    expect(one?.arms[0]?.versionId).toBe(other?.arms[0]?.versionId);
    expect(await listLensVersions(ada, { lensId })).toEqual(before);
    expect((await runnableLens(ada, lensId)).version.id).not.toBe(one?.arms[0]?.versionId);
    await updateLens(ada, { lensId, templateBody: 'Say the word [[Word]]' });
    expect((await listLensVersions(ada, { lensId })).total).toBe(before.total + 1);
    const publicLens = await aLens(eve, { templateBody: 'Say [[Word]]', visibility: 'public' });
    const ofOthers = { target: { lensId: publicLens.id }, arms: [{ candidate }] };
    await expect(anExperiment(1, ofOthers)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await complete(await anExperiment(1, { target: { lensId: publicLens.id } }));
  });

  it('counts runs that fail as scores of 0, which no rule accepts', async () => {
    const id = await anExperiment(4, { gate: { rules: [{ scorer: 'exact', min: 0.5 }] } });
    await complete(id, ({ word }) => (word === 'w3' ? null : 'ok'));
    const { results, outcome } = await readExperiment(ada, id);
    expect(results).toMatchObject([{ answered: 3, failed: 1, scorers: [{ errors: 1, score: { mean: 0.75 } }] }]);
    expect(outcome).toMatchObject({ result: 'failed', rules: [{ reason: '1 cell of the arm has no score' }] });
    const { items } = await listCells(ada, { experimentId: id, only: 'failed' }, { limit: 10 });
    expect(items).toMatchObject([{ key: 'c0003', state: 'failed', error: 'the model is broken', scores: [] }]);
  });

  it('has the assertions of its cases beside those of the first scorer', async () => {
    const { id: datasetId } = await createDataset(ada, { name: 'With assertions' });
    const own = { params: { Word: 'a' }, expected: 'ok' };
    await changeCases(ada, {
      datasetId,
      save: [
        { key: 'a', ...own, assertions: [{ type: 'contains', value: 'k' }] },
        { key: 'b', ...own, assertions: [{ type: 'contains', value: 'x' }] },
      ],
    });
    const experimentId = await anExperiment(0, { dataset: { id: datasetId } });
    await complete(experimentId);
    const { items } = await listCells(ada, { experimentId }, { limit: 10 });
    expect(items.map(({ key, scores }) => [key, scores[0]?.pass, scores[0]?.score])).toEqual([
      ['a', true, 1],
      ['b', false, 0.5],
    ]);
    const wrong = changeCases(ada, { datasetId, save: [{ key: 'c', ...own, assertions: [{ type: 'nonsense' }] }] });
    await expect(wrong).rejects.toMatchObject({ message: expect.stringContaining('save.0.assertions.0.type') });
  });

  it.each([
    ['an unknown parameter', { dataset: 'Wrod' }, 'has no parameter Wrod; did you mean Word?'],
    ['no cases', { dataset: undefined }, 'dataset has no cases'],
    ['two scorers of one name', { scorers: [exact, exact] }, 'scorers.1.name'],
    [
      'an unknown assertion',
      { scorers: [{ ...exact, assertions: [{ type: 'equal' }] }] },
      'scorers.0.assertions.0.type',
    ],
    ['an unknown baseline', { baseline: 'old' }, 'baseline is none of the arms new'],
    ['a rule without a condition', { gate: { rules: [{ scorer: 'exact' }] } }, 'gate.rules.0'],
    [
      'a rule without a baseline',
      { gate: { rules: [{ scorer: 'exact', noProvenLoss: {} }] } },
      'noProvenLoss needs a baseline',
    ],
    [
      'a rule about another scorer',
      { gate: { rules: [{ scorer: 'x', min: 1 }] } },
      'gate.rules.0.scorer is none of exact',
    ],
    ['two arms of one name', { arms: [{ name: 'a' }, { name: 'a' }] }, 'arms.1.name'],
    ['an unknown version', { arms: [{ version: '9.9.9' }] }, 'version of this lens'],
    ['no target', { target: {} }, 'target names a lens or a workflow'],
  ])('with %s is refused', async (_, wrong, message) => {
    let { dataset } = { dataset: { id: await aDataset(1) } };
    if ('dataset' in wrong) {
      dataset = { id: (await createDataset(ada, { name: `Refused ${(count += 1)}` })).id };
      if (wrong.dataset !== undefined) {
        await changeCases(ada, { datasetId: dataset.id, save: [{ key: 'k', params: { [wrong.dataset]: 'x' } }] });
      }
    }
    const refused = anExperiment(0, { ...(wrong as object), dataset });
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining(message) });
  });

  it('belongs to its account alone', async () => {
    const experimentId = await anExperiment(1);
    const missing = { code: 'NOT_FOUND' };
    await expect(readExperiment(eve, experimentId)).rejects.toMatchObject(missing);
    await expect(listCells(eve, { experimentId }, { limit: 1 })).rejects.toMatchObject(missing);
    await expect(exportExperiment(eve, { experimentId, format: 'csv' })).rejects.toMatchObject(missing);
    await expect(cancelExperiment(eve, experimentId)).rejects.toMatchObject(missing);
    await expect(resumeExperiment(eve, { experimentId })).rejects.toMatchObject(missing);
    await expect(removeExperiment(eve, experimentId)).rejects.toMatchObject(missing);
    await expect(anExperiment(1, { dataset: { id: await aDataset(1) } }, eve)).rejects.toMatchObject(missing);
    expect((await listExperiments(eve, { limit: 10 })).items).toEqual([]);
    expect((await listExperiments(ada, { limit: 1 })).items).toMatchObject([
      { id: experimentId, cells: 1, cellsDone: 0, arms: [{ gateResult: null, scores: [] }] },
    ]);
  });
});

describe('under faults', () => {
  it('has one run and one score for each cell, however often and wherever it is advanced at the same time', async () => {
    const id = await anExperiment(30, { repetitions: 2, concurrency: 20 });
    const other = { ...platform, db: database.source.createEntityManager() };
    for (let round = 0; round < 12; round += 1) {
      await Promise.all([advance(id), advance(id, other), advance(id)]);
      // A pass whose worker was lost: its lease is over, and another one begins while it goes on.
      await database.source.query('update experiments set pass_until = now() where id = $1', [id]);
      await Promise.all([advance(id), answer(id)]);
    }
    expect(await readExperiment(ada, id)).toMatchObject({ status: 'completed', cellsDone: 60 });
    expect(await runsOf(id)).toBe(60);
    const [{ cells, runs }] = await database.source.query<[{ cells: number; runs: number }]>(
      `select count(*)::int as cells, count(distinct run_id)::int as runs from experiment_cells
        where experiment_id = $1 and state = 'scored' and cardinality(scores) = 1`,
      [id],
    );
    expect([cells, runs]).toEqual([60, 60]);
  });

  it('starts no second run for a cell whose start was not recorded', async () => {
    const id = await anExperiment(3);
    await advance(id);
    await database.source.query(
      `update experiment_cells set state = 'waiting', run_id = null where experiment_id = $1`,
      [id],
    );
    await complete(id);
    expect(await runsOf(id)).toBe(3);
  });

  it('is restored when its job and worker are lost', async () => {
    const id = await anExperiment(1);
    await database.source.query(`delete from outbox where payload ->> 'experimentId' = $1`, [id]);
    const wait = `update experiments set advanced_at = now() - interval '1 minute' where id = $1`;
    await database.source.query(wait, [id]);
    expect(await restoreExperiments(platform)).toBe(1);
    expect(await restoreExperiments(platform)).toBe(0);
    const jobs = await database.source.query<unknown[]>(`select from outbox where payload ->> 'experimentId' = $1`, [
      id,
    ]);
    expect(jobs).toHaveLength(1);
  });
});

describe('the budget of an experiment', () => {
  let rich: Context;
  let priced: string;
  beforeAll(async () => {
    rich = actingAs(database.ctx, ada.actor.accountId);
    await grantTestCredits(platform, ada.actor.accountId, 1_000_000);
    priced = (await aPricedModel(platform)).key;
  });

  const holdsOf = async (id: string) => {
    const [found] = await database.source.query<[{ held: number; runs: number; cost: number }]>(
      `select coalesce(sum(credit_hold) filter (where completed_at is null), 0)::float8 as held, count(*)::int as runs,
              coalesce(sum(credit_cost), 0)::float8 as cost
         from runs where cause ->> 'experimentId' = $1`,
      [id],
    );
    return found;
  };

  it('is never exceeded by what its runs may cost, and the experiment ends as incomplete until it gets more', async () => {
    const arms = [{ name: 'new', modelOverride: priced }];
    const id = await anExperiment(10, { arms, budget: 350 }, rich);
    await advance(id);
    const first = await holdsOf(id);
    expect(first.held).toBeLessThanOrEqual(350);
    expect(first.runs).toBeGreaterThan(0);
    for (let round = 0; round < 20; round += 1) {
      await answer(id, () => 'ok', 60);
      await advance(id);
      const { held, cost } = await holdsOf(id);
      expect(held + cost).toBeLessThanOrEqual(350);
    }
    const ended = await readExperiment(ada, id);
    expect(ended).toMatchObject({ status: 'incomplete', reason: 'its budget does not suffice for another run' });
    expect(ended.cellsDone).toBeLessThan(10);
    expect(ended.results).toMatchObject([{ answered: ended.cellsDone }]);
    expect(await resumeExperiment(ada, { experimentId: id, budget: 5000 })).toMatchObject({ status: 'running' });
    await complete(id, () => 'ok', 60);
    expect(await readExperiment(ada, id)).toMatchObject({ status: 'completed', cellsDone: 10, credits: 600 });
    expect(await runsOf(id)).toBe(10);
    await expect(resumeExperiment(ada, { experimentId: id })).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
  });

  it('counts a run that a lost pass has accepted and not recorded', async () => {
    const arms = [{ name: 'new', modelOverride: priced }];
    const id = await anExperiment(6, { arms, budget: 350 }, rich);
    await advance(id);
    const { held, runs } = await holdsOf(id);
    // The last of its runs was not recorded.
    await database.source.query(
      `update experiment_cells set state = 'waiting', run_id = null where (experiment_id, key) = (
         select experiment_id, max(key) from experiment_cells where experiment_id = $1 and state = 'running' group by 1)`,
      [id],
    );
    await advance(id);
    expect(await holdsOf(id)).toMatchObject({ held, runs });
    await cancelExperiment(ada, id);
    await advance(id);
  });

  it('is not what ends it when the account has no credits', async () => {
    const arms = [{ name: 'new', modelOverride: priced }];
    const poor = actingAs(database.ctx, (await anAccount(database.ctx)).id);
    const target = { lensId: (await aLens(poor, { templateBody: 'Say [[Word]]' })).id };
    const id = await anExperiment(2, { target, arms }, poor);
    await advance(id);
    expect(await readExperiment(poor, id)).toMatchObject({
      status: 'incomplete',
      reason: expect.stringMatching(/credits/),
      cellsDone: 0,
    });
  });
});

describe('many experiments of one account', () => {
  it('end exactly at its credits, however they race', async () => {
    const model = await aPricedModel(platform);
    const racer = actingAs(database.ctx, (await anAccount(database.ctx)).id);
    const target = { lensId: (await aLens(racer, { templateBody: 'Say [[Word]]' })).id };
    const arms = [{ name: 'new', modelOverride: model.key }];
    const order = { target, arms, dataset: { id: await aDataset(10, racer) } };
    const probe = await anExperiment(0, { ...order, budget: 1_000_000 }, racer);
    await grantTestCredits(platform, racer.actor.accountId, 1000);
    await advance(probe);
    const [{ hold }] = await database.source.query<[{ hold: number }]>(
      `select max(credit_hold)::float8 as hold from runs where cause ->> 'experimentId' = $1`,
      [probe],
    );
    await cancelExperiment(racer, probe);
    await advance(probe);
    const allowed = 37;
    await grantTestCredits(platform, racer.actor.accountId, hold * allowed);
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => anExperiment(0, { ...order, budget: hold * 3 + 1 }, racer)),
    );
    const before = await balanceOf(racer);
    for (let round = 0; round < 8; round += 1) {
      await Promise.all(ids.map((id) => advance(id)));
      for (const id of ids) await answer(id, () => 'ok', hold);
    }
    const counts = await Promise.all(ids.map(runsOf));
    // Each may have three runs, and all together as many as the account can pay for.
    expect(Math.max(...counts)).toBeLessThanOrEqual(3);
    const affordable = Math.floor(before / hold);
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(Math.min(60, affordable));
    expect(await balanceOf(racer)).toBe(before - hold * Math.min(60, affordable));
    for (const id of ids) expect((await readExperiment(racer, id)).status).toBe('incomplete');
  });
});

const balanceOf = async ({ actor }: Context): Promise<number> => {
  const [{ available }] = await database.source.query<[{ available: number }]>(
    'select available::float8 as available from credit_accounts where account_id = $1',
    [actor.accountId],
  );
  return available;
};

it('assertions about calls of tools see those of the run, beside a judge too', async () => {
  const sequence = { type: 'trajectory:tool-sequence', value: ['search', 'mcp:shop/look'] };
  const id = await anExperiment(2, {
    scorers: [
      { name: 'calls', kind: 'check', assertions: [sequence] },
      {
        name: 'judged',
        kind: 'check',
        assertions: [sequence, { type: 'llm-rubric', value: 'It is good.', threshold: 0 }],
      },
    ],
  });
  await advance(id);
  const [run] = await database.source.query<[{ id: string }]>(
    `select id from runs where cause ->> 'experimentId' = $1 order by id limit 1`,
    [id],
  );
  await database.source.query(
    `insert into agent_tool_calls (run_id, node_key, path, step, position, call_id, name, tool_id, input, state, result)
     values ($1, 'lens', '', 1, 1, 'a', 'search', null, '{}', 'done', 'x'), ($1, 'lens', '', 2, 1, 'b', 'look', 'mcp:shop/look', '{}', 'done', 'x')`,
    [run.id],
  );
  await complete(id);
  const { items } = await listCells(ada, { experimentId: id }, { limit: 10 });
  const passes = items.map(({ runId, scores }) => [runId === run.id, ...scores.map(({ pass }) => pass)]);
  expect(passes.toSorted((one, other) => Number(other[0]) - Number(one[0]))).toEqual([
    [true, true, true],
    [false, false, false],
  ]);
});

describe('what starts later', () => {
  it('has the rights of the token that has set it up, and none once that is revoked', async () => {
    const held = ['lenses:read', 'lenses:write'] as const;
    const token = await aToken(database.ctx, { accountId: ada.actor.accountId, held });
    const credential = { kind: 'developer', id: token.id } as const;
    const byToken: Context = { ...ada, actor: { ...ada.actor, credential, scopes: held } };
    const id = await anExperiment(4, { concurrency: 2 }, byToken);
    await advance(id);
    await answer(id);
    await database.source.query('update api_tokens set revoked_at = now() where id = $1', [token.id]);
    await advance(id);
    expect(await readExperiment(ada, id)).toMatchObject({
      status: 'incomplete',
      reason: 'the token that started it was revoked',
      cellsDone: 2,
    });
    expect(await resumeExperiment(ada, { experimentId: id })).toMatchObject({ status: 'running' });
    await complete(id);
    expect(await readExperiment(ada, id)).toMatchObject({ status: 'completed', cellsDone: 4 });
  });

  it('is refused for a workflow without the scope', async () => {
    const { id: workflowId } = await aWorkflow(ada);
    const weak: Context = { ...ada, actor: { ...ada.actor, scopes: ['lenses:read', 'lenses:write'] } };
    const order = { target: { workflowId }, dataset: { id: await aDataset(1) } };
    await expect(anExperiment(0, order, weak)).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    const id = await anExperiment(0, order);
    await database.source.query(`update experiments set status = 'incomplete', completed_at = now() where id = $1`, [
      id,
    ]);
    await expect(resumeExperiment(weak, { experimentId: id })).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    await resumeExperiment(ada, { experimentId: id });
    await advance(id);
    const runs = await database.source.query<unknown[]>(
      `select kind, params, account_id as "accountId" from runs where cause ->> 'experimentId' = $1`,
      [id],
    );
    expect(runs).toEqual([{ kind: 'workflow', params: { Word: 'w0' }, accountId: ada.actor.accountId }]);
    await cancelExperiment(ada, id);
  });
});

describe('the end of an experiment', () => {
  it('is told to webhook endpoints with its result', async () => {
    await database.source.query(
      `insert into webhook_endpoints (id, account_id, url, events, secret) values ($1, $2, 'https://receiver.example/', '{experiment.completed}', '')`,
      [newId(), ada.actor.accountId],
    );
    const id = await anExperiment(1, { gate: { rules: [{ scorer: 'exact', min: 1 }] } });
    await complete(id);
    const events = await database.source.query<{ data: object }[]>(
      `select payload -> 'data' as data from outbox where payload ->> 'type' = 'experiment.completed'
        and payload -> 'data' ->> 'experimentId' = $1`,
      [id],
    );
    expect(events.map(({ data }) => data)).toEqual([
      {
        experimentId: id,
        status: 'completed',
        lensId,
        workflowId: null,
        gate: 'passed',
        scores: { new: { exact: 1 } },
      },
    ]);
    expect(() => parse(platformEvents['experiment.completed'], events[0]?.data)).not.toThrow();
  });
});

describe('a cancel', () => {
  it('ends the runs that are under way and keeps the scores', async () => {
    const id = await anExperiment(6, { concurrency: 3 });
    await advance(id);
    await answer(id);
    await advance(id);
    expect(await cancelExperiment(ada, id)).toMatchObject({ status: 'canceling' });
    await advance(id);
    await advance(id);
    expect(await readExperiment(ada, id)).toMatchObject({ status: 'canceled', results: [{ answered: 3, failed: 3 }] });
    expect(await openRuns(platform, id)).toEqual([]);
    expect(await cancelExperiment(ada, id)).toMatchObject({ status: 'canceled' });
    expect(await removeExperiment(ada, id)).toEqual({ experimentId: id, removed: true });
    await expect(readExperiment(ada, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('and a deletion are refused where they make no sense', async () => {
    const id = await anExperiment(1);
    await expect(removeExperiment(ada, id)).rejects.toMatchObject({ code: 'CONFLICT' });
    await complete(id);
    await expect(cancelExperiment(ada, id)).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
  });
});

describe('cells', () => {
  it('are listed in pages, by arm, case and what became of them', async () => {
    const old = (await runnableLens(ada, lensId)).version;
    const experimentId = await anExperiment(3, {
      arms: [{ name: 'old' }, { name: 'new', candidate: { templateBody: 'Now say [[Word]]' } }],
      baseline: 'old',
    });
    const isOld = ({ versionId }: OpenRun): boolean => versionId === old.id;
    await complete(experimentId, (run) => (isOld(run) === (run.word !== 'w1') ? 'ok' : 'no'));
    const list = async (filter: object, page: { limit: number; cursor?: string | undefined } = { limit: 100 }) =>
      (await listCells(ada, { experimentId, ...filter }, page)).items.map(({ key, arm }) => `${key} ${arm}`);
    const all = await list({});
    expect(all).toEqual(['c0000 old', 'c0000 new', 'c0001 old', 'c0001 new', 'c0002 old', 'c0002 new']);
    const pages: string[] = [];
    let cursor: string | undefined;
    do {
      const page: Awaited<ReturnType<typeof listCells>> = await listCells(ada, { experimentId }, { limit: 2, cursor });
      pages.push(...page.items.map(({ key, arm }) => `${key} ${arm}`));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(pages).toEqual(all);
    expect(await list({ arm: 'new', key: 'c0001' })).toEqual(['c0001 new']);
    expect(await list({ only: 'failed' })).toEqual(['c0000 new', 'c0001 old', 'c0002 new']);
    expect(await list({ only: 'worse' })).toEqual(['c0000 new', 'c0002 new']);
    expect(await list({ only: 'better', scorer: 'exact' })).toEqual(['c0001 new']);
    await expect(list({ arm: 'x' })).rejects.toMatchObject({ message: expect.stringContaining('old, new') });
  });

  it('are exported as NDJSON, CSV, JUnit XML and JSON of promptfoo, whatever the outputs', async () => {
    const experimentId = await anExperiment(2, { gate: { rules: [{ scorer: 'exact', min: 0.9 }] } });
    await complete(experimentId, ({ word }) => (word === 'w0' ? 'ok' : '<b>"x" &\u0001, y</b>'));
    const write = async (format: ExperimentFormat): Promise<string> => {
      let text = '';
      for await (const part of (await exportExperiment(ada, { experimentId, format })).parts) text += part;
      return text;
    };
    const lines = (await write('ndjson'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { key: 'c0000', output: 'ok' },
      { key: 'c0001', scores: [{ pass: false }] },
    ]);
    expect((await write('csv')).split('\n')[0]).toContain('score:exact,pass:exact,reason:exact');
    expect(JSON.parse(await write('promptfoo'))).toMatchObject({
      evalId: experimentId,
      results: {
        version: 3,
        results: [
          { success: true, score: 1, testIdx: 0, promptIdx: 0, response: { output: 'ok' }, failureReason: 0 },
          { success: false, testIdx: 1, gradingResult: { componentResults: [{ assertion: { type: 'equals' } }] } },
        ],
        stats: { successes: 1, failures: 1, errors: 0 },
      },
    });
    const xml = await write('junit');
    expect(xml.match(/<testcase/g)).toHaveLength(3);
    expect(xml).toContain('<failure type="exact" message="');
    expect(xml).toContain('&#60;b&#62;&#34;x&#34; &#38;, y&#60;/b&#62;');
    expect(xml).toContain('<failure type="failed" message="the mean score is 0.5, and 0.9 is needed"/>');
  });
});
