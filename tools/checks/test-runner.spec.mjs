import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from './run.mjs';

// tools/jest loads test files in its own way. Tests rely on these rules of Jest.
const files = {
  'once.ts': `export const loads: string[] = [];
    loads.push('once');`,
  'faults.spec.ts': `import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
    import { spawn } from 'node:child_process';
    import { loads } from './once.js';
    interface Sized { size: number }
    loads.push('faults');
    process.env['LEFT_BY_A_FILE'] = 'yes';
    const sized = (size: number): Sized => ({ size });
    it('passes', () => expect(sized(1)).toEqual({ size: 1 }));
    it('never ends', () => new Promise(() => undefined), 50);
    it('counts assertions', () => { expect.assertions(2); expect(1).toBe(1); });
    it('rejects behind its back', async () => {
      void Promise.reject(new Error('not awaited'));
      await new Promise((resolve) => setTimeout(resolve, 20));
    });
    it('points to its line', () => { throw new Error('here'); });
    describe('after a failed hook', () => {
      beforeAll(() => { throw new Error('no server'); });
      it('does not pass', () => undefined);
    });
    it('has fake timers', () => {
      jest.useFakeTimers();
      let done = false;
      setTimeout(() => { done = true; }, 60_000);
      jest.advanceTimersByTime(60_000);
      expect(done).toBe(true);
    });
    it('spies', () => {
      jest.spyOn(Math, 'random').mockReturnValue(7);
      expect(Math.random()).toBe(7);
    });
    afterAll(() => void spawn('sleep', ['30']).unref());`,
  'then.spec.ts': `import { expect, it } from '@jest/globals';
    import { loads } from './once.js';
    it('finds the process as it was', async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      expect([process.env['LEFT_BY_A_FILE'], Math.random() < 1]).toEqual([undefined, true]);
    });
    it('shares modules with earlier files', () => expect(loads).toEqual(['once', 'faults']));`,
};

/** Runs the files in this order in one process. */
const runFiles = (folder) =>
  new Promise((resolve) => {
    const report = join(folder, 'report.json');
    const config = {
      rootDir: folder,
      testMatch: ['**/*.spec.ts'],
      testSequencer: join(folder, 'by-name.cjs'),
      testEnvironment: join(root, 'tools/jest/native-environment.cjs'),
      testEnvironmentOptions: { msForProcessesToEnd: 200 },
      runtime: join(root, 'tools/jest/native-runtime.cjs'),
      moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs'],
      transform: {},
    };
    const args = ['--config', JSON.stringify(config), '--runInBand', '--json', '--outputFile', report];
    execFile(process.execPath, [join(root, 'node_modules/jest/bin/jest.js'), ...args], { cwd: folder }, () =>
      resolve(JSON.parse(readFileSync(report, 'utf8'))),
    );
  });

describe('the test runner', () => {
  let folder;
  let results;

  beforeAll(async () => {
    mkdirSync(join(root, '.nx'), { recursive: true });
    folder = mkdtempSync(join(root, '.nx', 'test-runner-'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const sequencer = `const Sequencer = require('@jest/test-sequencer').default;
      module.exports = class extends Sequencer { sort = (tests) => [...tests].sort((a, b) => a.path.localeCompare(b.path)); };`;
    writeFileSync(join(folder, 'by-name.cjs'), sequencer);
    results = (await runFiles(folder)).testResults;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const file = (name) => results.find((result) => result.name.endsWith(name));
  const failed = () =>
    Object.fromEntries(
      file('faults.spec.ts')
        .assertionResults.filter(({ status }) => status === 'failed')
        .map(({ title, failureMessages }) => [title, failureMessages.join('\n')]),
    );

  it('fails what never ends, lacks assertions, rejects unseen, throws, or follows a failed hook', () => {
    expect(failed()).toEqual({
      'never ends': expect.stringContaining('Exceeded timeout of 50 ms'),
      'counts assertions': expect.stringContaining('Expected two assertions'),
      'rejects behind its back': expect.stringContaining('not awaited'),
      'points to its line': expect.stringContaining('here'),
      'does not pass': expect.stringContaining('no server'),
    });
  });

  it('passes the other tests, with fake timers and spies', () => {
    const passed = file('faults.spec.ts').assertionResults.filter(({ status }) => status === 'passed');
    expect(passed.map(({ title }) => title)).toEqual(['passes', 'has fake timers', 'spies']);
  });

  it('names lines of the TypeScript source', () => {
    expect(failed()['points to its line']).toMatch(/faults\.spec\.ts:15:\d+/);
  });

  it('fails a file that leaves a process, and kills the process', () => {
    expect(file('faults.spec.ts').message).toContain('processes that this file started did not end: sleep 30');
  });

  it('loads modules once for all files of a process, and restores variables, timers and spies', () => {
    expect(file('then.spec.ts').message).toBe('');
  });
});
