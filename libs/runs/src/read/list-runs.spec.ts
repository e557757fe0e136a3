import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type RunFilter, type RunStatus, type RunsQuery, type Scope, maxSearchedRuns } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { createLens } from '@lensforge/lenses';
import { createWorkflow } from '@lensforge/workflows';
import { aContext } from '@lensforge/testing';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import { listRuns, readRun } from '../index.js';
import { type StoredRunTraits, aStoredRun } from '../testing.js';

let database: RunsDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await openRunsDatabase();
});
afterAll(() => database.close());

const found = async (filter: Partial<RunsQuery>, who = ctx): Promise<string[]> =>
  (await listRuns(who, { limit: 100, ...filter })).items.map(({ id }) => id);

/** Reads all pages. */
async function walk(filter: RunFilter, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listRuns(ctx, { limit, ...filter, ...(cursor !== undefined && { cursor }) });
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return ids;
}

describe('listRuns', () => {
  const lens = newId();
  const workflow = newId();
  const batch = newId();
  const statuses: RunStatus[] = ['queued', 'running', 'succeeded', 'failed', 'canceled', 'timed_out'];
  let all: { id: string; status: RunStatus; lensId: string | null; tags: string[]; batchId: string | null }[];

  beforeAll(async () => {
    ctx = await database.anAccount();
    all = [];
    for (let n = 0; n < 36; n += 1) {
      const traits: StoredRunTraits & { status: RunStatus; tags: string[]; batchId: string | null } = {
        status: statuses[n % 6] as RunStatus,
        tags: [...(n % 2 ? ['odd'] : []), ...(n % 3 ? [] : ['third', 'Dritte, «die»'])],
        ...(n < 30 ? { lensId: n < 15 ? lens : newId() } : { workflowId: n < 33 ? workflow : newId() }),
        batchId: n % 4 === 0 ? batch : null,
        waits: n === 12,
      };
      const id = await aStoredRun(ctx, traits);
      all.unshift({
        id,
        status: traits.status,
        lensId: traits.lensId ?? null,
        tags: traits.tags,
        batchId: traits.batchId,
      });
    }
    const stranger = await database.anAccount();
    await aStoredRun(stranger, { lensId: lens, tags: ['odd', 'third'], batchId: batch, status: 'failed' });
  });

  const expected = (fits: (run: (typeof all)[number]) => boolean): string[] => all.filter(fits).map(({ id }) => id);

  it('returns the runs of an account, newest first', async () => {
    const { items } = await listRuns(ctx, { limit: 100 });
    expect(items.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(items.at(-4)).toEqual({
      id: all.at(-4)?.id,
      kind: 'lens',
      status: 'failed',
      lensId: lens,
      workflowId: null,
      batchId: null,
      tags: ['odd', 'third', 'Dritte, «die»'],
      modelKey: 'echo',
      providerKey: 'offline',
      creditCost: 0,
      createdAt: expect.stringMatching(/Z$/),
      startedAt: null,
      completedAt: expect.stringMatching(/Z$/),
      errorCode: 'PROVIDER_FAILED',
      parentRunId: null,
      origin: 'caller',
      title: null,
      version: null,
    });
  });

  it('names the lens or workflow of a run while the caller may read it', async () => {
    const [owner, user] = [await database.anAccount(), await database.anAccount()];
    const templateBody = 'Say what [[Topic]] is in one plain sentence that anyone can read.';
    const open = (await createLens(owner, { title: 'For all', templateBody, visibility: 'public' })).lens.id;
    const hidden = (await createLens(owner, { title: 'Mine', templateBody, visibility: 'private' })).lens.id;
    const workflowId = (await createWorkflow(user, { title: 'Steps' })).workflowId;
    for (const who of [owner, user]) for (const lensId of [open, hidden]) await aStoredRun(who, { lensId });
    await aStoredRun(user, { workflowId });
    const titles = async (who: Context) => (await listRuns(who, { limit: 10 })).items.map(({ title }) => title);
    expect(await titles(owner)).toEqual(['Mine', 'For all']);
    expect(await titles(user)).toEqual(['Steps', null, 'For all']);
    await database.source.query('update lenses set deleted_at = now() where id = $1', [open]);
    expect(await titles(user)).toEqual(['Steps', null, null]);
  });

  it.each([1, 5, 36, 40])('returns each run once in pages of %d', async (limit) => {
    expect(await walk({}, limit)).toEqual(all.map(({ id }) => id));
    expect(await walk({ lensId: lens }, limit)).toEqual(expected(({ lensId }) => lensId === lens));
    expect(await walk({ tag: ['odd'] }, limit)).toEqual(expected(({ tags }) => tags.includes('odd')));
  });

  it('filters by one or several statuses', async () => {
    for (const status of statuses)
      expect(await found({ status: [status] })).toEqual(expected((run) => run.status === status));
    expect(await found({ status: ['failed', 'queued', 'succeeded'] })).toEqual(
      expected(({ status }) => ['failed', 'queued', 'succeeded'].includes(status)),
    );
    expect(await found({ status: statuses })).toEqual(all.map(({ id }) => id));
  });

  it('filters by kind, lens and workflow', async () => {
    expect((await found({ kind: 'workflow' })).length).toBe(6);
    expect(await found({ workflowId: workflow })).toEqual(all.slice(3, 6).map(({ id }) => id));
    expect(await found({ lensId: lens.toUpperCase(), status: ['queued', 'failed'] })).toEqual(
      expected(({ lensId, status }) => lensId === lens && ['queued', 'failed'].includes(status)),
    );
    expect(await found({ lensId: lens, workflowId: workflow })).toEqual([]);
    expect(await found({ lensId: lens, kind: 'workflow' })).toEqual([]);
  });

  it('filters by batch and by several tags', async () => {
    expect(await found({ batchId: batch.toUpperCase() })).toEqual(expected(({ batchId }) => batchId === batch));
    expect(await found({ tag: ['third', 'odd'] })).toEqual(
      expected(({ tags }) => tags.includes('odd') && tags.includes('third')),
    );
    expect(await found({ tag: ['Dritte, «die»'], status: ['queued'] })).toEqual(
      expected(({ tags, status }) => tags.includes('third') && status === 'queued'),
    );
    expect(await found({ tag: ['od'] })).toEqual([]);
    expect(await found({ tag: [`odd' or true --`, '%', '{odd}'] })).toEqual([]);
  });

  it('filters by the run that started or was retried', async () => {
    const [parent = '', child = '', other = ''] = all.map(({ id }) => id);
    await database.source.query('update runs set parent_run_id = $1 where id = any ($2)', [parent, [child, other]]);
    expect(await found({ parentRunId: parent.toUpperCase() })).toEqual([child, other]);
    const { status } = all[1] ?? {};
    expect(await found({ parentRunId: parent, ...(status && { status: [status] }) })).toEqual([child]);
    expect(await found({ parentRunId: child })).toEqual([]);
    await database.source.query('update runs set parent_run_id = null where parent_run_id = $1', [parent]);
  });

  it('filters by time of acceptance', async () => {
    await database.source.query(
      `update runs set created_at = now() + (interval '1 second' * (select count(*) from runs o where o.account_id = $1 and o.id < runs.id))
        where account_id = $1`,
      [ctx.actor.accountId],
    );
    const { items } = await listRuns(ctx, { limit: 100 });
    const tenth = items[9]?.createdAt ?? '';
    expect(await found({ createdBefore: tenth })).toEqual(items.slice(10).map(({ id }) => id));
    expect(await found({ createdAfter: tenth })).toEqual(items.slice(0, 10).map(({ id }) => id));
    expect(
      await found({ createdAfter: '0001-01-01T00:00:00Z', createdBefore: '9999-12-31T23:59:59-23:59' }),
    ).toHaveLength(36);
    expect(await found({ createdAfter: '9999-12-31t23:59:59.123456789z' })).toEqual([]);
    expect(await found({ createdBefore: '1500-01-01T00:00:00Z' })).toEqual([]);
  });

  it('returns the kinds of runs that the scopes of the caller allow', async () => {
    const as = (...held: Scope[]) => aContext(ctx.db, { accountId: ctx.actor.accountId, held });
    expect(await found({}, as('lenses:read'))).toHaveLength(30);
    expect(await found({}, as('workflows:write'))).toHaveLength(6);
    await expect(found({ kind: 'workflow' }, as('lenses:read'))).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    await expect(found({}, as('threads:read'))).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  });

  it.each(['', 'x', 'null', Buffer.from('2026-01-01T00:00:00Z|x').toString('base64url'), '%00', 'a'.repeat(200)])(
    'refuses the cursor %j',
    async (cursor) => {
      await expect(listRuns(ctx, { limit: 1, cursor })).rejects.toMatchObject({ code: 'BAD_INPUT' });
    },
  );

  it('returns prompt and judging runs to callers with the scope of battles', async () => {
    const who = await database.anAccount();
    const as = (...held: Scope[]) => aContext(who.db, { accountId: who.actor.accountId, held });
    const lensRun = await aStoredRun(who);
    const prompt = await aStoredRun(who, { kind: 'prompt' });
    const judging = await aStoredRun(who, { kind: 'judging', status: 'failed' });
    expect(await found({}, as('community:read'))).toEqual([judging, prompt]);
    expect(await found({ status: ['failed'] }, as('community:read'))).toEqual([judging]);
    expect(await found({}, as('lenses:read', 'workflows:read'))).toEqual([lensRun]);
    expect(await found({ kind: 'judging' }, who)).toEqual([judging]);
    expect((await listRuns(who, { limit: 1, kind: 'prompt' })).items).toMatchObject([
      { id: prompt, kind: 'prompt', lensId: null, workflowId: null },
    ]);
    await expect(found({ kind: 'prompt' }, as('lenses:read'))).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  });

  it('and readRun return the labels of a run', async () => {
    const one = all.find(({ batchId, tags }) => batchId !== null && tags.length > 0);
    expect(await readRun(ctx, one?.id ?? '')).toMatchObject({
      tags: one?.tags,
      batchId: batch,
      parentRunId: null,
      metadata: null,
      createdAt: expect.stringMatching(/Z$/),
    });
  });
});

describe('listRuns with a search', () => {
  let who: Context;
  const store = async (traits: StoredRunTraits, columns: Record<string, unknown> = {}): Promise<string> => {
    const id = await aStoredRun(who, traits);
    const names = Object.keys(columns);
    if (names.length > 0) {
      const changes = names.map((name, at) => `${name} = $${at + 2}`);
      await who.db.query(`update runs set ${changes.join(', ')} where id = $1`, [id, ...Object.values(columns)]);
    }
    return id;
  };
  const answer = async (runId: string, text: string | null, json: unknown = null): Promise<unknown> =>
    who.db.query(
      `insert into run_artifacts (id, run_id, kind, content_text, content_json, is_primary_output, visibility)
       values (uuidv7(), $1, 'text', $2, $3, true, 'private')`,
      [runId, text, json === null ? null : JSON.stringify(json)],
    );

  beforeEach(async () => {
    who = await database.anAccount();
  });

  it('finds a text in parameters and outputs, in any case and with quotes', async () => {
    const sent = await store({}, { params: JSON.stringify({ Topic: 'The "Grand" Canal' }) });
    const answered = await store({ status: 'succeeded' });
    await answer(answered, 'Many canals, and a "grand" one.');
    const structured = await store({ status: 'succeeded' });
    await answer(structured, null, { name: 'Canal', line: 'a\nb' });
    await store({}, { params: JSON.stringify({ Topic: 'Bridges' }) });
    const stranger = await database.anAccount();
    await aStoredRun(stranger);
    expect(await found({ q: 'CANAL' }, who)).toEqual([structured, answered, sent]);
    expect(await found({ q: '"grand"' }, who)).toEqual([answered, sent]);
    expect(await found({ q: 'a\nb' }, who)).toEqual([structured]);
    expect(await found({ q: `%' or true --` }, who)).toEqual([]);
    expect(await found({ q: 'canal' }, stranger)).toEqual([]);
    expect(await found({ q: 'canal', status: ['queued'] }, who)).toEqual([sent]);
  });

  it('does not search in parameters that the owner may not read', async () => {
    const hidden = { params: JSON.stringify({ a: 'secret answer' }) };
    await store({ kind: 'judging' }, hidden);
    const prompt = await store({ kind: 'prompt' }, { ...hidden, cause: { openai: {} } });
    expect(await found({ q: 'secret' }, who)).toEqual([prompt]);
    const scopes: Scope[] = ['community:read'];
    const community = { ...who, actor: { ...who.actor, scopes } };
    expect(await found({ q: 'secret' }, community)).toEqual([]);
    const { items } = await listRuns(community, { limit: 10, withInput: true });
    expect(items.map(({ input }) => input)).toEqual([null, null]);
    const all = await listRuns(who, { limit: 10, withInput: true });
    expect(all.items.map(({ input }) => input)).toEqual(['{"a": "secret answer"}', null]);
  });

  it('filters by model, cost, duration and error code', async () => {
    const slow = await store(
      { status: 'succeeded' },
      { credit_cost: 12, started_at: '2026-01-01T00:00:00Z', completed_at: '2026-01-01T00:00:30Z' },
    );
    const cheap = await store(
      { status: 'failed' },
      { credit_cost: 2, started_at: '2026-01-01T00:00:00Z', completed_at: '2026-01-01T00:00:01Z' },
    );
    const open = await store({ status: 'running' });
    expect(await found({ minCreditCost: 3 }, who)).toEqual([slow]);
    expect(await found({ minDurationMs: 1000 }, who)).toEqual([cheap, slow]);
    expect(await found({ minDurationMs: 1001, minCreditCost: 12 }, who)).toEqual([slow]);
    expect(await found({ modelKey: 'echo' }, who)).toEqual([open, cheap, slow]);
    expect(await found({ modelKey: 'other' }, who)).toEqual([]);
    expect(await found({ errorCode: 'PROVIDER_FAILED' }, who)).toEqual([cheap]);
    expect(await found({ errorCode: 'PROVIDER_FAILED', status: ['succeeded'] }, who)).toEqual([]);
    expect(await found({ errorCode: 'OTHER' }, who)).toEqual([]);
  });

  it('filters by the name and the value of scores', async () => {
    const [good, bad, other] = [await store({}), await store({}), await store({})];
    const score = (runId: string, name: string, value: number | null) =>
      who.db.query(
        `insert into run_scores (run_id, id, account_id, target_id, name, source, of_experiment, score, error, created_at)
         values ($1, uuidv7(), $2, uuidv7(), $3, 'end_user', false, $4, $5, now())`,
        [runId, who.actor.accountId, name, value, value === null ? 'no score' : null],
      );
    await score(good, 'helpful', 1);
    await score(bad, 'helpful', 0.2);
    await score(bad, 'polite', 0.9);
    await score(other, 'polite', null);
    expect(await found({ scoreName: 'helpful' }, who)).toEqual([bad, good]);
    expect(await found({ scoreName: 'helpful', maxScore: 0.5 }, who)).toEqual([bad]);
    expect(await found({ scoreName: 'helpful', minScore: 0.5 }, who)).toEqual([good]);
    expect(await found({ minScore: 0.9 }, who)).toEqual([bad, good]);
    expect(await found({ scoreName: 'polite', maxScore: 1 }, who)).toEqual([bad]);
    expect(await found({ scoreName: 'rude' }, who)).toEqual([]);
  });

  it('pages through what it found, and goes on where a page stopped', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift(await store({}, { params: JSON.stringify({ n: 'wanted' }) }));
    const first = await listRuns(who, { limit: 2, q: 'wanted' });
    const second = await listRuns(who, { limit: 2, q: 'wanted', cursor: first.nextCursor ?? '' });
    const third = await listRuns(who, { limit: 2, q: 'wanted', cursor: second.nextCursor ?? '' });
    const pages = [first, second, third].map(({ items }) => items.map(({ id }) => id));
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect(third.nextCursor).toBeUndefined();
    expect((await listRuns(who, { limit: 2, offset: 4, q: 'wanted' })).items.map(({ id }) => id)).toEqual(ids.slice(4));

    const [{ now }] = await who.db.query<[{ now: string }]>('select now()::text as now');
    await who.db.query(
      `insert into runs (id, request_id, account_id, kind, lens_id, status, params, model_id, deadline_at, last_sequence, created_at, completed_at)
       select uuidv7(), uuidv7(), $1, 'lens', uuidv7(), 'canceled', '{}', (select id from models where is_default), $2::timestamptz, 1, $2::timestamptz, $2::timestamptz
         from generate_series(1, $3)`,
      [who.actor.accountId, now, maxSearchedRuns],
    );
    const stopped = await listRuns(who, { limit: 2, q: 'wanted' });
    expect(stopped.items).toEqual([]);
    const rest = await listRuns(who, { limit: 10, q: 'wanted', cursor: stopped.nextCursor ?? '' });
    expect(rest.items.map(({ id }) => id)).toEqual(ids);
    expect(rest.nextCursor).toBeUndefined();
  });
});
