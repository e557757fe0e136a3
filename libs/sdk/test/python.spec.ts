import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

// The package for Python: its types, its docs, and what is installed from its wheel.

const root = join(import.meta.dirname, '../../..');
const python = '/usr/bin/python3';
const has = (...modules: string[]): boolean => spawnSync(python, ['-c', `import ${modules.join(', ')}`]).status === 0;
const isComplete = has('httpx', 'mypy', 'setuptools', 'wheel', 'venv', 'ensurepip');
if (!isComplete)
  process.stderr.write(
    'skipped: the package for Python, as Debian’s python3-httpx, -venv, -wheel or mypy is not installed\n',
  );

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lensforge-python-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

/** The findings of mypy --strict. */
function checkTypes(...files: string[]): string {
  const cache = join(folder, 'cache');
  const options = ['--config-file', 'pyproject.toml', '--cache-dir', cache, '--no-error-summary'];
  const { stdout, stderr } = spawnSync(python, ['-m', 'mypy', ...options, ...files], {
    cwd: join(root, 'sdk/python'),
    env: { ...process.env, MYPYPATH: 'src' },
    encoding: 'utf8',
  });
  return stdout + stderr;
}

const vectors = JSON.parse(readFileSync(join(root, 'docs/webhook-vectors.json'), 'utf8')) as {
  vectors: { secrets: string[]; at: string; event: { id: string }; body: string; headers: Record<string, string> }[];
};

(isComplete ? describe : describe.skip)('the package for Python', () => {
  it('has types that mypy --strict accepts', () => {
    expect(checkTypes('src', 'tests')).toBe('');
  });

  it('lets mypy tell a wrong call from a right one', () => {
    const lines = (wrong: string): string => `from lensforge import AsyncClient, Client, shapes

def read(client: Client) -> shapes.PlatformRunStatus:
    run_id = client.lenses.execute("id", {"params": {"Topic": 1}, "fundingSource": "platform_credit"})["runId"]
    for event in client.runs.events(run_id):
        if event["eventType"] == "node.output.delta":
            event["payload"]["text"].strip()
        ${wrong}
    for lens in client.lenses.list({"sort": "newest"}):
        lens["title"].strip()
    return client.runs.wait(run_id)

async def read_later(client: AsyncClient) -> int:
    page = await client.lenses.list({"limit": 5})
    async for lens in client.lenses.list():
        lens["title"].strip()
    reply = await client.with_response(client.lenses.get, "id")
    return len(page.items) + len(reply.data["title"])
`;
    expect(checkTypes(write('right.py', lines('pass')))).toBe('');
    const wrong = 'if event["eventType"] == "run.started": event["payload"]["text"]';
    expect(checkTypes(write('wrong.py', lines(wrong)))).toMatch(/wrong\.py:8: error: TypedDict .* has no key "text"/);
  });

  it('has programs in its docs that mypy --strict accepts', () => {
    const blocks = [...readFileSync(join(root, 'docs/sdk.md'), 'utf8').matchAll(/```python\n([^]*?)```/g)];
    expect(blocks.length).toBeGreaterThan(5);
    const presumed = `import os
from lensforge import Client

client = Client()
lens_id = run_id = dataset_id = raw_body = ""
headers = {"a": "b"}
`;
    const files = blocks.map(([, code = ''], at) => write(`block_${at}.py`, `${presumed}${code}`));
    expect(checkTypes(...files)).toBe('');
  });

  it('is a wheel that works in an empty environment, and a source archive', () => {
    const packed = join(folder, 'packed');
    execFileSync(process.execPath, [join(root, 'tools/pack-python.mjs'), packed]);
    const [wheel = '', source = ''] = readdirSync(packed);
    expect([wheel, source]).toEqual([
      expect.stringMatching(/-py3-none-any\.whl$/),
      expect.stringMatching(/\.tar\.gz$/),
    ]);
    const environment = join(folder, 'environment');
    execFileSync(python, ['-m', 'venv', '--system-site-packages', environment]);
    const inside = (...args: string[]): string =>
      execFileSync(join(environment, 'bin/python'), args, { cwd: folder, encoding: 'utf8' });
    inside('-m', 'pip', 'install', '--no-index', '--no-deps', '-q', join(packed, wheel));
    const program = `import lensforge, pathlib
client = lensforge.Client("key", base_url="http://127.0.0.1:1", max_retries=0)
try:
    client.lenses.get("x")
except ConnectionError as error:
    print(type(error).__module__, isinstance(error, lensforge.LensforgeError))
print((pathlib.Path(lensforge.__file__).parent / "py.typed").exists(), "environment" in lensforge.__file__)
`;
    expect(inside('-c', program)).toBe('lensforge.errors True\nTrue True\n');
  });

  it('verifies the deliveries of webhooks, and refuses others', () => {
    const program = `import json, sys
from datetime import datetime
from lensforge import WebhookVerificationError, webhooks
def attempt(body, headers, secret, at):
    try:
        return webhooks.verify(body, headers, secret, now=lambda: at)["id"]
    except WebhookVerificationError as error:
        return str(error)
for each in json.load(sys.stdin)["vectors"]:
    at = datetime.fromisoformat(each["at"].replace("Z", "+00:00")).timestamp()
    body, headers, secret = each["body"], each["headers"], each["secrets"][0]
    print(json.dumps([
        attempt(body.encode(), headers, ["whsec_b3RoZXI=", *each["secrets"]], at),
        attempt(body + " ", headers, secret, at),
        attempt(body, headers, "whsec_b3RoZXI=", at),
        attempt(body, headers, "whsec_%%", at),
        attempt(body, headers, secret, at + 301),
        attempt(body, headers, secret, at - 302),
        attempt(body, {**headers, "webhook-id": "x"}, secret, at),
        attempt(body, {}, secret, at),
    ]))
`;
    const output = execFileSync(python, ['-c', program], {
      input: JSON.stringify(vectors),
      env: { PYTHONPATH: join(root, 'sdk/python/src'), PYTHONDONTWRITEBYTECODE: '1' },
      encoding: 'utf8',
    });
    const told = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string[]);
    const invalid = 'No signature of the delivery is valid: compare the secret, and pass the raw body';
    const old = 'The delivery is too old or from the future: compare the clocks';
    expect(told).toEqual(
      vectors.vectors.map(({ event }) => [
        event.id,
        invalid,
        invalid,
        'The secret is not valid: pass the text that begins with whsec_',
        old,
        old,
        invalid,
        'The delivery has no header webhook-id: pass all of its headers',
      ]),
    );
  });
});
