import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TaskReport } from './sandbox.js';
import { closeSandbox, configureSandbox, openSandbox, sandboxTasks } from './sandbox-tasks.js';
import { TimeBudget } from './time-budget.js';

/** Hostile tasks by name. */
const hostile = `
import { readFileSync, readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
const priorityAtLoad = getPriority();
const endless = () => { for (;;); };
const busyFor = (ms) => {
  const before = process.cpuUsage();
  for (let used = 0; used < ms * 1000; ) { const { user, system } = process.cpuUsage(before); used = user + system; }
  return ms;
};
export const tasks = {
  echo: (input) => input,
  later: async (input) => input,
  never: () => new Promise(() => setInterval(() => undefined, 1000)),
  nothing: () => undefined,
  environment: () => process.env,
  priority: () => getPriority(),
  priorityAtLoad: () => priorityAtLoad,
  priorities: () => readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread))),
  pid: () => process.pid,
  sessionPriority: () => Number(readFileSync('/proc/self/autogroup', 'utf8').split(' nice ')[1]),
  endless,
  busyFor,
  throws: () => { throw new Error('as it is'); },
  exits: () => process.exit(3),
  backtracking: () => /^(a+)+$/.test('a'.repeat(100000) + '!'),
  large: (length) => 'x'.repeat(length),
  doublingList: () => { let list = [1, 2, 3, 4]; for (;;) list = [...list, ...list]; },
  growingMap: () => { const map = new Map(); for (let i = 0; ; i += 1) map.set(i, i); },
  longArray: () => new Array(100000000).fill(1.5).length,
  manyObjects: () => { const all = []; for (;;) all.push({ x: 1, y: [1, 2] }); },
  longTexts: () => { const list = []; for (let i = 0; i < 3000000; i += 1) list.push(i); for (;;) JSON.stringify(list).split(','); },
  outsideTheHeap: () => { const all = []; for (;;) all.push(new Uint8Array(10000000).fill(1)); },
};
`;

type Hostile = Record<string, (input: unknown) => unknown>;

const folder = mkdtempSync(join(tmpdir(), 'lensforge-sandbox-'));
const run = sandboxTasks<Hostile>(folder, 'hostile.mjs');
const limits = { account: 'one' };
const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'ok',
    (reason: unknown) => (reason as { kind?: string }).kind ?? reason,
  );

let reports: TaskReport[] = [];

function configure(options: Parameters<typeof configureSandbox>[0] = {}): void {
  reports = [];
  const onTask = (report: TaskReport) => reports.push(report);
  configureSandbox({ processes: 1, memoryMb: 64, timeMs: 60_000, maxWaitMs: 60_000, onTask, ...options });
}

beforeAll(() => writeFileSync(join(folder, 'hostile.mjs'), hostile));
afterEach(() => closeSandbox());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a sandbox task', () => {
  it('returns the result of its function', async () => {
    configure();
    const value = { text: 'é\u2028', list: [1, null, true], deep: { a: [{}] } };
    expect(await run('echo', value, limits)).toEqual(value);
    expect(reports).toMatchObject([{ task: 'echo', outcome: 'ok' }]);
  });

  it('returns the result of a promise, and null for undefined', async () => {
    configure();
    expect(await run('later', [1], limits)).toEqual([1]);
    expect(await run('nothing', 1, limits)).toBeNull();
  });

  it('has a lower priority than services', async () => {
    configure();
    expect(await run('priority', undefined, limits)).toBeGreaterThan(getPriority());
  });

  const hasThreads = existsSync('/proc/self/task');
  (hasThreads ? it : it.skip)('has a lower priority in all threads of its process', async () => {
    configure();
    const own = getPriority();
    const priorities = (await run('priorities', undefined, limits)) as number[];
    expect(priorities.filter((each) => each <= own)).toEqual([]);
  });

  it('loads its module at the priority of services', async () => {
    configure();
    expect(await run('priorityAtLoad', undefined, limits)).toBe(getPriority());
  });

  const groupsSessions = existsSync('/proc/self/autogroup');
  (groupsSessions ? it : it.skip)('has a session with a lower priority than those of services', async () => {
    configure();
    expect(await run('sessionPriority', undefined, limits)).toBeGreaterThan(0);
  });

  it('cannot read the environment variables of the service', async () => {
    configure();
    process.env['SECRET_OF_THE_SERVICE'] = 'hidden';
    const seen = (await run('environment', null, limits)) as Record<string, string>;
    delete process.env['SECRET_OF_THE_SERVICE'];
    expect(Object.values(seen)).not.toContain('hidden');
    expect(Object.keys(seen).filter((name) => name !== 'NODE_CHANNEL_FD' && name !== 'NODE_UNIQUE_ID')).toEqual([]);
  });

  it.each(['endless', 'backtracking'])('is killed after its time limit, and the next task runs: %s', async (task) => {
    configure({ timeMs: 500 });
    expect(await outcomeOf(run(task, null, limits))).toBe('too_slow');
    expect(await run('echo', 1, limits)).toBe(1);
  });

  it.each(['doublingList', 'growingMap', 'longArray', 'manyObjects', 'longTexts', 'outsideTheHeap'])(
    'is killed at the memory limit, and the next task runs: %s',
    async (task) => {
      configure();
      expect(await outcomeOf(run(task, null, limits))).toBe('too_much_memory');
      expect(await run('echo', 1, limits)).toBe(1);
    },
  );

  it('fails when its result is too large', async () => {
    configure();
    expect(await outcomeOf(run('large', 2000, { ...limits, outputBytes: 1000 }))).toBe('output_too_large');
    expect(await outcomeOf(run('large', 900, { ...limits, outputBytes: 1000 }))).toBe('ok');
  });

  it('fails with its own error, or when it does not exist', async () => {
    configure();
    await expect(run('throws', null, limits)).rejects.toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('as it is'),
    });
    expect(await outcomeOf(run('none', null, limits))).toBe('failed');
    expect(await run('echo', 1, limits)).toBe(1);
  });

  it('fails when it ends its process, and the next task runs', async () => {
    configure();
    expect(await outcomeOf(run('exits', null, limits))).toBe('too_much_memory');
    expect(await run('echo', 1, limits)).toBe(1);
  });
});

describe('the sandbox', () => {
  it('keeps the processes of modules apart while there may be more, so that each loads fast', async () => {
    writeFileSync(join(folder, 'other.mjs'), hostile);
    const runOther = sandboxTasks<Hostile>(folder, 'other.mjs');
    configure({ processes: 2 });
    const first = await run('pid', null, limits);
    const second = await runOther('pid', null, limits);
    expect(await runOther('priorityAtLoad', null, limits)).toBe(getPriority());
    expect(second).not.toBe(first);
    expect(await run('pid', null, limits)).toBe(first);
    expect(await runOther('pid', null, limits)).toBe(second);
    configure({ processes: 1 });
    expect(await runOther('pid', null, limits)).toBe(await run('pid', null, limits));
  });

  it('counts the time of all tasks with one budget together', async () => {
    configure();
    const budget = new TimeBudget(2000);
    const next = (): Promise<unknown> => outcomeOf(run('busyFor', 200, { ...limits, budget }));
    expect(await next()).toBe('ok');
    const outcomes: unknown[] = [];
    while (budget.leftMs > 0) outcomes.push(await next());
    expect(outcomes.length).toBeLessThanOrEqual(10);
    expect(await next()).toBe('too_slow');
  });

  it('alternates between accounts', async () => {
    configure();
    const order: string[] = [];
    const runAs = (account: string) => run('busyFor', 20, { account }).then(() => order.push(account));
    await Promise.all([runAs('a'), runAs('a'), runAs('a'), runAs('a'), runAs('b'), runAs('c')]);
    expect(order.indexOf('b')).toBeLessThan(order.lastIndexOf('a'));
    expect(order.indexOf('c')).toBeLessThan(order.lastIndexOf('a'));
  });

  it('refuses tasks beyond the queue limits of an account and of the process', async () => {
    configure({ maxWaiting: 4, maxWaitingPerAccount: 2 });
    const outcomes = Promise.all(
      ['a', 'a', 'a', 'a', 'b', 'c', 'd'].map((account) => outcomeOf(run('busyFor', 10, { account }))),
    );
    expect(await outcomes).toEqual(['ok', 'ok', 'ok', 'busy', 'ok', 'ok', 'busy']);
  });

  it('refuses tasks that did not start in time', async () => {
    configure({ maxWaitMs: 100 });
    const outcomes = await Promise.all([300, 10].map((ms) => outcomeOf(run('busyFor', ms, limits))));
    expect(outcomes).toEqual(['ok', 'busy']);
    expect(reports.map(({ outcome }) => outcome).sort()).toEqual(['busy', 'ok']);
  });

  it('never refuses tasks with ignoreQueueLimit', async () => {
    configure({ maxWaiting: 0 });
    const outcomes = [1, 2, 3].map(() => outcomeOf(run('echo', 1, { ...limits, ignoreQueueLimit: true })));
    expect(await Promise.all(outcomes)).toEqual(['ok', 'ok', 'ok']);
  });
});

it('a sandbox of its own leaves the processes of the other to others, and fails its tasks when it is killed', async () => {
  configure();
  const own = openSandbox({ processes: 1 });
  const runOwn = sandboxTasks<Hostile>(folder, 'hostile.mjs', own);
  const outcome = outcomeOf(runOwn('never', null, limits));
  expect(await run('echo', 1, limits)).toBe(1);
  expect(reports).toMatchObject([{ task: 'echo' }]);
  own.kill();
  expect(await outcome).toBe('failed');
});

it('a sandbox process exits when its service is killed during an endless task', async () => {
  const library = pathToFileURL(join(import.meta.dirname, '..', 'dist', 'index.js')).href;
  const service = `
    import { configureSandbox, sandboxTasks } from ${JSON.stringify(library)};
    configureSandbox({ timeMs: 100 });
    const run = sandboxTasks(${JSON.stringify(folder)}, 'hostile.mjs');
    await run('echo', 1, { account: 'a' });
    run('endless', null, { account: 'a' }).catch(() => undefined);
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 40);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', service], { stdio: 'ignore' });
  const pid = child.pid ?? 0;
  await once(child, 'exit');
  expect(await childrenGone(pid)).toBe(true);
});

/** True when no sandbox process of the killed service is left. */
async function childrenGone(parent: number): Promise<boolean> {
  const { execFileSync } = await import('node:child_process');
  for (let tries = 0; tries < 200; tries += 1) {
    const list = execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' });
    const left = list.split('\n').filter((line) => line.includes('sandbox-program.js') && line.includes(` ${parent} `));
    const orphans = list.split('\n').filter((line) => /^\s*\d+\s+1\s.*sandbox-program\.js/.test(line));
    if (left.length === 0 && orphans.length === 0) return true;
    await pause(100);
  }
  return false;
}
