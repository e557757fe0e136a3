import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import type { DevFacts } from './dev-file.js';
import { clientSettings, serviceSettings } from './shell-settings.js';

const facts: DevFacts = {
  ready: true,
  pid: 1,
  pids: {},
  urls: { api: 'http://127.0.0.1:4000', mcp: 'http://127.0.0.1:4100' },
  databaseUrl: 'postgres://x:$(date)@127.0.0.1/x',
  redisUrl: 'redis://127.0.0.1:4579',
  redisPrefix: 'lensforge',
  users: [],
  tokens: { developer: 'lf_dev_1', mcp: 'lf_mcp_1' },
  lensId: 'a-lens',
  providers: [],
  logFile: '/x/lensforge.log',
  startSeconds: 1,
};

/** The values of variables in a shell after the settings. */
function inShell(settings: string, ...names: string[]): string[] {
  const show = names.map((name) => `printf '%s\\n' "\${${name}-unset}"`).join('\n');
  const env = { PATH: process.env['PATH'] };
  return execFileSync('sh', ['-c', `${settings}\n${show}`], { env, encoding: 'utf8' })
    .trim()
    .split('\n');
}

it('sets the settings of the services in a shell, whatever characters they have', () => {
  const names = ['DATABASE_URL', 'LENSFORGE_MASTER_KEY_FILE', 'LENSFORGE_PUBLIC_OAUTH_URL'];
  expect(inShell(serviceSettings(facts, "/home/ada's"), ...names)).toEqual([
    'postgres://x:$(date)@127.0.0.1/x',
    "/home/ada's/master.key",
    'unset',
  ]);
});

it('sets what the commands of the documentation use, and nothing that a next npm start would use', () => {
  const names = ['LENSFORGE_API_URL', 'LENSFORGE_API_KEY', 'LENS', 'WORKFLOW', 'MCP', 'MCP_TOKEN', 'DATABASE_URL'];
  expect(inShell(clientSettings(facts), ...names)).toEqual([
    'http://127.0.0.1:4000',
    'lf_dev_1',
    'a-lens',
    'unset',
    'http://127.0.0.1:4100',
    'lf_mcp_1',
    'unset',
  ]);
});
