import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { integer, text } from '@lensforge/contracts';
import { describe, expect, it } from '@jest/globals';
import { BadEnvironment, PlatformEnvironment, readEnvironment } from './environment.js';

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

function complaint(changes: Record<string, string | undefined>): string {
  try {
    readEnvironment(Example, { ...enough, ...changes });
  } catch (error) {
    if (error instanceof BadEnvironment) return error.message;
    throw error;
  }
  return '';
}

describe('the environment', () => {
  it('is an object with values of their types and defaults for what was left out', () => {
    const environment = readEnvironment(Example, { ...enough, EXAMPLE_WIDTH: ' 7 ', HOST: '' });
    expect(environment).toMatchObject({ PORT: 4000, EXAMPLE_WIDTH: 7, NODE_ENV: 'development', host: '127.0.0.1' });
  });

  it('cannot be changed afterwards', () => {
    expect(Object.isFrozen(readEnvironment(Example, enough))).toBe(true);
  });

  it('listens on all addresses in production, unless told otherwise', () => {
    expect(readEnvironment(Example, { ...enough, NODE_ENV: 'production' }).host).toBe('0.0.0.0');
    expect(readEnvironment(Example, { ...enough, NODE_ENV: 'production', HOST: '10.0.0.1' }).host).toBe('10.0.0.1');
  });

  it('is refused with all of its faults at once, each with the name, what is there and what should be', () => {
    expect(complaint({ PORT: '99999', EXAMPLE_WIDTH: 'wide', LOG_FORMAT: 'xml', REDIS_URL: undefined })).toBe(
      [
        'the configuration has 4 faults',
        '  EXAMPLE_WIDTH is "wide": must be a whole number from 1 to 10',
        '  LOG_FORMAT is "xml": must be one of json, pretty',
        '  PORT is "99999": must be a whole number from 0 to 65535',
        '  REDIS_URL is missing: redis://host:port',
      ].join('\n'),
    );
  });

  it('names faults of members and faults between members in the same message', () => {
    expect(complaint({ PORT: 'x', EXAMPLE_WIDTH: '9', DATABASE_POOL_SIZE: '4', LENSFORGE_PUBLIC_HOSTS: 'a/b' })).toBe(
      [
        'the configuration has 3 faults',
        '  EXAMPLE_WIDTH is "9": must not exceed DATABASE_POOL_SIZE',
        '  LENSFORGE_PUBLIC_HOSTS is "a/b": must be hosts such as tools.example.com, with commas',
        '  PORT is "x": must be a whole number from 0 to 65535',
      ].join('\n'),
    );
  });

  it('says what is expected of a secret without showing the one that is there', () => {
    for (const none of [undefined, '', ' ']) {
      expect(complaint({ EXAMPLE_KEY: none })).toContain('EXAMPLE_KEY is missing: the base64 of 32 random bytes');
    }
    const wrong = complaint({ EXAMPLE_KEY: 'hush-hush', DATABASE_URL: 'mysql://root:hush@db/x' });
    expect(wrong).toContain('EXAMPLE_KEY is not usable: ');
    expect(wrong).toContain('DATABASE_URL is not usable: ');
    expect(wrong).not.toContain('hush');
  });

  it('takes a value from a file whose path is given under its name with _FILE behind it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'environment-'));
    const file = join(folder, 'key');
    await writeFile(file, `${enough.EXAMPLE_KEY}\n`);
    const inFile = { ...enough, EXAMPLE_KEY: undefined, EXAMPLE_KEY_FILE: file };
    expect(readEnvironment(Example, inFile).EXAMPLE_KEY).toBe(enough.EXAMPLE_KEY);
    expect(complaint({ EXAMPLE_KEY_FILE: file })).toBe(
      `the configuration has a fault\n  EXAMPLE_KEY_FILE is "${file}": cannot stand beside EXAMPLE_KEY: leave out one of them`,
    );
    const nowhere = join(folder, 'nowhere');
    expect(complaint({ EXAMPLE_KEY: undefined, EXAMPLE_KEY_FILE: nowhere })).toBe(
      `the configuration has a fault\n  EXAMPLE_KEY_FILE is "${nowhere}": cannot be read (ENOENT)`,
    );
    await writeFile(file, 'hush-hush');
    const short = complaint({ EXAMPLE_KEY: undefined, EXAMPLE_KEY_FILE: file });
    expect(short).toContain('EXAMPLE_KEY is not usable: ');
    expect(short).not.toContain('hush');
    await rm(folder, { recursive: true });
  });

  it('finds faults that lie between members', () => {
    expect(complaint({ EXAMPLE_WIDTH: '9', DATABASE_POOL_SIZE: '4' })).toContain(
      'EXAMPLE_WIDTH is "9": must not exceed DATABASE_POOL_SIZE',
    );
  });

  it('takes no text for a number or a flag that only looks like one', () => {
    for (const PORT of ['0x10', '1e3', '4000.5', '٤', 'NaN', 'true']) expect(complaint({ PORT })).toContain('PORT is');
  });

  it('gives the management port to one server only', () => {
    expect(complaint({ LENSFORGE_MANAGEMENT_PORT: '4000' })).toContain('must be another port than PORT');
    expect(complaint({ LENSFORGE_MANAGEMENT_PORT: '4001' })).toBe('');
    expect(complaint({ PORT: '0', LENSFORGE_MANAGEMENT_PORT: '0' })).toBe('');
  });

  it('names the issuer of session tokens by where clients reach the sign-in', () => {
    const issuer = (changes: Record<string, string>) => readEnvironment(Example, { ...enough, ...changes }).issuer;
    expect(issuer({})).toBe('http://localhost:4200/id');
    expect(issuer({ LENSFORGE_PUBLIC_OAUTH_URL: 'https://id.example/' })).toBe('https://id.example/id');
    expect(issuer({ LENSFORGE_PUBLIC_MCP_URL: 'https://mcp.example' })).toBe('https://mcp.example/id');
    expect(issuer({ LENSFORGE_ISSUER: 'https://other.example' })).toBe('https://other.example');
  });

  it('knows the issuers that session tokens may name: one for each address of the sign-in, or the one that is set', () => {
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

  it('wants all of an outside issuer or nothing, and lists that can be read', () => {
    expect(complaint({ LENSFORGE_OUTSIDE_ISSUER: 'https://idp.example' })).toContain(
      'LENSFORGE_OUTSIDE_AUDIENCE is missing',
    );
    expect(complaint({ LENSFORGE_OUTSIDE_ISSUER: 'http://idp.example' })).toContain('LENSFORGE_OUTSIDE_ISSUER is');
    expect(complaint({ LENSFORGE_PUBLIC_HOSTS: 'a.example/path' })).toContain('LENSFORGE_PUBLIC_HOSTS is');
    expect(complaint({ LENSFORGE_TRUSTED_PROXIES: '10.0.0.0/40' })).toContain('LENSFORGE_TRUSTED_PROXIES is');
  });
});
