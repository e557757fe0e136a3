import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { DevFacts } from './dev-file.js';
import { drawPage } from './page.js';

const hex = (characters: number): string => 'a1'.repeat(characters / 2);
const folder = '/home/ada/lensforge';
const facts: DevFacts = {
  ready: true,
  pid: 1,
  pids: {},
  urls: { api: 'http://127.0.0.1:14000', mcp: 'http://127.0.0.1:14100', oauth: 'http://127.0.0.1:14200' },
  databaseUrl: 'postgres://x',
  redisUrl: 'redis://x',
  redisPrefix: 'lensforge',
  users: ['alice', 'bob'].map((handle) => ({
    email: `${handle}@lensforge.test`,
    password: `${handle}-${hex(12)}`,
    handle,
    lenserId: hex(36),
  })),
  tokens: { developer: `lf_dev_${hex(64)}` },
  lensId: hex(36),
  providers: ['openai', 'anthropic', 'google', 'openai-compatible'],
  run: { runId: hex(36), status: 'succeeded' },
  logFile: join(folder, '.lensforge', 'lensforge.log'),
  startSeconds: 123.4,
};

describe('the page of npm start', () => {
  const page = drawPage(facts, folder);

  it('fits on a terminal of 80 × 24', () => {
    const lines = page.split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('has the addresses, the sign-ins, the place for tokens, the logs and the first run', () => {
    for (const text of [
      'http://127.0.0.1:14000',
      'http://127.0.0.1:14100/mcp',
      'http://127.0.0.1:14200/id/sign-in',
      `alice-${hex(12)}`,
      'http://127.0.0.1:14000/console/account?tab=tokens',
      'openai, anthropic, google, openai-compatible, offline',
      `TOKEN=${facts.tokens['developer']}`,
      `/v1/lenses/${facts.lensId}`,
      'Logs: .lensforge/lensforge.log',
      'npm start -- --show',
      'succeeded',
    ])
      expect(page).toContain(text);
  });

  it('says how to add a provider where only offline models work', () => {
    expect(drawPage({ ...facts, providers: [] }, folder)).toContain('npm start -- --with openai');
  });

  it('leaves out what a platform without demo data does not have', () => {
    const { lensId: _, ...bare } = facts;
    const short = drawPage({ ...bare, tokens: {}, users: [], run: undefined }, folder);
    expect(short).not.toContain('TOKEN');
    expect(short).not.toContain('undefined');
  });
});
