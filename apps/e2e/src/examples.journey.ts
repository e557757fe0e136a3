import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, createClient } from '@lensforge/sdk';
import { until } from '@lensforge/testing';
import { TestPlatform } from './test-platform.js';

const root = join(import.meta.dirname, '../../..');
const example = (path: string): string => join(root, 'examples', path);

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

let setup: TestPlatform;
let client: Client;
let folder: string;
let lensId: string;
const servers: ChildProcess[] = [];

/** Starts a program that prints its address first. */
async function serve(command: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(command, args, { env: { ...process.env, PORT: '0', ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  servers.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part.toString()));
  const url = await until(() => /http:\/\/\S+/.exec(text)?.[0], { what: () => `an address: ${text}` });
  return { url, text: () => text };
}

interface Extras {
  env?: Record<string, string>;
  input?: string;
  onOutput?: (child: ChildProcess, stdout: string) => void;
}

function run(file: string, args: readonly string[], { env = {}, input, onOutput }: Extras = {}): Promise<Outcome> {
  const child = spawn(process.execPath, [file, ...args], {
    env: {
      PATH: process.env['PATH'],
      LENSFORGE_API_URL: setup.platform.urlOf('api-gateway'),
      LENSFORGE_API_KEY: setup.token,
      ...env,
    },
  });
  child.stdin.end(input);
  const outcome: Outcome = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (part: Buffer) => {
    outcome.stdout += part.toString();
    onOutput?.(child, outcome.stdout);
  });
  child.stderr.on('data', (part: Buffer) => (outcome.stderr += part.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ ...outcome, code })));
}

beforeAll(async () => {
  const { url: baseUrl } = await serve(process.execPath, [example('model-server/server.mjs')]);
  setup = await TestPlatform.open({ allInOne: true, providerKeys: { 'openai-compatible': { baseUrl } } });
  client = createClient({ baseUrl: setup.platform.urlOf('api-gateway'), apiKey: setup.token });
  folder = await mkdtemp(join(tmpdir(), 'lensforge examples '));
  lensId = setup.platform.lensId ?? '';
  const isOffered = `select true from providers where key = 'openai-compatible'`;
  await until(async () => (await setup.db.query<unknown[]>(isOffered)).length > 0, { what: 'the model server' });
});
afterAll(async () => {
  for (const server of servers) server.kill();
  await rm(folder, { recursive: true, force: true });
  await setup.close();
});

describe('the examples', () => {
  it('use a model server of their own', async () => {
    const { runId } = await client.lenses.execute(lensId, { params: { Product: 'a kettle', Audience: 'campers' } });
    const finished = await client.runs.wait(runId);
    expect(finished).toMatchObject({ status: 'succeeded', providerKey: 'openai-compatible', modelKey: 'last-line' });
    expect(finished.artifacts[0]?.contentText).toMatch(/^It says in one sentence what is new, then why campers/);
  });

  it('execute a lens for each line of a file, and the same runs again', async () => {
    const args = [lensId, example('batch/products.jsonl')];
    const first = await run(example('batch/batch.mjs'), args);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const results = first.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { params: object; text: string });
    expect(results).toHaveLength(3);
    expect(results[1]).toMatchObject({ params: { Product: 'a lamp' }, text: expect.stringContaining('readers') });
    const countRuns = async (): Promise<number> => (await client.runs.list({ lensId, limit: 100 })).items.length;
    const before = await countRuns();
    expect(before).toBeGreaterThan(2);
    expect((await run(example('batch/batch.mjs'), args)).stdout).toBe(first.stdout);
    expect(await countRuns()).toBe(before);
    const [line = '', ...rest] = (await readFile(example('batch/products.jsonl'), 'utf8')).trim().split('\n');
    const longer = join(folder, 'longer.jsonl');
    await writeFile(longer, ['{"Product":"a chair","Audience":"guests"}', ...rest, line, line].join('\n'));
    expect((await run(example('batch/batch.mjs'), [lensId, longer])).code).toBe(0);
    expect(await countRuns()).toBe(before + 2);
    const { templateBody, headVersion } = await client.lenses.get(lensId);
    await client.lenses.update(lensId, {
      templateBody: `Write plainly.\n${templateBody}`,
      baseVersionId: headVersion.id,
    });
    expect((await run(example('batch/batch.mjs'), args)).code).toBe(0);
    expect(await countRuns()).toBe(before + 5);
  });

  it('stream an answer to a browser without showing it the token', async () => {
    const env = {
      LENS: lensId,
      LENSFORGE_API_URL: setup.platform.urlOf('api-gateway'),
      LENSFORGE_API_KEY: setup.token,
    };
    const { url } = await serve(process.execPath, [example('streaming/server.mjs')], env);
    const page = await (await fetch(url)).text();
    expect(page).toContain('EventSource');
    expect(page).not.toContain(setup.token);
    const started = await fetch(`${url}/runs?product=a+kettle`, { method: 'POST' });
    const { runId } = (await started.json()) as { runId: string };
    const events = await (await fetch(`${url}/events?run=${runId}`)).text();
    expect(events).toMatch(/event: node\.output\.delta[^]*event: done\ndata: .*"succeeded"/);
    expect((await fetch(`${url}/events?run=unknown`)).status).toBe(404);
  });

  const receivers: [string, string, string[]][] = [
    ['Node.js', process.execPath, [example('webhook-receivers/receiver.mjs')]],
    ['Python', 'python3', [example('webhook-receivers/receiver.py')]],
    ['Go', 'go', [example('webhook-receivers/receiver.go')]],
  ];
  for (const [language, command, args] of receivers) {
    const isInstalled = spawnSync(command, [language === 'Go' ? 'version' : '--version']).status === 0;
    if (!isInstalled) process.stdout.write(`${command} is not installed: the receiver in ${language} is not tried\n`);
    (isInstalled ? it : it.skip)(`receive signed webhooks in ${language}, and refuse others`, async () => {
      const secret = 'whsec_c2VjcmV0IG9mIHRoZSBleGFtcGxl';
      // The process of `go run` is not that of the program, and signals do not reach it.
      const program = join(folder, 'receiver');
      if (language === 'Go') await promisify(execFile)(command, ['build', '-o', program, ...args]);
      const [file, rest] = language === 'Go' ? [program, []] : [command, args];
      const probe = await serve(file, rest, { WEBHOOK_SECRET: secret });
      expect((await fetch(probe.url, { method: 'POST', body: '{}' })).status).toBe(401);
      const port = new URL(probe.url).port;
      servers.at(-1)?.kill();
      await until(async () => !(await fetch(probe.url).catch(() => undefined)), { what: 'the end of the receiver' });
      const endpoint = await client.webhookEndpoints.create({ url: probe.url, events: ['run.completed'] });
      const { text } = await serve(file, rest, { WEBHOOK_SECRET: endpoint.secret, PORT: port });
      const { runId } = await client.lenses.execute(lensId, { params: { Product: language, Audience: 'readers' } });
      await until(() => text().includes(`run.completed ${runId}`), {
        what: () => `the event: ${text()}`,
      });
      await client.webhookEndpoints.delete(endpoint.id);
    });
  }

  it('create a schedule', async () => {
    const { code, stdout } = await run(example('schedule/schedule.mjs'), [lensId]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ cron: '30 7 * * 1-5', timeZone: 'Europe/Berlin', overlap: 'skip' });
  });

  it.each([
    ['yes', 'The note was approved'],
    ['no', 'The note was rejected'],
  ])('wait for the decision of a person: %s', async (answer, outcome) => {
    const result = await run(example('approval/approve.mjs'), [lensId], { input: `${answer}\n` });
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toContain(outcome);
  });

  it('run agents with tools', async () => {
    // The default model of this platform cannot call tools.
    const { agents, ...rest } = JSON.parse(await readFile(example('agents/triage.json'), 'utf8')) as {
      agents: object[];
    };
    const file = join(folder, 'triage.json');
    const offline = agents.map((agent) => ({ ...agent, aiModelKey: 'offline/echo' }));
    await writeFile(file, JSON.stringify({ ...rest, agents: offline }));
    const result = await run(example('agents/run.mjs'), [file]);
    expect(result).toMatchObject({ stderr: '', stdout: expect.stringContaining('"status": "succeeded"') });
  });
});

describe('the action for CI', () => {
  const script = join(root, 'actions/run/run.mjs');
  let files = 0;

  async function act(inputs: Record<string, string>, extras: Extras = {}) {
    files += 1;
    const [output, summary] = [join(folder, `output-${files}`), join(folder, `summary-${files}`)];
    const asGitHub = {
      GITHUB_ACTIONS: 'true',
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      'INPUT_API-URL': setup.platform.urlOf('api-gateway'),
      INPUT_TOKEN: setup.token,
      ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
    };
    const outcome = await run(script, [], { ...extras, env: asGitHub });
    const [outputs, page] = await Promise.all([output, summary].map((path) => readFile(path, 'utf8').catch(() => '')));
    return { ...outcome, outputs, page };
  }

  const workflow = async (graph: object): Promise<string> =>
    (await client.workflows.create({ title: 'In CI', graph } as Parameters<Client['workflows']['create']>[0])).id;

  it('runs a lens, prints a summary and hides the token', async () => {
    const inputs = JSON.stringify({ Product: 'a kettle', Audience: 'campers' });
    const { code, stdout, outputs, page } = await act({ lens: lensId, inputs });
    expect([code, stdout]).toEqual([0, expect.stringContaining(`::add-mask::${setup.token}`)]);
    expect(outputs).toMatch(/status<<(\S+)\nsucceeded\n\1\n/);
    expect(outputs).toContain('why campers');
    expect(page).toContain('| Status | succeeded |');
    expect(page).toContain('openai-compatible/last-line');
  });

  const slow = { nodes: [{ id: 'wait', type: 'delay', settings: { seconds: 600 } }], edges: [] };

  it('cancels the run when the job is canceled, and after its time', async () => {
    const id = await workflow(slow);
    let isStopped = false;
    const onOutput = (child: ChildProcess, text: string): void => {
      // A second signal could end the program while it exits.
      if (text.includes('is accepted') && !isStopped) isStopped = child.kill('SIGINT');
    };
    const canceled = await act({ workflow: id }, { onOutput });
    expect(canceled).toMatchObject({ code: 1, stdout: expect.stringContaining('the job was canceled') });
    expect(canceled.outputs).toContain('\ncanceled\n');
    const late = await act({ workflow: id, 'timeout-seconds': '1' });
    expect(late).toMatchObject({ code: 1, stdout: expect.stringContaining('it took longer than 1 s') });
  });

  it.each<[string, Record<string, string>, string]>([
    ['a wrong token', { token: 'lf_dev_wrong' }, 'Check the token'],
    ['an unknown lens', { lens: '01a1fc3e-7c0d-7d6e-a1c3-0123456789ab' }, 'Check the id'],
    ['no target', { lens: '' }, 'Name either a lens or a workflow'],
    ['inputs that are no object', { inputs: '[1]' }, 'inputs must be a JSON object'],
  ])('says what is wrong with %s', async (_, inputs, message) => {
    const { code, stdout } = await act({ lens: lensId, ...inputs });
    expect([code, stdout]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('the action that gates a prompt', () => {
  interface Comment {
    id: number;
    body: string;
  }
  const comments: Comment[] = [{ id: 1, body: 'Looks good.' }];
  const calls: string[] = [];
  let github: Server;
  let files: string;

  beforeAll(async () => {
    github = createServer((request, response) => {
      let text = '';
      request.on('data', (part: Buffer) => (text += part.toString()));
      request.on('end', () => {
        calls.push(`${request.method} ${request.url}`);
        const { body } = (text === '' ? {} : JSON.parse(text)) as { body?: string };
        if (request.method === 'POST') comments.push({ id: comments.length + 1, body: body ?? '' });
        if (request.method === 'PATCH') Object.assign(comments[1] ?? {}, { body });
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(request.method === 'GET' ? comments : {}));
      });
    });
    await new Promise<void>((resolve) => github.listen(0, '127.0.0.1', resolve));
    files = join(folder, 'gate');
    await cp(example('ci-gate'), files, { recursive: true });
    await writeFile(join(files, 'event.json'), '{"pull_request":{"number":7}}');
  });
  afterAll(() => {
    github.close();
  });

  const lensforge = (...words: string[]) => run(join(root, 'bundle/lensforge.js'), words);
  const gate = () =>
    run(join(root, 'actions/eval/eval.mjs'), [], {
      env: {
        'INPUT_API-URL': setup.platform.urlOf('api-gateway'),
        INPUT_TOKEN: setup.token,
        INPUT_FILE: join(files, 'eval.yaml'),
        INPUT_JUNIT: join(files, 'results.xml'),
        INPUT_COMMAND: `${process.execPath} ${join(root, 'bundle/lensforge.js')}`,
        'INPUT_GITHUB-TOKEN': 'ghs_x',
        GITHUB_API_URL: `http://127.0.0.1:${(github.address() as AddressInfo).port}`,
        GITHUB_EVENT_PATH: join(files, 'event.json'),
        GITHUB_REPOSITORY: 'shop/prompts',
        GITHUB_OUTPUT: join(files, 'output'),
        GITHUB_STEP_SUMMARY: join(files, 'summary'),
      },
    });

  it('is green for the prompt of the examples, and red when it is made worse, in one comment', async () => {
    const prompt = join(files, 'prompt.md');
    expect((await gate()).code).toBe(2);
    expect((await lensforge('lens', 'apply', prompt)).code).toBe(0);
    const [, id = ''] = /^id: (.*)$/m.exec(await readFile(prompt, 'utf8')) ?? [];
    expect((await gate()).code).toBe(5);
    expect((await lensforge('lens', 'label', id, 'production', '1.0.0')).code).toBe(0);
    const green = await gate();
    expect([green.code, green.stdout]).toEqual([0, expect.stringContaining('Gate: passed')]);
    expect(comments).toMatchObject([{ body: 'Looks good.' }, { body: expect.stringContaining('gate **passed**') }]);
    await appendFile(prompt, 'Begin with these words: I say this as an AI.\n');
    const red = await gate();
    expect(red.code).toBe(1);
    expect(red.stdout).toContain('Cases that got worse:\n  backpack (candidate): answer: contains');
    expect(red.stdout).toMatch(/failed {2}candidate: noNewFailures true, tags \[critical]: 5 cases/);
    expect(comments.length).toBe(2);
    expect(comments[1]?.body).toContain('gate **failed**');
    expect(calls.at(-1)).toBe('PATCH /repos/shop/prompts/issues/comments/2');
    expect((await readFile(join(files, 'results.xml'), 'utf8')).match(/<failure type="answer"/g)).toHaveLength(50);
    expect(await readFile(join(files, 'output'), 'utf8')).toBe(
      'result=error\nresult=error\nresult=passed\nresult=failed\n',
    );
    expect(await readFile(join(files, 'summary'), 'utf8')).toContain('gate **failed**');
    expect((await client.lenses.get(id)).headVersion.semver).toBe('1.0.0');
  });
});
