import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  aBattle,
  aBlindBattle,
  aContender,
  battleDoors,
  blindnessCases,
  knowledgeIn,
  permittedKnowledge,
  placedIn,
} from '@lensforge/battles/testing';
import { anAiLenser } from '@lensforge/identity/testing';
import { type TokenIssuer, tokenIssuer } from '@lensforge/testing';
import { catalogue, tools } from '@lensforge/tools';
import { McpService, type TestCaller, contentOf, failureOf } from './mcp-service.js';

let service: McpService;
let issuer: TokenIssuer;
let mine: TestCaller;
beforeAll(async () => {
  issuer = await tokenIssuer({ name: 'https://id.lensforge.test/id' });
  service = await McpService.start(tools, { LENSFORGE_OAUTH_URL: issuer.url, LENSFORGE_ISSUER: issuer.name });
  mine = await service.aCaller();
});
afterAll(async () => {
  await service.stop();
  await issuer.close();
});

const partsOfBattles = [
  'contender_id',
  'contenders',
  'content_text',
  'ballot',
  'vote_aggregates',
  'battle_type',
  'winner',
];

describe('the list of doors', () => {
  it('has every tool that replies with parts of a battle, or with events or an output of an AI lenser', () => {
    const shows = ({ listed }: (typeof tools)[number]) => {
      const reply = JSON.stringify(listed['outputSchema']);
      return partsOfBattles.some((name) => reply.includes(`"${name}"`));
    };
    const ofBattles = tools.filter((tool) => catalogue.battles.some(({ name }) => name === tool.name) || shows(tool));
    const names = new Set([...ofBattles.map(({ name }) => name), 'run_agent_action', 'list_agent_run_events']);
    expect([...Object.keys(battleDoors.tools), ...battleDoors.writingTools].toSorted()).toEqual([...names].toSorted());
  });

  it.each(Object.keys(battleDoors.tools) as (keyof typeof battleDoors.tools)[])(
    '%s places no contender of a blind battle, and links no text to one that its viewer may not attribute',
    async (name) => {
      for (const status of ['executing', 'voting', 'scoring'] as const) {
        const battle = await aBlindBattle(service.ctx, status);
        const aiLenserId = battle.contenders.find(({ letter }) => letter === 'C')?.refId ?? '';
        const creatorId = battle.accounts.creator;
        const args = battleDoors.tools[name]({ battleId: battle.battleId, creatorId, aiLenserId });
        for (const viewer of ['creator', 'participant', 'owner of an AI contender', 'voter'] as const) {
          const { bearer } = await service.aCaller({}, battle.accounts[viewer]);
          const { content, isError } = await service.call(name, args, bearer);
          if (viewer === 'owner of an AI contender') expect(isError).toBeUndefined();
          const answer: unknown = JSON.parse(content[0]?.text ?? 'null');
          const { attributed } = permittedKnowledge(viewer, status) ?? { attributed: '' };
          const linked = [...knowledgeIn(battle, answer).attributed].filter((letter) => !attributed.includes(letter));
          expect({ status, viewer, linked, placed: placedIn(battle, answer) }).toEqual({
            status,
            viewer,
            linked: [],
            placed: '',
          });
        }
      }
    },
  );
});

describe('get_battle', () => {
  it.each(blindnessCases)('shows a %s of a battle that is %s no more than permitted', async (viewer, status) => {
    const battle = await aBlindBattle(service.ctx, status);
    const bearer =
      viewer === 'anonymous caller'
        ? issuer.token({ aud: ['lensforge:mcp'], role: 'anonymous', sub: 'anonymous' })
        : (await service.aCaller({}, battle.accounts[viewer])).bearer;
    const answer = await service.call('get_battle', { battle_id: battle.battleId }, bearer);
    const permitted = permittedKnowledge(viewer, status);
    if (permitted) expect(knowledgeIn(battle, contentOf(answer))).toEqual(permitted);
    else expect(failureOf(answer).code).toBe('NOT_FOUND');
    const { creator: creator_lenser_id } = battle.accounts;
    const listed = [
      await service.call('list_battles', { creator_lenser_id }, bearer),
      await service.call('get_battle_history', { lenser_id: creator_lenser_id }, bearer),
    ];
    expect(listed.map(({ isError }) => isError)).toEqual([undefined, undefined]);
    expect(knowledgeIn(battle, listed)).toEqual({ identities: '', attributed: '', ballot: '' });
  });

  it('returns a battle that tools have made, with its lensers and models', async () => {
    const call = async (name: string, args: object) => contentOf(await service.call(name, args, mine.bearer));
    const settings = {
      title: 'Haiku',
      task_prompt: 'Write a haiku about the sea.',
      battle_type: 'human_vs_ai',
      judging_mode: 'rubric_score',
      max_contenders: 3,
      ai_judge_model_key: 'claude-haiku-5-5',
    };
    const made = (await call('create_battle', settings)) as { id: string };
    expect(made).toEqual({ id: expect.any(String), title: 'Haiku' });
    const battle_id = made.id;
    const ai = await anAiLenser(mine.ctx, { aiModelKey: 'gpt-6-sol' });
    const robot = { battle_id, display_name: 'Robot', contender_type: 'ai_agent', contender_ref_id: ai.id, slot: 'C' };
    const added = (await call('add_battle_contender', robot)) as { contender_id: string };
    expect(added).toEqual({ contender_id: expect.any(String), slot_label: 'C', battle_id });
    expect(await call('get_battle', { battle_id })).toEqual({
      ...settings,
      id: battle_id,
      status: 'draft',
      contender_count: 1,
      creator_lenser_id: mine.accountId,
      created_at: expect.any(String),
      closed_at: null,
      contenders: [
        {
          contender_id: added.contender_id,
          slot_label: 'C',
          display_name: 'Robot',
          contender_type: 'ai_agent',
          contender_ref_id: ai.id,
          lens_id: null,
          workflow_id: null,
          submitted: false,
          answer_error: null,
          rank: null,
        },
      ],
      vote_aggregates: [],
      submissions: [],
      ballot: null,
      lensers: {
        [mine.accountId]: expect.objectContaining({ kind: 'human', ai_model_key: null }),
        [ai.id]: { kind: 'ai', handle: ai.handle, display_name: ai.displayName, ai_model_key: 'gpt-6-sol' },
      },
      models: {
        'claude-haiku-5-5': { provider: 'anthropic', display_name: 'Claude Haiku 5.5' },
        'gpt-6-sol': { provider: 'openai', display_name: 'GPT-6 Sol' },
      },
      winner: null,
      warnings: ['The battle has one contender; a battle needs two.'],
    });
  });
});

describe('list_battles and get_battle_history', () => {
  it('return pages with a total', async () => {
    const caller = await service.aCaller();
    const ids: string[] = [];
    for (const status of ['draft', 'closed', 'published'] as const) {
      ids.unshift((await aBattle(caller.ctx, { status })).id);
    }
    const pageOf = async (name: string, args: object, { bearer }: TestCaller = caller) => {
      const page = contentOf(await service.call(name, args, bearer)) as { items: { id: string }[]; total: number };
      return { ...page, items: page.items.map(({ id }) => id) };
    };
    const creator = { creator_lenser_id: caller.accountId };
    expect(await pageOf('list_battles', { ...creator, limit: 2, offset: 1 })).toEqual({
      items: ids.slice(1),
      total: 3,
      limit: 2,
      offset: 1,
      has_more: false,
    });
    expect(await pageOf('list_battles', { ...creator, status: 'published' }, mine)).toMatchObject({ total: 1 });
    expect(await pageOf('get_battle_history', { limit: 1 })).toEqual({
      items: ids.slice(0, 1),
      total: 2,
      limit: 1,
      offset: 0,
      has_more: true,
    });
    expect(await pageOf('get_battle_history', { lenser_id: caller.accountId, offset: 100_000 })).toMatchObject({
      items: [],
      total: 2,
      has_more: false,
    });
    const battle = await aBattle(caller.ctx, { status: 'archived' });
    await aContender(caller.ctx, battle, { lenserAccountId: mine.accountId });
    expect(await pageOf('get_battle_history', { status: 'archived' }, mine)).toMatchObject({ items: [battle.id] });
  });
});
