import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Bundle, type Json, type Partner, PartnerFault } from '@lensforge/partners';

export interface PartnerServer {
  url: string;
  /** Method, path and idempotency key of each call. */
  calls: string[];
  /** Handles the next call instead of the partner. */
  misbehave(handle: (request: IncomingMessage, answer: ServerResponse) => void): void;
  /** Removes handlers that were not used. */
  reset(): void;
  close(): Promise<void>;
}

/** An HTTP server with the API of docs/partners.md that forwards to another partner adapter. */
export async function partnerServer(behind: Partner, secret: string): Promise<PartnerServer> {
  const calls: string[] = [];
  const handlers: ((request: IncomingMessage, answer: ServerResponse) => void)[] = [];
  const server = createServer((request, answer) => {
    const { method = '', url = '', headers } = request;
    calls.push(`${method} ${url} ${String(headers['idempotency-key'] ?? '-')}`);
    const handler = handlers.shift();
    if (handler) {
      handler(request, answer);
      return;
    }
    void textOf(request).then(async (text) => {
      const [status, body] = await answerTo(behind, secret, request, text);
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/partner/v1`,
    calls,
    misbehave: (handle) => void handlers.push(handle),
    reset: () => void handlers.splice(0),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

async function answerTo(
  behind: Partner,
  secret: string,
  { method, url, headers }: IncomingMessage,
  text: string,
): Promise<[number, Json]> {
  const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  const bundle: Bundle = { externalId: '', accessToken: token, refreshToken: '', expiresAt: new Date() };
  try {
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, string>;
    switch (`${method ?? ''} ${url ?? ''}`) {
      case 'POST /partner/v1/accounts': {
        if (token !== secret) return [401, { code: 'unauthorized' }];
        const { reference = '', handle = '' } = body;
        return [201, bundleOf(await behind.provision({ accountId: reference, handle }, {}))];
      }
      case 'POST /partner/v1/token':
        if (token !== secret) return [401, { code: 'unauthorized' }];
        return [200, bundleOf(await behind.refresh({ ...bundle, refreshToken: body['refreshToken'] ?? '' }))];
      case 'GET /partner/v1/balance':
        return [200, await behind.balance(bundle)];
      case 'POST /partner/v1/claims':
        return [201, await behind.sendClaim(bundle, body, String(headers['idempotency-key']))];
      default:
        return [404, { code: 'not_found' }];
    }
  } catch (error) {
    if (!(error instanceof PartnerFault)) throw error;
    return error.failure === 'unauthorised'
      ? [401, { code: 'unauthorized' }]
      : [422, { code: error.reason, message: 'SECRET WORDS OF THE PARTNER' }];
  }
}

const bundleOf = ({ externalId, accessToken, refreshToken, expiresAt }: Bundle): Json => ({
  accountId: externalId,
  accessToken,
  refreshToken,
  expiresIn: (expiresAt.getTime() - Date.now()) / 1000,
});
