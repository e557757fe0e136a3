import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@lensforge/testing';
import { type HeldKind, createHolder, requestStatus } from './credential-holder.js';
import { TestPlatform, countBy, withConcurrency } from './test-platform.js';

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open({ replicas: { 'api-gateway': 2, 'mcp-gateway': 2 } });
});
afterAll(() => setup.close());

type Gateway = readonly ['api' | 'mcp', number];
const api: readonly Gateway[] = [
  ['api', 0],
  ['api', 1],
];
const mcp: readonly Gateway[] = [
  ['mcp', 0],
  ['mcp', 1],
];
const opens: Readonly<Record<HeldKind, readonly Gateway[]>> = {
  session: [...api, ...mcp],
  developer: api,
  organisation: [...api, ...mcp],
  service: [...api, ...mcp],
  mcp,
};
const kinds = Object.keys(opens) as HeldKind[];

const everywhere = (kind: HeldKind, token: string, times: number): Promise<number[]> =>
  Promise.all(
    opens[kind].flatMap(([surface, replica]) =>
      Array.from({ length: times }, () => requestStatus(setup, surface, replica, token)),
    ),
  );

/** Uses `count` credentials of a kind at all replicas, revokes them, and uses them at all replicas at once. */
async function statusesAfterRevoking(kind: HeldKind, count: number): Promise<Record<string, number>> {
  const found = await withConcurrency(count, 4, async () => {
    const { token, revoke } = await createHolder(setup, kind);
    expect(await everywhere(kind, token, 1)).not.toContain(401);
    const meanwhile = everywhere(kind, token, 3);
    await revoke();
    const after = await everywhere(kind, token, 5);
    await meanwhile;
    return after;
  });
  return countBy(found.flat());
}

describe('a credential that was revoked', () => {
  it.each(kinds)('is refused by every replica from that moment on: %s', async (kind) => {
    expect(Object.keys(await statusesAfterRevoking(kind, 10))).toEqual(['401']);
  });

  it('is refused while Redis is down, too', async () => {
    await setup.platform.hold('redis');
    for (const kind of kinds) expect(Object.keys(await statusesAfterRevoking(kind, 4))).toEqual(['401']);
    await setup.platform.resume('redis');
  });
});

describe('an open event stream', () => {
  const endings = ['revoke', 'expire'] as const;
  const watching = (['session', 'developer', 'organisation', 'service'] as const).flatMap((kind) =>
    endings.map((ending) => ({ kind, ending })),
  );

  it('closes soon after its credential has ended and cannot be resumed', async () => {
    const runId = await setup.accepted({ script: { delayMs: 100_000 } });
    const readers = await withConcurrency(watching.length, 4, async (n) => {
      const { kind, ending } = watching[n]!;
      const holder = await createHolder(setup, kind);
      const stream = setup.follow(runId, { gateway: n % 2, token: holder.token });
      await stream.opened;
      const closed = drained(stream);
      return { kind, ending, holder, n, closed, isClosed: false };
    });
    for (const reader of readers) void reader.closed.then(() => (reader.isClosed = true));
    const witness = setup.follow(runId);
    await witness.opened;
    const witnessed = drained(witness);
    await Promise.all(readers.map(({ holder, ending }) => holder[ending]()));
    await until(() => readers.every(({ isClosed }) => isClosed), {
      what: () =>
        `the end of the streams of ${readers
          .filter((one) => !one.isClosed)
          .map((one) => one.kind)
          .join(', ')}`,
    });
    const resumed = await Promise.all(
      readers.map(({ holder, n }) =>
        setup.call('GET', `/v1/runs/${runId}/events`, { token: holder.token, gateway: n % 2 }),
      ),
    );
    expect(countBy(resumed.map(({ status }) => status))).toEqual({ 401: readers.length });
    expect(await Promise.race([witnessed.then(() => 'closed'), Promise.resolve('open')])).toBe('open');
    await setup.call('POST', `/v1/runs/${runId}/cancel`);
    await witnessed;
  });
});

async function drained(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _frame of stream);
}
