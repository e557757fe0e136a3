import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aToken } from '@lensforge/identity/testing';
import { anAnsweredRun } from './an-answered-run.js';
import { type TestCaller, aCaller, aCommunityOf, callerOf, outcome } from './callers.js';
import type { Answer } from './gateway.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

/*
 * Each operation on a queue of a community by each kind of caller: the status of the answer. Reviewers are people; the
 * owners and admins of the community when no one is named.
 */
const table = `
operation  token  admin  member  removed  stranger
read       200    200    404     404      404
next       403    200    404     404      404
review     403    200    404     404      404
items      200    404    404     404      404
add        200    404    404     404      404
agreement  200    404    404     404      404
cases      200    404    404     404      404
remove     200    404    404     404      404
`;

let gateway: SignedInGateway;
let lensId: string;
let datasetId: string;
let callers: Record<'token' | 'admin' | 'member' | 'removed' | 'stranger', TestCaller>;
let communityId: string;
beforeAll(async () => {
  const limits = ['WRITE', 'CREATE', 'EXPENSIVE'].map((name) => [`LENSFORGE_RATE_${name}_PER_MINUTE`, '1000000']);
  gateway = await aGatewayWithSignIn(Object.fromEntries(limits) as Record<string, string>);
  const [owner, admin, member, removed, stranger] = [
    await aCaller(gateway),
    await aCaller(gateway),
    await aCaller(gateway),
    await aCaller(gateway),
    await aCaller(gateway),
  ];
  communityId = await aCommunityOf(owner, { members: { admin: [admin, removed], member: [member] } });
  const held = ['lenses:read', 'lenses:write'] as const;
  const { value } = await aToken(gateway.ctx, { kind: 'organisation', accountId: communityId, held });
  const token = callerOf(gateway, { accountId: communityId, token: value });
  const templateBody = 'Answer [[Name]] politely, in a few words, so that a person can say if it helped.';
  lensId = String((await token.post('/v1/lenses', { title: 'Helper', templateBody })).body.data?.['id']);
  datasetId = String((await token.post('/v1/datasets', { name: 'Right answers' })).body.data?.['id']);
  await owner.remove(`/v1/communities/${communityId}/members/${removed.accountId}`);
  callers = { token, admin, member, removed, stranger };
});
afterAll(() => gateway.stop());

const anAnswer = (): Promise<string> =>
  anAnsweredRun(gateway.ctx, { accountId: communityId, lensId, params: { Name: 'Ada' } });

let count = 0;
async function aQueue(): Promise<{ path: string; itemId: string }> {
  const { token, admin } = callers;
  const made = await token.post('/v1/review-queues', { name: `q${(count += 1)}`, perItem: 1 });
  const path = `/v1/review-queues/${String(made.body.data?.['id'])}`;
  await token.post(`${path}/items`, { runIds: [await anAnswer()] });
  const next = (await admin.get(`${path}/next`)).body.data as { item: { id: string } };
  return { path, itemId: next.item.id };
}

const operations: Record<string, (caller: TestCaller, queue: { path: string; itemId: string }) => Promise<Answer>> = {
  read: (caller, { path }) => caller.get(path),
  next: (caller, { path }) => caller.get(`${path}/next`),
  review: (caller, { path, itemId }) => caller.post(`${path}/items/${itemId}`, { thumb: 'up' }),
  items: (caller, { path }) => caller.get(`${path}/items`),
  add: (caller, { path }) => caller.post(`${path}/items`, { filter: { lensId } }),
  agreement: (caller, { path }) => caller.get(`${path}/agreement`),
  cases: (caller, { path }) => caller.post(`${path}/cases`, { datasetId }),
  remove: (caller, { path }) => caller.remove(path),
};

describe('a review queue of a community', () => {
  const [head = '', ...rows] = table.trim().split('\n');
  const kinds = head.trim().split(/\s+/).slice(1) as (keyof typeof callers)[];
  const cells = rows.flatMap((row) => {
    const [operation = '', ...statuses] = row.trim().split(/\s+/);
    return kinds.map((kind, at) => [operation, kind, Number(statuses[at])] as const);
  });
  it.each(cells)('answers %s of the %s with %i', async (operation, kind, status) => {
    const answer = await operations[operation]?.(callers[kind], await aQueue());
    expect(answer?.status).toBe(status);
  });

  it('refuses a second one of its name, and a second review of an answer, with 409', async () => {
    const { token, admin } = callers;
    const { path, itemId } = await aQueue();
    const name = String((await token.get(path)).body.data?.['name']);
    expect(outcome(await token.post('/v1/review-queues', { name }))).toEqual([409, 'conflict']);
    expect((await admin.post(`${path}/items/${itemId}`, { thumb: 'down' })).body.data).toEqual({ state: 'done' });
    expect(outcome(await admin.post(`${path}/items/${itemId}`, { thumb: 'up' }))).toEqual([409, 'conflict']);
  });

  it('shows an answer without its run, version, label or model', async () => {
    const { path } = await aQueue();
    const { body } = await callers.admin.get(`${path}/next`);
    expect(body.data).toEqual({
      item: { id: expect.any(String), params: { Name: 'Ada' }, output: 'Tea.' },
      waiting: 1,
    });
  });
});
