import type { Issue } from '@lensforge/contracts';

/** Risks that production refuses unless LENSFORGE_ACCEPT_RISKS names them, except those that are accepted by default. */
export const risks = {
  'trivial-keys': 'A key, secret or password is well known or easy to guess.',
  'private-addresses':
    '`LENSFORGE_WEBHOOKS_ALLOW_PRIVATE`, `LENSFORGE_HTTP_NODES_ALLOW_PRIVATE` or `LENSFORGE_MCP_SERVERS_ALLOW_PRIVATE` lets users call every private address.',
  'wide-egress':
    '`LENSFORGE_EGRESS_ALLOW` lists a network larger than a /16 (IPv4) or a /48 (IPv6), such as `0.0.0.0/0` or `10.0.0.0/8`.',
  'any-proxy':
    '`LENSFORGE_TRUSTED_PROXIES` lists a network larger than a /8 (IPv4) or a /7 (IPv6), such as `0.0.0.0/0` or `::/0`: callers choose the address that rate limits count.',
  'plain-http':
    'A public address, the issuer or a public host starts with `http://` and is not loopback: tokens cross the network unencrypted.',
  'database-without-password':
    '`DATABASE_URL` has no password, no client certificate (`sslcert`) and no Unix socket (`host=/…`).',
  'lasting-codes':
    '`LENSFORGE_OAUTH_STRICT_CODES` is not `true`: the code in the history of a browser is the token, once it was exchanged. Accepted by default.',
} as const;

export type RiskName = keyof typeof risks;

/** Risks of the contract itself, which are logged and refuse no start. */
const acceptedByDefault: readonly RiskName[] = ['lasting-codes'];

/** A setting with a risky value. */
export interface Risk extends Issue {
  risk: RiskName;
}

export const isRiskName = (name: string): name is RiskName => Object.hasOwn(risks, name);

/** The settings that risks depend on. */
export interface RiskSettings {
  readonly production: boolean;
  readonly publicHosts: readonly string[];
  readonly DATABASE_URL: string;
  readonly LENSFORGE_ACCEPT_RISKS: string;
  readonly LENSFORGE_EGRESS_ALLOW: string;
  readonly LENSFORGE_TRUSTED_PROXIES: string;
  readonly LENSFORGE_PUBLIC_API_URL?: string;
  readonly LENSFORGE_PUBLIC_MCP_URL?: string;
  readonly LENSFORGE_PUBLIC_OAUTH_URL?: string;
  readonly LENSFORGE_ISSUER?: string;
  /** Risky settings of one service alone. */
  risks(): Risk[];
}

/** The names in LENSFORGE_ACCEPT_RISKS, known and unknown. */
export const acceptedRisks = ({ LENSFORGE_ACCEPT_RISKS: list }: RiskSettings): string[] =>
  list
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** True for a risk that LENSFORGE_ACCEPT_RISKS names, or that is accepted by default. */
export const isAccepted = (environment: RiskSettings, { risk }: Risk): boolean =>
  acceptedByDefault.includes(risk) || acceptedRisks(environment).includes(risk);

/** The risky settings of a service in production; none in other environments. */
export function listRisks(environment: RiskSettings): Risk[] {
  if (!environment.production) return [];
  return [
    ...trivialSecrets(environment),
    ...wideNetworks(environment),
    ...plainAddresses(environment),
    ...openDatabases(environment),
    ...environment.risks(),
  ];
}

const secretName = /(KEY|SECRET|TOKEN|PASSWORD|PASSPHRASE)$/;
const wellKnown =
  /^(postgres|password|passw0rd|secret|admin|lensforge|root|test|guest|letmein|qwerty|change-?me|default|example|development|insecure)[0-9!]{0,4}$/i;

const trivialSecrets = (environment: RiskSettings): Risk[] =>
  Object.entries(environment)
    .filter(([name, value]) => typeof value === 'string' && hasTrivialSecret(name, value))
    .map(([path]) => ({
      risk: 'trivial-keys',
      path,
      message: 'is a well-known or trivial secret; generate a random one for production',
    }));

function hasTrivialSecret(name: string, value: string): boolean {
  if (name.endsWith('MASTER_KEY'))
    return value.split(',').some((part) => isTrivial(part.trim().replace(/^\d{1,10}:/, '')));
  if (secretName.test(name)) return isTrivial(value);
  const { user, password } = credentialsIn(value);
  return password !== '' && (password === user || isTrivial(password));
}

function isTrivial(secret: string): boolean {
  if (secret === '') return false;
  const bytes = Buffer.from(secret, 'base64');
  return (
    wellKnown.test(secret) ||
    /change-?me|insecure/i.test(secret) ||
    isMonotonous(Buffer.from(secret)) ||
    (bytes.length >= 16 && isMonotonous(bytes))
  );
}

/** True for bytes that are all equal, rise or fall evenly, or repeat a short sequence. */
function isMonotonous(bytes: Buffer): boolean {
  if (bytes.length < 4) return true;
  const step = (bytes.readUInt8(1) - bytes.readUInt8(0)) & 255;
  const isArithmetic = bytes.every((byte, at) => at === 0 || ((byte - bytes.readUInt8(at - 1)) & 255) === step);
  return isArithmetic || [2, 3, 4, 8].some((length) => bytes.length >= 3 * length && isRepeated(bytes, length));
}

const isRepeated = (bytes: Buffer, length: number): boolean =>
  bytes.every((byte, at) => byte === bytes.readUInt8(at % length));

/** User and password of a URL; empty when it has none. */
export function credentialsIn(url: string): { user: string; password: string } {
  const [, user = '', password = ''] = /^[a-z]+:\/\/([^:@/]*):([^@/]*)@/.exec(url) ?? [];
  return { user: decoded(user), password: decoded(password) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface MinPrefix {
  ipv4: number;
  ipv6: number;
}

/** The least prefix length of a network that is not wide. */
const networkSettings = {
  LENSFORGE_EGRESS_ALLOW: {
    risk: 'wide-egress',
    minPrefix: { ipv4: 16, ipv6: 48 },
    message: 'opens a network larger than a /16 (IPv4) or a /48 (IPv6); list only the needed addresses',
  },
  LENSFORGE_TRUSTED_PROXIES: {
    risk: 'any-proxy',
    minPrefix: { ipv4: 8, ipv6: 7 },
    message: 'trusts a network larger than a /8 (IPv4) or a /7 (IPv6); list the proxies in front of the platform',
  },
} as const;

const wideNetworks = (environment: RiskSettings): Risk[] =>
  (['LENSFORGE_EGRESS_ALLOW', 'LENSFORGE_TRUSTED_PROXIES'] as const).flatMap((path) => {
    const { risk, minPrefix, message } = networkSettings[path];
    return environment[path].split(',').some((each) => isWide(each.trim(), minPrefix)) ? [{ risk, path, message }] : [];
  });

function isWide(network: string, { ipv4, ipv6 }: MinPrefix): boolean {
  const [, address = '', bits] = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(network) ?? [];
  if (bits === undefined) return false;
  if (!address.includes(':')) return Number(bits) < ipv4;
  // All of IPv4 lies within ::/16, as ::ffff:a.b.c.d.
  return Number(bits) < (/^0{0,4}:/.test(address) ? 96 + ipv4 : ipv6);
}

const publicAddresses = [
  'LENSFORGE_PUBLIC_API_URL',
  'LENSFORGE_PUBLIC_MCP_URL',
  'LENSFORGE_PUBLIC_OAUTH_URL',
  'LENSFORGE_ISSUER',
] as const;
const loopback = /^http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?(\/|$)/i;

function plainAddresses(environment: RiskSettings): Risk[] {
  const isPlain = (url: string): boolean => /^http:/i.test(url) && !loopback.test(url);
  const message = 'must start with https:// in production, unless it is loopback';
  return [
    ...publicAddresses.filter((name) => isPlain(environment[name] ?? '')),
    ...(environment.publicHosts.some(isPlain) ? ['LENSFORGE_PUBLIC_HOSTS'] : []),
  ].map((path) => ({ risk: 'plain-http', path, message }));
}

function openDatabases({ DATABASE_URL: url }: Partial<RiskSettings>): Risk[] {
  if (url === undefined) return [];
  const parameters = new URLSearchParams(url.split('?')[1]);
  const isSocket = parameters.get('host')?.startsWith('/') ?? /^[a-z]+:\/\/([^@/]*@)?%2f/i.test(url);
  if (isSocket || credentialsIn(url).password !== '' || parameters.get('password') || parameters.get('sslcert'))
    return [];
  const message = 'has no password; add one, or use a Unix socket or a client certificate';
  return [{ risk: 'database-without-password', path: 'DATABASE_URL', message }];
}
