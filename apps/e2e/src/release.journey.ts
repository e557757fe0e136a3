import { execFileSync, spawnSync } from 'node:child_process';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..', '..', '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString();
const publicKey = createPublicKey(key);

const has = (command: string, ...args: string[]): boolean => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
const hasPython = has('/usr/bin/python3', '-c', 'import httpx, setuptools, wheel');

if (!hasPython) process.stderr.write('skipped: the files of a release, as setuptools is not installed\n');

describe('npm run release', () => {
  let out: string;
  let work: string;
  const run = (command: string, args: readonly string[], cwd = work): string =>
    execFileSync(command, args, { cwd, encoding: 'utf8', stdio: 'pipe', env: { ...process.env, NODE_OPTIONS: '' } });
  const read = (path: string): Buffer => readFileSync(join(out, path));
  const unpack = (path: string, name: string): string => {
    const folder = join(work, name);
    mkdirSync(folder);
    run('tar', ['-xzf', join(out, path), '-C', folder]);
    return folder;
  };

  beforeAll(() => {
    work = mkdtempSync(join(tmpdir(), 'lensforge-release-'));
    out = join(work, 'release');
    if (hasPython)
      execFileSync(process.execPath, [join(root, 'tools/release.mjs'), '--out', out], {
        stdio: 'pipe',
        env: { ...process.env, LENSFORGE_RELEASE_KEY: pem },
      });
  });
  afterAll(() => rmSync(work, { recursive: true, force: true }));

  const whenBuilt = hasPython ? it : it.skip;

  whenBuilt('builds packages, programs, manifests, notes and a bill of materials', () => {
    const server = `lensforge-server-${version}-${process.platform}-${process.arch}.tar.gz`;
    const files = readFileSync(join(out, 'SHA256SUMS'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('  ')[1]);
    expect(files).toEqual([
      `kubernetes/lensforge-chart-${version}.tgz`,
      `kubernetes/lensforge-kustomize-${version}.tar.gz`,
      `npm/lensforge-${version}.tgz`,
      `npm/lensforge-ai-provider-${version}.tgz`,
      `npm/lensforge-sdk-${version}.tgz`,
      `python/lensforge-${version}-py3-none-any.whl`,
      `python/lensforge-${version}.tar.gz`,
      'release-notes.md',
      'sbom.cdx.json',
      `server/${server}`,
    ]);
    const bill = JSON.parse(read('sbom.cdx.json').toString()) as { bomFormat: string; components: unknown[] };
    expect([bill.bomFormat, bill.components.length > 50]).toEqual(['CycloneDX', true]);
  });

  whenBuilt('has sums, a signature and a provenance that hold, until a file is changed', () => {
    run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], out);
    const signature = Buffer.from(read('SHA256SUMS.sig').toString(), 'base64');
    expect(verify('sha256', read('SHA256SUMS'), publicKey, signature)).toBe(true);
    const envelope = JSON.parse(read('provenance.intoto.jsonl').toString()) as {
      payloadType: string;
      payload: string;
      signatures: { sig: string }[];
    };
    const payload = Buffer.from(envelope.payload, 'base64');
    const head = `DSSEv1 ${envelope.payloadType.length} ${envelope.payloadType} ${payload.length} `;
    const signed = Buffer.concat([Buffer.from(head), payload]);
    expect(verify('sha256', signed, publicKey, Buffer.from(envelope.signatures[0]?.sig ?? '', 'base64'))).toBe(true);
    const statement = JSON.parse(payload.toString()) as { subject: { name: string; digest: { sha256: string } }[] };
    const subjects = statement.subject.map(({ name, digest }) => `${digest.sha256}  ${name}\n`).join('');
    expect(subjects).toBe(read('SHA256SUMS').toString());

    writeFileSync(join(out, 'release-notes.md'), 'changed', { flag: 'a' });
    expect(() => run('sha256sum', ['--check', '--status', 'SHA256SUMS'], out)).toThrow();
    expect(verify('sha256', Buffer.concat([read('SHA256SUMS'), Buffer.from(' ')]), publicKey, signature)).toBe(false);
  });

  whenBuilt('has a command line and an SDK that an empty project installs and runs', () => {
    const project = join(work, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
    const packages = ['lensforge', 'lensforge-sdk'].map((name) => join(out, 'npm', `${name}-${version}.tgz`));
    run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', ...packages], project);
    expect(run('npx', ['--no-install', 'lensforge', '--version'], project)).toBe(`${version}\n`);
    const code =
      "import { createClient } from '@lensforge/sdk'; console.log(typeof createClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'x' }).runs.get)";
    expect(run(process.execPath, ['--input-type=module', '-e', code], project)).toBe('function\n');
  });

  whenBuilt('has a wheel that Python imports', () => {
    const wheel = join(out, 'python', `lensforge-${version}-py3-none-any.whl`);
    const code = 'import sys; sys.path.insert(0, sys.argv[1]); import lensforge; print(lensforge.__file__)';
    expect(run('/usr/bin/python3', ['-c', code, wheel]).trim()).toMatch(/\.whl\/lensforge\/__init__\.py$/);
  });

  whenBuilt('has programs that run without the repository', () => {
    const folder = unpack(`server/lensforge-server-${version}-${process.platform}-${process.arch}.tar.gz`, 'server');
    const [name = ''] = readdirSync(folder);
    const bundle = join(folder, name, 'bundle');
    expect(run(process.execPath, [join(bundle, 'lensforge-operate.js'), 'help'])).toContain('migrate');
    const { stdout, stderr, status } = spawnSync(process.execPath, [join(bundle, 'api-gateway.js')], {
      env: {},
      encoding: 'utf8',
    });
    expect([status === 0, `${stdout}${stderr}`]).toEqual([false, expect.stringContaining('DATABASE_URL')]);
  });

  whenBuilt('has a chart and overlays that are the same as here', () => {
    if (has('helm', 'version')) {
      const render = (chart: string): string =>
        run('helm', ['template', 'lensforge', chart, '--kube-version=1.30.0', '--set=monitoring.enabled=true']);
      const packed = render(join(out, 'kubernetes', `lensforge-chart-${version}.tgz`));
      expect(packed).toBe(render(join(root, 'charts/lensforge')));
    }
    if (has('kubectl', 'kustomize', '--help')) {
      const folder = unpack(`kubernetes/lensforge-kustomize-${version}.tar.gz`, 'kustomize');
      const build = (from: string): string => run('kubectl', ['kustomize', join(from, 'k8s/overlays/production')]);
      expect(build(join(folder, `lensforge-${version}`))).toBe(build(root));
    }
  });
});
