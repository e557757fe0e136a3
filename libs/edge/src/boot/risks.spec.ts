import { randomBytes } from 'node:crypto';
import { flag, text } from '@lensforge/contracts';
import { describe, expect, it } from '@jest/globals';
import { PlatformEnvironment } from './environment.js';
import { BadEnvironment, readEnvironment } from './read-environment.js';
import { type Risk, risks } from './risks.js';
import { settingWarnings } from './setting-warnings.js';

class Example extends PlatformEnvironment {
  @text()
  EXAMPLE_MASTER_KEY = '';

  @text()
  EXAMPLE_SECRET = '';

  @text()
  EXAMPLE_ALLOW_PRIVATE = '';

  @flag()
  EXAMPLE_LASTING_CODES = false;

  override risks(): Risk[] {
    return [
      ...(this.EXAMPLE_ALLOW_PRIVATE === ''
        ? []
        : [{ risk: 'private-addresses', path: 'EXAMPLE_ALLOW_PRIVATE', message: 'allows private addresses' } as const]),
      ...(this.EXAMPLE_LASTING_CODES
        ? [{ risk: 'lasting-codes', path: 'EXAMPLE_LASTING_CODES', message: 'lets codes last' } as const]
        : []),
    ];
  }
}

const enough = {
  NODE_ENV: 'production',
  PORT: '4000',
  DATABASE_URL: 'postgres://u:a-fine-phrase@db:5432/x',
  REDIS_URL: 'redis://r:6379',
};
type Changes = Record<string, string | undefined>;

const read = (changes: Changes) => readEnvironment(Example, { ...enough, ...changes });
function faultsOf(changes: Changes): string {
  try {
    read(changes);
  } catch (error) {
    if (error instanceof BadEnvironment) return error.message;
    throw error;
  }
  return '';
}

const random = () => randomBytes(32).toString('base64');
const bytes = (byteAt: (index: number) => number) =>
  Buffer.from(Array.from({ length: 32 }, (_, index) => byteAt(index))).toString('base64');
const zeros = bytes(() => 0);

const risky: [keyof typeof risks, string, Changes][] = [
  ['trivial-keys', 'a key of equal bytes', { EXAMPLE_MASTER_KEY: zeros }],
  ['trivial-keys', 'a trivial key under a version prefix', { EXAMPLE_MASTER_KEY: `1:${zeros}` }],
  ['trivial-keys', 'a trivial key beside a good one', { EXAMPLE_MASTER_KEY: `1:${random()}, 2:${zeros}` }],
  ['trivial-keys', 'a key of consecutive bytes', { EXAMPLE_MASTER_KEY: bytes((index) => index) }],
  ['trivial-keys', 'a key of a few repeated bytes', { EXAMPLE_MASTER_KEY: bytes((index) => index % 4) }],
  ['trivial-keys', 'a secret of one letter', { EXAMPLE_SECRET: 'x'.repeat(20) }],
  ['trivial-keys', 'a secret with change-me', { EXAMPLE_SECRET: 'please-change-me-soon' }],
  ['trivial-keys', 'a well-known password', { DATABASE_URL: 'postgres://u:postgres@db/x' }],
  ['trivial-keys', 'a well-known password, escaped', { DATABASE_URL: 'postgres://u:p%6fstgres@db/x' }],
  ['trivial-keys', 'a well-known word with digits', { REDIS_URL: 'redis://:secret123@r:6379' }],
  ['trivial-keys', 'a password that is the name of its user', { DATABASE_URL: 'postgres://acme:acme@db/x' }],
  ['private-addresses', 'a setting that the service itself finds risky', { EXAMPLE_ALLOW_PRIVATE: 'yes' }],
  ['wide-egress', 'egress to everywhere', { LENSFORGE_EGRESS_ALLOW: '10.1.2.3,0.0.0.0/0' }],
  ['wide-egress', 'egress to half of everything', { LENSFORGE_EGRESS_ALLOW: '128.0.0.0/1' }],
  ['wide-egress', 'egress to all of IPv6', { LENSFORGE_EGRESS_ALLOW: '::/0' }],
  ['wide-egress', 'egress to all of IPv4 written as IPv6', { LENSFORGE_EGRESS_ALLOW: '::ffff:0:0/96' }],
  ['wide-egress', 'egress to a whole private range', { LENSFORGE_EGRESS_ALLOW: '10.0.0.0/8' }],
  ['any-proxy', 'proxies everywhere', { LENSFORGE_TRUSTED_PROXIES: 'loopback, 0.0.0.0/0' }],
  ['any-proxy', 'proxies everywhere in IPv6', { LENSFORGE_TRUSTED_PROXIES: '::/0' }],
  ['any-proxy', 'proxies everywhere in IPv4 written as IPv6', { LENSFORGE_TRUSTED_PROXIES: '::ffff:0.0.0.0/96' }],
  ['plain-http', 'an API over plain http', { LENSFORGE_PUBLIC_API_URL: 'http://api.example.com' }],
  ['plain-http', 'tools over plain http', { LENSFORGE_PUBLIC_MCP_URL: 'http://10.0.0.7:4100' }],
  ['plain-http', 'a sign-in over plain http', { LENSFORGE_PUBLIC_OAUTH_URL: 'http://localhost.example.com' }],
  ['plain-http', 'an issuer over plain http', { LENSFORGE_ISSUER: 'http://id.example.com/id' }],
  ['plain-http', 'a public host over plain http', { LENSFORGE_PUBLIC_HOSTS: 'a.example,http://b.example' }],
  ['database-without-password', 'a database without a password', { DATABASE_URL: 'postgres://lens@db:5432/x' }],
  ['database-without-password', 'a database without a user', { DATABASE_URL: 'postgres://db/x' }],
  ['database-without-password', 'an empty password', { DATABASE_URL: 'postgres://lens:@db/x?sslmode=require' }],
];

describe('risks in production', () => {
  it.each(risky)('%s: %s is refused unless LENSFORGE_ACCEPT_RISKS names the risk', (risk, _what, changes) => {
    const [name = ''] = Object.keys(changes);
    expect(faultsOf(changes)).toContain(`  ${name} `);
    expect(faultsOf(changes)).toContain(`LENSFORGE_ACCEPT_RISKS=${risk} accepts the risk`);
    const others = Object.keys(risks).filter((each) => each !== risk);
    expect(faultsOf({ ...changes, LENSFORGE_ACCEPT_RISKS: others.join(',') })).not.toBe('');
    const accepted = { ...changes, LENSFORGE_ACCEPT_RISKS: ` ${risk} , ` };
    expect(faultsOf(accepted)).toBe('');
    expect(settingWarnings(read(accepted), {})).toEqual([expect.stringContaining(`${name} `)]);
    expect(settingWarnings(read(accepted), {})[0]).toContain(`LENSFORGE_ACCEPT_RISKS accepts ${risk}`);
  });

  it.each(risky)('%s: %s is accepted in development without a warning', (_risk, _what, changes) => {
    expect(faultsOf({ ...changes, NODE_ENV: 'development' })).toBe('');
    expect(settingWarnings(read({ ...changes, NODE_ENV: 'development' }), {})).toEqual([]);
  });

  it.each([
    ['random keys', { EXAMPLE_MASTER_KEY: `1:${random()},2:${random()}`, EXAMPLE_SECRET: random() }],
    ['networks of usual size', { LENSFORGE_EGRESS_ALLOW: '10.20.0.0/16,192.168.7.20,loopback,fd12:3:4::/48' }],
    ['proxies in private networks', { LENSFORGE_TRUSTED_PROXIES: 'loopback,10.0.0.0/8,fc00::/7,::1' }],
    [
      'loopback over plain http',
      { LENSFORGE_PUBLIC_API_URL: 'http://127.0.0.1:4000', LENSFORGE_ISSUER: 'http://[::1]/id' },
    ],
    [
      'public addresses over https',
      { LENSFORGE_PUBLIC_API_URL: 'https://api.example.com', LENSFORGE_PUBLIC_HOSTS: 'a.example' },
    ],
    ['a database behind a socket', { DATABASE_URL: 'postgres:///lens?host=/var/run/postgresql' }],
    ['a database behind a socket, escaped', { DATABASE_URL: 'postgres://lens@%2Fvar%2Frun%2Fpostgresql/lens' }],
    ['a database with a client certificate', { DATABASE_URL: 'postgres://lens@db/x?sslcert=/run/secrets/db.crt' }],
    ['a password in the query of DATABASE_URL', { DATABASE_URL: 'postgres://lens@db/x?password=a-fine-phrase' }],
  ])('%s is no risk', (_what, changes) => {
    expect(faultsOf(changes)).toBe('');
  });

  it('a risk that is accepted by default is logged at each start and refuses none, also without its name', () => {
    const changes = { EXAMPLE_LASTING_CODES: 'true' };
    const warning = 'EXAMPLE_LASTING_CODES lets codes last';
    expect(settingWarnings(read(changes), {})).toEqual([`${warning} (the default accepts lasting-codes)`]);
    for (const names of ['plain-http', 'lasting-codes,plain-http'])
      expect(settingWarnings(read({ ...changes, LENSFORGE_ACCEPT_RISKS: names }), {})).toHaveLength(1);
    expect(settingWarnings(read({ ...changes, NODE_ENV: 'development' }), {})).toEqual([]);
  });

  it('LENSFORGE_ACCEPT_RISKS with an unknown name is refused', () => {
    expect(faultsOf({ LENSFORGE_ACCEPT_RISKS: 'plain-http,everything' })).toMatch(
      /LENSFORGE_ACCEPT_RISKS is "plain-http,everything": contains everything, which is not a risk; the risks are trivial-keys, /,
    );
    expect(faultsOf({ LENSFORGE_ACCEPT_RISKS: 'constructor', NODE_ENV: 'test' })).toContain('contains constructor');
  });

  it('risks are reported together with all other faults, without secrets', () => {
    const message = faultsOf({
      PORT: 'x',
      EXAMPLE_MASTER_KEY: zeros,
      LENSFORGE_PUBLIC_API_URL: 'http://api.example.com',
    });
    expect(message.split('\n')[0]).toBe('the configuration has 3 faults');
    expect(message).not.toContain(zeros);
  });
});
