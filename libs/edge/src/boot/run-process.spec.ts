import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { BadEnvironment } from './read-environment.js';
import { createLogger } from '../observability/logging.js';
import { StartupError } from './platform.js';
import { type ProcessLike, runProcess } from './run-process.js';

class FakeProcess extends EventEmitter implements ProcessLike {
  output = '';
  stderr = { write: (text: string) => (this.output += text) };
  private resolveExit: (code: number) => void = () => undefined;
  readonly exited = new Promise<number>((resolve) => (this.resolveExit = resolve));

  exit(code: number): void {
    this.resolveExit(code);
  }
}

function aService({ clean = true } = {}) {
  const lines: string[] = [];
  const logger = createLogger({ service: 'x', to: { write: (line) => void lines.push(line) } });
  return { lines, platform: { logger }, stops: 0, stop: () => Promise.resolve(clean) };
}

describe('runProcess', () => {
  it.each([
    [new BadEnvironment('the configuration has a fault\n  PORT is missing: a number')],
    [new StartupError('port 4000 of 127.0.0.1 is taken')],
    [Object.assign(new Error('LENSFORGE_MASTER_KEY: version 1 is another key'), { name: 'WrongMasterKey' })],
    [Object.assign(new Error('The sealed value in a row was altered'), { name: 'SealBroken' })],
  ])('prints the message of an expected startup error and exits with 1', async (reason) => {
    const process = new FakeProcess();
    await runProcess('api-gateway', () => Promise.reject(reason), process);
    await expect(process.exited).resolves.toBe(1);
    expect(process.output).toBe(`api-gateway cannot start: ${reason.message}\n`);
  });

  it('prints the stack of an unexpected startup error and exits with 1', async () => {
    const process = new FakeProcess();
    await runProcess('x', () => Promise.reject(new TypeError('oops')), process);
    await expect(process.exited).resolves.toBe(1);
    expect(process.output).toMatch(/x cannot start: TypeError: oops\n {4}at /);
  });

  it.each(['SIGTERM', 'SIGINT'])('drains on %s and exits with 0', async (signal) => {
    const process = new FakeProcess();
    await runProcess('x', () => Promise.resolve(aService()), process);
    process.emit(signal);
    process.emit(signal);
    await expect(process.exited).resolves.toBe(0);
  });

  it('exits with 1 when the drain did not end in time', async () => {
    const process = new FakeProcess();
    await runProcess('x', () => Promise.resolve(aService({ clean: false })), process);
    process.emit('SIGTERM');
    await expect(process.exited).resolves.toBe(1);
  });

  it.each(['unhandledRejection', 'uncaughtException'])('logs, drains and exits with 1 after an %s', async (event) => {
    const process = new FakeProcess();
    const service = aService();
    await runProcess('x', () => Promise.resolve(service), process);
    process.emit(event, new Error('unhandled'));
    await expect(process.exited).resolves.toBe(1);
    expect(service.lines.join('')).toMatch(/"level":"fatal".*unhandled/);
  });

  it('exits with 0 on SIGTERM while the service starts', async () => {
    const process = new FakeProcess();
    void runProcess('x', () => new Promise(() => undefined), process);
    process.emit('SIGTERM');
    await expect(process.exited).resolves.toBe(0);
  });
});
