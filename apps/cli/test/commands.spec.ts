import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { commands } from '../src/commands.js';
import { Interrupted } from '../src/faults.js';
import { type CliUser, aCliUser } from './cli-host.js';
import { commandTable, files } from './command-table.js';
import { type PlatformStub, aPlatformStub } from './platform-stub.js';

const names = Object.keys(commandTable('', ''));
const caseOf = (name: string) => {
  const found = commandTable(user.folder, platform.url)[name];
  if (!found) throw new Error(`${name} is not in the table`);
  return found;
};

let platform: PlatformStub;
let user: CliUser;
let env: Record<string, string>;

beforeAll(async () => {
  platform = await aPlatformStub();
  user = await aCliUser({ LENSFORGE_API_URL: platform.url });
  env = { LENSFORGE_API_KEY: 'key-1' };
  for (const [name, text] of Object.entries(files)) await writeFile(join(user.folder, name), text);
  await user.run(['login', '--with-token'], { stdin: 'stored' });
});
afterAll(async () => {
  await platform.close();
  await user.close();
});
afterEach(() => {
  platform.behave(undefined);
  platform.requests.length = 0;
});

it('the table has every command', () => {
  expect([...names, 'doctor'].sort()).toEqual(commands.map(({ name }) => name).sort());
});

describe.each(names)('%s', (name) => {
  it('prints text for people', async () => {
    const { line, stdin = '', calls, text } = caseOf(name);
    const { code, stdout, stderr } = await user.run(line, { stdin, env });
    expect(stderr).not.toContain('error:');
    expect(code).toBe(0);
    expect(stdout).toMatch(text);
    expect(platform.requests.map(({ operationId }) => operationId)).toEqual(calls);
  });

  it('prints JSON', async () => {
    const { line, stdin = '', plain } = caseOf(name);
    const at = !line.includes('--') ? line.length : line.indexOf('--');
    const { code, stdout } = await user.run([...line.slice(0, at), '--json', ...line.slice(at)], { stdin, env });
    expect(code).toBe(0);
    const isStream = stdout.includes('"sequence":2');
    const parts = plain ? [] : isStream ? stdout.trim().split('\n') : [stdout];
    expect(parts.length > 0).toBe(!plain);
    for (const part of parts) expect(() => JSON.parse(part) as unknown).not.toThrow();
  });

  it('ends with 4 without a credential', async () => {
    const { line, stdin = '', open } = caseOf(name);
    const stranger = await aCliUser({ LENSFORGE_API_URL: platform.url });
    const { code, stderr, stdout } = await stranger.run(line, { stdin });
    await stranger.close();
    if (open) {
      expect(code).not.toBe(4);
      return;
    }
    expect([code, stdout, platform.requests]).toEqual([4, '', []]);
    expect(stderr).toBe('error: You are not logged in\n  Log in with: lensforge login, or set LENSFORGE_API_KEY\n');
  });

  it('ends with 2 after wrong input, and says what to do', async () => {
    const { wrong } = caseOf(name);
    const { code, stdout, stderr } = await user.run(wrong, { env });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: .+\n {2}.+\n$/);
    const changes = platform.requests.filter(({ operationId }) => !/^(get|list)/.test(operationId));
    expect(changes).toEqual([]);
  });

  it('ends with 130 when it is interrupted', async () => {
    const { line, stdin = '', calls } = caseOf(name);
    if (calls.length === 0) {
      expect(platform.requests).toEqual([]);
      return;
    }
    platform.behave('silent');
    const controller = new AbortController();
    const running = user.run(line, { stdin, env, signal: controller.signal });
    while (platform.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    controller.abort(new Interrupted());
    const { code, stdout, stderr } = await running;
    expect([code, stdout]).toEqual([130, '']);
    expect(stderr).toMatch(/interrupted\n$/);
  });

  it('is described by --help', async () => {
    const { code, stdout } = await user.run([...name.split(' '), '--help']);
    expect([code, stdout.split('\n')[0]]).toEqual([0, commands.find((each) => each.name === name)?.summary]);
  });
});

it('confirms no authorization server that the person has not named', async () => {
  const id = '01a1fc3e-7c0d-7d6e-a1c3-0123456789ab';
  const { code, stderr } = await user.run(['mcp', 'confirm-issuer', id, '--token-url', 'https://other.example'], {
    env,
  });
  expect(code).toBe(2);
  expect(stderr).toContain('New: https://new.example/token, former: https://auth.example/token');
  expect(platform.requests.map(({ operationId }) => operationId)).toEqual(['getMcpServer']);
  platform.requests.length = 0;
  await user.run(['mcp', 'confirm-issuer', id, '--token-url', 'https://auth.example/token'], { env });
  expect(platform.requests.at(-1)).toMatchObject({
    operationId: 'confirmMcpIssuer',
    body: { issuer: 'https://auth.example', tokenUrl: 'https://auth.example/token' },
  });
});

it('lists the schedules of one workflow when it is named', async () => {
  const id = '01a1fc3e-7c0d-7d6e-a1c3-0123456789ab';
  const { code, stdout } = await user.run(['schedules', 'ls', id], { env });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^ID .*SUSPENDED/)]);
  expect(platform.requests.at(-1)).toMatchObject({ operationId: 'listSchedules' });
});
