import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LensSettings } from '@lensforge/contracts';
import { type LensFixture, lensFixture } from '../test/lens-fixture.js';
import {
  createLens,
  diffLensVersions,
  forkLens,
  getLens,
  getLensVersion,
  importLens,
  runLens,
  runnableLens,
  updateLens,
} from './index.js';
import { type CallWish, applySettings } from './lens-settings.js';
import { exportedLens } from './testing.js';

let fixture: LensFixture;
beforeAll(async () => {
  fixture = await lensFixture();
});
afterAll(() => fixture.close());

const templateBody = 'Write a short and friendly greeting for [[Name]], please.';
const model = 'offline/echo';
/** The members are not in the order of jsonb. */
const outputSchema = {
  type: 'object',
  properties: { reason: { type: 'string' }, ok: { type: 'boolean' } },
  required: ['reason', 'ok'],
};
const settings: LensSettings = { outputSchema, models: [model], sampling: { temperature: 0.2, stop: ['END'] } };
const aLensWith = async (given: LensSettings | undefined): Promise<string> =>
  (await createLens(fixture.owner, { title: 'x', templateBody, settings: given })).lens.id;
const stored = async (lensId: string): Promise<string> =>
  JSON.stringify((await getLens(fixture.owner, lensId)).settings);

describe('the settings of a version', () => {
  it('are stored as they were given, with the order of members', async () => {
    const lensId = await aLensWith(settings);
    expect(await stored(lensId)).toBe(JSON.stringify(settings));
    const { settings: ofVersion } = await getLensVersion(fixture.owner, { lensId, semver: '1.0.0' });
    expect(JSON.stringify(ofVersion)).toBe(JSON.stringify(settings));
    expect(await stored(await aLensWith(undefined))).toBe('null');
    expect(await stored(await aLensWith({ sampling: {}, mayOverride: [] }))).toBe('null');
  });

  it('make a new version when they change, and none when they do not', async () => {
    const lensId = await aLensWith(undefined);
    const change = (given: LensSettings | null | undefined, text?: string) =>
      updateLens(fixture.owner, { lensId, settings: given, templateBody: text });
    const { properties } = outputSchema;
    const wider = { ...outputSchema, properties: { ...properties, more: { type: 'string' } } };
    const steps: [LensSettings | null | undefined, string, string][] = [
      [{ sampling: { seed: 7 } }, '1.0.1', 'Settings: sampling.seed'],
      [{ sampling: { seed: 7 } }, '1.0.1', 'Settings: sampling.seed'],
      [undefined, '1.0.1', 'Settings: sampling.seed'],
      [{ models: [model] }, '1.0.2', 'Settings: sampling.seed, models'],
      [{ models: [model], outputSchema }, '2.0.0', 'Settings: outputSchema'],
      [{ models: [model], outputSchema: wider }, '2.1.0', 'Settings: outputSchema'],
      [{ models: [model], outputSchema }, '3.0.0', 'Settings: outputSchema'],
      [{ models: [model], outputSchema: { ...outputSchema, title: 'T' } }, '3.0.1', 'Settings: outputSchema'],
      [null, '4.0.0', 'Settings: models, outputSchema'],
    ];
    for (const [given, semver, changelog] of steps) {
      expect(await change(given)).toMatchObject({ semver, changelog });
    }
    const both = await change({ sampling: { topP: 1 } }, `${templateBody} [[Tone!]]`);
    expect(both).toMatchObject({
      semver: '4.1.0',
      changelog: 'Parameters: added Tone (optional)\nSettings: sampling.topP',
    });
    expect(await stored(lensId)).toBe('{"sampling":{"topP":1}}');
  });

  it('raise the number of a version by what happens to its tools', async () => {
    const input = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
    const more = { ...input, properties: { ...input.properties, count: { type: 'number' } } };
    const find = { name: 'find', inputSchema: input };
    const lensId = await aLensWith({ tools: [find], sampling: { seed: 1 } });
    const steps: [LensSettings['tools'], string, string][] = [
      [[{ ...find, description: 'Finds an order.' }], '1.0.1', 'Settings: tools.find'],
      [[find, { name: 'buy', inputSchema: input }], '1.1.0', 'Settings: tools.find, tools.buy'],
      [[find, { name: 'buy', inputSchema: more }], '1.2.0', 'Settings: tools.buy'],
      [[find, { name: 'buy', inputSchema: input }], '2.0.0', 'Settings: tools.buy'],
      [[find], '3.0.0', 'Settings: tools.buy'],
      [[{ ...find, name: 'look' }], '4.0.0', 'Settings: tools.find, tools.look'],
      [undefined, '5.0.0', 'Settings: tools.look'],
    ];
    for (const [tools, semver, changelog] of steps) {
      const settings = { ...(tools && { tools }), sampling: { seed: 1 } };
      expect(await updateLens(fixture.owner, { lensId, settings })).toMatchObject({ semver, changelog });
    }
  });

  it.each<[string, LensSettings['tools'], string]>([
    ['a granted tool without its AI lenser', [{ name: 'get_lens' }], 'settings.toolsOf'],
    ['a tool that cannot be granted', [{ name: 'create_ai_lenser' }], 'settings.tools.0.name'],
    ['a name with a slash', [{ name: 'mcp:a/b', inputSchema: { type: 'object' } }], 'settings.tools.0.name'],
    ['a description of a granted tool', [{ name: 'get_lens', description: 'x' }], 'settings.tools.0.description'],
    ['a schema that is not one', [{ name: 'a', inputSchema: { type: 'thing' } }], 'settings.tools.0.inputSchema'],
    [
      'arguments that are no object',
      [{ name: 'a', inputSchema: { type: 'string' } }],
      'settings.tools.0.inputSchema.type',
    ],
    [
      'two tools with the same name',
      [
        { name: 'a', inputSchema: { type: 'object' } },
        { name: 'a', inputSchema: { type: 'object' } },
      ],
      'settings.tools.1',
    ],
  ])('are refused with %s', async (_, tools, path) => {
    await expect(aLensWith({ ...(tools && { tools }) })).rejects.toThrow(path);
  });

  it('are in the difference of versions', async () => {
    const lensId = await aLensWith(settings);
    await updateLens(fixture.owner, {
      lensId,
      settings: {
        models: [model],
        sampling: { temperature: 0.5, seed: 1 },
        providers: { openai: { textVerbosity: 'low' } },
      },
    });
    expect(await diffLensVersions(fixture.owner, { lensId, from: '1.0.0' })).toMatchObject({
      settings: [
        { name: 'outputSchema', before: outputSchema, after: null },
        { name: 'sampling.temperature', before: 0.2, after: 0.5 },
        { name: 'sampling.stop', before: ['END'], after: null },
        { name: 'sampling.seed', before: null, after: 1 },
        { name: 'providers.openai.textVerbosity', before: null, after: 'low' },
      ],
      bump: 'major',
    });
    expect(await diffLensVersions(fixture.owner, { lensId, from: '1.0.0', to: '1.0.0' })).toMatchObject({
      bump: 'none',
    });
  });

  it('are in forks, exports and imports', async () => {
    const lensId = await aLensWith(settings);
    const { lens: fork } = await forkLens(fixture.stranger, { sourceLensId: lensId });
    expect(JSON.stringify((await getLens(fixture.stranger, fork.id)).settings)).toBe(JSON.stringify(settings));
    const document = await exportedLens(fixture.owner, lensId);
    const imported = await importLens(fixture.owner, document);
    expect(await stored(imported.lensId)).toBe(JSON.stringify(settings));
    expect(JSON.stringify(await exportedLens(fixture.owner, imported.lensId))).toBe(JSON.stringify(document));
  });

  it.each<[string, LensSettings]>([
    ['settings.models: there is no model offline/nothing', { models: [model, 'offline/nothing'] }],
    ['settings.outputSchema.type: is not supported', { outputSchema: { type: 'text' } }],
  ])('are refused with "%s"', async (fault, given) => {
    const [path, message] = fault.split(': ') as [string, string];
    await expect(aLensWith(given)).rejects.toMatchObject({ details: { issues: [{ path }] } });
    if (path === 'settings.models') await expect(aLensWith(given)).rejects.toThrow(message);
  });

  it('of another platform are imported with the names of its models', async () => {
    const document = await exportedLens(fixture.owner, await aLensWith(settings));
    const [version] = document.versions;
    const { lensId } = await importLens(fixture.owner, {
      ...document,
      versions: [{ ...version!, settings: { models: ['acme/large'] } }],
    });
    expect(await stored(lensId)).toBe('{"models":["acme/large"]}');
  });
});

describe('the examples of a version', () => {
  const examples = [
    { params: { Name: 'Bob' }, answer: 'Hello Bob' },
    { params: { name: 7 }, answer: 'Hello 7' },
  ];
  const typed: LensSettings = { examples, params: [{ label: 'Name', type: 'text', max: 5 }] };

  it('go before the request, each as a message of the user and its answer', async () => {
    const { version } = await runnableLens(fixture.owner, await aLensWith(typed));
    const ask = (name: string): string => `Write a short and friendly greeting for ${name}, please.`;
    expect(version.resolve({ Name: 'Ada' })).toEqual({
      prompt: ask('Bob'),
      messages: [
        { role: 'assistant', text: 'Hello Bob' },
        { role: 'user', text: ask('7') },
        { role: 'assistant', text: 'Hello 7' },
        { role: 'user', text: ask('Ada') },
      ],
      stableLength: ask('Bob').length,
    });
    expect(version.resolve({})).toEqual({ missing: ['Name'] });
  });

  it('go behind the instructions and before earlier messages', async () => {
    const { lens } = await createLens(fixture.owner, {
      title: 'x',
      messages: [
        { role: 'system', text: 'You greet people in a short and friendly way.' },
        { role: 'user', text: '[[history]]' },
        { role: 'user', text: 'Greet [[Name]]' },
      ],
      settings: { examples: examples.slice(0, 1) },
    });
    const { version } = await runnableLens(fixture.owner, lens.id);
    const history = [
      { role: 'user', text: 'Hi' },
      { role: 'assistant', text: 'Yes?' },
    ];
    expect(version.resolve({ Name: 'Ada', history })).toEqual({
      system: 'You greet people in a short and friendly way.',
      prompt: 'Greet Bob',
      messages: [{ role: 'assistant', text: 'Hello Bob' }, ...history, { role: 'user', text: 'Greet Ada' }],
      stableLength: 9,
    });
  });

  it('are in the text of a lens that its caller sends to a model', async () => {
    const lensId = await aLensWith({ examples: examples.slice(0, 1) });
    const { resolvedPrompt, estimatedInputTokens } = await runLens(fixture.owner, {
      lensId,
      paramValues: { Name: 'Ada' },
    });
    expect(resolvedPrompt).toBe(
      '[[@user]]\nWrite a short and friendly greeting for Bob, please.\n[[@assistant]]\nHello Bob\n' +
        '[[@user]]\nWrite a short and friendly greeting for Ada, please.',
    );
    expect(estimatedInputTokens).toBeGreaterThan(30);
  });

  it('share the limits of one request', async () => {
    const { lens } = await createLens(fixture.owner, {
      title: 'x',
      templateBody: 'Count: [[#Items]]0123456789[[/Items]]',
      settings: { examples: [{ params: { Items: Array.from({ length: 30_000 }, () => 1) }, answer: 'x' }] },
    });
    const { version } = await runnableLens(fixture.owner, lens.id);
    const items = (length: number) => ({ Items: Array.from({ length }, () => 1) });
    expect(version.resolve(items(60_000))).toHaveProperty('prompt');
    expect(() => version.resolve(items(80_000))).toThrow('longer than 1000000 characters');
    const many = Array.from({ length: 50 }, () => ({ params: items(1900), answer: 'x' }));
    const long = `Count: [[#Items]]${'0123456789'.repeat(2)}[[/Items]]`;
    await expect(
      createLens(fixture.owner, { title: 'x', templateBody: long, settings: { examples: many } }),
    ).rejects.toThrow('longer than 1000000 characters');
  });

  it.each<[string, unknown]>([
    ['lacks Name', {}],
    ['params.Name must have at most 5', { Name: 'Maximiliane' }],
    ['have an image', { Name: { image: { mediaType: 'image/png', data: 'aGFsbG8=' } } }],
  ])('are refused when their values %s', async (fault, params) => {
    const example = { params: params as Record<string, unknown>, answer: 'x' };
    await expect(aLensWith({ ...typed, examples: [example] })).rejects.toThrow(fault);
    await expect(aLensWith({ ...typed, examples: [example] })).rejects.toThrow('settings.examples.0.params');
  });
});

describe('applySettings', () => {
  const apply = (wish: CallWish, more: Partial<LensSettings> = {}) => applySettings({ ...settings, ...more }, wish);

  it('completes a request, and leaves one to a lens without settings as it is', () => {
    expect(apply({})).toEqual({ preferred: [model], outputSchema, sampling: settings.sampling });
    expect(apply({ sampling: { seed: 3 } }).sampling).toEqual({ ...settings.sampling, seed: 3 });
    const wish = { modelOverride: 'm', sampling: { seed: 3 } };
    expect(applySettings(null, wish)).toBe(wish);
  });

  it.each<[string, CallWish, LensSettings['mayOverride']]>([
    ['modelOverride', { modelOverride: 'offline/other' }, ['sampling', 'outputSchema']],
    ['providerOverride', { providerOverride: 'openai' }, ['sampling', 'outputSchema']],
    ['sampling.temperature', { sampling: { temperature: 1 } }, ['model', 'outputSchema']],
    ['outputSchema', { outputSchema: { type: 'object' } }, ['model', 'sampling']],
  ])('lets a request replace %s only if the lens allows it', (path, wish, others = []) => {
    const refusal = expect.objectContaining({
      code: 'BAD_INPUT',
      details: { issues: [expect.objectContaining({ path })] },
    });
    expect(() => apply(wish)).toThrow(refusal);
    expect(() => apply(wish, { mayOverride: others })).toThrow(refusal);
    expect(apply(wish, { mayOverride: ['model', 'sampling', 'outputSchema'] })).toMatchObject(wish);
  });

  it('accepts a request for what the lens sets', () => {
    expect(apply({ modelOverride: model })).toMatchObject({ modelOverride: model, preferred: [model] });
    expect(apply({ modelOverride: 'echo', providerOverride: 'offline' })).toMatchObject({ modelOverride: 'echo' });
    expect(apply({ sampling: { temperature: 0.2 }, outputSchema: { ...outputSchema } })).toMatchObject({
      outputSchema,
    });
  });
});
