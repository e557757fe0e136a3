import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { BadEnvironment } from './environment.js';
import { createLogger } from '../observability/logging.js';
import { StartupError } from './platform.js';
import type { Host } from './run-process.js';
import { runProcess } from './run-process.js';

class FakeHost extends EventEmitter implements Host {
  said = '';
  stderr = { write: (text: string) => (this.said += text) };
  private leave: (code: number) => void = () => undefined;
  readonly left = new Promise<number>((resolve) => (this.leave = resolve));

  exit(code: number): void {
    this.leave(code);
  }
}

function aService({ clean = true } = {}) {
  const lines: string[] = [];
  const logger = createLogger({ service: 'x', to: { write: (line) => void lines.push(line) } });
  return { lines, platform: { logger }, stops: 0, stop: () => Promise.resolve(clean) };
}

describe('a process', () => {
  it.each([
    [new BadEnvironment('the configuration has a fault\n  PORT is missing: a number')],
    [new StartupError('port 4000 of 127.0.0.1 is taken')],
    [Object.assign(new Error('LENSFORGE_MASTER_KEY: version 1 is another key'), { name: 'WrongMasterKey' })],
    [Object.assign(new Error('The sealed value in a row was altered'), { name: 'SealBroken' })],
  ])('that cannot start says why in plain words and ends with 1', async (reason) => {
    const host = new FakeHost();
    await runProcess('api-gateway', () => Promise.reject(reason), host);
    await expect(host.left).resolves.toBe(1);
    expect(host.said).toBe(`api-gateway cannot start: ${reason.message}\n`);
  });

  it('shows where it comes from when nobody foresaw why it cannot start', async () => {
    const host = new FakeHost();
    await runProcess('x', () => Promise.reject(new TypeError('oops')), host);
    await expect(host.left).resolves.toBe(1);
    expect(host.said).toMatch(/x cannot start: TypeError: oops\n {4}at /);
  });

  it.each(['SIGTERM', 'SIGINT'])('drains on %s and ends with 0', async (signal) => {
    const host = new FakeHost();
    await runProcess('x', () => Promise.resolve(aService()), host);
    host.emit(signal);
    host.emit(signal);
    await expect(host.left).resolves.toBe(0);
  });

  it('ends with 1 when the drain had to cut something off', async () => {
    const host = new FakeHost();
    await runProcess('x', () => Promise.resolve(aService({ clean: false })), host);
    host.emit('SIGTERM');
    await expect(host.left).resolves.toBe(1);
  });

  it.each(['unhandledRejection', 'uncaughtException'])('logs, drains and ends with 1 after an %s', async (event) => {
    const host = new FakeHost();
    const service = aService();
    await runProcess('x', () => Promise.resolve(service), host);
    host.emit(event, new Error('forgotten'));
    await expect(host.left).resolves.toBe(1);
    expect(service.lines.join('')).toMatch(/"level":"fatal".*forgotten/);
  });

  it('simply ends when it is told to while it starts', async () => {
    const host = new FakeHost();
    void runProcess('x', () => new Promise(() => undefined), host);
    host.emit('SIGTERM');
    await expect(host.left).resolves.toBe(0);
  });
});
