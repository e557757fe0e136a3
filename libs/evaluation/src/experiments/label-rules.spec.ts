import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LabelArm, LabelRules } from '@lensforge/contracts';
import { type Context, DomainError, platformActor } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import { getLens, listLabelMoves, removeLensLabel, returnLensLabel, setLensLabel, updateLens } from '@lensforge/lenses';
import { aLens } from '@lensforge/lenses/testing';
import { closeSandbox } from '@lensforge/sandbox';
import { listWorkflowLabelMoves, saveGraph, setWorkflowLabel, updateWorkflow } from '@lensforge/workflows';
import { aWorkflow } from '@lensforge/workflows/testing';
import { answerRuns } from '../../test/answer-runs.js';
import {
  advanceExperiment,
  changeCases,
  createDataset,
  createExperiment,
  findEvidence,
  readExperiment,
  removeDataset,
  removeExperiment,
} from '../index.js';

let database: TestDatabase;
let platform: Context;
/** A token of a program, a signed-in person of the same account, and another account. */
let ada: Context;
let person: Context;
let eve: Context;

beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 10 });
  platform = { ...database.ctx, actor: platformActor };
  ada = actingAs(database.ctx, (await anAccount(database.ctx)).id);
  person = { ...ada, actor: { ...ada.actor, credential: { kind: 'session', id: 'a' } } };
  eve = actingAs(database.ctx, (await anAccount(database.ctx)).id);
});
afterAll(async () => {
  closeSandbox();
  await database.close();
});

const min = { scorer: 'exact', min: 0.5 };
const label = 'production';
const first = 'Say [[Word]]';
const second = 'Please say [[Word]]';

let count = 0;
async function aDataset(): Promise<string> {
  const { id } = await createDataset(ada, { name: `Dataset ${(count += 1)}` });
  await changeCases(ada, { datasetId: id, save: [{ key: 'a', params: { Word: 'a' }, expected: 'ok' }] });
  return id;
}

/** A lens whose production is at 1.0.0 and needs a gate over a dataset. */
async function aGuardedLens(rules: Partial<LabelRules['gate']> = {}): Promise<{ lensId: string; datasetId: string }> {
  const { id: lensId } = await aLens(ada, { templateBody: first });
  const datasetId = await aDataset();
  const gate = { datasetId, ...rules };
  await setLensLabel(person, { lensId, label, version: '1.0.0', rules: { gate } });
  await updateLens(ada, { lensId, templateBody: second });
  return { lensId, datasetId };
}

interface Trial {
  target: { lensId: string } | { workflowId: string };
  datasetId: string;
  arm?: object;
  output?: string;
  rules?: object[];
  baseline?: boolean;
}

/** An experiment that has ended. */
async function anExperiment({
  target,
  datasetId,
  arm = {},
  output = 'ok',
  rules = [min],
  baseline,
}: Trial): Promise<string> {
  const { id } = await createExperiment(ada, {
    target,
    arms: [{ name: 'new', ...arm }, ...(baseline ? [{ name: 'old', version: '1.0.0' }] : [])],
    ...(baseline && { baseline: 'new' }),
    dataset: { id: datasetId },
    scorers: [{ name: 'exact', kind: 'check', assertions: [{ type: 'equals' }] }],
    ...(rules.length > 0 && { gate: { rules } }),
  });
  for (let round = 0; (await readExperiment(ada, id)).completedAt === null; round += 1) {
    if (round > 50) throw new Error('the experiment does not end');
    await advanceExperiment(platform, id, { timeoutMs: 60_000 });
    await answerRuns(platform, id, () => output);
  }
  return id;
}

const promote = (lensId: string, more: object = {}, ctx = ada) =>
  setLensLabel(ctx, { lensId, label, version: '1.0.1', ...more }, findEvidence);

const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'accepted',
    (reason: unknown) => (reason instanceof DomainError ? [reason.code, reason.message] : reason),
  );
const missing = (why: string) => ['CONFLICT', expect.stringContaining(`${label} needs a passed gate: ${why}`)];

describe('the arms of a label with rules', () => {
  it('need a passed gate like its version, are taken away by a return, and stand in its history', async () => {
    const { lensId, datasetId } = await aGuardedLens();
    const arms = [{ version: '1.0.1', weight: 10 }];
    const splitTo = (more: object = {}) => promote(lensId, { version: '1.0.0', arms, ...more });
    expect(await refusal(splitTo())).toEqual(missing('no experiment'));
    await updateLens(ada, { lensId, templateBody: 'Say it: [[Word]]' });
    const two = [...arms, { version: '1.0.2', weight: 10 }];
    expect(await refusal(splitTo({ arms: two }))).toEqual(['BAD_INPUT', expect.stringContaining('one new version')]);
    const experimentId = await anExperiment({ target: { lensId }, datasetId, arm: { version: '1.0.1' } });
    expect(await splitTo()).toMatchObject({ semver: '1.0.0', arms });
    // The gate was passed when the arm was added. It counts again when all callers are to get it.
    expect(await splitTo({ arms: [{ version: '1.0.1', weight: 60 }] })).toMatchObject({ arms: [{ weight: 60 }] });
    expect(await promote(lensId, { arms: [{ version: '1.0.0', weight: 50 }] })).toMatchObject({ semver: '1.0.1' });
    expect(await returnLensLabel(ada, { lensId, label })).toMatchObject({ semver: '1.0.1', arms: null });
    expect(await returnLensLabel(ada, { lensId, label })).toMatchObject({ semver: '1.0.0', arms: null });
    const { items } = await listLabelMoves(ada, lensId, { limit: 10 });
    expect(
      items.map(({ kind, version, arms, armsBefore }) => [kind, version?.semver, weigh(arms), weigh(armsBefore)]),
    ).toEqual([
      ['return', '1.0.0', null, null],
      ['return', '1.0.1', null, ['1.0.0', 50]],
      ['set', '1.0.1', ['1.0.0', 50], ['1.0.1', 60]],
      ['set', '1.0.0', ['1.0.1', 60], ['1.0.1', 10]],
      ['set', '1.0.0', ['1.0.1', 10], null],
      ['set', '1.0.0', null, null],
    ]);
    expect([items[4], items[2]].map((move) => move?.evidence)).toMatchObject([{ experimentId }, { experimentId }]);
    expect(items[3]?.evidence).toBeNull();
    await splitTo();
    await changeCases(ada, { datasetId, save: [{ key: 'new', params: { Word: 'new' } }] });
    expect(await refusal(promote(lensId, { version: '1.0.1' }))).toEqual(missing('the experiment'));
  });
});

const weigh = (arms: readonly LabelArm[] | null) => arms?.flatMap(({ version, weight }) => [version, weight]) ?? null;

describe('an experiment without versions', () => {
  it('tries the newest ones, also when callers get those of a default label', async () => {
    const { lensId, datasetId } = await aGuardedLens();
    await updateLens(person, { lensId, defaultLabel: label });
    const ofLens = await readExperiment(ada, await anExperiment({ target: { lensId }, datasetId }));
    expect(ofLens.arms).toMatchObject([{ version: '1.0.1' }]);
    const { id: workflowId } = await aWorkflow(ada, { graph: { nodes: [], edges: [] } });
    await setWorkflowLabel(ada, { workflowId, label, version: '1' });
    await updateWorkflow(ada, { workflowId, defaultLabel: label });
    const nodes = [{ id: 'a', type: 'transform', settings: { expression: '"ok"' } }];
    await saveGraph(ada, { workflowId, graph: { nodes, edges: [] } });
    const ofWorkflow = await readExperiment(ada, await anExperiment({ target: { workflowId }, datasetId }));
    expect(ofWorkflow.arms).toMatchObject([{ version: '2' }]);
  });
});

describe('a label that needs a gate', () => {
  it('moves to a version whose experiment has passed, and keeps the evidence', async () => {
    const { lensId, datasetId } = await aGuardedLens({ rules: [min] });
    expect(await refusal(promote(lensId))).toEqual(missing('no experiment of this version'));
    const experimentId = await anExperiment({ target: { lensId }, datasetId });
    expect(await promote(lensId)).toMatchObject({ semver: '1.0.1', rules: { gate: { datasetId, rules: [min] } } });
    const evidence = { experimentId, datasetId, revision: 1, arm: 'new' };
    await removeExperiment(ada, experimentId);
    const { items } = await listLabelMoves(ada, lensId, { limit: 10 });
    expect(items).toMatchObject([
      { version: { semver: '1.0.1' }, before: { semver: '1.0.0' }, evidence, overridden: false },
      { version: { semver: '1.0.0' }, evidence: null },
    ]);
    const [entry] = await database.source.query<{ details: unknown }[]>(
      `select d.details from audit_entries e join audit_details d using (account_id, sequence)
        where e.account_id = $1 and e.action = 'label.moved' order by e.sequence desc limit 1`,
      [ada.actor.accountId],
    );
    expect(JSON.stringify(entry?.details)).toContain(experimentId);
  });

  it('takes the experiment of a candidate that was saved later', async () => {
    const { lensId, datasetId } = await aGuardedLens();
    const third = 'Kindly say [[Word]]';
    await anExperiment({ target: { lensId }, datasetId, arm: { candidate: { templateBody: third } } });
    expect(await refusal(promote(lensId))).toEqual(missing('the experiment'));
    await updateLens(ada, { lensId, templateBody: third });
    expect(await promote(lensId, { version: '1.0.2' })).toMatchObject({ semver: '1.0.2' });
  });

  it.each([
    { why: 'the gate of the experiment', trial: { output: 'no' } },
    { why: 'the experiment', trial: { rules: [] } },
    { why: 'the gate of the experiment', trial: { rules: [{ scorer: 'exact', min: 0.4 }] } },
    { why: 'the experiment', trial: { arm: { version: '1.0.0' } } },
    { why: 'the experiment', trial: { baseline: true } },
    { why: 'the experiment', trial: { arm: { modelOverride: 'offline/echo' } } },
    { why: 'the experiment', trial: { arm: { sampling: { temperature: 0 } } } },
  ])('refuses $why with $trial', async ({ why, trial }) => {
    const { lensId, datasetId } = await aGuardedLens({ rules: [min] });
    const experimentId = await anExperiment({ target: { lensId }, datasetId, ...trial });
    for (const more of [{}, { experimentId }]) expect(await refusal(promote(lensId, more))).toEqual(missing(why));
    expect((await getLens(ada, lensId)).labels).toMatchObject([{ label, semver: '1.0.0' }]);
  });

  it('does not take answers of a recording, which may be of anyone', async () => {
    const { lensId, datasetId } = await aGuardedLens();
    const experimentId = await anExperiment({ target: { lensId }, datasetId });
    await database.source.query(`update experiments set calls = '{"mode": "replay"}' where id = $1`, [experimentId]);
    expect(await refusal(promote(lensId))).toEqual(missing('the experiment'));
  });

  it('needs the newest revision of the dataset, or one that is not older than allowed', async () => {
    const strict = await aGuardedLens();
    const loose = await aGuardedLens({ maxRevisionsBehind: 1 });
    for (const { lensId, datasetId } of [strict, loose]) {
      await anExperiment({ target: { lensId }, datasetId });
      await changeCases(ada, { datasetId, save: [{ key: 'b', params: { Word: 'b' } }] });
    }
    expect(await refusal(promote(strict.lensId))).toEqual(missing('the experiment'));
    await promote(loose.lensId);
    await returnLensLabel(ada, { lensId: loose.lensId, label });
    await changeCases(ada, { datasetId: loose.datasetId, save: [{ key: 'c', params: { Word: 'c' } }] });
    expect(await refusal(promote(loose.lensId))).toEqual(missing('the experiment'));
  });

  it('moves no more when its dataset is gone, and is refused for experiments of others', async () => {
    const { lensId, datasetId } = await aGuardedLens();
    const experimentId = await anExperiment({ target: { lensId }, datasetId });
    const other = await aGuardedLens();
    expect(await refusal(promote(other.lensId, { experimentId }))).toEqual(missing('no experiment of this version'));
    expect(await refusal(promote(lensId, {}, eve))).toEqual(['FORBIDDEN', expect.any(String)]);
    await removeDataset(ada, datasetId);
    expect(await refusal(promote(lensId))).toEqual(missing('its dataset'));
  });

  it('is moved against its rules by a person with a reason alone', async () => {
    const { lensId } = await aGuardedLens();
    const override = { override: true, reason: 'The site is down.' };
    expect(await refusal(promote(lensId, override))).toEqual(['FORBIDDEN', expect.any(String)]);
    expect(await refusal(promote(lensId, { override: true }, person))).toEqual(['BAD_INPUT', expect.any(String)]);
    await promote(lensId, override, person);
    const { items } = await listLabelMoves(ada, lensId, { limit: 1 });
    expect(items).toMatchObject([
      { overridden: true, reason: 'The site is down.', evidence: null, credential: 'session' },
    ]);
  });

  it('keeps its rules from programs: they are neither lifted nor gone around', async () => {
    const { lensId, datasetId } = await aGuardedLens();
    const refused = ['FORBIDDEN', expect.any(String)];
    for (const rules of [null, { gate: { datasetId, maxRevisionsBehind: 9 } }]) {
      expect(await refusal(setLensLabel(ada, { lensId, label, version: '1.0.0', rules }, findEvidence))).toEqual(
        refused,
      );
    }
    expect(await refusal(removeLensLabel(ada, { lensId, label }))).toEqual(refused);
    // The same rules are no change.
    await setLensLabel(ada, { lensId, label, version: '1.0.0', rules: { gate: { datasetId } } }, findEvidence);
    await updateLens(person, { lensId, defaultLabel: label });
    expect(await refusal(updateLens(ada, { lensId, defaultLabel: null }))).toEqual(refused);
    // A person who lifts the rules cannot move the label by the same call.
    expect(await refusal(promote(lensId, { rules: null }, person))).toEqual(missing('no experiment of this version'));
    await setLensLabel(person, { lensId, label, version: '1.0.0', rules: null }, findEvidence);
    await promote(lensId);
  });

  it('returns without a gate, as it was there before', async () => {
    const { lensId, datasetId } = await aGuardedLens();
    await anExperiment({ target: { lensId }, datasetId });
    await promote(lensId);
    expect(await returnLensLabel(ada, { lensId, label })).toMatchObject({ semver: '1.0.0' });
  });

  it('lets one of two promotions at the same time through with each evidence', async () => {
    const { lensId, datasetId } = await aGuardedLens();
    await anExperiment({ target: { lensId }, datasetId });
    const outcomes = await Promise.allSettled([
      promote(lensId),
      promote(lensId),
      returnLensLabel(ada, { lensId, label }),
    ]);
    const { items } = await listLabelMoves(ada, lensId, { limit: 10 });
    expect(
      items.filter(({ kind }) => kind === 'set').every(({ evidence }, at, all) => at === all.length - 1 || evidence),
    ).toBe(true);
    expect(outcomes[0].status).toBe('fulfilled');
    expect((await getLens(ada, lensId)).labels).toMatchObject([{ semver: items[0]?.version?.semver }]);
  });

  it('works for workflows', async () => {
    const step = (expression: string) => ({
      nodes: [{ id: 'a', type: 'transform', settings: { expression } }],
      edges: [],
    });
    const { id: workflowId } = await aWorkflow(ada, { graph: step('"no"') });
    const datasetId = await aDataset();
    await setWorkflowLabel(person, { workflowId, label, version: '1', rules: { gate: { datasetId } } });
    await saveGraph(ada, { workflowId, graph: step('"ok"') });
    const move = () => setWorkflowLabel(ada, { workflowId, label, version: '2' }, findEvidence);
    expect(await refusal(move())).toEqual(missing('no experiment of this version'));
    await anExperiment({ target: { workflowId }, datasetId, arm: { version: '2' } });
    expect(await move()).toMatchObject({ number: 2 });
    const { items } = await listWorkflowLabelMoves(ada, workflowId, { limit: 1 });
    expect(items).toMatchObject([{ evidence: { datasetId, arm: 'new' } }]);
  });
});
