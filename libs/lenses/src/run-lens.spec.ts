import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import type { Library } from '../test/library.js';
import { aLibrary, refusal } from '../test/library.js';
import { estimateTokens, extractLensParams, runLens, setLensLabel, updateLens, validateLensParams } from './index.js';
import { aLens } from './testing.js';

let library: Library;
let lensId: string;
let firstVersion: string;
beforeAll(async () => {
  library = await aLibrary('run-lens.spec');
  const templateBody = 'Dear [[Name]], be [[Tone!]].';
  const lens = await aLens(library.owner, { title: 'Greet', description: 'A greeting', templateBody });
  lensId = lens.id;
  firstVersion = lens.headVersionId;
  await updateLens(library.owner, { lensId, templateBody: 'Hello [[Name]] of [[ Town ]]! \\[[x]] [[name]]' });
  await setLensLabel(library.owner, { lensId, label: 'production', version: '1.0.0' });
});
afterAll(() => library.close());

describe('running a lens', () => {
  it('gives the prompt to be carried out, with what went into it', async () => {
    const paramValues = { NAME: 'Ada [[Town]]', town: 'X', surprise: 'ignored' };
    expect(await runLens(library.stranger, { lensId, paramValues })).toEqual({
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

  it.each(['id', '1.0.0', 'production'])('takes the version named by its %s', async (name) => {
    const version = name === 'id' ? firstVersion : name;
    const run = await runLens(library.stranger, { lensId, version, paramValues: { name: 'Ada' } });
    expect(run).toMatchObject({
      versionId: firstVersion,
      resolvedPrompt: 'Dear Ada, be .',
      paramsUsed: { Name: 'Ada' },
    });
  });

  it('says what is missing, and what there is', async () => {
    const missing = await refusal(runLens(library.stranger, { lensId, paramValues: { town: '' } }));
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
    expect((await refusal(runLens(library.stranger, { lensId }))).details).toMatchObject({ missing: ['Name', 'Town'] });
  });

  it('records a run where there is a workflow, and nothing where it fails before', async () => {
    const order = { lensId, workflowId: newId(), paramValues: { name: 'Ada', town: 'X' } };
    expect(await refusal(runLens(library.stranger, order))).toMatchObject({ code: 'NOT_FOUND' });
    const recorded: object[] = [];
    const runId = newId();
    const record: Parameters<typeof runLens>[2] = async (_ctx, told) => {
      recorded.push(told);
      return { runId };
    };
    expect(await runLens(library.stranger, order, record)).toMatchObject({ runId, persisted: true });
    await refusal(runLens(library.stranger, { ...order, paramValues: {} }, record));
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

describe('what a lens wants', () => {
  it('is told of the newest version or of one that is named', async () => {
    expect(await extractLensParams(library.stranger, { lensId })).toEqual({
      lensId,
      versionId: expect.any(String),
      params: [
        { id: expect.any(String), label: 'Name', optional: false },
        { id: expect.any(String), label: 'Town', optional: false },
      ],
      rawTokensInTemplate: ['[[Name]]', '[[ Town ]]', '[[name]]'],
    });
    const old = await extractLensParams(library.stranger, { lensId, version: firstVersion });
    expect(old).toMatchObject({ versionId: firstVersion, rawTokensInTemplate: ['[[Name]]', '[[Tone!]]'] });
  });

  it('is checked against values', async () => {
    const check = (values: Record<string, string>, version?: string) =>
      validateLensParams(library.stranger, { lensId, values, ...(version && { version }) });
    expect(await check({ name: 'x', TOWN: '', other: 'y' })).toEqual({
      ...{ valid: true, missing: [], unknown: ['other'], totalParams: 2, provided: 3 },
    });
    expect(await check({})).toMatchObject({ valid: false, missing: ['Name', 'Town'], unknown: [], provided: 0 });
    expect(await check({ name: 'x' }, '1.0.0')).toMatchObject({ valid: true, totalParams: 2, provided: 1 });
  });
});

describe('the estimate of tokens', () => {
  it('is that of a real tokenizer', async () => {
    expect(await estimateTokens('')).toBe(0);
    expect(await estimateTokens('hello world')).toBe(2);
    expect(await estimateTokens('<|endoftext|> is counted like anything else')).toBeGreaterThan(5);
  });

  it.each([
    ['Write a [[Tone]] note about [[Product]] for [[Audience!]]: [[Product]] in one sentence. [[Extra!]]', {}],
    ['[[Product]][[Tone]] \\[[Tone]] for [[Audience!]]', { Audience: '' }],
    ['Nothing but text, and then [ ] a few brackets [[ ]] that mean nothing at all.', {}],
    ['[[Product]] '.repeat(500), { Product: 'the quick brown fox. '.repeat(90) }],
  ])('of a filled template is that of the prompt, but for the seams: %.60j', async (template, more) => {
    const values = { Tone: 'friendly', Product: 'Lensforge', Audience: 'people who like small tools', ...more };
    const templateBody = template.padEnd(60, '.');
    const seams = templateBody.split('[[').length;
    const lens = await aLens(library.owner, { templateBody });
    for (let turn = 0; turn < 2; turn += 1) {
      const { resolvedPrompt, estimatedInputTokens } = await runLens(library.owner, {
        lensId: lens.id,
        paramValues: values,
      });
      const whole = await estimateTokens(resolvedPrompt);
      expect(Math.abs(estimatedInputTokens - whole)).toBeLessThanOrEqual(seams + whole / 50);
    }
  });

  it('grows with the text, and comes to an end for one long word and for a million characters', async () => {
    const words = 'several words of a text that goes on and on, ';
    const [short, long] = [await estimateTokens(words.repeat(1000)), await estimateTokens(words.repeat(20_000))];
    expect(long / short).toBeGreaterThan(19);
    expect(long / short).toBeLessThan(21);
    expect(await estimateTokens('x'.repeat(1_000_000))).toBeGreaterThan(10_000);
    expect(await estimateTokens('🦊'.repeat(1500))).toBeGreaterThan(1000);
  });
});
