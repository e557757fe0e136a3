import { execFile, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

// docs-commands.journey runs the shell commands of the pages; this file is about their programs.
const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const blocksOf = (page, language) =>
  [
    ...readFileSync(join(root, 'docs', page), 'utf8').matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm')),
  ].map(([, code]) => code);

const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) process.stdout.write('python3 is not installed: the programs of the pages in Python are not run\n');
const languages = [
  ['js', it],
  ['python', hasPython ? it : it.skip],
];

let folder;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lensforge-snippets-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name, code) => {
  writeFileSync(join(folder, name), code);
  return join(folder, name);
};

/** Names that the blocks of docs/sdk.md use without declaring them. */
const presumed = `
declare const lensId: string, runId: string, datasetId: string, rawBody: string, headers: Record<string, string>, process: any;
declare const client: import('@lensforge/sdk').Client;
`;

it('docs/sdk.md has programs that tsc --strict accepts', async () => {
  const blocks = blocksOf('sdk.md', 'js');
  expect(blocks.length).toBeGreaterThan(5);
  const files = blocks.map((code, at) => write(`sdk-${at}.mts`, `${code}\nexport {};\n`));
  files.push(write('presumed.d.ts', presumed));
  const paths = { '@lensforge/sdk': [join(root, 'libs/sdk/src/index.ts')] };
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    paths,
  };
  const config = write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
  const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
  const { stdout } = await run(process.execPath, [tsc, '-p', config]).catch((error) => error);
  expect(stdout).toBe('');
});

describe('docs/incoming-webhooks.md signs a call', () => {
  for (const [language, test] of languages) {
    test(`in ${language}`, async () => {
      let received;
      const server = createServer((request, response) => {
        void text(request).then((body) => {
          received = { body, headers: request.headers };
          response.end('{"accepted":true}');
        });
      });
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      const env = { ...process.env, URL: `http://127.0.0.1:${server.address().port}/v1/hooks/x`, SECRET: 'a secret' };
      const [code] = blocksOf('incoming-webhooks.md', language);
      const [program, file] = language === 'js' ? [process.execPath, 'send.mjs'] : ['python3', 'send.py'];
      const { stdout } = await run(program, [write(file, code)], { env });
      server.close();
      expect(stdout).toBe('{"accepted":true}\n');
      const { 'x-webhook-timestamp': time, 'x-webhook-signature': given } = received.headers;
      const expected = createHmac('sha256', 'a secret').update(`${time}.${received.body}`).digest('hex');
      expect(given).toBe(`sha256=${expected}`);
      expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(300);
      expect(JSON.parse(received.body)).toEqual({ params: { name: 'Ada' } });
    });
  }
});
