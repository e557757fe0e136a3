import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { integer, text } from '@lensforge/contracts';
import { describe, expect, it } from '@jest/globals';
import { PlatformEnvironment } from './environment.js';
import { BadEnvironment, readEnvironment } from './read-environment.js';

class Example extends PlatformEnvironment {
  @integer({ min: 1, max: 10 })
  EXAMPLE_WIDTH = 3;

  @text({ min: 40, description: 'the base64 of 32 random bytes' })
  EXAMPLE_KEY!: string;

  override faults() {
    return this.EXAMPLE_WIDTH > this.DATABASE_POOL_SIZE
      ? [{ path: 'EXAMPLE_WIDTH', message: 'must not exceed DATABASE_POOL_SIZE' }]
      : [];
  }
}

const enough = {
  PORT: '4000',
  DATABASE_URL: 'postgres://u:a-fine-password@db:5432/x',
  REDIS_URL: 'redis://r:6379',
  EXAMPLE_KEY: Buffer.from(Array.from({ length: 32 }, (_, index) => (index * index * 37) % 251)).toString('base64'),
};

function faultsOf(changes: Record<string, string | undefined>): string {
  try {
    readEnvironment(Example, { ...enough, ...changes });
  } catch (error) {
    if (error instanceof BadEnvironment) return error.message;
    throw error;
  }
  return '';
}

describe('readEnvironment', () => {
  it('returns typed values, and defaults for absent settings', () => {
    const environment = readEnvironment(Example, { ...enough, EXAMPLE_WIDTH: ' 7 ', HOST: '' });
    expect(environment).toMatchObject({ PORT: 4000, EXAMPLE_WIDTH: 7, NODE_ENV: 'development', host: '127.0.0.1' });
  });

  it('returns a frozen object', () => {
    expect(Object.isFrozen(readEnvironment(Example, enough))).toBe(true);
  });

  it('sets host to all addresses in production unless HOST is set', () => {
    expect(readEnvironment(Example, { ...enough, NODE_ENV: 'production' }).host).toBe('0.0.0.0');
    expect(readEnvironment(Example, { ...enough, NODE_ENV: 'production', HOST: '10.0.0.1' }).host).toBe('10.0.0.1');
  });

  it('throws one error with all faults, each with name, value and expectation', () => {
    expect(faultsOf({ PORT: '99999', EXAMPLE_WIDTH: 'wide', LOG_FORMAT: 'xml', REDIS_URL: undefined })).toBe(
      [
        'the configuration has 4 faults',
        '  EXAMPLE_WIDTH is "wide": must be a whole number from 1 to 10',
        '  LOG_FORMAT is "xml": must be one of json, pretty',
        '  PORT is "99999": must be a whole number from 0 to 65535',
        '  REDIS_URL is missing: redis://host:port',
      ].join('\n'),
    );
  });

  it('reports faults of single settings together with those between settings', () => {
    expect(faultsOf({ PORT: 'x', EXAMPLE_WIDTH: '9', DATABASE_POOL_SIZE: '4', LENSFORGE_PUBLIC_HOSTS: 'a/b' })).toBe(
      [
        'the configuration has 3 faults',
        '  EXAMPLE_WIDTH is "9": must not exceed DATABASE_POOL_SIZE',
        '  LENSFORGE_PUBLIC_HOSTS is "a/b": must be hosts such as tools.example.com, separated by commas',
        '  PORT is "x": must be a whole number from 0 to 65535',
      ].join('\n'),
    );
  });

  it('never shows the value of a secret in a fault', () => {
    for (const none of [undefined, '', ' ']) {
      expect(faultsOf({ EXAMPLE_KEY: none })).toContain('EXAMPLE_KEY is missing: the base64 of 32 random bytes');
    }
    const wrong = faultsOf({ EXAMPLE_KEY: 'hush-hush', DATABASE_URL: 'mysql://root:hush@db/x' });
    expect(wrong).toContain('EXAMPLE_KEY is not usable: ');
    expect(wrong).toContain('DATABASE_URL is not usable: ');
    expect(wrong).not.toContain('hush');
  });

  it('reads a value from the file that the setting with the suffix _FILE names', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'environment-'));
    const file = join(folder, 'key');
    await writeFile(file, `${enough.EXAMPLE_KEY}\n`);
    const inFile = { ...enough, EXAMPLE_KEY: undefined, EXAMPLE_KEY_FILE: file };
    expect(readEnvironment(Example, inFile).EXAMPLE_KEY).toBe(enough.EXAMPLE_KEY);
    expect(faultsOf({ EXAMPLE_KEY_FILE: file })).toBe(
      `the configuration has a fault\n  EXAMPLE_KEY_FILE is "${file}": cannot be set together with EXAMPLE_KEY: remove one of them`,
    );
    const missingFile = join(folder, 'missing');
    expect(faultsOf({ EXAMPLE_KEY: undefined, EXAMPLE_KEY_FILE: missingFile })).toBe(
      `the configuration has a fault\n  EXAMPLE_KEY_FILE is "${missingFile}": cannot be read (ENOENT)`,
    );
    await writeFile(file, 'hush-hush');
    const short = faultsOf({ EXAMPLE_KEY: undefined, EXAMPLE_KEY_FILE: file });
    expect(short).toContain('EXAMPLE_KEY is not usable: ');
    expect(short).not.toContain('hush');
    await rm(folder, { recursive: true });
  });

  it('refuses a CA that is none, without showing it, and Sentinels that are no addresses', () => {
    const faults = faultsOf({ DATABASE_CA: '-----BEGIN PRIVATE KEY-----\nhush-hush', REDIS_SENTINELS: 'redis://s0' });
    expect(faults).toContain('DATABASE_CA is not usable: must be certificates in PEM');
    expect(faults).toContain('REDIS_SENTINELS is "redis://s0": must be addresses such as');
    expect(faults).not.toContain('hush');
  });

  it('gives the address of the primary that the Sentinels watch', () => {
    const { redisAddress } = readEnvironment(Example, {
      ...enough,
      REDIS_SENTINELS: 's0:5000,s1',
      REDIS_SENTINEL_PASSWORD: 'a-fine-phrase',
    });
    const addresses = [
      { host: 's0', port: 5000 },
      { host: 's1', port: 26_379 },
    ];
    expect(redisAddress).toEqual({
      url: 'redis://r:6379',
      ca: undefined,
      sentinels: { addresses, master: 'mymaster', password: 'a-fine-phrase' },
    });
  });

  it('reports faults between settings', () => {
    expect(faultsOf({ EXAMPLE_WIDTH: '9', DATABASE_POOL_SIZE: '4' })).toContain(
      'EXAMPLE_WIDTH is "9": must not exceed DATABASE_POOL_SIZE',
    );
  });

  it('refuses numbers in any form but decimal digits', () => {
    for (const PORT of ['0x10', '1e3', '4000.5', '٤', 'NaN', 'true']) expect(faultsOf({ PORT })).toContain('PORT is');
  });

  it('refuses a management port that equals PORT', () => {
    expect(faultsOf({ LENSFORGE_MANAGEMENT_PORT: '4000' })).toContain('must differ from PORT');
    expect(faultsOf({ LENSFORGE_MANAGEMENT_PORT: '4001' })).toBe('');
    expect(faultsOf({ PORT: '0', LENSFORGE_MANAGEMENT_PORT: '0' })).toBe('');
  });

  it('derives the issuer of session tokens from the public URL of the oauth service', () => {
    const issuer = (changes: Record<string, string>) => readEnvironment(Example, { ...enough, ...changes }).issuer;
    expect(issuer({})).toBe('http://localhost:4200/id');
    expect(issuer({ LENSFORGE_PUBLIC_OAUTH_URL: 'https://id.example/' })).toBe('https://id.example/id');
    expect(issuer({ LENSFORGE_PUBLIC_MCP_URL: 'https://mcp.example' })).toBe('https://mcp.example/id');
    expect(issuer({ LENSFORGE_ISSUER: 'https://other.example' })).toBe('https://other.example');
  });

  it('accepts one issuer for each public URL of the oauth service, or only LENSFORGE_ISSUER when it is set', () => {
    const known = (changes: Record<string, string>, issuer: string) =>
      readEnvironment(Example, { ...enough, ...changes }).isOwnIssuer(issuer);
    const own = { LENSFORGE_PUBLIC_OAUTH_URL: 'https://id.example/', LENSFORGE_PUBLIC_HOSTS: 'other.example' };
    const names = [
      'https://id.example/id',
      'https://other.example/id',
      'http://127.0.0.1:4100/id',
      'http://localhost/id',
    ];
    for (const issuer of names) expect([issuer, known(own, issuer)]).toEqual([issuer, true]);
    for (const issuer of [
      '',
      'https://id.example',
      'https://id.example/id/',
      'https://evil.example/id',
      'http://id.example/id',
      'https://127.0.0.1:4100/id',
      'http://127.0.0.1.evil.example/id',
    ]) {
      expect([issuer, known(own, issuer)]).toEqual([issuer, false]);
    }
    const pinned = { ...own, LENSFORGE_ISSUER: 'https://one.example' };
    expect([...names, 'https://one.example'].filter((issuer) => known(pinned, issuer))).toEqual([
      'https://one.example',
    ]);
  });

  it('requires all or none of the LENSFORGE_OUTSIDE_ settings, and valid lists', () => {
    expect(faultsOf({ LENSFORGE_OUTSIDE_ISSUER: 'https://idp.example' })).toContain(
      'LENSFORGE_OUTSIDE_AUDIENCE is missing',
    );
    expect(faultsOf({ LENSFORGE_OUTSIDE_ISSUER: 'http://idp.example' })).toContain('LENSFORGE_OUTSIDE_ISSUER is');
    expect(faultsOf({ LENSFORGE_PUBLIC_HOSTS: 'a.example/path' })).toContain('LENSFORGE_PUBLIC_HOSTS is');
    expect(faultsOf({ LENSFORGE_TRUSTED_PROXIES: '10.0.0.0/40' })).toContain('LENSFORGE_TRUSTED_PROXIES is');
  });
});
