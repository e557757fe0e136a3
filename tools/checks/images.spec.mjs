import { generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { targets, toDigestFiles } from '../images.mjs';
import { findLibraries } from '../release/linked-libraries.mjs';
import { sha256 } from '../release/sign.mjs';
import { toSignatureTag, writeSignature } from '../release/sign-image.mjs';

const withoutComments = (text) => text.replace(/^#.*\n/gm, '');

it('digests of pushed images are written for Kustomize and for the chart in the form of the placeholders', () => {
  const root = join(import.meta.dirname, '..', '..');
  const digests = targets.map((target) => [target, `sha256:${'0'.repeat(64)}`]);
  const files = Object.entries(toDigestFiles('registry.example.com/lensforge', digests));
  expect(files).toHaveLength(2);
  for (const [file, text] of files)
    expect(withoutComments(text)).toBe(withoutComments(readFileSync(join(root, file), 'utf8')));
});

it('the signature of an image has the form that cosign verifies, and the digest that was pushed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lensforge-signature-'));
  const readBlob = ({ digest, size }) => {
    const data = readFileSync(join(folder, 'blobs', ...digest.split(':')));
    expect([`sha256:${sha256(data)}`, data.length]).toEqual([digest, size]);
    return data;
  };
  try {
    const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const [name, digest] = ['registry.example.com/lensforge/oauth', `sha256:${'1'.repeat(64)}`];
    writeSignature(folder, { name, digest, key });
    const { manifests } = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
    const { layers, config } = JSON.parse(readBlob(manifests[0]));
    expect(JSON.parse(readBlob(config)).rootfs.diff_ids).toEqual([layers[0].digest]);
    const payload = readBlob(layers[0]);
    expect(JSON.parse(payload).critical).toEqual({
      identity: { 'docker-reference': name },
      image: { 'docker-manifest-digest': digest },
      type: 'cosign container image signature',
    });
    const signature = Buffer.from(layers[0].annotations['dev.cosignproject.cosign/signature'], 'base64');
    expect(verify('sha256', payload, publicKey, signature)).toBe(true);
    expect(toSignatureTag(digest)).toBe(`sha256-${'1'.repeat(64)}.sig`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

(process.platform === 'linux' ? it : it.skip)('images get the libraries that Node.js is linked with', () => {
  const found = findLibraries('/', [process.execPath], process.arch).map(({ path }) => basename(path));
  const loaded = process.report.getReport().sharedObjects.map((path) => basename(path));
  expect(found).toContain('libc.so.6');
  expect(found.filter((name) => !loaded.includes(name))).toEqual([]);
  expect(() => findLibraries(import.meta.dirname, [process.execPath], process.arch)).toThrow('is not below');
});
