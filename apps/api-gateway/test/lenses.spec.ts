import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Endpoint, LensItem, LensRecord, PlatformExecutionAccepted, endpoints, parse } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { createDataset } from '@lensforge/evaluation';
import { aToken, actingAs, anAccount } from '@lensforge/identity/testing';
import { type Lens, setLensLabel } from '@lensforge/lenses';
import { aLens } from '@lensforge/lenses/testing';
import { type Answer, type Gateway, aGateway } from './gateway.js';
import { items } from './callers.js';

let gateway: Gateway;
/** Lenses of another account: one public, one private. */
let open: Lens;
let hidden: Lens;

const templateBody = 'Write a short and friendly greeting for [[Name]] in the tone of [[Tone!]].';
const body = { title: 'A greeting', templateBody };
const lens = {
  ...body,
  description: '',
  visibility: 'private',
  status: 'published',
  tags: [],
  params: expect.any(Array),
};

beforeAll(async () => {
  gateway = await aGateway({ LENSFORGE_RATE_EXECUTE_PER_MINUTE: '100000' });
  const other = actingAs(gateway.ctx, (await anAccount(gateway.ctx)).id);
  open = await aLens(other, { title: 'Open to all' });
  hidden = await aLens(other, { visibility: 'private' });
});
afterAll(() => gateway.stop());

type Options = Parameters<Gateway['call']>[2];
const call = (row: Endpoint, places: Record<string, string> = {}, options: Options = {}, query = ''): Promise<Answer> =>
  gateway.call(row.method, row.path.replace(/\{(\w+)\}/g, (_, name: string) => places[name] ?? '') + query, options);
const cursorOf = ({ body: { meta } }: Answer): unknown => meta && Reflect.get(meta, 'nextCursor');
const codeOf = ({ status, body: { error } }: Answer): unknown[] => [status, error?.code];
const made = async (more: object = {}): Promise<string> => {
  const answer = await call(endpoints.createLens, {}, { body: { ...body, ...more } });
  expect(answer.status).toBe(201);
  return String(answer.body.data?.['id']);
};

const rows = Object.values<Endpoint>(endpoints).filter(
  ({ path, id }) => path.startsWith('/v1/lenses') && !id.startsWith('executeLens'),
);
const good: Record<string, object> = {
  createLens: body,
  importLens: {
    format: 'lensforge.lens',
    formatVersion: 1,
    title: 'Imported',
    versions: [
      {
        semver: '1.0.0',
        templateBody,
        params: [
          { label: 'Name', optional: false },
          { label: 'Tone', optional: true },
        ],
        createdAt: '2026-01-01T00:00:00Z',
      },
    ],
  },
  updateLens: { title: 'Another' },
  saveLensCandidate: { templateBody: 'Another text' },
  saveLensDraft: { templateBody: 'Another', settings: null, baseVersionId: newId() },
  forkLens: {},
  setLensLabel: { version: '1.0.0' },
  setSponsorship: { credits: 10 },
  saveLensCase: { name: 'Ada', params: { Name: 'Ada' } },
};
const placesOf = (lensId: string) => ({ lensId, version: '1.0.0', label: 'production', caseId: newId() });
const queryOf = ({ id }: Endpoint) => (id === 'diffLensVersions' ? '?from=1.0.0' : '');
const over = ({ largeBody }: Endpoint): number => largeBody?.bytes ?? 300_000;
const sent = ({ id }: Endpoint): Options => (good[id] ? { body: good[id] } : {});

describe.each(rows.map((row) => [`${row.method} ${row.path}`, row] as const))('%s', (_, row) => {
  it('answers 401 without a token and to an unknown or revoked one', async () => {
    for (const token of ['', 'nonsense', `lf_dev_${'0'.repeat(64)}`]) {
      const answer = await call(row, placesOf(gateway.lensId), { ...sent(row), token }, queryOf(row));
      expect(codeOf(answer)).toEqual([401, 'unauthorized']);
    }
  });

  it('answers 403 insufficient_scope to a token without the scope', async () => {
    const held = row.scopes[0] === 'lenses:write' ? (['lenses:read'] as const) : (['threads:write'] as const);
    const { value: token } = await aToken(gateway.ctx, { accountId: gateway.accountId, held });
    const answer = await call(row, placesOf(gateway.lensId), { ...sent(row), token }, queryOf(row));
    expect(codeOf(answer)).toEqual([403, 'insufficient_scope']);
    expect(answer.headers.get('www-authenticate')).toContain(`scope="${row.scopes[0]}"`);
  });

  if (row.params) {
    it('answers 400 to a lens id that is not a UUID', async () => {
      const answer = await call(row, placesOf('no-uuid'), sent(row), queryOf(row));
      expect(codeOf(answer)).toEqual([400, 'invalid_request']);
    });

    it('answers the same 404 to an unknown lens and to a private one of another account', async () => {
      const missing = newId();
      const [a, b] = [
        await call(row, placesOf(hidden.id), sent(row), queryOf(row)),
        await call(row, placesOf(missing), sent(row), queryOf(row)),
      ];
      expect([codeOf(a), codeOf(b)]).toEqual([
        [404, 'not_found'],
        [404, 'not_found'],
      ]);
      expect(a.body.error?.message.replace(hidden.id, '')).toBe(b.body.error?.message.replace(missing, ''));
    });
  }

  if (row.params && row.scopes[0] === 'lenses:write' && row.id !== 'forkLens') {
    it('answers 403 forbidden to a public lens of another account', async () => {
      expect(codeOf(await call(row, placesOf(open.id), sent(row)))).toEqual([403, 'forbidden']);
    });
  }

  if (row.body) {
    it('answers 400 to an unknown member and to invalid JSON', async () => {
      const unknown = await call(row, placesOf(gateway.lensId), { body: { ...good[row.id], ownerId: newId() } });
      expect(codeOf(unknown)).toEqual([400, 'invalid_request']);
      expect(JSON.stringify(unknown.body)).toContain('ownerId');
      expect(codeOf(await call(row, placesOf(gateway.lensId), { body: '{"title":' }))).toEqual([
        400,
        'invalid_request',
      ]);
    });

    it('answers 413 to a body over the limit and 415 to another content type', async () => {
      const large = await call(row, placesOf(gateway.lensId), { body: { title: 'x'.repeat(over(row)) } });
      expect(codeOf(large)).toEqual([413, 'payload_too_large']);
      const headers = { 'content-type': 'text/plain' };
      const other = await call(row, placesOf(gateway.lensId), { body: good[row.id], headers });
      expect(codeOf(other)).toEqual([415, 'unsupported_media_type']);
    });
  }
});

describe('GET /v1/lenses', () => {
  const list = async (query: string) => call(endpoints.listLenses, {}, {}, query);
  const titles = ({ body: { data } }: Answer) => (data as unknown as LensItem[]).map(({ title }) => title);

  it('answers 200 with a total and items of the documented shape', async () => {
    const { status, body: answer } = await list('?limit=1&sort=popular');
    expect([status, answer.error]).toEqual([200, null]);
    expect(answer.meta).toMatchObject({ total: 2, limit: 1, offset: 0, hasNextPage: true });
    for (const item of answer.data as unknown as LensItem[]) expect(parse(LensItem, item)).toEqual(item);
  });

  it('answers 200 to search words and filters', async () => {
    const tagged = await made({ title: 'Zebra stripes', tags: ['Animals'], visibility: 'private' });
    expect(titles(await list('?q=zebra'))).toEqual(['Zebra stripes']);
    expect((await list('?q=zebra')).body.meta).toMatchObject({ total: 1, hasNextPage: false });
    expect(titles(await list('?tag=animals&visibility=private&status=published'))).toEqual(['Zebra stripes']);
    expect(titles(await list(`?author=${open.accountId}`))).toEqual(['Open to all']);
    expect(titles(await list(`?community=${open.accountId}&q=open`))).toEqual(['Open to all']);
    expect(titles(await list('?q=qqqqqq'))).toEqual([]);
    await call(endpoints.archiveLens, { lensId: tagged });
    expect(titles(await list('?q=zebra'))).toEqual([]);
    expect(titles(await list('?q=zebra&status=archived'))).toEqual(['Zebra stripes']);
  });

  it.each([
    ...[
      'limit=0',
      'limit=101',
      'limit=x',
      'limit=1.5',
      'offset=-1',
      'offset=2147483648',
      'sort=oldest',
      'visibility=secret',
    ],
    ...['status=gone', 'author=me', 'community=us', 'q=', `q=${'x'.repeat(1001)}`, 'tag=', 'surprise=1', 'q=a%00b'],
    'author=00000000-0000-7000-8000-000000000000&community=00000000-0000-7000-8000-000000000001',
  ])('answers 400 to ?%s', async (query) => {
    expect(codeOf(await list(`?${query}`))).toEqual([400, 'invalid_request']);
  });

  it.each(['limit=1', 'limit=100', 'offset=0', 'offset=2147483647', `q=${'x'.repeat(1000)}`, 'q=%25', "q='"])(
    'answers 200 to ?%s',
    async (query) => {
      expect((await list(`?${query}`)).status).toBe(200);
    },
  );
});

describe('POST /v1/lenses', () => {
  it('answers 201 with a lens that is private by default', async () => {
    const record = parse(LensRecord, (await call(endpoints.createLens, {}, { body })).body.data);
    expect(record.visibility).toBe('private');
    const { value: token } = await aToken(gateway.ctx, { accountId: (await anAccount(gateway.ctx)).id });
    expect((await call(endpoints.getLens, { lensId: record.id }, { token })).status).toBe(404);
    expect((await call(endpoints.getLens, { lensId: record.id })).status).toBe(200);
  });

  it('warns about a parameter that keeps providers from caching the fixed text behind it', async () => {
    const templateBody = `Dear [[Name]], ${'these are the rules of the house. '.repeat(300)}`;
    const answer = await call(endpoints.createLens, {}, { body: { ...body, templateBody } });
    const { id: lensId, warnings } = parse(LensRecord, answer.body.data);
    expect(warnings).toEqual([expect.stringContaining('[[Name]] at token 2 ends')]);
    const better = `${'these are the rules of the house. '.repeat(300)}Dear [[Name]]`;
    const changed = await call(endpoints.updateLens, { lensId }, { body: { templateBody: better } });
    expect(parse(LensRecord, changed.body.data).warnings).toEqual([]);
  });

  it('answers 201 with a lens that can be read at once', async () => {
    const request = { ...body, description: 'Says hello', visibility: 'community', tags: ['Hello'], status: 'draft' };
    const answer = await call(endpoints.createLens, {}, { body: request });
    const record = parse(LensRecord, answer.body.data);
    expect([answer.status, record]).toMatchObject([
      201,
      {
        ...request,
        tags: ['hello'],
        author: { id: gateway.accountId },
        headVersion: { semver: '1.0.0' },
        parentLensId: null,
      },
    ]);
    const read = await call(endpoints.getLens, { lensId: record.id });
    expect([read.status, read.body.data]).toEqual([200, answer.body.data]);
  });

  it.each([
    ['title', { title: '' }],
    ['title', { title: '   ' }],
    ['title', { title: 'x'.repeat(201) }],
    ['title', { title: 7 }],
    ['templateBody', { templateBody: 'x'.repeat(49) }],
    ['templateBody', { templateBody: 'x'.repeat(100_001) }],
    ['templateBody', { templateBody: undefined }],
    ['description', { description: 'x'.repeat(2001) }],
    ['visibility', { visibility: 'unlisted' }],
    ['status', { status: 'archived' }],
    ['tags', { tags: Array.from({ length: 21 }, (_, n) => `t${n}`) }],
    ['tags', { tags: ['!'] }],
    ['params', { params: [] }],
    ['params', { params: [{ label: 'Name' }] }],
  ])('answers 400 to %s %j', async (member, wrong) => {
    const answer = await call(endpoints.createLens, {}, { body: { ...body, ...wrong } });
    expect(codeOf(answer)).toEqual([400, 'invalid_request']);
    expect(answer.body.error?.message).toContain(member);
  });

  it('answers 201 to the longest and the shortest values', async () => {
    await made({ title: 'x', templateBody: 'x'.repeat(50) });
    await made({ title: '🦊'.repeat(200), templateBody: '€'.repeat(80_000), description: 'x'.repeat(2000) });
    await made({ templateBody: 'x'.repeat(100_000), tags: Array.from({ length: 20 }, (_, n) => `t${n}`) });
  });
});

describe('a lens', () => {
  it('is updated with 200, and a new text creates a version', async () => {
    const lensId = await made();
    const patch = (more: object) => call(endpoints.updateLens, { lensId }, { body: more });
    expect((await patch({})).body.data).toMatchObject({ ...lens, headVersion: { semver: '1.0.0' } });
    const title = await patch({ title: 'Renamed', tags: ['x'] });
    expect(title.body.data).toMatchObject({ title: 'Renamed', tags: ['x'], headVersion: { semver: '1.0.0' } });
    const text = await patch({ templateBody: `${templateBody} [[Age]]`, changelog: 'Age' });
    expect(text.body.data).toMatchObject({ changelog: 'Age', headVersion: { semver: '2.0.0' } });
    const { id: first } = (await call(endpoints.getLens, { lensId }, {}, '')).body.data?.['headVersion'] as {
      id: string;
    };
    await patch({ templateBody: `${templateBody} [[Age]] and [[Town]]`, baseVersionId: first });
    const late = await patch({ templateBody, baseVersionId: first });
    expect(codeOf(late)).toEqual([409, 'conflict']);
    expect(late.body.error?.message).toContain('read it and change that');
    for (const wrong of [{ title: '' }, { templateBody: 'short' }, { visibility: null }, { params: [] }]) {
      expect(codeOf(await patch(wrong))).toEqual([400, 'invalid_request']);
    }
  });

  it('is published, archived and restored with 200, or 409 where its state does not allow it', async () => {
    const lensId = await made({ status: 'draft' });
    const move = async (row: Endpoint) => {
      const { status, body: answer } = await call(row, { lensId });
      return [status, answer.data?.['status'] ?? answer.error?.code];
    };
    expect(await move(endpoints.restoreLens)).toEqual([409, 'conflict']);
    expect(await move(endpoints.publishLens)).toEqual([200, 'published']);
    expect(await move(endpoints.archiveLens)).toEqual([200, 'archived']);
    expect(await move(endpoints.publishLens)).toEqual([409, 'conflict']);
    expect(await move(endpoints.restoreLens)).toEqual([200, 'published']);
  });

  it('is deleted with 200', async () => {
    const lensId = await made();
    const gone = await call(endpoints.deleteLens, { lensId });
    expect([gone.status, gone.body.data]).toEqual([200, { deleted: true, lensId }]);
    for (const row of [endpoints.getLens, endpoints.deleteLens]) {
      expect(codeOf(await call(row, { lensId }))).toEqual([404, 'not_found']);
    }
  });

  it('is forked with 201, or 400 when it is private', async () => {
    const fork = await call(endpoints.forkLens, { lensId: open.id }, { body: {} });
    expect([fork.status, fork.body.data]).toMatchObject([
      201,
      { title: `Fork of ${open.id}`, parentLensId: open.id, visibility: 'private', author: { id: gateway.accountId } },
    ]);
    const own = await made({ visibility: 'private' });
    expect(codeOf(await call(endpoints.forkLens, { lensId: own }, { body: {} }))).toEqual([400, 'invalid_request']);
  });
});

describe('the versions of a lens', () => {
  let lensId: string;
  beforeAll(async () => {
    lensId = await made();
    await call(endpoints.updateLens, { lensId }, { body: { templateBody: `${templateBody} Thank you.` } });
  });

  it('are listed, and read by id, number or label with 200', async () => {
    const list = await call(endpoints.listLensVersions, { lensId }, {}, '?limit=1');
    expect([list.status, list.body.meta]).toMatchObject([200, { total: 2, limit: 1, offset: 0, hasNextPage: true }]);
    const [newest] = list.body.data as unknown as { id: string; semver: string }[];
    expect(newest?.semver).toBe('1.0.1');
    for (const version of [newest?.id ?? '', '1.0.1']) {
      const read = await call(endpoints.getLensVersion, { lensId, version });
      expect([read.status, read.body.data]).toMatchObject([
        200,
        { ...newest, lensId, params: [{ label: 'Name' }, {}] },
      ]);
    }
    expect(codeOf(await call(endpoints.getLensVersion, { lensId, version: '7.0.0' }))).toEqual([404, 'not_found']);
    expect(codeOf(await call(endpoints.listLensVersions, { lensId }, {}, '?limit=0'))).toEqual([
      400,
      'invalid_request',
    ]);
  });

  it('are compared with 200, or 400 without a from', async () => {
    const diff = await call(endpoints.diffLensVersions, { lensId }, {}, '?from=1.0.0&to=1.0.1');
    expect([diff.status, diff.body.data]).toMatchObject([
      200,
      { bump: 'patch', lines: [{ kind: 'removed' }, { kind: 'added', text: `${templateBody} Thank you.` }] },
    ]);
    expect(codeOf(await call(endpoints.diffLensVersions, { lensId }))).toEqual([400, 'invalid_request']);
  });

  it('are labelled, run by label, and rolled back by moving the label', async () => {
    const label = (version: string) =>
      call(endpoints.setLensLabel, { lensId, label: 'production' }, { body: { version } });
    const execute = async (version?: string) => {
      const request = { params: { Name: 'Ada' }, ...(version && { version }) };
      const answer = await call(endpoints.executeLens, { lensId }, { body: request });
      if (answer.status !== 202) return answer.body.error?.code;
      const { runId } = parse(PlatformExecutionAccepted, answer.body.data);
      const [run] = await gateway.ctx.db.query<[{ semver: string }]>(
        'select v.semver from runs r join lens_versions v on v.id = r.lens_version_id where r.id = $1',
        [runId],
      );
      return run.semver;
    };
    expect(await execute('production')).toBe('not_found');
    const set = await label('1.0.1');
    expect([set.status, set.body.data]).toMatchObject([200, { label: 'production', semver: '1.0.1' }]);
    expect(await execute('production')).toBe('1.0.1');
    await label('1.0.0');
    expect([await execute('production'), await execute('1.0.1'), await execute()]).toEqual(['1.0.0', '1.0.1', '1.0.1']);
    const back = () =>
      call(endpoints.returnLensLabel, { lensId, label: 'production' }, { body: { reason: 'It was better.' } });
    expect((await back()).body.data).toMatchObject({ label: 'production', semver: '1.0.1' });
    expect(codeOf(await back())).toEqual([409, 'conflict']);
    const removed = await call(endpoints.removeLensLabel, { lensId, label: 'production' });
    expect([removed.status, removed.body.data]).toEqual([200, { lensId, label: 'production', removed: true }]);
    expect(codeOf(await call(endpoints.removeLensLabel, { lensId, label: 'production' }))).toEqual([404, 'not_found']);
    const bad = await call(endpoints.setLensLabel, { lensId, label: '1.0.0' }, { body: { version: '1.0.0' } });
    expect(codeOf(bad)).toEqual([400, 'invalid_request']);
  });

  it('list where their labels pointed, for the owner alone', async () => {
    const moves = await call(endpoints.listLensLabelMoves, { lensId }, {}, '?limit=2');
    expect(moves.body).toMatchObject({
      data: [
        { label: 'production', version: null, before: { semver: '1.0.1' }, kind: 'remove' },
        {
          version: { semver: '1.0.1' },
          before: { semver: '1.0.0' },
          kind: 'return',
          reason: 'It was better.',
          credential: 'developer',
        },
      ],
      meta: { nextCursor: expect.any(String) },
    });
    const next = `?limit=2&cursor=${String(cursorOf(moves))}`;
    const rest = await call(endpoints.listLensLabelMoves, { lensId }, {}, next);
    expect(rest.body.data).toMatchObject([
      { version: { semver: '1.0.0' }, before: { semver: '1.0.1' }, kind: 'set' },
      { label: 'production', version: { semver: '1.0.1' }, before: null, reason: null },
    ]);
    expect(codeOf(await call(endpoints.listLensLabelMoves, { lensId: open.id }))).toEqual([403, 'forbidden']);
  });

  it('are exported as one document and imported again', async () => {
    const file = await call(endpoints.exportLens, { lensId });
    expect(file.status).toBe(200);
    const back = await call(endpoints.importLens, {}, { body: file.body.data });
    expect([back.status, back.body.data]).toMatchObject([201, { ...lens, templateBody: `${templateBody} Thank you.` }]);
    const again = await call(endpoints.exportLens, { lensId: String(back.body.data?.['id']) });
    expect(again.body.data).toEqual(file.body.data);
    const broken = { ...file.body.data, versions: [] };
    expect(codeOf(await call(endpoints.importLens, {}, { body: broken }))).toEqual([400, 'invalid_request']);
  });
});

describe('a lens that is the whole of a call', () => {
  const messages = [
    { role: 'system', text: 'You answer customers of a shop in two short sentences.' },
    { role: 'user', text: '[[history]]' },
    { role: 'user', text: '[[Question]]' },
  ];
  const text = `[[@system]]\n${messages[0]?.text}\n[[@user]]\n[[history]]\n[[@user]]\n[[Question]]`;
  /** Neither the order of the shapes nor that of jsonb. */
  const settings = {
    outputSchema: {
      type: 'object',
      required: ['reply'],
      properties: { reply: { type: 'string' }, ok: { type: 'boolean' } },
    },
    models: ['offline/echo'],
    sampling: { topP: 0.5, maxOutputTokens: 90 },
    params: [{ type: 'text', label: 'Question', max: 20, example: 'Why?' }],
    mayOverride: ['model'],
  };
  const whole = { title: 'Support', messages, settings };

  it('has its messages and settings everywhere, byte for byte', async () => {
    const created = await call(endpoints.createLens, {}, { body: whole });
    expect([created.status, created.body.error]).toEqual([201, null]);
    const lensId = String(created.body.data?.['id']);
    const version = await call(endpoints.getLensVersion, { lensId, version: '1.0.0' });
    for (const { body } of [created, await call(endpoints.getLens, { lensId }), version]) {
      expect(body.data).toMatchObject({ templateBody: text, messages });
      expect(JSON.stringify(body.data?.['settings'])).toBe(JSON.stringify(settings));
    }
    const again = await call(endpoints.createLens, {}, { body: { title: 'As text', templateBody: text } });
    expect(again.body.data).toMatchObject({ messages, settings: null });
    expect(again.body.data?.['params']).toMatchObject([
      { label: 'history', optional: true },
      { label: 'Question', optional: false },
    ]);
    const exported = await call(endpoints.exportLens, { lensId });
    const imported = await call(endpoints.importLens, {}, { body: exported.body.data });
    const back = await call(endpoints.exportLens, { lensId: String(imported.body.data?.['id']) });
    expect(JSON.stringify(back.body.data)).toBe(JSON.stringify(exported.body.data));
  });

  it('says what is wrong with its messages, its settings, or a request', async () => {
    const faults = async (body: object): Promise<unknown> => {
      const { status, body: answer } = await call(endpoints.createLens, {}, { body: { ...whole, ...body } });
      return [status, answer.error?.message];
    };
    expect(await faults({ templateBody })).toEqual([400, 'messages cannot be given together with templateBody']);
    expect(await faults({ messages: undefined })).toEqual([400, 'templateBody is required, unless there are messages']);
    expect(await faults({ messages: [{ role: 'tool', text: 'x' }] })).toEqual([
      400,
      'The request is not valid: messages.0.role must be one of system, user, assistant',
    ]);
    expect(await faults({ settings: { models: ['nobody/knows'] } })).toEqual([
      400,
      'settings.models: there is no model nobody/knows; GET /v1/models lists them: write provider/key',
    ]);
    expect(await faults({ settings: { sampling: { temperature: 3 } } })).toEqual([
      400,
      'The request is not valid: settings.sampling.temperature must be a number from 0 to 2',
    ]);
    expect(await faults({ settings: { params: [{ label: 'Question', type: 'enum' }] } })).toEqual([
      400,
      'settings.params.0.values is required for the type enum',
    ]);
    expect(await faults({ settings: { temperature: 1 } })).toEqual([400, expect.stringContaining('temperature')]);
    const { body: created } = await call(endpoints.createLens, {}, { body: whole });
    const lensId = String(created.data?.['id']);
    const execute = async (more: object) =>
      codeOf(await call(endpoints.executeLens, { lensId }, { body: { params: { Question: 'Why?' }, ...more } }));
    expect(await execute({})).toEqual([202, undefined]);
    expect(await execute({ params: {} })).toEqual([400, 'invalid_request']);
    expect(await execute({ params: { Question: 'x'.repeat(21) } })).toEqual([400, 'invalid_request']);
    expect(await execute({ sampling: { topP: 1 } })).toEqual([400, 'invalid_request']);
    expect(await execute({ outputSchema: { type: 'object' } })).toEqual([400, 'invalid_request']);
    expect(await execute({ params: { Question: 'Why?', history: 'x' } })).toEqual([400, 'invalid_request']);
  });

  it('includes another lens, and is listed there', async () => {
    const part = await made({ title: 'Tone of voice' });
    const { body: me } = await gateway.call('GET', '/v1/me');
    const { handle } = (me.data as { account: { handle: string } }).account;
    const text = `[[> ${handle}/tone-of-voice]] And say goodbye to everyone in the room.`;
    const lensId = await made({ templateBody: text });
    const { body: read } = await call(endpoints.getLensVersion, { lensId, version: '1.0.0' });
    expect(read.data?.['includes']).toMatchObject([{ lensId: part, semver: '1.0.0', text: templateBody }]);
    const { body: list } = await call(endpoints.listIncludingLenses, { lensId: part });
    expect(list.data).toMatchObject([{ id: lensId }]);
    const refused = await call(endpoints.createLens, {}, { body: { ...body, templateBody: `[[> nobody/x]] ${text}` } });
    expect(codeOf(refused)).toEqual([400, 'invalid_request']);
    expect(codeOf(await call(endpoints.listIncludingLenses, { lensId: hidden.id }))).toEqual([404, 'not_found']);
  });

  it('makes a version when settings change or go', async () => {
    const { body: created } = await call(endpoints.createLens, {}, { body: whole });
    const lensId = String(created.data?.['id']);
    const change = async (body: object) => (await call(endpoints.updateLens, { lensId }, { body })).body.data;
    expect(await change({ settings })).toMatchObject({ headVersion: { semver: '1.0.0' } });
    expect(await change({ settings: { ...settings, sampling: { topP: 1 } } })).toMatchObject({
      headVersion: { semver: '1.0.1' },
      changelog: 'Settings: sampling.topP, sampling.maxOutputTokens',
    });
    expect(await change({ settings: null })).toMatchObject({ headVersion: { semver: '2.0.0' }, settings: null });
    const { body: diff } = await call(endpoints.diffLensVersions, { lensId }, {}, '?from=1.0.1');
    expect(diff.data?.['settings']).toContainEqual({ name: 'models', before: ['offline/echo'], after: null });
  });
});

describe('the draft of a lens', () => {
  it('is kept as it is, replaced and discarded, and its owner alone has it', async () => {
    const body = {
      title: 'Drafted',
      templateBody: 'The text of [[Name]], which callers get until it is changed.',
      visibility: 'public',
    };
    const created = await call(endpoints.createLens, {}, { body });
    const { id, headVersion } = created.body.data as { id: string; headVersion: { id: string } };
    const lensId = { lensId: id };
    const draftOf = async (answer: Promise<Answer>) => (await answer).body.data?.['draft'];
    expect(await draftOf(call(endpoints.getLensDraft, lensId))).toBeNull();
    const first = { templateBody: '[[', settings: { models: ['offline/echo'] }, baseVersionId: headVersion.id };
    const kept = { ...first, changelog: '', updatedAt: expect.any(String) };
    expect(await draftOf(call(endpoints.saveLensDraft, lensId, { body: first }))).toEqual(kept);
    expect(await draftOf(call(endpoints.getLensDraft, lensId))).toEqual(kept);
    const second = { ...first, templateBody: '', settings: null, changelog: 'Shorter' };
    await call(endpoints.saveLensDraft, lensId, { body: second });
    expect(await draftOf(call(endpoints.getLensDraft, lensId))).toEqual({ ...second, updatedAt: expect.any(String) });
    const { body: read } = await call(endpoints.getLens, lensId);
    expect(read.data).toMatchObject({ templateBody: body.templateBody, headVersion });

    for (const endpoint of [endpoints.getLensDraft, endpoints.saveLensDraft, endpoints.discardLensDraft])
      expect(codeOf(await call(endpoint, { lensId: open.id }, sent(endpoint)))).toEqual([403, 'forbidden']);
    // Who has not read the second one may not replace it.
    const updatedAt = '2026-01-01T00:00:00.000Z';
    for (const continues of [null, updatedAt]) {
      const refused = await call(endpoints.saveLensDraft, lensId, { body: { ...first, continues } });
      expect(codeOf(refused)).toEqual([409, 'conflict']);
    }
    const { updatedAt: last } = (await draftOf(call(endpoints.getLensDraft, lensId))) as { updatedAt: string };
    const another = { ...second, updatedAt: last };
    expect(await draftOf(call(endpoints.discardLensDraft, lensId, {}, `?continues=${updatedAt}`))).toEqual(another);
    expect(await draftOf(call(endpoints.saveLensDraft, lensId, { body: { ...first, continues: last } }))).toEqual(kept);
    for (let time = 0; time < 2; time += 1) {
      expect(await draftOf(call(endpoints.discardLensDraft, lensId))).toBeNull();
      expect(await draftOf(call(endpoints.getLensDraft, lensId))).toBeNull();
    }
  });

  it('has the limits of a version, but no least length', async () => {
    const created = await call(endpoints.createLens, {}, { body: { title: 'Drafted', templateBody } });
    const lensId = { lensId: String(created.body.data?.['id']) };
    const good = { templateBody, settings: null, baseVersionId: newId() };
    for (const [member, value] of [
      ['templateBody', 'x'.repeat(100_001)],
      ['changelog', 'x'.repeat(2001)],
      ['settings', { models: 'offline/echo' }],
      ['settings', undefined],
      ['baseVersionId', 'v1'],
      ['continues', 'before'],
    ] as const) {
      const answer = await call(endpoints.saveLensDraft, lensId, { body: { ...good, [member]: value } });
      expect([member, ...codeOf(answer)]).toEqual([member, 400, 'invalid_request']);
    }
  });
});

describe('a candidate of a lens', () => {
  it('is saved once, executed by its id, and no version that callers get', async () => {
    const body = { title: 'Tried', templateBody: 'The text of [[Name]], which callers get as the newest version.' };
    const created = await call(endpoints.createLens, {}, { body });
    const lensId = String(created.body.data?.['id']);
    const save = async (templateBody: string) =>
      (await call(endpoints.saveLensCandidate, { lensId }, { body: { templateBody } })).body.data;
    const candidate = await save('Try [[Mood]]');
    expect(candidate).toEqual({
      id: expect.any(String),
      semver: expect.stringMatching(/^1\.0\.0-/),
      isCandidate: true,
    });
    expect(await save('Try [[Mood]]')).toEqual(candidate);
    expect(await save(body.templateBody)).toEqual({
      ...(created.body.data?.['headVersion'] as object),
      isCandidate: false,
    });
    const versions = await call(endpoints.listLensVersions, { lensId });
    expect(items(versions).map(({ semver }) => semver)).toEqual(['1.0.0']);
    const order = { params: { Mood: 'joy' }, version: candidate?.['id'] };
    const run = await call(endpoints.executeLens, { lensId }, { body: order });
    const { body: read } = await call(endpoints.getRun, { runId: String(run.body.data?.['runId']) });
    expect(read.data?.['lensVersionId']).toBe(candidate?.['id']);
    expect(codeOf(await call(endpoints.executeLens, { lensId }, { body: { params: { Mood: 'joy' } } }))[0]).toBe(400);
  });
});

describe('a lens with a default label', () => {
  it('is executed at its version by callers that name none', async () => {
    const body = { title: 'Released', templateBody: 'The first text of [[Name]], which is released to all callers.' };
    const made = await call(endpoints.createLens, {}, { body });
    const lensId = String(made.body.data?.['id']);
    await call(endpoints.setLensLabel, { lensId, label: 'production' }, { body: { version: '1.0.0' } });
    const later = {
      defaultLabel: 'production',
      templateBody: 'The second text of [[Name]], which callers get by its number.',
    };
    const saved = await call(endpoints.updateLens, { lensId }, { body: later });
    expect(saved.body.data).toMatchObject({
      headVersion: { semver: '1.0.1' },
      servedVersion: { semver: '1.0.0' },
      defaultLabel: 'production',
    });
    const versionsOf = async (more: object): Promise<unknown> => {
      const run = await call(endpoints.executeLens, { lensId }, { body: { params: { Name: 'Ada' }, ...more } });
      const { body: read } = await call(endpoints.getRun, { runId: String(run.body.data?.['runId']) });
      return read.data?.['lensVersionId'];
    };
    const [released, candidate] = [made.body.data?.['headVersion'], saved.body.data?.['headVersion']] as {
      id: string;
    }[];
    expect(await versionsOf({})).toBe(released?.id);
    expect(await versionsOf({ version: '1.0.1' })).toBe(candidate?.id);
    const unknown = await call(endpoints.updateLens, { lensId }, { body: { defaultLabel: 'staging' } });
    expect([unknown.status, unknown.body.error?.message]).toEqual([
      400,
      expect.stringContaining('"staging" is no label of this lens: set the label first'),
    ]);
    const removed = await call(endpoints.removeLensLabel, { lensId, label: 'production' });
    expect(removed.status).toBe(409);
  });

  it('asks for the gate of its rules, which only a person sets', async () => {
    const lensId = await made();
    const own = actingAs(gateway.ctx, gateway.accountId);
    const person: Context = { ...own, actor: { ...own.actor, credential: { kind: 'session', id: 'a' } } };
    const { id: datasetId } = await createDataset(own, { name: 'Letters' });
    const rules = { gate: { datasetId } };
    const set = (body: object) => call(endpoints.setLensLabel, { lensId, label: 'production' }, { body });
    expect(codeOf(await set({ version: '1.0.0', rules }))).toEqual([403, 'forbidden']);
    await setLensLabel(person, { lensId, label: 'production', version: '1.0.0', rules });
    await call(endpoints.updateLens, { lensId }, { body: { templateBody: `${templateBody} Thanks.` } });
    const refused = await set({ version: '1.0.1' });
    expect([refused.status, refused.body.error?.message]).toEqual([
      409,
      expect.stringContaining('production needs a passed gate: no experiment of this version over its dataset'),
    ]);
    for (const body of [{ override: true, reason: 'Now' }, { rules: null }]) {
      expect((await set({ version: '1.0.0', ...body })).status).toBe('rules' in body ? 403 : 200);
      expect((await set({ version: '1.0.1', ...body })).status).toBe('rules' in body ? 409 : 403);
    }
    const read = await call(endpoints.getLens, { lensId });
    expect(read.body.data?.['labels']).toMatchObject([{ semver: '1.0.0', rules }]);
  });
});

describe('a lens with a long history', () => {
  it('is exported as one large document and imported again', async () => {
    const line = 'It asks for [[Name]], says "hello" in the tone of [[Tone!]], and leaves.\n';
    const versions = Array.from({ length: 300 }, (_, at) => ({
      semver: `1.0.${at}`,
      templateBody: `${at}: ${line.repeat(200)}`,
      params: [
        { label: 'Name', optional: false },
        { label: 'Tone', optional: true },
      ],
      changelog: `Change ${at}`,
      createdAt: new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString(),
    }));
    const file = { format: 'lensforge.lens', formatVersion: 1, title: 'Old', versions, labels: [] };
    const made = await call(endpoints.importLens, {}, { body: file });
    expect([made.status, made.body.data]).toMatchObject([201, { title: 'Old', headVersion: { semver: '1.0.299' } }]);
    const first = await call(endpoints.exportLens, { lensId: String(made.body.data?.['id']) });
    expect(first.body.data).toMatchObject(file);
    const back = await call(endpoints.importLens, {}, { body: first.body.data });
    expect(back.status).toBe(201);
    const second = await call(endpoints.exportLens, { lensId: String(back.body.data?.['id']) });
    expect(second.body.data).toEqual(first.body.data);
  });
});

describe('the popularity of a lens', () => {
  it('grows only with new executions', async () => {
    const lensId = await made();
    const request = { params: { Name: 'Ada' }, idempotencyKey: newId() };
    for (let times = 0; times < 3; times += 1) await call(endpoints.executeLens, { lensId }, { body: request });
    const deadline = Date.now() + 20_000;
    let uses: { uses: string }[] = [];
    while (uses.length === 0 && Date.now() < deadline) {
      uses = await gateway.ctx.db.query('select uses from lens_uses where lens_id = $1', [lensId]);
    }
    expect(uses).toEqual([{ uses: '1' }]);
  });
});

describe('the cases of a lens', () => {
  it('are saved by name, listed, replaced and removed', async () => {
    const lensId = await made();
    const save = (name: string, params: object, more: object = {}) =>
      call(endpoints.saveLensCase, { lensId }, { body: { name, params, ...more } });
    const first = await save('A guest', { Name: 'Ada' });
    expect([first.status, first.body.data]).toEqual([
      200,
      {
        id: expect.any(String),
        name: 'A guest',
        params: { Name: 'Ada' },
        reference: null,
        updatedAt: expect.any(String),
      },
    ]);
    await save('A colleague', { Name: 'Ben' });
    const replaced = await save('A guest', { Name: 'Cleo' }, { reference: 'Hello, Cleo!' });
    expect(replaced.body.data).toMatchObject({ id: first.body.data?.['id'], reference: 'Hello, Cleo!' });
    const page = await call(endpoints.listLensCases, { lensId }, {}, '?limit=1');
    expect(page.body.data).toMatchObject([{ name: 'A guest', params: { Name: 'Cleo' } }]);
    const rest = await call(endpoints.listLensCases, { lensId }, {}, `?cursor=${String(cursorOf(page))}`);
    expect(rest.body.data).toMatchObject([{ name: 'A colleague' }]);
    const places = { lensId, caseId: String(first.body.data?.['id']) };
    expect((await call(endpoints.removeLensCase, places)).body.data).toEqual({ caseId: places.caseId, removed: true });
    expect(codeOf(await call(endpoints.removeLensCase, places))).toEqual([404, 'not_found']);
  });

  it('are at most 100, each with at most 100,000 characters of parameters', async () => {
    const lensId = await made();
    await gateway.ctx.db.query(
      `insert into lens_cases (id, lens_id, name, params, updated_at)
       select uuidv7(), $1, 'case ' || i, '{}', now() from generate_series(1, 100) i`,
      [lensId],
    );
    const another = await call(endpoints.saveLensCase, { lensId }, { body: { name: 'case 101', params: {} } });
    expect(codeOf(another)).toEqual([400, 'invalid_request']);
    expect((await call(endpoints.saveLensCase, { lensId }, { body: { name: 'case 7', params: {} } })).status).toBe(200);
    const large = { name: 'case 7', params: { Name: 'x'.repeat(100_000) } };
    expect(codeOf(await call(endpoints.saveLensCase, { lensId }, { body: large }))).toEqual([400, 'invalid_request']);
  });

  it('are hidden from others, also when the lens is public', async () => {
    expect(codeOf(await call(endpoints.listLensCases, { lensId: open.id }))).toEqual([403, 'forbidden']);
  });
});

describe('GET /v1/lenses/{lensId}/workflows', () => {
  it('lists own workflows whose newest version names the lens, with the versions that they name', async () => {
    const lensId = await made();
    const node = (id: string, version?: string) => ({
      id,
      type: 'lens',
      settings: { lensId: lensId.toUpperCase(), params: { Name: 'Ada' }, ...(version !== undefined && { version }) },
    });
    const workflow = async (title: string, nodes: object[]): Promise<string> => {
      const answer = await call(endpoints.createWorkflow, {}, { body: { title, graph: { nodes, edges: [] } } });
      expect([answer.status, answer.body.error]).toEqual([201, null]);
      return String(answer.body.data?.['id']);
    };
    const map = { id: 'each', type: 'map', settings: { items: '[1]', graph: { nodes: [node('inner')], edges: [] } } };
    await workflow('Without it', [{ id: 'pause', type: 'delay', settings: { seconds: 1 } }]);
    const nested = await workflow('In a map', [map]);
    const twice = await workflow('Twice', [node('one'), node('two', '1.0.0')]);
    const changed = await workflow('No longer', [node('one')]);
    await call(
      endpoints.saveWorkflowGraph,
      { workflowId: changed },
      { body: { graph: { nodes: [{ id: 'pause', type: 'delay', settings: { seconds: 1 } }], edges: [] } } },
    );
    const page = await call(endpoints.listLensWorkflows, { lensId }, {}, '?limit=1');
    expect(page.body.data).toEqual([
      { id: twice, title: 'Twice', versions: ['1.0.0', 'latest'], createdAt: expect.any(String) },
    ]);
    const rest = await call(endpoints.listLensWorkflows, { lensId }, {}, `?cursor=${String(cursorOf(page))}`);
    expect(rest.body.data).toMatchObject([{ id: nested, title: 'In a map', versions: ['latest'] }]);
    expect(cursorOf(rest)).toBeUndefined();
  });
});
