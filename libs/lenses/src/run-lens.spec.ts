import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import { type LensFixture, lensFixture, refusal } from '../test/lens-fixture.js';
import { estimateTokens, extractLensParams, runLens, setLensLabel, updateLens, validateLensParams } from './index.js';
import { aLens } from './testing.js';

let fixture: LensFixture;
let lensId: string;
let firstVersion: string;
beforeAll(async () => {
  fixture = await lensFixture();
  const templateBody = 'Dear [[Name]], be [[Tone!]].';
  const lens = await aLens(fixture.owner, { title: 'Greet', description: 'A greeting', templateBody });
  lensId = lens.id;
  firstVersion = lens.headVersionId;
  await updateLens(fixture.owner, { lensId, templateBody: 'Hello [[Name]] of [[ Town ]]! \\[[x]] [[name]]' });
  await setLensLabel(fixture.owner, { lensId, label: 'production', version: '1.0.0' });
});
afterAll(() => fixture.close());

describe('runLens', () => {
  it('returns the prompt and the values in it', async () => {
    const paramValues = { NAME: 'Ada [[Town]]', town: 'X', surprise: 'ignored' };
    expect(await runLens(fixture.stranger, { lensId, paramValues })).toEqual({
      resolvedPrompt: 'Hello Ada [[Town]] of X! [[x]] Ada [[Town]]',
      lensTitle: 'Greet',
      lensDescription: 'A greeting',
      runId: null,
      lensId,
      versionId: expect.any(String),
      paramsUsed: { Name: 'Ada [[Town]]', Town: 'X' },
      estimatedInputTokens: expect.any(Number),
      persisted: false,
      nextStep: expect.stringContaining('Carry out'),
    });
  });

  it('fills in sections, and counts their tokens', async () => {
    const templateBody =
      'Write to [[Name]].\n[[#Items]]\n- [[title]]\n[[/Items]]\n[[^Items]]\nThe order is empty.\n[[/Items]]\n';
    const { id } = await aLens(fixture.owner, { templateBody });
    const run = (items: unknown) => runLens(fixture.owner, { lensId: id, paramValues: { name: 'Ada', items } });
    const full = await run([{ title: 'Pen' }, { title: 'Ink' }]);
    expect(full).toMatchObject({
      resolvedPrompt: 'Write to Ada.\n- Pen\n- Ink\n',
      paramsUsed: { Name: 'Ada', Items: [{ title: 'Pen' }, { title: 'Ink' }] },
    });
    expect(full.estimatedInputTokens).toBeLessThan(15);
    expect(await run(undefined)).toMatchObject({ resolvedPrompt: 'Write to Ada.\nThe order is empty.\n' });
  });

  it.each(['id', '1.0.0', 'production'])('uses the version given by its %s', async (name) => {
    const version = name === 'id' ? firstVersion : name;
    const run = await runLens(fixture.stranger, { lensId, version, paramValues: { name: 'Ada' } });
    expect(run).toMatchObject({
      versionId: firstVersion,
      resolvedPrompt: 'Dear Ada, be .',
      paramsUsed: { Name: 'Ada' },
    });
  });

  it('refuses missing values and lists all parameters', async () => {
    const missing = await refusal(runLens(fixture.stranger, { lensId, paramValues: { town: '' } }));
    expect(missing).toMatchObject({
      code: 'MISSING_PARAMS',
      details: {
        missing: ['Name'],
        all_parameters: [
          { id: expect.any(String), label: 'Name', optional: false },
          { id: expect.any(String), label: 'Town', optional: false },
        ],
        lens_title: 'Greet',
        lens_description: 'A greeting',
      },
    });
    expect((await refusal(runLens(fixture.stranger, { lensId }))).details).toMatchObject({ missing: ['Name', 'Town'] });
  });

  it('writes a tracking record for a workflow, and none for a refused call', async () => {
    const order = { lensId, workflowId: newId(), paramValues: { name: 'Ada', town: 'X' } };
    expect(await refusal(runLens(fixture.stranger, order))).toMatchObject({ code: 'NOT_FOUND' });
    const recorded: object[] = [];
    const runId = newId();
    const writeRecord: Parameters<typeof runLens>[2] = async (_ctx, record) => {
      recorded.push(record);
      return { runId };
    };
    expect(await runLens(fixture.stranger, order, writeRecord)).toMatchObject({ runId, persisted: true });
    await refusal(runLens(fixture.stranger, { ...order, paramValues: {} }, writeRecord));
    expect(recorded).toEqual([
      {
        workflowId: order.workflowId,
        lensId,
        lensVersionId: expect.any(String),
        prompt: expect.stringContaining('Ada'),
        params: { Name: 'Ada', Town: 'X' },
      },
    ]);
  });
});

describe('lens parameters', () => {
  it('are extracted from the newest or the given version', async () => {
    expect(await extractLensParams(fixture.stranger, { lensId })).toEqual({
      lensId,
      versionId: expect.any(String),
      params: [
        { id: expect.any(String), label: 'Name', optional: false },
        { id: expect.any(String), label: 'Town', optional: false },
      ],
      rawTokensInTemplate: ['[[Name]]', '[[ Town ]]', '[[name]]'],
    });
    const old = await extractLensParams(fixture.stranger, { lensId, version: firstVersion });
    expect(old).toMatchObject({ versionId: firstVersion, rawTokensInTemplate: ['[[Name]]', '[[Tone!]]'] });
  });

  it('are checked against values by validateLensParams', async () => {
    const check = (values: Record<string, string>, version?: string) =>
      validateLensParams(fixture.stranger, { lensId, values, ...(version && { version }) });
    expect(await check({ name: 'x', TOWN: '', other: 'y' })).toEqual({
      valid: true,
      missing: [],
      unknown: ['other'],
      totalParams: 2,
      provided: 3,
    });
    expect(await check({})).toMatchObject({ valid: false, missing: ['Name', 'Town'], unknown: [], provided: 0 });
    expect(await check({ name: 'x' }, '1.0.0')).toMatchObject({ valid: true, totalParams: 2, provided: 1 });
  });
});

describe('estimateTokens', () => {
  it('counts like a real tokenizer', async () => {
    expect(await estimateTokens('')).toBe(0);
    expect(await estimateTokens('hello world')).toBe(2);
    expect(await estimateTokens('<|endoftext|> is counted like anything else')).toBeGreaterThan(5);
  });

  it.each([
    ['Write a [[Tone]] note about [[Product]] for [[Audience!]]: [[Product]] in one sentence. [[Extra!]]', {}],
    ['[[Product]][[Tone]] \\[[Tone]] for [[Audience!]]', { Audience: '' }],
    ['Nothing but text, and then [ ] a few brackets [[ ]] that mean nothing at all.', {}],
    ['[[Product]] '.repeat(500), { Product: 'the quick brown fox. '.repeat(90) }],
  ])('matches the estimate of a filled template but for the joints: %.60j', async (template, more) => {
    const values = { Tone: 'friendly', Product: 'Lensforge', Audience: 'people who like small tools', ...more };
    const templateBody = template.padEnd(60, '.');
    const joints = templateBody.split('[[').length;
    const lens = await aLens(fixture.owner, { templateBody });
    for (let round = 0; round < 2; round += 1) {
      const { resolvedPrompt, estimatedInputTokens } = await runLens(fixture.owner, {
        lensId: lens.id,
        paramValues: values,
      });
      const whole = await estimateTokens(resolvedPrompt);
      expect(Math.abs(estimatedInputTokens - whole)).toBeLessThanOrEqual(joints + whole / 50);
    }
  });

  it('grows with the text and finishes for one long word and for a million characters', async () => {
    const words = 'several words of a text that goes on and on, ';
    const [short, long] = [await estimateTokens(words.repeat(1000)), await estimateTokens(words.repeat(20_000))];
    expect(long / short).toBeGreaterThan(19);
    expect(long / short).toBeLessThan(21);
    expect(await estimateTokens('x'.repeat(1_000_000))).toBeGreaterThan(10_000);
    expect(await estimateTokens('🦊'.repeat(1500))).toBeGreaterThan(1000);
  });
});
