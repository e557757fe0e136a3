import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assignTool } from '@lensforge/agents';
import {
  type BattleViewer,
  type BlindBattle,
  battleDoors,
  knowledgeIn,
  permittedKnowledge,
  placedIn,
} from '@lensforge/battles/testing';
import {
  type BattleStatus,
  type Endpoint,
  battleEvents,
  endpoints,
  listFields,
  platformEventTypes,
} from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { createLogger } from '@lensforge/edge';
import { actingAs, anAiLenser } from '@lensforge/identity/testing';
import { readEvents, until } from '@lensforge/testing';
import { type TestCaller, aCaller, callerOf } from './callers.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
/** The lines of the log at the most talkative level. */
const logged: string[] = [];
beforeAll(async () => {
  const logger = createLogger({
    service: 'api-gateway',
    level: 'trace',
    to: { write: (line) => void logged.push(line) },
  });
  gateway = await aGatewayWithSignIn({ LENSFORGE_STREAMS_PER_ACCOUNT: '50' }, { logger });
});
afterAll(() => gateway.stop());

const table = Object.values<Endpoint>(endpoints);
const reading = table.filter(({ method, replies }) => method === 'GET' && replies !== 'event-stream');
const ofOthers = reading.filter(({ path }) => /^\/v1\/(partners|operator)\//.test(path));

const paramsOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

type Viewer = Exclude<BattleViewer, 'stranger who cannot vote'>;

/** A battle that its callers move through all statuses, with every answer that they got on the way. */
class ObservedBattle {
  ids: Record<string, string> = {};
  status: BattleStatus = 'draft';
  /** Contenders by letter: the people A and B, and the AI lenser C. */
  readonly contenders: { letter: string; id: string; refId: string; name: string; text: string }[] = [];
  readonly writes = new Set<string>();
  readonly leaks: string[] = [];

  constructor(readonly callers: Record<Viewer, TestCaller> & { B: TestCaller }) {}

  /** Notes what an answer has beyond the permitted; `by` of a contender is what its author may know. */
  observe(by: Viewer | undefined, door: string, answer: unknown): void {
    if (by === undefined) return;
    const known = { ...knowledgeIn(this as unknown as BlindBattle, answer), placed: placedIn(this, answer) };
    const isClosed = this.status === 'closed';
    const nothing = { identities: '', attributed: '', ballot: '' };
    const permitted = {
      ...(permittedKnowledge(by, this.status) ?? nothing),
      placed: isClosed ? 'ABC' : '',
    };
    for (const kind of ['identities', 'attributed', 'ballot', 'placed'] as const) {
      const leaked = [...known[kind]].filter((letter) => !permitted[kind].includes(letter));
      if (leaked.length > 0) this.leaks.push(`${door} to the ${by}, ${this.status}: ${kind} of ${leaked.join('')}`);
    }
  }

  async write(by: Viewer | 'B', endpointId: keyof typeof endpoints, body: object): Promise<Record<string, unknown>> {
    const { method, path }: Endpoint = endpoints[endpointId];
    const answer = await gateway.call(method, this.fill(path), {
      token: this.callers[by].token,
      ...(method !== 'DELETE' && { body }),
    });
    if (answer.status > 202) throw new Error(`${endpointId}: ${answer.status} ${JSON.stringify(answer.body)}`);
    this.writes.add(endpointId);
    const data = answer.body.data ?? {};
    if (endpointId === 'createBattle') this.ids['battleId'] = String(data['id']);
    if (endpointId === 'setBattleStatus') this.status = (body as { status: BattleStatus }).status;
    this.observe(by === 'B' ? undefined : by, endpointId, data);
    return data;
  }

  /** The types of events for webhooks of the creator, whose data is observed. */
  async webhookEvents(): Promise<string[]> {
    const rows = await gateway.ctx.db.query<{ payload: { type?: string; data?: unknown } }[]>(
      `select payload from outbox where payload ->> 'accountId' = $1`,
      [this.callers.creator.accountId],
    );
    for (const { payload } of rows) this.observe('creator', 'a webhook', payload.data);
    return rows.flatMap(({ payload: { type } }) => (type === undefined ? [] : [type]));
  }

  fill(path: string): string {
    return path.replace(/\{(\w+)\}/g, (_all, name: string) => this.ids[name] ?? newId());
  }

  /** Calls every endpoint that reads, and every stream whose ids are known, as each viewer. */
  async readAll(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const [viewer, { token }] of Object.entries(this.callers)) {
      if (viewer === 'B') continue;
      const by = viewer as Viewer;
      for (const endpoint of reading) {
        const isKnown = paramsOf(endpoint.path).every((name) => name in this.ids);
        if (!isKnown && !ofOthers.includes(endpoint)) continue;
        const query = endpoint.id === 'listBattles' ? `?creatorId=${this.callers.creator.accountId}` : '';
        const headers = { authorization: `Bearer ${token}` };
        const text = await (await fetch(gateway.url + this.fill(endpoint.path) + query, { headers })).text();
        found.set(`${by} ${endpoint.id}`, text);
        for (const answer of parsed(text)) this.observe(by, endpoint.id, answer);
      }
      for (const id of Object.keys(battleDoors.streams) as (keyof typeof battleDoors.streams)[]) {
        const { path } = endpoints[id];
        if (paramsOf(path).some((name) => !(name in this.ids))) continue;
        const stream = readEvents(gateway.url + this.fill(path), { headers: { authorization: `Bearer ${token}` } });
        const drained = (async () => {
          for await (const { data } of stream) this.observe(by, path, JSON.parse(data));
        })().catch(() => undefined);
        const { status } = await stream.opened.catch(() => ({ status: 0 }));
        if (status === 200) await until(() => stream.text.includes('\n\n'));
        stream.close();
        await drained;
        found.set(`${by} ${id}`, stream.text);
      }
    }
    return found;
  }
}

/** The values of an answer, which is JSON, a line of JSON for each object, or text. */
function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as unknown);
  }
}

const all = { actions: { submit_entry: 'allow' as const } };

async function anObservedBattle(): Promise<ObservedBattle> {
  const battle = new ObservedBattle({
    creator: await aCaller(gateway),
    participant: await aCaller(gateway),
    B: await aCaller(gateway),
    'owner of an AI contender': await aCaller(gateway),
    voter: await aCaller(gateway),
    'second voter': await aCaller(gateway),
    'anonymous caller': callerOf(gateway, { token: gateway.anonymousToken() }),
  });
  const owner = battle.callers['owner of an AI contender'];
  const ownerContext = actingAs(gateway.ctx, owner.accountId);
  const ai = await anAiLenser(ownerContext, { policy: all });
  await assignTool(ownerContext, { agentId: ai.id, toolId: 'submit_battle_run', allowed: true });
  const task = { title: 'Haiku', taskPrompt: 'Write a haiku about the sea.' };
  await battle.callers.creator.post('/v1/webhook-endpoints', {
    url: 'https://receiver.example/',
    events: platformEventTypes,
  });
  await battle.write('creator', 'createBattle', { ...task, battleType: 'human_vs_ai' });
  await battle.write('creator', 'updateBattle', { judgingMode: 'community_vote', maxContenders: 5 });
  await battle.write('creator', 'setBattleStatus', { status: 'open' });
  const enter = async (letter: string, by: Viewer | 'B', contenderRefId: string) => {
    const name = `name of ${letter} in ${String(battle.ids['battleId'])}`;
    const contenderType = letter === 'C' ? 'ai_agent' : 'human';
    const { id } = await battle.write(by, 'addContender', { displayName: name, contenderType, contenderRefId });
    battle.contenders.push({ letter, id: String(id), refId: String(id), name, text: `text of ${letter}, ${newId()}` });
  };
  await enter('A', 'participant', battle.callers.participant.accountId);
  await enter('B', 'B', battle.callers.B.accountId);
  await enter('C', 'owner of an AI contender', ai.id);
  battle.ids = { ...battle.ids, aiLenserId: ai.id, contenderId: battle.contenders[0]?.id ?? '' };
  battle.ids['battleType'] = 'human_vs_ai';
  const guest = battle.callers['second voter'].accountId;
  const entry = { displayName: 'Guest', contenderType: 'human', contenderRefId: guest };
  const { id: guestId } = await battle.write('creator', 'addContender', entry);
  battle.ids['contenderId'] = String(guestId);
  await battle.write('creator', 'withdrawContender', {});
  const [a, b, c] = battle.contenders.map(({ id: contenderId, text: contentText }) => ({ contenderId, contentText }));
  await battle.write('participant', 'submitEntry', a ?? {});
  await battle.write('creator', 'executeBattle', {});
  const runs = await gateway.ctx.db.query<{ id: string }[]>('select id from runs where account_id = $1', [
    battle.callers.creator.accountId,
  ]);
  battle.ids['runId'] = runs[0]?.id ?? '';
  battle.status = 'executing';
  const metadata = { battle_id: battle.ids['battleId'], content_text: c?.contentText };
  const done = await battle.write('owner of an AI contender', 'runAgentAction', {
    actionType: 'submit_entry',
    metadata,
  });
  expect(done).toMatchObject({ result: 'success' });
  const thread = await battle.callers.creator.post('/v1/threads', {
    title: 'Questions',
    subjectType: 'battle',
    subjectId: battle.ids['battleId'],
  });
  battle.ids['threadId'] = String(thread.body.data?.['id']);
  const message = await battle.callers.creator.post(battle.fill('/v1/threads/{threadId}/messages'), { text: 'Hello' });
  battle.ids['messageId'] = String(message.body.data?.['id']);
  const found = await battle.readAll();
  expect(found.get('creator getBattle')).toContain('"executing"');
  await battle.write('B', 'submitEntry', b ?? {});
  return battle;
}

describe('a blind battle', () => {
  let battle: ObservedBattle;
  const votes: Record<string, string[]> = {};
  const voteIn = (text: string | undefined): { id: string; ranking: string[][] } | undefined =>
    parsed(text ?? '')
      .filter((line) => (line as { type?: string }).type === 'vote')
      .map((line) => (line as { object: { id: string; ranking: string[][] } }).object)[0];

  it('shows no viewer more than permitted at any door, until it is closed', async () => {
    battle = await anObservedBattle();
    battle.status = 'voting';
    for (const by of ['creator', 'voter'] as const) {
      const { body } = await battle.callers[by].get(battle.fill('/v1/battles/{battleId}'));
      const ballot = body.data?.['ballot'] as { contenderId: string; contentText: string }[];
      votes[by] = ballot.map(({ contenderId }) => contenderId);
      await battle.write(by, 'castVote', { ranking: votes[by], comment: 'Salty.' });
    }
    let found = new Map<string, string>();
    for (const status of ['voting', 'scoring'] as const) {
      if (status !== 'voting') await battle.write('creator', 'setBattleStatus', { status });
      found = await battle.readAll();
      for (const by of ['creator', 'voter'] as const) {
        expect(voteIn(found.get(`${by} exportMe`))?.ranking).toEqual(votes[by]?.map((id) => [id]));
      }
      expect(await battle.webhookEvents()).not.toContain('battle.completed');
    }
    expect(battle.leaks).toEqual([]);
    for (const by of ['creator', 'anonymous caller'] as const) {
      const ofRun = found.get(`${by} streamRunEvents`) ?? '';
      expect([by, ofRun.includes('\nid: ')]).toEqual([by, by === 'creator']);
      const replies = ofOthers.map(({ id }) => found.get(`${by} ${id}`) ?? 'not called');
      expect(
        replies.filter((reply) => !/"code":"(unauthorized|forbidden|not_found|invalid_request)"/.test(reply)),
      ).toEqual([]);
    }
  });

  it('says in no line of the log who wrote a text', () => {
    const authors = battle.contenders.map(({ letter, id, refId, name, text }) => ({
      letter,
      ids: [id, refId, name],
      text,
    }));
    expect(logged.filter((line) => authors.some(({ text }) => line.includes(text)))).toEqual([]);
    const accounts = Object.values(battle.callers).map(({ accountId }) => accountId);
    const links = logged.filter(
      (line) =>
        authors.some(({ ids }) => ids.some((id) => line.includes(id))) && accounts.some((id) => line.includes(id)),
    );
    expect(links).toEqual([]);
    expect(logged.length).toBeGreaterThan(0);
  });

  it('shows the contenders of a vote in the export once it is closed', async () => {
    await battle.write('creator', 'setBattleStatus', { status: 'closed', confirm: true });
    const found = await battle.readAll();
    expect(battleDoors.idsOfBattles.filter((name) => !(name in battle.ids))).toEqual([]);
    const ids = battle.contenders.map(({ id }) => id).toSorted();
    for (const by of ['creator', 'voter'] as const) {
      expect(
        voteIn(found.get(`${by} exportMe`))
          ?.ranking.flat()
          .toSorted(),
      ).toEqual(ids);
    }
    expect(await battle.webhookEvents()).toContain('battle.completed');
    expect([...battle.writes].toSorted()).toEqual([...battleDoors.writes].toSorted());
  });
});

const partsOfBattles = ['contenderId', 'contenders', 'contentText', 'ballot', 'ranking', 'voteAggregates', 'winner'];

describe('the list of doors', () => {
  it('has every endpoint that changes something and replies with parts of a battle or an output of an AI lenser', async () => {
    const description = (await gateway.call('GET', '/v1/openapi.json')).body as unknown as {
      paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
      components: { schemas: Record<string, unknown> };
    };
    const namesIn = (value: unknown, seen = new Set<string>()): string[] => {
      if (typeof value !== 'object' || value === null) return [];
      return Object.entries(value).flatMap(([name, each]): string[] => {
        if (name !== '$ref') return [name, ...namesIn(each, seen)];
        const schema = String(each).replace('#/components/schemas/', '');
        if (seen.has(schema)) return [];
        seen.add(schema);
        return namesIn(description.components.schemas[schema], seen);
      });
    };
    const shows = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId, responses }]) => {
        if (method === 'get') return [];
        const names = new Set(
          namesIn(Object.entries(responses).flatMap(([status, reply]) => (status < '300' ? [reply] : []))),
        );
        const isOfBattle = path.startsWith('/v1/battles') && names.has('schema');
        return isOfBattle || partsOfBattles.some((name) => names.has(name)) ? [operationId] : [];
      }),
    );
    expect([...shows, 'runAgentAction'].toSorted()).toEqual([...battleDoors.writes].toSorted());
  });

  it('has every id in a path by which something of a battle could be read', () => {
    const params = new Set(reading.flatMap(({ path }) => paramsOf(path)));
    expect([...battleDoors.idsOfBattles, ...battleDoors.otherIds].toSorted()).toEqual([...params].toSorted());
  });

  it('has every stream, and every event of battles and webhooks', () => {
    const streams = table.filter(({ replies }) => replies === 'event-stream').map(({ id }) => id);
    expect(Object.keys(battleDoors.streams).toSorted()).toEqual(streams.toSorted());
    expect(battleDoors.battleEvents.toSorted()).toEqual(Object.keys(battleEvents).toSorted());
    expect(Object.keys(battleDoors.webhooks).toSorted()).toEqual(platformEventTypes.toSorted());
  });

  it('has events of battles without texts and ids', () => {
    for (const [type, shape] of Object.entries(battleEvents)) {
      const kinds = [...listFields(shape).values()].map(({ type: { schema } }) =>
        schema['enum'] ? 'enum' : schema['type'],
      );
      expect([type, kinds]).toEqual([type, kinds.map((kind) => (kind === 'enum' ? kind : 'integer'))]);
    }
  });
});
