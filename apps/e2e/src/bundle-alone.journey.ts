import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..', '..', '..');
let folder: string;

// The files of an image, without node_modules of the workspace.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lensforge-bundle-'));
  for (const path of ['bundle', 'package.json']) await cp(join(root, path), join(folder, path), { recursive: true });
  const native = (await readdir(join(root, 'node_modules', '@node-rs'))).filter((name) => name.startsWith('argon2'));
  for (const name of native) {
    const path = join('node_modules', '@node-rs', name);
    await cp(join(root, path), join(folder, path), { recursive: true });
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each(['all-in-one', 'api-gateway', 'mcp-gateway', 'oauth', 'run-worker', 'webhook-dispatcher'])(
  'the bundle of %s has everything that it needs to open the database',
  (service) => {
    const { status, stderr } = spawnSync(process.execPath, [join('bundle', `${service}.js`)], {
      cwd: folder,
      env: {
        PORT: '0',
        DATABASE_URL: 'postgres://services:password@127.0.0.1:1/lensforge',
        REDIS_URL: 'redis://127.0.0.1:1',
        LENSFORGE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      },
      timeout: 120_000,
    });
    expect(stderr.toString().trim()).toBe(
      `${service} cannot start: the database at 127.0.0.1:1/lensforge cannot be opened: no server answers there`,
    );
    expect(status).toBe(1);
  },
);
