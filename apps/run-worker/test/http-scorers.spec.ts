import { createHmac } from 'node:crypto';
import { type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ByokOpener } from '@lensforge/byok';
import { aKeyPair } from '@lensforge/byok/testing';
import { type Context, platformActor } from '@lensforge/core';
import { egress, egressPolicy, readNetworks } from '@lensforge/egress';
import {
  advanceExperiment,
  answerScorerCall,
  changeCases,
  cloneExperiment,
  createDataset,
  createExperiment,
  createScorer,
  deleteOldScorerCalls,
  listCells,
  readExperiment,
  readScorer,
  readScorerCall,
  removeScorer,
  testScorer,
} from '@lensforge/evaluation';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import { admitWaiting } from '@lensforge/runs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ProgramCalls } from '../src/experiments/program-calls.js';
import { type EngineSetup, anEngineSetup } from './engine-setup.js';

interface Received {
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

let setup: EngineSetup;
let platform: Context;
let opener: ByokOpener;
let server: Server;
let url: string;
let answer: (response: ServerResponse, received: Received) => void;
const received: Received[] = [];

beforeAll(async () => {
  setup = await anEngineSetup();
  platform = { ...setup.ctx, actor: platformActor };
  opener = new ByokOpener(await aKeyPair(platform));
  server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      answer(response, { headers: request.headers, body });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/score`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await setup.close();
});
beforeEach(() => {
  received.length = 0;
  answer = says({ score: 0.75, reason: 'three of four' });
});

const says =
  (body: unknown, status = 200) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

const programs = (policy = egressPolicy({ allow: readNetworks('loopback'), allowHttp: true, ports: 'any' })) =>
  new ProgramCalls({ egress: egress(policy), opener, pausesMs: [1, 1] });

/** Makes the calls that wait, as a worker does; returns their number. */
async function makeCalls(calls = programs()): Promise<number> {
  const rows = await platform.db.query<{ id: string }[]>('select id from scorer_calls where answered_at is null');
  for (const { id } of rows) {
    const call = await readScorerCall(platform, id);
    if (call) await answerScorerCall(platform, id, await calls.call(platform, call));
  }
  return rows.length;
}

let count = 0;
const aScorer = (more: object = {}) =>
  createScorer(setup.ctx, { name: `s${(count += 1)}`, rule: { kind: 'http', url, ...more } });

async function anExperiment(scorerId: string, more: object = {}): Promise<string> {
  const { id: datasetId } = await createDataset(setup.ctx, { name: `Dataset ${(count += 1)}` });
  await changeCases(setup.ctx, {
    datasetId,
    save: [0, 1].map((at) => ({ key: `c${at}`, params: { Prompt: `Word ${at}` }, expected: at })),
  });
  const order = { target: { lensId: setup.lensId }, arms: [{ name: 'new' }], dataset: { id: datasetId } };
  return (await createExperiment(setup.ctx, { ...order, storedScorers: [{ id: scorerId }], ...more })).id;
}

async function complete(id: string, calls = programs()): Promise<void> {
  const engine = setup.engine();
  for (let round = 0; round < 20; round += 1) {
    await advanceExperiment(platform, id, { timeoutMs: 60_000 });
    if ((await readExperiment(setup.ctx, id)).completedAt !== null) return;
    await admitWaiting(platform, [{ accountId: setup.ctx.actor.accountId, concurrencyKey: null }]);
    const queued = await platform.db.query<{ runId: string; generation: number }[]>(
      `select id as "runId", generation from runs where status = 'queued' and admitted_at is not null`,
    );
    for (const job of queued) await engine.execute(job);
    await makeCalls(calls);
  }
  throw new Error('the experiment does not end');
}

const cellsOf = async (experimentId: string) => (await listCells(setup.ctx, { experimentId }, { limit: 10 })).items;

describe('a scorer of the kind http', () => {
  it('scores the answers of an experiment with signed calls', async () => {
    const { id: scorerId, name, secret } = await aScorer();
    expect(secret).toMatch(/^whsec_/);
    expect(Object.keys(await readScorer(setup.ctx, { scorerId }))).not.toContain('secret');
    const id = await anExperiment(scorerId);
    await complete(id);
    const cells = await cellsOf(id);
    expect(cells.map(({ scores }) => scores)).toEqual(
      cells.map(() => [
        { scorer: name, pass: true, score: 0.75, reason: 'three of four', error: null, assertions: [], judge: null },
      ]),
    );
    expect(received).toHaveLength(2);
    const key = Buffer.from((secret ?? '').slice('whsec_'.length), 'base64');
    for (const { headers, body } of received) {
      const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
      expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    }
    expect(JSON.parse(received.find(({ body }) => body.includes('Word 1'))?.body ?? '')).toEqual({
      id: expect.any(String),
      scorer: { id: scorerId, name, version: 1 },
      output: cells[1]?.output,
      params: { Prompt: 'Word 1' },
      expected: 1,
    });
    expect(await platform.db.query('select id from scorer_calls')).toEqual([]);
  });

  it('takes the verdict of the program, or that of the threshold', async () => {
    answer = says({ score: 0.2, pass: true });
    const { id: scorerId } = await aScorer({ threshold: 0.9 });
    const id = await anExperiment(scorerId);
    await complete(id);
    expect((await cellsOf(id))[0]?.scores[0]).toMatchObject({ score: 0.2, pass: true });
    answer = says({ score: 0.8 });
    const again = await cloneExperiment(setup.ctx, id, { answers: 'same', storedScorers: [{ id: scorerId }] });
    await complete(again.id);
    expect((await cellsOf(again.id))[0]?.scores[0]).toMatchObject({ score: 0.8, pass: false });
  });

  it.each<[string, unknown, number, string, number]>([
    ['no score', { reason: 'x' }, 200, 'no member score from 0 to 1', 1],
    ['a score above 1', { score: 5 }, 200, 'no member score from 0 to 1', 1],
    ['a verdict that is no boolean', { score: 1, pass: 'yes' }, 200, 'not a boolean', 1],
    ['no JSON', 'oops', 200, 'no member score from 0 to 1', 1],
    ['a refusal', { error: 'no' }, 403, 'the status 403', 1],
    ['a fault of its server, three times', 'down', 503, 'the status 503', 3],
  ])('has an error, which counts as 0, for %s', async (_, body, status, error, calls) => {
    answer = says(body, status);
    const { id: scorerId } = await aScorer();
    const id = await anExperiment(scorerId);
    await complete(id);
    const [cell] = await cellsOf(id);
    expect(cell?.scores[0]).toMatchObject({ score: 0, pass: false, error: expect.stringContaining(error) });
    expect(received).toHaveLength(2 * calls);
    expect((await readExperiment(setup.ctx, id)).results?.[0]?.scorers[0]?.errors).toBe(2);
  });

  it('is repeated with the same id after a fault that passes', async () => {
    let faults = 1;
    answer = (response) => ((faults -= 1) >= 0 ? says('later', 503)(response) : says({ score: 1 })(response));
    const { id: scorerId } = await aScorer();
    const id = await anExperiment(scorerId);
    await complete(id);
    expect((await cellsOf(id)).map(({ scores }) => scores[0]?.score)).toEqual([1, 1]);
    expect(received).toHaveLength(3);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  });

  it('counts its first answer when its job comes twice', async () => {
    const { id: scorerId } = await aScorer();
    const tested = testScorer(setup.ctx, { scorerId, samples: [{ output: 'one' }], timeoutMs: 1000, waitMs: 10_000 });
    const found = async () =>
      platform.db.query<{ id: string }[]>('select id from scorer_calls where answered_at is null');
    while ((await found()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const [{ id } = { id: '' }] = await found();
    const call = await readScorerCall(platform, id);
    if (!call) throw new Error('the call is open');
    await answerScorerCall(platform, id, await programs().call(platform, call));
    answer = says({ score: 0 });
    await answerScorerCall(platform, id, await programs().call(platform, call));
    expect((await tested).scores[0]?.score).toBe(0.75);
    expect(await readScorerCall(platform, id)).toBeNull();
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('calls no internal address', async () => {
    const { id: scorerId } = await aScorer();
    const id = await anExperiment(scorerId);
    await complete(id, programs(egressPolicy({ allowHttp: true, ports: 'any' })));
    expect(received).toEqual([]);
    expect((await cellsOf(id))[0]?.scores[0]?.error).toContain('could not be asked');
  });

  it('is replayed from a recording without a call', async () => {
    const { id: scorerId } = await aScorer();
    const first = await anExperiment(scorerId, { cache: 'record' });
    await complete(first);
    const { recordingId, datasetId } = await readExperiment(setup.ctx, first);
    received.length = 0;
    answer = says('down', 500);
    const order = { target: { lensId: setup.lensId }, arms: [{ name: 'new' }], dataset: { id: datasetId } };
    const replay = { cache: 'replay' as const, recordingId: recordingId ?? '' };
    const { id } = await createExperiment(setup.ctx, { ...order, storedScorers: [{ id: scorerId }], ...replay });
    await complete(id);
    expect((await cellsOf(id)).map(({ scores }) => scores[0]?.score)).toEqual([0.75, 0.75]);
    expect(received).toEqual([]);
  });

  it('can be tried with outputs', async () => {
    const { id: scorerId } = await aScorer();
    const trial = { scorerId, samples: [{ output: 'one' }], timeoutMs: 1000, waitMs: 10_000 };
    const tested = testScorer(setup.ctx, trial);
    while ((await makeCalls()) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await tested).scores).toEqual([
      expect.objectContaining({ score: 0.75, pass: true, judge: null, credits: 0 }),
    ]);
    const [late] = (await testScorer(setup.ctx, { ...trial, waitMs: 0 })).scores;
    expect(late).toMatchObject({ score: 0, error: expect.stringContaining('not answered in time') });
    await makeCalls();
  });

  it('has an error when its call is not kept any more', async () => {
    const { id: scorerId } = await aScorer();
    const id = await anExperiment(scorerId);
    const forget = { call: () => Promise.reject(new Error('the worker is lost')) } as unknown as ProgramCalls;
    await complete(id, forget).catch(() => undefined);
    await platform.db.query(`update scorer_calls set created_at = now() - interval '2 days'`);
    await deleteOldScorerCalls(platform);
    await complete(id);
    expect((await cellsOf(id))[0]?.scores[0]).toMatchObject({
      score: 0,
      error: expect.stringContaining('longer than a day'),
    });
    expect(received).toEqual([]);
  });

  it('is not called after it was deleted', async () => {
    const { id: scorerId } = await aScorer();
    const id = await anExperiment(scorerId);
    await removeScorer(setup.ctx, scorerId);
    await complete(id);
    expect(received).toEqual([]);
    expect((await cellsOf(id))[0]?.scores[0]?.error).toContain('the scorer was deleted');
  });

  it('belongs to its account, and must be stored', async () => {
    const { id: scorerId } = await aScorer();
    const other = actingAs(setup.ctx, (await anAccount(setup.ctx)).id);
    const trial = { scorerId, samples: [{ output: 'one' }], timeoutMs: 1000, waitMs: 0 };
    await expect(testScorer(other, trial)).rejects.toThrow(/no scorer/);
    const inline = { storedScorers: undefined, scorers: [{ name: 'x', kind: 'http' as const, url }] };
    await expect(anExperiment(scorerId, inline)).rejects.toThrow(/http is for stored scorers/);
  });

  it.each(['ftp://a.example/', 'https://me:secret@a.example/', 'https://a.example/#x', 'no'])(
    'refuses the address %s',
    async (address) => {
      await expect(aScorer({ url: address })).rejects.toThrow(/rule\.url/);
    },
  );
});
