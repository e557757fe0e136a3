import { type KeyObject, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Algorithm = 'ES256' | 'RS256' | 'EdDSA';

export interface IssuerKey {
  kid: string;
  algorithm: Algorithm;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/** A test identity provider: it signs tokens and serves its public keys. */
export interface TokenIssuer {
  /** The `iss` claim of its tokens. */
  name: string;
  url: string;
  jwksUrl: string;
  keys: IssuerKey[];
  /** The response in place of the keys, when set. */
  failure: { status: number; body: string } | undefined;
  /** The number of requests for the keys. */
  keyRequests: number;
  makeKey(algorithm?: Algorithm): IssuerKey;
  /** Signs a token with `key` or the first key. Undefined claims and header members are left out. */
  token(claims: object, header?: object, key?: IssuerKey): string;
  close(): Promise<void>;
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

export function makeIssuerKey(algorithm: Algorithm = 'ES256'): IssuerKey {
  const kid = randomUUID();
  if (algorithm === 'RS256') return { kid, algorithm, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
  if (algorithm === 'EdDSA') return { kid, algorithm, ...generateKeyPairSync('ed25519') };
  return { kid, algorithm, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
}

/** Signs a compact token with any header and claims. */
export function signToken(header: object, claims: object, { algorithm, privateKey }: IssuerKey): string {
  const content = `${encode(header)}.${encode(claims)}`;
  const key = algorithm === 'ES256' ? ({ key: privateKey, dsaEncoding: 'ieee-p1363' } as const) : privateKey;
  const signature = sign(algorithm === 'EdDSA' ? null : 'sha256', Buffer.from(content), key);
  return `${content}.${signature.toString('base64url')}`;
}

export async function tokenIssuer({
  name,
  path = '/id/jwks.json',
}: {
  name: string;
  path?: string;
}): Promise<TokenIssuer> {
  const server = createServer((_request, response) => {
    issuer.keyRequests += 1;
    const keys = issuer.keys.map(({ kid, algorithm, publicKey }) => ({
      ...publicKey.export({ format: 'jwk' }),
      kid,
      alg: algorithm,
      use: 'sig',
    }));
    const { status, body } = issuer.failure ?? { status: 200, body: JSON.stringify({ keys }) };
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: TokenIssuer = {
    name,
    url,
    jwksUrl: url + path,
    keys: [makeIssuerKey()],
    failure: undefined,
    keyRequests: 0,
    makeKey: makeIssuerKey,
    token: (claims, header = {}, key = issuer.keys[0]) => {
      if (!key) throw new Error('the issuer has no key');
      const now = Math.floor(Date.now() / 1000);
      const defaultClaims = { iss: name, iat: now, nbf: now, exp: now + 3600, jti: randomUUID() };
      return signToken(
        { alg: key.algorithm, typ: 'at+jwt', kid: key.kid, ...header },
        { ...defaultClaims, ...claims },
        key,
      );
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return issuer;
}
