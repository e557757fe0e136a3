/** A signed token taken apart; nothing in it is true before its signature was checked. */
export interface Jwt {
  readonly token: string;
  readonly kid: string;
  readonly algorithm: string;
  readonly type: string | undefined;
  readonly claims: Readonly<Record<string, unknown>>;
}

const largest = 8192;
const form = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
const kidForm = /^[A-Za-z0-9_.-]{1,200}$/;
/** A key comes from the issuer's own set, never from the token or a place that it names. */
const refused = ['jku', 'jwk', 'x5u', 'x5c', 'crit', 'b64', 'zip'];

export const looksSigned = (token: string): boolean => token.length <= largest && form.test(token);

export function readJwt(token: string): Jwt | undefined {
  const [first = '', second = ''] = token.split('.');
  const header = readPart(first);
  const claims = readPart(second);
  if (!header || !claims || refused.some((name) => Object.hasOwn(header, name))) return undefined;
  const { kid, alg, typ } = header;
  if (typeof kid !== 'string' || !kidForm.test(kid) || typeof alg !== 'string') return undefined;
  if (typ !== undefined && typeof typ !== 'string') return undefined;
  return { token, kid, algorithm: alg, type: typ?.toLowerCase().replace(/^application\//, ''), claims };
}

function readPart(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
