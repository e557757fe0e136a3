import { aBattle, aContender } from '@lensforge/battles/testing';
import { newId } from '@lensforge/core';
import { aToken, actingAs } from '@lensforge/identity/testing';
import { type EventStream, type StreamRefused, readEvents, until } from '@lensforge/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestCaller, aCaller, callerOf, outcome } from './callers.js';
import { type Frame, framesOf } from './gateway.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
let otherUrl: string;
let ada: TestCaller;
let eve: TestCaller;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn({ LENSFORGE_STREAMS_PER_ACCOUNT: '5' });
  otherUrl = await gateway.replica();
  [ada, eve] = [await aCaller(gateway), await aCaller(gateway)];
});
afterAll(() => gateway.stop());

const ctxOf = ({ accountId }: TestCaller) => actingAs(gateway.ctx, accountId);
const follow = (by: TestCaller, battleId: string, lastEventId?: string, url = gateway.url): EventStream =>
  readEvents(`${url}/v1/battles/${battleId}/events`, {
    headers: { authorization: `Bearer ${by.token}` },
    ...(lastEventId !== undefined && { lastEventId }),
  });
const inWords = (frames: readonly Frame[]): string[] =>
  frames.map(({ id, event, data }) => `${id} ${event} ${Object.values(data.payload).join(' ')}`);

async function move(battleId: string, ...statuses: string[]): Promise<void> {
  for (const status of statuses) {
    const { status: answer } = await ada.post(`/v1/battles/${battleId}/status`, { status, confirm: true });
    expect(answer).toBe(200);
  }
}

/** A draft of Ada with two people who have not submitted. */
async function aDraft(): Promise<string> {
  const battle = await aBattle(ctxOf(ada), { battleType: 'human_vs_ai' });
  for (let n = 0; n < 2; n += 1) await aContender(gateway.ctx, battle);
  return battle.id;
}

const untilClosed = ['1 status.changed open', '2 status.changed executing', '3 status.changed voting'];

describe('GET /v1/battles/{battleId}/events', () => {
  it('counts the streams of anonymous callers for each network, so that one network locks out no other', async () => {
    const { id } = await aBattle(ctxOf(ada), { status: 'voting' });
    const open = (address: string): EventStream =>
      readEvents(`${gateway.url}/v1/battles/${id}/events`, {
        headers: { authorization: `Bearer ${gateway.anonymousToken()}`, 'x-forwarded-for': address },
        lastEventId: '0',
      });
    const network = Array.from({ length: 5 }, (_, n) => open(`2001:db8:1:2::${n + 1}`));
    const statuses = (streams: readonly EventStream[]): Promise<number[]> =>
      Promise.all(streams.map(async ({ opened }) => (await opened).status));
    expect(await statuses(network)).toEqual([200, 200, 200, 200, 200]);
    const reason = await framesOf(open('2001:db8:1:2:3::9')).catch(
      (reason: unknown) => (reason as StreamRefused).message,
    );
    expect(reason).toMatch(/status 429.*This network has 5 event streams open/);
    const others = [open('2001:db8:1:3::1'), open('203.0.113.7'), open('203.0.113.8')];
    expect(await statuses(others)).toEqual([200, 200, 200]);
    for (const stream of [...network, ...others]) stream.close();
  });

  it('streams events as they happen, at every gateway, and ends with the closing', async () => {
    const id = await aDraft();
    await move(id, 'open');
    const streams = [follow(ada, id), follow(ada, id, undefined, otherUrl)];
    const reading = streams.map((stream) => framesOf(stream));
    await Promise.all(streams.map((stream) => until(() => stream.text.includes('"open"'))));
    await move(id, 'executing', 'voting', 'scoring', 'closed');
    for (const frames of await Promise.all(reading)) {
      expect(inWords(frames)).toEqual([
        ...untilClosed,
        '4 status.changed scoring',
        '5 status.changed closed',
        '5 done closed',
      ]);
      expect(frames[0]?.data).toEqual({
        eventType: 'status.changed',
        payload: { status: 'open' },
        occurredAt: expect.any(String),
        battleId: id,
        sequence: 1,
      });
    }
  });

  it('goes on after Last-Event-ID, and answers 204 when the battle has ended and nothing is left', async () => {
    const id = await aDraft();
    await move(id, 'open', 'executing', 'voting', 'scoring', 'closed');
    const after = async (lastEventId: string) => inWords(await framesOf(follow(ada, id, lastEventId)));
    expect(await after('3')).toEqual(['4 status.changed scoring', '5 status.changed closed', '5 done closed']);
    const refused = await framesOf(follow(ada, id, '5')).catch((reason: unknown) => reason);
    expect((refused as StreamRefused).status).toBe(204);
    await move(id, 'published');
    expect(await after('5')).toEqual(['6 status.changed published', '6 done published']);
    const [all] = [inWords(await framesOf(follow(eve, id)))];
    expect(all.slice(-3)).toEqual(['5 status.changed closed', '6 status.changed published', '6 done published']);
    expect(all).toHaveLength(7);
  });

  it('sends events that no gateway has published', async () => {
    const id = await aDraft();
    await move(id, 'open');
    const stream = follow(ada, id);
    const reading = framesOf(stream);
    await until(() => stream.text.includes('"open"'));
    await gateway.ctx.db.query(
      `with moved as (update battles set last_sequence = 2, status = 'archived' where id = $1)
       insert into battle_events (battle_id, sequence, type, payload) values ($1, 2, 'status.changed', '{"status": "archived"}')`,
      [id],
    );
    expect(inWords(await reading)).toEqual(['1 status.changed open', '2 status.changed archived', '2 done archived']);
  });

  it('contains nothing that belongs to one contender', async () => {
    const battle = await aBattle(ctxOf(ada), { battleType: 'human_vs_human_open_votes', status: 'draft' });
    const enter = (by: TestCaller) =>
      ada.post(`/v1/battles/${battle.id}/contenders`, {
        displayName: 'x',
        contenderType: 'human',
        contenderRefId: by.accountId,
      });
    const people = [await aCaller(gateway), await aCaller(gateway)];
    const entered = [];
    for (const one of people) entered.push(String((await enter(one)).body.data?.['id']));
    await move(battle.id, 'open', 'executing');
    for (const [index, one] of people.entries()) {
      const entry = { contenderId: entered[index], contentText: 'Waves.' };
      expect((await one.post(`/v1/battles/${battle.id}/submissions`, entry)).status).toBe(200);
    }
    const stream = follow(eve, battle.id);
    const frames = await framesOf(stream, ({ data }) => data.payload['status'] === 'voting');
    expect(frames.map(({ event, data }) => [event, data.payload])).toEqual([
      ['contender.added', { contenders: 1 }],
      ['contender.added', { contenders: 2 }],
      ['status.changed', { status: 'open' }],
      ['status.changed', { status: 'executing' }],
      ['submission.received', { received: 1, of: 2 }],
      ['submission.received', { received: 2, of: 2 }],
      ['status.changed', { status: 'voting' }],
    ]);
    for (const secret of [...entered, ...people.map(({ accountId }) => accountId)]) {
      expect(stream.text).not.toContain(secret);
    }
    stream.close();
  });

  it('answers 401, 403 and 404 before any byte of a stream', async () => {
    const id = await aDraft();
    const path = `/v1/battles/${id}/events`;
    expect((await gateway.call('GET', path, { token: '' })).status).toBe(401);
    const { value: token } = await aToken(gateway.ctx, { accountId: ada.accountId, held: ['lenses:read'] });
    expect(outcome(await callerOf(gateway, { token }).get(path))).toEqual([403, 'insufficient_scope']);
    for (const hidden of [path, `/v1/battles/${newId()}/events`]) {
      expect(outcome(await eve.get(hidden))).toEqual([404, 'not_found']);
    }
  });

  it('answers 429 to more streams than the account may have open, of runs and battles together', async () => {
    const id = await aDraft();
    const many = await aCaller(gateway);
    await gateway.ctx.db.query(`update battles set status = 'voting' where id = $1`, [id]);
    const streams = Array.from({ length: 5 }, () => follow(many, id));
    const reading = streams.map((stream) => framesOf(stream).catch(() => undefined));
    await Promise.all(streams.map((stream) => stream.opened));
    expect(outcome(await many.get(`/v1/battles/${id}/events`))).toEqual([429, 'rate_limited']);
    for (const stream of streams) stream.close();
    await Promise.all(reading);
  });
});
