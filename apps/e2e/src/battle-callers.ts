import { setTimeout as pause } from 'node:timers/promises';
import {
  type BattleStatus,
  type BattleType,
  type ContenderType,
  type JudgingMode,
  isRecord,
  scopes,
} from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { type AccountKind, createAccount, issueToken } from '@lensforge/identity';
import type { TestPlatform } from './test-platform.js';

/** An account with a token for REST and one for tools. */
export interface BattleCaller {
  accountId: string;
  rest: string;
  mcp: string;
}

export async function callerOf({ ctx }: TestPlatform, accountId: string): Promise<BattleCaller> {
  const token = { accountId, userId: null, label: 'journey', scopes } as const;
  const { value: rest } = await issueToken(ctx, { ...token, kind: 'developer', days: 1 });
  const { value: mcp } = await issueToken(ctx, { ...token, kind: 'mcp' });
  return { accountId, rest, mcp };
}

export async function newCaller(setup: TestPlatform, kind: AccountKind = 'person'): Promise<BattleCaller> {
  const handle = `caller-${newId()}`;
  return callerOf(setup, (await createAccount(setup.ctx, { kind, handle, displayName: handle })).id);
}

export interface Entry {
  displayName: string;
  contenderType: ContenderType;
  contenderRefId: string;
  /** Over REST only. */
  lensId?: string;
  workflowId?: string;
}

/** The members of a battle that the tests read, from REST or a tool. */
export interface BattleView {
  status: BattleStatus;
  contenders: { id: string; displayName: string; rank: number | null }[];
  submissions: { contenderId: string; contentText: string }[];
  ballot: { contenderId: string; contentText: string }[] | null;
  winner: string | null;
  /** The whole answer, for what it must not contain. */
  answer: unknown;
}

export interface ScoreView {
  voteAggregates: { contenderId: string; voteCount: number; voteScore: number }[];
  aiJudgeVerdicts: { contenderId: string; score: number }[];
  judging: { status: string | null; judged: number; total: number } | null;
  winner: string | null;
}

/** The calls of a battle that REST and tools both have. */
export interface BattleInterface {
  create(by: BattleCaller, battle: { battleType: BattleType; judgingMode: JudgingMode }): Promise<string>;
  enter(by: BattleCaller, battleId: string, entry: Entry): Promise<string>;
  submit(by: BattleCaller, battleId: string, answer: { contenderId: string; text: string }): Promise<void>;
  move(by: BattleCaller, battleId: string, status: BattleStatus): Promise<void>;
  /** Undefined when the caller does not find the battle. */
  read(by: BattleCaller, battleId: string): Promise<BattleView | undefined>;
  score(by: BattleCaller, battleId: string): Promise<ScoreView>;
}

export const task = 'Describe the harbour at night in a few sentences, with its lights and its sounds.';
const settings = { title: 'The harbour at night', taskPrompt: task, maxContenders: 6 };
const needsConfirmation: readonly BattleStatus[] = ['closed', 'archived'];

const maxAttempts = 20;

/** Calls REST, again after a second when the platform is busy; undefined for 404, and any other failure fails the test. */
export async function findOverRest(
  setup: TestPlatform,
  { rest: token }: BattleCaller,
  method: string,
  path: string,
  body?: Record<string, unknown>,
): Promise<Record<string, unknown> | undefined> {
  const ask = () => setup.call(method, path, { token, ...(body && { body }) });
  let answer = await ask();
  // Checks of many battles at once compete for the sandboxes of one account. A 503 to a POST may have had its effect.
  for (let n = 1; n < maxAttempts && (answer.status === 429 || (answer.status === 503 && method !== 'POST')); n += 1) {
    await pause(1000);
    answer = await ask();
  }
  if (answer.status === 404) return undefined;
  if (answer.status < 300) return answer.body.data ?? {};
  throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body.error)}`);
}

export async function callRest(...args: Parameters<typeof findOverRest>): Promise<Record<string, unknown>> {
  const found = await findOverRest(...args);
  if (!found) throw new Error(`${args[2]} ${args[3]}: 404`);
  return found;
}

/** Calls a tool; undefined for NOT_FOUND, and any other failure fails the test. */
async function findWithTool(
  { platform }: TestPlatform,
  { mcp }: BattleCaller,
  name: string,
  args: object,
): Promise<Record<string, unknown> | undefined> {
  const answer = await fetch(`${platform.urlOf('mcp-gateway')}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mcp}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    signal: AbortSignal.timeout(120_000),
  });
  const { result, error } = (await answer.json()) as {
    result?: { content: { text: string }[]; isError?: boolean };
    error?: object;
  };
  const text = result?.content[0]?.text ?? JSON.stringify(error);
  if (result && !result.isError) return JSON.parse(text) as Record<string, unknown>;
  if (text.includes('"NOT_FOUND"')) return undefined;
  throw new Error(`${name}: ${text}`);
}

export async function callTool(...args: Parameters<typeof findWithTool>): Promise<Record<string, unknown>> {
  const found = await findWithTool(...args);
  if (!found) throw new Error(`${args[2]}: NOT_FOUND`);
  return found;
}

export const overRest = (setup: TestPlatform): BattleInterface => ({
  create: async (by, battle) =>
    String((await callRest(setup, by, 'POST', '/v1/battles', { ...settings, ...battle }))['id']),
  enter: async (by, battleId, entry) =>
    String((await callRest(setup, by, 'POST', `/v1/battles/${battleId}/contenders`, { ...entry }))['id']),
  submit: async (by, battleId, { contenderId, text: contentText }) => {
    await callRest(setup, by, 'POST', `/v1/battles/${battleId}/submissions`, { contenderId, contentText });
  },
  move: async (by, battleId, status) => {
    const body = { status, ...(needsConfirmation.includes(status) && { confirm: true }) };
    await callRest(setup, by, 'POST', `/v1/battles/${battleId}/status`, body);
  },
  read: async (by, battleId) => {
    const answer = await findOverRest(setup, by, 'GET', `/v1/battles/${battleId}`);
    return answer && ({ ...answer, answer } as unknown as BattleView);
  },
  score: async (by, battleId) =>
    (await callRest(setup, by, 'GET', `/v1/battles/${battleId}/score`)) as unknown as ScoreView,
});

export const withTools = (setup: TestPlatform): BattleInterface => ({
  create: async (by, battle) =>
    String((await callTool(setup, by, 'create_battle', snakeCase({ ...settings, ...battle }) as object))['id']),
  enter: async (by, battle_id, entry) => {
    const { contenderRefId: contender_ref_id, contenderType: contender_type, displayName: display_name } = entry;
    const args = { battle_id, contender_ref_id, contender_type, display_name };
    return String((await callTool(setup, by, 'add_battle_contender', args))['contender_id']);
  },
  submit: async (by, battle_id, { contenderId: contender_id, text: content_text }) => {
    await callTool(setup, by, 'submit_battle_run', { battle_id, contender_id, content_text });
  },
  move: async (by, battle_id, status) => {
    const confirmed = needsConfirmation.includes(status) && { confirm: true };
    await callTool(setup, by, 'set_battle_status', { battle_id, status, ...confirmed });
  },
  read: async (by, battle_id) => {
    const answer = await findWithTool(setup, by, 'get_battle', { battle_id });
    if (!answer) return undefined;
    const view = camelCase(answer) as Omit<BattleView, 'contenders'> & {
      contenders: (BattleView['contenders'][number] & { contenderId: string })[];
    };
    const contenders = view.contenders.map((each) => ({ ...each, id: each.contenderId }));
    return { ...view, contenders, answer };
  },
  score: async (by, battle_id) => camelCase(await callTool(setup, by, 'get_battle_score', { battle_id })) as ScoreView,
});

/** Makes each call with the interface that did not make the last one. */
export function alternately(first: BattleInterface, second: BattleInterface): BattleInterface {
  let calls = 0;
  const next = (): BattleInterface => ((calls += 1) % 2 === 1 ? first : second);
  return {
    create: (...args) => next().create(...args),
    enter: (...args) => next().enter(...args),
    submit: (...args) => next().submit(...args),
    move: (...args) => next().move(...args),
    read: (...args) => next().read(...args),
    score: (...args) => next().score(...args),
  };
}

const renamed = (value: unknown, rename: (name: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((each) => renamed(each, rename));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [rename(name), renamed(each, rename)]));
};
const camelCase = (value: unknown): unknown =>
  renamed(value, (name) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
const snakeCase = (value: unknown): unknown =>
  renamed(value, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
