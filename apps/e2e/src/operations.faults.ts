import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import { until } from '@lensforge/testing';
import { nothingFound } from './audit.js';
import { TestPlatform, countBy } from './test-platform.js';

const many = 600;

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open({
    replicas: { 'run-worker': 3, 'api-gateway': 2 },
    environment: { LENSFORGE_INVARIANTS_MS: '1000' },
  });
});
afterAll(() => setup.close());

/** Repeats an idempotent request until a gateway responds. */
async function answered(method: string, path: string, body?: Record<string, unknown>) {
  let turn = 0;
  return until(
    async () => {
      turn += 1;
      const answer = await setup.call(method, path, { gateway: turn % 2, ...(body && { body }) });
      return answer.status < 300 ? answer.body.data : undefined;
    },
    { every: 200, what: `an answer to ${method} ${path}` },
  );
}

async function someRuns(tag: string, options: Record<string, unknown>): Promise<string[]> {
  const items = Array.from({ length: many }, (_, n) => ({
    params: { Name: 'Ada' },
    tags: [tag],
    idempotencyKey: `${tag} ${n}`,
    ...options,
  }));
  const batch = await answered('POST', `/v1/lenses/${setup.lensId}/execute-batch`, { items });
  return (batch['items'] as { runId: string }[]).map(({ runId }) => runId);
}

interface Operation {
  id: string;
  status: string;
  progress: { matched: number; done: number; failed: number };
}

/** Runs a bulk operation while workers and gateways are killed; it may lose a worker four times. */
async function carriedOut(order: Record<string, unknown>): Promise<Operation & { kills: number }> {
  const { id } = (await answered('POST', '/v1/run-operations', order)) as unknown as Operation;
  const read = async (): Promise<Operation> =>
    (await answered('GET', `/v1/run-operations/${id}`)) as unknown as Operation;
  let kills = 0;
  for (const service of ['run-worker', 'api-gateway', 'run-worker', 'run-worker', 'api-gateway']) {
    await pause(400 + Math.random() * 600);
    if ((await read()).status === 'succeeded') break;
    await setup.signal(service, 'SIGKILL');
    kills += 1;
  }
  const isOver = async (): Promise<Operation | undefined> => {
    const operation = await read();
    return ['queued', 'running'].includes(operation.status) ? undefined : operation;
  };
  return { ...(await until(isOver, { every: 500, what: 'the end of the operation' })), kills };
}

const endsOf = async (runIds: readonly string[]): Promise<Record<string, number>> => {
  const rows = await setup.db.query<{ status: string }[]>('select status from runs where id = any ($1)', [runIds]);
  return countBy(rows.map(({ status }) => status));
};

it('a bulk operation is applied to each run once while workers and gateways are killed', async () => {
  const [tag, other] = [newId(), newId()];
  const runIds = await someRuns(tag, { delaySeconds: 86_400 });
  const others = await someRuns(other, { delaySeconds: 86_400 });

  const canceled = await carriedOut({ action: 'cancel', filter: { tag: [tag] } });
  process.stdout.write(`bulk cancel: ${JSON.stringify(canceled)}\n`);
  expect(canceled).toMatchObject({ status: 'succeeded', progress: { matched: many, done: many, failed: 0 } });
  expect(await endsOf(runIds)).toEqual({ canceled: many });
  expect(await endsOf(others)).toEqual({ queued: many });

  await carriedOut({ action: 'cancel', filter: { tag: [other] } });
  const retried = await carriedOut({ action: 'retry', filter: { tag: [tag] } });
  process.stdout.write(`bulk retry: ${JSON.stringify(retried)}\n`);
  expect(retried).toMatchObject({ status: 'succeeded', progress: { matched: many, done: many, failed: 0 } });
  const children = await setup.db.query<{ parent: string }[]>(
    'select parent_run_id as parent from runs where parent_run_id is not null',
  );
  expect(children.map(({ parent }) => parent).sort()).toEqual(runIds.toSorted());
  await setup.allEnded();
  expect(await setup.findings()).toEqual(nothingFound);
  await setup.invariantsHold();
});

describe('the events of many runs', () => {
  interface Frame {
    point: string;
    event: string;
    runId: string;
    sequence: number;
  }

  /** Reads a stream through gateways that are killed, over connections that break after some hundred frames. */
  async function readThroughCuts(query: string, isOver: (frames: readonly Frame[]) => boolean) {
    const frames: Frame[] = [];
    let cuts = 0;
    for (; !isOver(frames); cuts += 1) {
      if (cuts > 5000) throw new Error(`no end after ${frames.length} frames`);
      const lastEventId = frames.at(-1)?.point;
      const stream = setup.followGroup(query, { gateway: cuts % 2, ...(lastEventId !== undefined && { lastEventId }) });
      let left = 1 + Math.floor(Math.random() * 150);
      try {
        for await (const { id, event, data } of stream) {
          const { runId, sequence } = JSON.parse(data) as Frame;
          frames.push({ point: String(id), event: String(event), runId, sequence });
          left -= 1;
          if (left === 0 || isOver(frames)) break;
        }
      } catch {
        await pause(50);
      }
      stream.close();
    }
    return { frames, cuts };
  }

  async function judge(frames: readonly Frame[], runIds: readonly string[]): Promise<void> {
    const read = new Map<string, number[]>();
    for (const { runId, sequence } of frames) read.set(runId, [...(read.get(runId) ?? []), sequence]);
    const stored = await setup.db.query<{ runId: string; last: number }[]>(
      'select id as "runId", last_sequence as last from runs where id = any ($1)',
      [runIds],
    );
    const wrong = stored.filter(({ runId, last }) => {
      const sequences = read.get(runId) ?? [];
      return sequences.length !== last || sequences.some((sequence, index) => sequence !== index + 1);
    });
    expect(wrong).toEqual([]);
    expect(read.size).toBe(runIds.length);
    expect(new Set(frames.map(({ point }) => point)).size).toBe(frames.length);
  }

  it('arrive once and in order, for a batch and for a tag, over broken connections', async () => {
    const tag = newId();
    const script = '\n@offline {"pieces":8,"pieceDelayMs":120}\n';
    const items = Array.from({ length: 500 }, (_, n) => ({
      params: { Name: 'Ada', Script: script },
      tags: [tag],
      idempotencyKey: `${tag} ${n}`,
    }));
    const batch = await answered('POST', `/v1/lenses/${setup.lensId}/execute-batch`, { items });
    const runIds = (batch['items'] as { runId: string }[]).map(({ runId }) => runId);

    const ended = (frames: readonly Frame[]): boolean =>
      frames.filter(({ event }) => event === 'run.succeeded').length === runIds.length;
    const over = new AbortController();
    const killing = (async () => {
      let kills = 0;
      for (; !over.signal.aborted && kills < 20; kills += 1) {
        await pause(1500);
        await setup.signal('api-gateway', 'SIGKILL');
      }
      return kills;
    })();
    const [whole, tagged] = await Promise.all([
      readThroughCuts(`batchId=${String(batch['batchId'])}`, (frames) => frames.at(-1)?.event === 'done'),
      readThroughCuts(`tag=${tag}`, ended),
    ]);
    over.abort();
    const kills = await killing;
    const cuts = [whole.cuts, tagged.cuts];
    process.stdout.write(`group streams: ${JSON.stringify({ runs: runIds.length, cuts, gatewaysKilled: kills })}\n`);
    await judge(whole.frames.slice(0, -1), runIds);
    await judge(tagged.frames, runIds);
    await setup.allEnded();
    expect(await setup.findings()).toEqual(nothingFound);
  });
});
