/** The parts of a signed token. Its claims are untrusted until the signature is verified. */
export interface Jwt {
  readonly token: string;
  readonly kid: string;
  readonly algorithm: string;
  readonly type: string | undefined;
  readonly claims: Readonly<Record<string, unknown>>;
}

const maxLength = 8192;
const jwtForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
const kidForm = /^[A-Za-z0-9_.-]{1,200}$/;
/** A key comes from the issuer's key set, never from the token or a URL that it names. */
const refusedHeaders = ['jku', 'jwk', 'x5u', 'x5c', 'crit', 'b64', 'zip'];

export const hasJwtForm = (token: string): boolean => token.length <= maxLength && jwtForm.test(token);

export function readJwt(token: string): Jwt | undefined {
  const [first = '', second = ''] = token.split('.');
  const header = readPart(first);
  const claims = readPart(second);
  if (!header || !claims || refusedHeaders.some((name) => Object.hasOwn(header, name))) return undefined;
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
