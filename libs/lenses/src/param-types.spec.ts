import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LensParamType, LensSettings } from '@lensforge/contracts';
import { type LensFixture, lensFixture } from '../test/lens-fixture.js';
import { createLens, forkLens, getLens, runLens, updateLens, validateLensParams } from './index.js';
import { toTypedValues } from './param-types.js';

let fixture: LensFixture;
beforeAll(async () => {
  fixture = await lensFixture();
});
afterAll(() => fixture.close());

const templateBody =
  'Write [[Count]] short lines to [[Name]], in the tone [[Tone]], please. [[#Formal]]Use the surname.[[/Formal]]';
const tone: LensParamType = { label: 'Tone', type: 'enum', values: ['warm', 'plain'], default: 'plain' };
const types: LensParamType[] = [
  { label: 'Count', type: 'number', min: 1, max: 9, example: 3 },
  { label: 'Name', type: 'text', max: 10, description: 'Whom to write to' },
  tone,
  { label: 'Formal', type: 'boolean', default: false },
];
const aTypedLens = async (params = types): Promise<string> =>
  (await createLens(fixture.owner, { title: 'x', templateBody, settings: { params } })).lens.id;

describe('typed parameters', () => {
  const typed = (values: Record<string, unknown>, more: LensParamType[] = []) =>
    toTypedValues({ params: [...types, ...more] }, values);

  it('convert what forms send, and fill in defaults', () => {
    expect(typed({ count: ' 3 ', Name: 7, FORMAL: 'true', other: '1' })).toEqual({
      count: 3,
      Name: '7',
      FORMAL: true,
      other: '1',
      Tone: 'plain',
    });
    expect(typed({ Count: null, Tone: 'warm' })).toEqual({ Count: null, Tone: 'warm', Formal: false });
    const values = { a: 1 };
    expect(toTypedValues(null, values)).toBe(values);
  });

  it.each<[string, Record<string, unknown>]>([
    ['params.Count: must be a number', { Count: 'three' }],
    ['params.Count: must be at most 9', { Count: 10 }],
    ['params.Count: must be at least 1', { Count: '0' }],
    ['params.Name: must have at most 10 characters', { Name: 'Maximiliane' }],
    ['params.Name: must be a text', { Name: ['Ada'] }],
    ['params.Tone: must be one of warm, plain', { Tone: 'angry' }],
    ['params.Formal: must be true or false', { Formal: 'yes' }],
    ['params.Items: must be a list', { Items: 'a, b' }],
    ['params.Items: must have at most 2', { Items: [1, 2, 3] }],
    ['params.Photo: must be an image', { Photo: 'me.png' }],
    ['params.Photo: must have', { Photo: {} }],
  ])('refuse with "%s"', (fault, values) => {
    const more: LensParamType[] = [
      { label: 'Items', type: 'list', max: 2 },
      { label: 'Photo', type: 'image' },
      { label: 'Anything', type: 'json' },
    ];
    const [path = '', message = ''] = fault.split(': ');
    expect(() => typed({ ...values, Anything: [values] }, more)).toThrow(message);
    expect(() => typed(values, more)).toThrow(path);
  });

  it('name every wrong value at once', () => {
    expect(() => typed({ Count: 'x', Tone: 'y' })).toThrow(/params\.Count.*params\.Tone/);
  });

  it('apply where a prompt is made, and make a parameter with a default optional', async () => {
    const lensId = await aTypedLens();
    expect((await getLens(fixture.owner, lensId)).params).toMatchObject([
      { label: 'Count', optional: false },
      { label: 'Name', optional: false },
      { label: 'Tone', optional: true },
      { label: 'Formal', optional: true },
    ]);
    const run = (paramValues: Record<string, unknown>) => runLens(fixture.owner, { lensId, paramValues });
    const { resolvedPrompt } = await run({ Count: '2', Name: 'Ada', Formal: 'false' });
    expect(resolvedPrompt).toBe('Write 2 short lines to Ada, in the tone plain, please. ');
    await expect(run({ Count: 99, Name: 'Ada' })).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await expect(run({ Count: 1 })).rejects.toMatchObject({ code: 'MISSING_PARAMS' });
    const check = await validateLensParams(fixture.owner, { lensId, values: { Count: 1, Name: 'Ada' } });
    expect(check).toMatchObject({ valid: true, missing: [], totalParams: 4 });
  });

  it.each<[string, LensParamType]>([
    ['params.0.label: Age is not in the template', { label: 'Age', type: 'number' }],
    ['params.0.values: is required', { label: 'Tone', type: 'enum' }],
    ['params.0.values: is for the type enum', { label: 'Tone', type: 'text', values: ['a'] }],
    ['params.0.max: is for the types text, number, list', { label: 'Formal', type: 'boolean', max: 1 }],
    ['params.0.min: must be at most max, 1', { label: 'Count', type: 'number', min: 2, max: 1 }],
    ['params.0.default: must be', { label: 'Count', type: 'number', default: '5' }],
    ['params.0.example: must be', { label: 'Count', type: 'number', max: 4, example: 5 }],
  ])('are refused with "settings.%s"', async (fault, type) => {
    const [path = '', message = ''] = fault.split(': ');
    await expect(aTypedLens([type])).rejects.toThrow(`settings.${path}`);
    await expect(aTypedLens([type])).rejects.toThrow(message);
    await expect(aTypedLens([tone, { ...tone, label: ' TONE ' }])).rejects.toThrow('a second time');
  });

  it('decide about the number of the next version', async () => {
    const lensId = await aTypedLens();
    const change = async (params: LensParamType[] | undefined, text?: string): Promise<string> => {
      const settings: LensSettings | undefined = params && { params };
      return (await updateLens(fixture.owner, { lensId, settings, templateBody: text })).semver;
    };
    const others = types.filter(({ label }) => label !== 'Tone');
    expect(await change([...others, { ...tone, description: 'How to write' }])).toBe('1.0.1');
    expect(await change([...others, { ...tone, values: ['warm', 'plain', 'curt'] }])).toBe('1.1.0');
    expect(await change([...others, tone])).toBe('2.0.0');
    expect(await change([...others, { label: 'Tone', type: 'text', default: 'plain' }])).toBe('3.0.0');
    expect(await change([...others, { label: 'Tone', type: 'text' }])).toBe('4.0.0');
    expect(await change(others)).toBe('4.1.0');
    expect(await change(types)).toBe('5.0.0');
  });

  it('stay with their parameters when the text changes without them', async () => {
    const lensId = await aTypedLens();
    const text = 'Write several short lines to [[Name]], and do so in the tone [[tone]].';
    await updateLens(fixture.owner, { lensId, templateBody: text });
    const { settings, params } = await getLens(fixture.owner, lensId);
    expect(settings?.params?.map(({ label }) => label)).toEqual(['Name', 'Tone']);
    expect(params.map(({ optional }) => optional)).toEqual([false, true]);
    const none = 'Write several short lines to nobody at all, without any name in them.';
    const { lens } = await forkLens(fixture.stranger, { sourceLensId: lensId, templateBody: none });
    expect((await getLens(fixture.stranger, lens.id)).settings).toBeNull();
  });
});
