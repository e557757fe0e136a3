import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CliUser, aCliUser } from './cli-host.js';
import { type PlatformStub, aPlatformStub, sampleId } from './platform-stub.js';

let platform: PlatformStub;
let user: CliUser;
let folder: string;
let file: string;
const env = { LENSFORGE_API_KEY: 'key-1' };

beforeAll(async () => {
  platform = await aPlatformStub();
  user = await aCliUser({ LENSFORGE_API_URL: platform.url });
  folder = await mkdtemp(join(tmpdir(), 'lens-apply-'));
  file = join(folder, 'lens.md');
});
beforeEach(() => {
  platform.requests.length = 0;
});
afterAll(async () => {
  await platform.close();
  await user.close();
  await rm(folder, { recursive: true });
});

const apply = (...options: string[]) => user.run(['lens', 'apply', file, ...options], { env });

describe('lens apply', () => {
  it('creates a lens without an id and writes the id into the file', async () => {
    await writeFile(file, '---\n# for the shop\ntitle: T\n---\nHello [[Name]]\n');
    const { code, stdout } = await apply();
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Created ${sampleId}`)]);
    const body = { title: 'T', description: '', tags: [], templateBody: 'Hello [[Name]]' };
    expect(platform.requests).toMatchObject([{ operationId: 'createLens', body }]);
    expect(await readFile(file, 'utf8')).toBe(`---\nid: ${sampleId}\n# for the shop\ntitle: T\n---\nHello [[Name]]\n`);
  });

  it('changes nothing when the lens is as its file says', async () => {
    expect((await user.run(['lens', 'pull', sampleId, file], { env })).code).toBe(0);
    platform.requests.length = 0;
    expect(await apply()).toMatchObject({ code: 0, stdout: expect.stringContaining('is unchanged, at version') });
    expect(await apply('--check')).toMatchObject({ code: 0 });
    expect(platform.requests.map(({ operationId }) => operationId)).toEqual(['getLens', 'getLens']);
  });

  it('takes tags in any order and case as those of the lens', async () => {
    await user.run(['lens', 'pull', sampleId, file], { env });
    const pulled = await readFile(file, 'utf8');
    await writeFile(file, pulled.replace('  - a tags', '  - A Tags\n  - a tags'));
    expect(await readFile(file, 'utf8')).not.toBe(pulled);
    expect(await apply('--check')).toMatchObject({ code: 0, stdout: expect.stringContaining('is unchanged') });
  });

  it('sends what differs, and with --check says so and ends with 1', async () => {
    await user.run(['lens', 'pull', sampleId, file], { env });
    await writeFile(file, (await readFile(file, 'utf8')).replace(/\n---\n.*/s, '\n---\nanother text\n'));
    platform.requests.length = 0;
    expect(await apply('--check')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('templateBody would change'),
    });
    expect(await apply('--changelog', 'kinder')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('changed (templateBody)'),
    });
    expect(platform.requests.at(-1)).toMatchObject({
      operationId: 'updateLens',
      body: { templateBody: 'another text', changelog: 'kinder' },
    });
  });
});
