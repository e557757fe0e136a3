import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, createClient, type shapes } from '@lensforge/sdk';
import { type FaultyProxy, openFaultyProxy } from './faulty-proxy.js';
import { FormUser } from './form-user.js';
import { Terminal, hasTmux, normalized, performSessions, recordSessions } from './recorded-sessions.js';
import { TestPlatform } from './test-platform.js';
import {
  type SdkCall,
  type SdkCase,
  SdkPerformer,
  readSdkCases,
  sdkLanguages,
  until,
  withPatterns,
} from '@lensforge/testing';

const program = join(import.meta.dirname, '../../../bundle/lensforge.js');
const unknownId = '01a1fc3e-7c0d-7d6e-a1c3-0123456789ab';

let setup: TestPlatform;
let client: Client;
let folder: string;

beforeAll(async () => {
  setup = await TestPlatform.open({ allInOne: true });
  client = createClient({ baseUrl: setup.platform.urlOf('api-gateway'), apiKey: setup.token });
  folder = await mkdtemp(join(tmpdir(), 'lensforge-journey-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await setup.close();
});

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Running {
  outcome: Promise<Outcome>;
  interrupt: () => void;
}

/** Starts the bundled program as a process; `onMessage` gets what it has written to stderr. */
function start(
  words: readonly string[],
  env: Record<string, string> = {},
  onMessage?: (text: string) => void,
): Running {
  const child = spawn(process.execPath, [program, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      LENSFORGE_CONFIG_DIR: folder,
      LENSFORGE_API_URL: setup.platform.urlOf('api-gateway'),
      LENSFORGE_AUTH_URL: setup.platform.urlOf('oauth'),
      ...env,
    },
  });
  const outcome: Outcome = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (part: string) => (outcome.stdout += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    outcome.stderr += part;
    onMessage?.(outcome.stderr);
  });
  return {
    outcome: new Promise((resolve) => child.once('close', (code) => resolve({ ...outcome, code }))),
    interrupt: () => child.kill('SIGINT'),
  };
}

const run = (...words: string[]): Promise<Outcome> => start(words, { LENSFORGE_API_KEY: setup.token }).outcome;

interface PlatformCall extends SdkCall {
  /** Members of the result that later calls have in their arguments, by the names there. */
  keep?: Record<string, string>;
  hasNoGap?: true;
  hasDistinctIds?: number;
}

/** A value with `$name` replaced. */
const filled = <T>(value: T, names: ReadonlyMap<string, string>): T =>
  JSON.parse(JSON.stringify(value).replaceAll(/\$(\w+)/g, (text, name: string) => names.get(name) ?? text)) as T;

const multiplyingScript = {
  script: [
    {
      calls: [
        { name: 'add', input: { a: 2, b: 3 } },
        { name: 'divide', input: { a: 1 } },
        { name: 'multiply', input: { a: 2 } },
      ],
    },
    { say: '{{1}} | {{2}} | {{3}}' },
  ],
};

describe.each(sdkLanguages())('the SDK for $name', (language) => {
  let performer: SdkPerformer;
  let sums: string;
  beforeAll(async () => {
    performer = new SdkPerformer(language);
    const tools = ['add', 'divide', 'multiply'].map((name) => ({ name, inputSchema: { type: 'object' } }));
    const templateBody = `@offline ${JSON.stringify(multiplyingScript)}\nCompute [[Task!]]`;
    ({ id: sums } = await client.lenses.create({ title: 'Sums', templateBody, settings: { tools } }));
  });
  afterAll(() => performer.close());

  it.each(readSdkCases<SdkCase<PlatformCall>>('platform.json'))('$name', async ({ calls }) => {
    const url = setup.platform.urlOf('api-gateway');
    const names = new Map(Object.entries({ lens: setup.lensId, sums, unknown: unknownId, language: language.name }));
    for (const each of calls) {
      const call = filled(each, names);
      const [outcome = {}] = await performer.perform(url, [setup.token], [call]);
      if (!('error' in (call.gives ?? {}))) expect(outcome).not.toHaveProperty('error');
      expect(outcome).toMatchObject(withPatterns(call.gives ?? {}, expect.stringMatching) as object);
      const { data, items, sequences } = outcome as {
        data?: Record<string, string>;
        items?: { id: string }[];
        sequences?: number[];
      };
      for (const [name, member] of Object.entries(call.keep ?? {})) names.set(name, data?.[member] ?? '');
      if (call.hasNoGap) expect(sequences).toEqual(sequences?.map((_, at) => at + 1));
      if (call.hasDistinctIds) {
        const ids = (items ?? []).map(({ id }) => id);
        expect(ids.length).toBeGreaterThanOrEqual(call.hasDistinctIds);
        expect(new Set(ids).size).toBe(ids.length);
      }
    }
  });
});

describe('the SDK with tools', () => {
  const script = [
    {
      calls: [
        { name: 'add', input: { a: 2, b: 3 } },
        { name: 'divide', input: { a: 1 } },
      ],
    },
    { calls: [{ name: 'add', input: { a: 5, b: 5 } }] },
    { say: '{{1}} | {{2}} | {{3}}' },
  ];
  const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
  let lensId: string;
  beforeAll(async () => {
    const templateBody = `@offline ${JSON.stringify({ script })}\nCompute [[Task!]]`;
    const settings = { tools: [tool('add'), tool('divide')] };
    ({ id: lensId } = await client.lenses.create({ title: 'Sums', templateBody, settings }));
  });
  const answerOf = (run: shapes.PlatformRunStatus) =>
    run.artifacts.find(({ isPrimaryOutput }) => isPrimaryOutput)?.contentText;

  it('answers each call once when two processes do', async () => {
    const { runId } = await client.lenses.execute(lensId, { params: {} });
    let count = 0;
    const tools = { add: () => (count += 1), divide: () => 'none' };
    const [one, two] = await Promise.all([client.runs.withTools(runId, tools), client.runs.withTools(runId, tools)]);
    expect(one).toEqual(two);
    expect(answerOf(one)).toMatch(/^[12] \| none \| \d$/);
  });

  it('is a run that the command line shows and answers', async () => {
    const { runId } = await client.lenses.execute(lensId, { params: {} });
    const callsOf = async () => (await client.runs.get(runId)).requiredAction?.calls ?? [];
    await until(async () => (await callsOf()).length === 2, { what: 'two calls' });
    const [add, divide] = await callsOf();
    expect((await run('runs', 'get', runId)).stdout).toMatch(/waits for +add\ncall +\S+\ninput +\{"a":2,"b":3\}/);
    expect((await run('runs', 'answer', runId, add?.callId ?? '', '"five"')).stdout).toContain('waits for 1 more');
    expect((await run('runs', 'answer', runId, divide?.callId ?? '', 'no', '--error')).stdout).toContain('continues');
    await until(async () => (await callsOf()).length === 1, { what: 'the third call' });
    await client.runs.cancel(runId);
    expect((await run('runs', 'answer', runId, add?.callId ?? '', '"six"')).code).toBe(1);
  });
});

describe('the SDK with faults between it and the platform', () => {
  let proxy: FaultyProxy;
  let distant: Client;
  beforeAll(async () => {
    proxy = await openFaultyProxy(setup.platform.urlOf('api-gateway'));
    distant = createClient({ baseUrl: proxy.url, apiKey: setup.token });
  });
  afterAll(() => proxy.close());

  /** Starts a run that writes pieces for some seconds. */
  const startRun = async (from: Client, tag: string): Promise<string> => {
    const script = `\n@offline ${JSON.stringify({ pieces: 60, pieceDelayMs: 100 })}\n`;
    return (await from.lenses.execute(setup.lensId, { params: { Name: 'Ada', Script: script }, tags: [tag] })).runId;
  };
  const follow = async (from: Client, runId: string, onEvent?: (count: number) => void): Promise<number[]> => {
    const sequences: number[] = [];
    for await (const { sequence } of from.runs.events(runId)) {
      sequences.push(sequence);
      onEvent?.(sequences.length);
    }
    return sequences;
  };

  it('starts one run when the first reply is lost and the second request is refused', async () => {
    proxy.plan.push('lost reply', 503);
    const runId = await startRun(distant, 'lost-reply');
    expect(proxy.requests).toHaveLength(3);
    const { items } = await client.runs.list({ tag: ['lost-reply'] });
    expect(items.map(({ id }) => id)).toEqual([runId]);
    await client.runs.cancel(runId);
  });

  it('follows a run without a gap over cut streams and refusals', async () => {
    const runId = await startRun(distant, 'cut-stream');
    proxy.plan.push('cut stream', 429, 503, 'cut stream');
    const sequences = await follow(distant, runId);
    expect(proxy.plan).toEqual([]);
    expect(sequences.length).toBeGreaterThan(10);
    expect(sequences).toEqual(sequences.map((_, at) => at + 1));
  });

  it('follows a run without a gap over the death of the gateway, and reads its end', async () => {
    const runId = await startRun(client, 'dead-gateway');
    const sequences = await follow(client, runId, (count) => {
      if (count === 3) setup.platform.kill('all-in-one', 0, 'SIGKILL');
    });
    expect(sequences).toEqual(sequences.map((_, at) => at + 1));
    expect((await client.runs.wait(runId)).status).toBe('succeeded');
  });
});

describe('the command line', () => {
  it('logs in by a code that a person confirms in a browser, and logs out', async () => {
    const [account] = setup.platform.users;
    if (!account) throw new Error('the platform has no demo user');
    let confirmed: Promise<unknown> | undefined;
    const onMessage = (text: string): void => {
      const [, url] = /Open (\S+)\nand confirm/.exec(text) ?? [];
      if (url === undefined || confirmed) return;
      const person = new FormUser(account);
      const signIn = `${setup.platform.urlOf('oauth')}/id/sign-in`;
      confirmed = person.signInAt(signIn).then(() => person.press(url, { decision: 'approve' }));
    };
    const { code, stdout, stderr } = await start(['login', '--ttl', '1'], {}, onMessage).outcome;
    await confirmed;
    expect([code, stdout]).toEqual([0, expect.stringContaining('Logged in as @')]);
    expect(stderr).toMatch(/confirm the code \S+/);
    const me = await start(['whoami', '--jq', '.credential.kind']).outcome;
    expect(me).toEqual({ code: 0, stdout: 'developer\n', stderr: '' });
    expect((await start(['logout']).outcome).code).toBe(0);
    expect((await start(['whoami']).outcome).code).toBe(4);
  });

  it('runs a lens to its end, and prints its output alone', async () => {
    const { code, stdout, stderr } = await run('lens', 'run', setup.lensId, '--param', 'Name=Grace', '--watch');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Grace');
    const listed = await run('runs', 'ls', '--limit', '1', '--jq', '.[0].status');
    expect(listed.stdout).toBe('succeeded\n');
  });

  it('applies a workflow, shows its graph and runs it', async () => {
    const graph = { nodes: [{ id: 'pause', type: 'delay', settings: { seconds: 600 } }], edges: [] };
    const made = await client.workflows.create({ title: 'Pause', graph });
    expect((await run('workflow', 'graph', made.id)).stdout).toMatch(/pause +delay/);
    const { stdout } = await run('workflow', 'run', made.id);
    const runId = stdout.trim();
    const watching = start(['runs', 'watch', runId], { LENSFORGE_API_KEY: setup.token });
    await client.runs.get(runId);
    setTimeout(watching.interrupt, 1500);
    const interrupted = await watching.outcome;
    expect([interrupted.code, interrupted.stderr]).toEqual([130, expect.stringContaining('The run continues')]);
    expect((await run('runs', 'cancel', runId)).code).toBe(0);
    const { code, stderr } = await run('runs', 'watch', runId);
    expect([code, stderr]).toEqual([5, expect.stringContaining(`The run ${runId} is canceled`)]);
  });

  it('exports a lens and imports it', async () => {
    const file = join(folder, 'lens.json');
    expect((await run('export', 'lens', setup.lensId, '-o', file)).code).toBe(0);
    const { code, stdout } = await run('import', file);
    expect(code).toBe(0);
    expect((await client.lenses.get(stdout.trim())).title).toBe('Journey');
  });

  it('finds nothing wrong with the platform', async () => {
    const { code, stdout } = await run('doctor');
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('FAILED')]);
  });

  it('ends with 1, 2 and 4 for a refusal, a wrong command line and a refused credential', async () => {
    const outcomes = await Promise.all([
      run('lens', 'get', unknownId),
      run('lens', 'get'),
      start(['lens', 'ls'], { LENSFORGE_API_KEY: 'lf_dev_wrong' }).outcome,
    ]);
    expect(outcomes.map(({ code }) => code)).toEqual([1, 2, 4]);
    expect(outcomes[0].stderr).toMatch(/request [0-9a-f-]{36}\n$/);
  });
});

const isAbsent = !hasTmux();
if (isAbsent) process.stderr.write('skipped: the sessions of docs/cli.md, as tmux is not installed\n');

(isAbsent ? describe.skip : describe)('the command line on a terminal', () => {
  /** LENSFORGE_RECORD=1 writes the sessions into the page instead. */
  it('shows what docs/cli.md says', async () => {
    const graph = { nodes: [{ id: 'pause', type: 'delay', settings: { seconds: 600 } }], edges: [] };
    const { id: WORKFLOW } = await client.workflows.create({ title: 'Pause', graph });
    const { PATH = '' } = process.env;
    const terminal = await Terminal.open(folder, {
      PATH,
      WORKFLOW,
      NO_COLOR: '1',
      LENSFORGE_CONFIG_DIR: folder,
      LENSFORGE_API_URL: setup.platform.urlOf('api-gateway'),
      LENSFORGE_API_KEY: setup.token,
    });
    try {
      await terminal.type(`lensforge() { '${process.execPath}' '${program}' "$@"; }`);
      const sessions = await performSessions(terminal);
      if (process.env['LENSFORGE_RECORD'] === '1') return await recordSessions(sessions);
      expect(sessions.length).toBeGreaterThan(1);
      for (const { documented, performed } of sessions) expect(normalized(performed)).toBe(normalized(documented));
    } finally {
      await terminal.close();
    }
  });
});
