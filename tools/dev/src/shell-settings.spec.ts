import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { shellSettings } from './shell-settings.js';

it('sets the settings of a running platform in a shell, whatever characters they have', () => {
  const settings = shellSettings(
    {
      ready: true,
      pid: 1,
      pids: {},
      urls: { api: 'http://127.0.0.1:4000' },
      databaseUrl: 'postgres://x:$(date)@127.0.0.1/x',
      redisUrl: 'redis://127.0.0.1:4579',
      redisPrefix: 'lensforge',
      users: [],
      tokens: { developer: 'lf_dev_1' },
      providers: [],
      logFile: '/x/lensforge.log',
      startSeconds: 1,
    },
    "/home/ada's",
  );
  const shown =
    'printf "%s\\n" "$DATABASE_URL" "$LENSFORGE_MASTER_KEY_FILE" "$LENSFORGE_API_KEY" "${LENSFORGE_PUBLIC_MCP_URL-unset}"';
  expect(
    execFileSync('sh', ['-c', `${settings}\n${shown}`], { env: { PATH: process.env['PATH'] }, encoding: 'utf8' }),
  ).toBe("postgres://x:$(date)@127.0.0.1/x\n/home/ada's/master.key\nlf_dev_1\nunset\n");
});
