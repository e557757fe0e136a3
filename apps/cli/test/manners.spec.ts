import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { webhooks } from '@lensforge/sdk';
import { Interrupted } from '../src/faults.js';
import { select } from '../src/selection.js';
import { type CliUser, aCliUser } from './cli-host.js';
import { type PlatformStub, aPlatformStub, sampleId } from './platform-stub.js';

let platform: PlatformStub;
let user: CliUser;
const env = { LENSFORGE_API_KEY: 'key-1' };

beforeAll(async () => {
  platform = await aPlatformStub();
  user = await aCliUser({ LENSFORGE_API_URL: platform.url });
});
afterAll(async () => {
  await platform.close();
  await user.close();
});
afterEach(() => {
  platform.behave(undefined);
  platform.requests.length = 0;
});

describe('an error of the platform', () => {
  it.each([
    [401, 'unauthorized', 4, 'Log in again with: lensforge login'],
    [403, 'insufficient_scope', 4, 'needs the scope lenses:write'],
    [403, 'forbidden', 1, 'lensforge whoami'],
    [404, 'not_found', 1, 'Check the id'],
    [400, 'insufficient_credits', 1, 'lensforge credits'],
    [429, 'rate_limited', 1, 'Wait 90 seconds'],
  ])('%s %s ends with its code, the next step and the request id', async (status, code, exit, advice) => {
    platform.behave({ status, code, details: { scopes: ['lenses:write'] } });
    const outcome = await user.run(['lens', 'run', sampleId], { env });
    expect([outcome.code, outcome.stdout]).toEqual([exit, '']);
    expect(outcome.stderr).toMatch(/^error: refused: \w+\n {2}.+\n {2}request req-2\n$/);
    expect(outcome.stderr).toContain(advice);
  });

  it('that is no connection names the address', async () => {
    const outcome = await user.run(['whoami', '--api-url', 'http://127.0.0.1:1'], { env });
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(/^error: http:\/\/127\.0\.0\.1:1 cannot be reached.*\n {2}Check .*doctor\n$/);
  });
});

describe('a command line that is wrong', () => {
  it.each([
    [['sing'], 'There is no command sing'],
    [['lens'], 'lens needs a command: one of ls, get'],
    [['lens', 'sing'], 'lens has no command sing'],
    [['lens', 'ls', '--json=yes'], '--json takes no value'],
    [['lens', 'ls', '--tag'], '--tag needs a value'],
    [['lens', 'ls', '--tag', 'a', '--tag', 'b'], '--tag can be given once'],
    [['lens', 'get', ''], 'lens get needs <id>'],
    [['whoami', '--profile', '../x'], 'is not the name of a profile'],
    [['whoami', '--api-url', 'example.com'], 'is not an address'],
    [['whoami', '--jq', '.a..b'], 'The selection .a..b is not valid'],
    [['lens', 'run', sampleId, '-p', '__proto__=1'], 'cannot be called __proto__'],
  ])('%j ends with 2', async (line, message) => {
    const { code, stderr } = await user.run(line, { env });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('a run that is watched', () => {
  const watch = ['runs', 'watch', sampleId];

  it('shows the answer while it is written and progress on a terminal', async () => {
    const { stdout, stderr } = await user.run(watch, { env, terminal: true });
    expect(stdout).toBe('Hello, Ada\n');
    expect(stderr).toContain('run.queued');
  });

  it('prints the output alone into a pipe', async () => {
    expect(await user.run(watch, { env })).toEqual({ code: 0, stdout: 'Hello, Ada\n', stderr: '' });
  });

  it('ends with 5 when it fails, with its reason', async () => {
    const failing = await aFailingPlatform();
    const { code, stderr } = await user.run([...watch, '--api-url', failing.url], { env });
    await failing.close();
    expect(code).toBe(5);
    expect(stderr).toContain(`The run ${sampleId} is failed: PROVIDER_DOWN The provider is down\n`);
    expect(stderr).toContain(`lensforge runs retry ${sampleId}`);
  });

  it('says that it continues when it is interrupted', async () => {
    platform.behave('silent');
    const controller = new AbortController();
    const running = user.run(watch, { env, signal: controller.signal });
    while (platform.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    controller.abort(new Interrupted());
    const { code, stderr } = await running;
    expect([code, stderr]).toEqual([130, expect.stringContaining(`lensforge runs watch ${sampleId}`)]);
  });
});

async function aFailingPlatform(): Promise<{ url: string; close: () => Promise<void> }> {
  const run = { id: sampleId, status: 'failed', errorCode: 'PROVIDER_DOWN', errorMessage: 'The provider is down' };
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/events')) response.writeHead(204).end();
    else response.end(JSON.stringify({ data: { ...run, artifacts: [] }, meta: {}, error: null }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

describe('output', () => {
  it('has colours and progress on a terminal only, and no colours with NO_COLOR', async () => {
    const progress = async (options: object): Promise<string> =>
      (await user.run(['runs', 'watch', sampleId], { env, ...options })).stderr;
    expect(await progress({ terminal: true })).toContain('\u001b[2mrun.queued');
    expect(await progress({ terminal: true, env: { ...env, NO_COLOR: '1' } })).toMatch(/^run\.queued/);
    expect(await progress({ terminal: false })).toBe('');
  });

  it('on a terminal has no control characters of other users', async () => {
    const { stdout } = await user.run(['runs', 'logs', sampleId], { env, terminal: true });
    expect(stdout).toContain('line\ufffd[2J one');
    expect(stdout).not.toContain('\u001b');
  });

  it('takes a part of the data with --jq', async () => {
    const line = (selection: string) => user.run(['lens', 'ls', '--jq', selection], { env });
    expect((await line('.[] | .headVersion.semver')).stdout).toBe('a semver\n');
    expect((await line('length')).stdout).toBe('1\n');
  });

  it.each([
    ['.', [{ a: [1, { b: 'x' }], c: null }]],
    ['.a[]', [1, { b: 'x' }]],
    ['.a[1].b', ['x']],
    ['.a[-1] | .b', ['x']],
    ['.["a"] | length', [2]],
    ['keys', [['a', 'c']]],
    ['.c.d', [null]],
    ['.toString', [null]],
  ])('selects %s', (expression, expected) => {
    expect(select({ a: [1, { b: 'x' }], c: null }, expression)).toEqual(expected);
  });
});

describe('credentials', () => {
  it('are stored in a file that only the user can read, and are not printed', async () => {
    const { stdout, stderr } = await user.run(['login', '--with-token'], { stdin: 'secret-1\n' });
    expect(`${stdout}${stderr}`).not.toContain('secret-1');
    const file = join(user.folder, 'profiles.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toContain('secret-1');
    await user.run(['whoami']);
    expect(platform.requests.at(-1)?.authorization).toBe('Bearer secret-1');
  });

  it('of the environment come first', async () => {
    const { stdout } = await user.run(['whoami'], { env });
    expect(platform.requests.at(-1)?.authorization).toBe('Bearer key-1');
    expect(stdout).toContain('LENSFORGE_API_KEY');
  });

  it('belong to a profile', async () => {
    await user.run(['login', '--with-token', '--profile', 'staging'], { stdin: 'secret-2' });
    await user.run(['whoami', '--profile', 'staging']);
    expect(platform.requests.at(-1)?.authorization).toBe('Bearer secret-2');
    await user.run(['profile', 'use', 'staging']);
    await user.run(['whoami']);
    expect(platform.requests.at(-1)?.authorization).toBe('Bearer secret-2');
    expect((await user.run(['profile', 'use', 'absent'])).stderr).toContain('lensforge login --profile absent');
    await user.run(['profile', 'use', 'default']);
  });

  it('that are refused are not stored', async () => {
    platform.behave({ status: 401, code: 'unauthorized' });
    const { code } = await user.run(['login', '--with-token', '--profile', 'other'], { stdin: 'wrong' });
    expect(code).toBe(4);
    expect(await readFile(join(user.folder, 'profiles.json'), 'utf8')).not.toContain('wrong');
  });

  it('in a file that is broken cause an error that names the file', async () => {
    const other = await aCliUser({ LENSFORGE_API_URL: platform.url });
    await writeFile(join(other.folder, 'profiles.json'), '{');
    const { code, stderr } = await other.run(['whoami']);
    await other.close();
    expect([code, stderr]).toEqual([1, expect.stringContaining('profiles.json is not valid JSON')]);
  });
});

describe('doctor', () => {
  it('names each fault with its cure', async () => {
    const other = await aCliUser({ LENSFORGE_API_URL: platform.url, LENSFORGE_AUTH_URL: 'http://127.0.0.1:1' });
    await writeFile(join(other.folder, 'profiles.json'), '{"profiles":{}}');
    await chmod(join(other.folder, 'profiles.json'), 0o644);
    const { code, stdout, stderr } = await other.run(['doctor']);
    await other.close();
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAILED {2}settings .*chmod 600/);
    expect(stdout).toMatch(/ok +platform at .*ok, version/);
    expect(stdout).toMatch(/FAILED {2}sign-in .*LENSFORGE_AUTH_URL/);
    expect(stdout).toMatch(/FAILED {2}credential .*lensforge login/);
    expect(stderr).toContain('3 of 6 checks failed');
  });

  it('succeeds when nothing is wrong', async () => {
    const { code, stdout } = await user.run(['doctor', '--json'], {
      env: { ...env, LENSFORGE_AUTH_URL: platform.url },
    });
    const checks = JSON.parse(stdout) as { check: string; ok: boolean }[];
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    expect([code, checks.length]).toEqual([0, 6]);
  });
});

describe('tokens create', () => {
  it('creates a connector with a service token', async () => {
    const line = ['tokens', 'create', '--kind', 'service', '--label', 'Nightly', '--credit-limit', '5'];
    const { code, stdout, stderr } = await user.run([...line, '--ttl', '180'], { env });
    expect([code, stdout]).toEqual([0, 'a value\n']);
    expect(stderr).toContain('it is not shown again');
    expect(platform.requests.at(-1)).toMatchObject({
      operationId: 'createConnector',
      body: { name: 'Nightly', scopes: 'lenses:read', ttl: 180, creditLimit: 5 },
    });
    expect((await user.run([...line, '--ttl', '30'], { env })).code).toBe(2);
  });
});

describe('account export', () => {
  it('writes the lines to a file that only its owner can read', async () => {
    const file = join(user.folder, 'me.jsonl');
    const { code, stdout } = await user.run(['account', 'export', '-o', file], { env });
    expect([code, stdout]).toEqual([0, '']);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ type: 'account' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});

describe('lens edit', () => {
  it('names the version that was edited, and keeps the text that a newer version refuses', async () => {
    const id = sampleId;
    const edit = async (text: string): Promise<string> => {
      platform.behave({ status: 409, code: 'conflict' });
      return `${text} more`;
    };
    const { code, stderr } = await user.run(['lens', 'edit', id], { env, terminal: true, edit });
    expect(platform.requests.at(-1)).toMatchObject({
      operationId: 'updateLens',
      body: { templateBody: 'a templateBody more', baseVersionId: sampleId },
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Your text is in ${id}.refused.txt`)]);
    expect(await readFile(`${id}.refused.txt`, 'utf8')).toBe('a templateBody more');
    await rm(`${id}.refused.txt`);
  });

  it('sends the text that the editor returns', async () => {
    const edit = async (text: string): Promise<string> => `${text} more`;
    const { code } = await user.run(['lens', 'edit', sampleId], { env, terminal: true, edit });
    expect(code).toBe(0);
    expect(platform.requests.at(-1)).toMatchObject({
      operationId: 'updateLens',
      body: { templateBody: 'a templateBody more' },
    });
  });

  it('changes nothing when the text is the same', async () => {
    const { code, stderr } = await user.run(['lens', 'edit', sampleId], { env, terminal: true });
    expect([code, stderr]).toEqual([2, expect.stringContaining('The text was not changed')]);
  });
});

describe('webhooks listen', () => {
  it('forwards events once, with signatures that the SDK verifies', async () => {
    const received: Promise<unknown>[] = [];
    const { stdout: printed } = await user.run(['webhooks', 'listen', '--print-secret']);
    const controller = new AbortController();
    const receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        received.push(webhooks.verify(body, request.headers, printed.trim()));
        response.writeHead(204).end();
        setTimeout(() => controller.abort(new Interrupted()), 2500);
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const forwardTo = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const { code, stdout, stderr } = await user.run(['webhooks', 'listen', '--forward-to', forwardTo], {
      env,
      signal: controller.signal,
    });
    receiver.close();
    receiver.closeAllConnections();
    expect(code).toBe(130);
    expect(stderr).toContain(printed.trim());
    expect(await Promise.all(received)).toEqual([expect.objectContaining({ id: sampleId, event: 'run.completed' })]);
    expect(stdout).toMatch(/^\S+ run\.completed \S+ 204\n$/);
    const calls = platform.requests.map(({ operationId }) => operationId);
    expect(calls.filter((each) => each === 'listWebhookEvents').length).toBeGreaterThan(1);
    expect(calls.indexOf('listenForWebhookEvents')).toBeLessThan(calls.indexOf('listWebhookEvents'));
    expect(calls.filter((each) => each === 'listenForWebhookEvents')).toHaveLength(1);
  });
});
