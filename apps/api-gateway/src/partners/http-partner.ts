import { type Egress, EgressFailed, type EgressResponse } from '@lensforge/egress';
import { faultInJson, isRecord } from '@lensforge/contracts';
import { type Bundle, type Holder, type Json, type Partner, PartnerFault } from '@lensforge/partners';

export interface HttpPartnerOptions {
  name: string;
  baseUrl: string;
  /** The secret with which the platform authenticates to the partner. */
  secret: string;
  egress: Egress;
  now: () => Date;
}

interface Call {
  method: 'GET' | 'POST';
  path: string;
  token: string;
  body?: Json;
  key?: string;
  /** Safe to repeat when it is unknown whether the request arrived. */
  isSafe: boolean;
}

/** A partner with the HTTP API of docs/partners.md. */
export class HttpPartner implements Partner {
  readonly name: string;

  constructor(private readonly options: HttpPartnerOptions) {
    this.name = options.name;
  }

  async provision({ accountId, handle }: Holder, request: Json): Promise<Bundle> {
    const body = { reference: accountId, handle, request };
    const call = { method: 'POST', path: 'accounts', body, key: accountId } as const;
    return this.bundleIn(await this.call({ ...call, token: this.options.secret, isSafe: true }));
  }

  balance({ accessToken }: Bundle): Promise<Json> {
    return this.call({ method: 'GET', path: 'balance', token: accessToken, isSafe: true });
  }

  async refresh({ refreshToken }: Bundle): Promise<Bundle> {
    const call = { method: 'POST', path: 'token', body: { refreshToken } } as const;
    return this.bundleIn(await this.call({ ...call, token: this.options.secret, isSafe: false }));
  }

  async sendClaim({ accessToken }: Bundle, claim: Json, key: string): Promise<Json> {
    const call = { method: 'POST', path: 'claims', token: accessToken, body: claim, key, isSafe: false } as const;
    return this.call(call).catch((error: unknown) => {
      if (!(error instanceof PartnerFault) || error.failure !== 'failed') throw error;
      const advice = 'The claim may have been carried out: send it again with the same idempotencyKey';
      throw new PartnerFault('failed', `${error.message}. ${advice}`);
    });
  }

  private async call(call: Call): Promise<Json> {
    const answer = await this.attempt(call).catch((error: unknown) => {
      if (call.isSafe && error instanceof PartnerFault && error.failure === 'failed') return this.attempt(call);
      throw error;
    });
    return answer;
  }

  private async attempt({ method, path, token, body, key }: Call): Promise<Json> {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'user-agent': 'Lensforge',
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    const url = `${this.options.baseUrl.replace(/(?<!\/)\/+$/, '')}/${path}`;
    const answer = await this.options.egress
      .send(method, { url, headers, ...(body && { body: JSON.stringify(body) }) })
      .catch((error: unknown) => {
        if (!(error instanceof EgressFailed)) throw error;
        throw new PartnerFault('failed', `The partner could not be reached (${error.fault})`);
      });
    return readAnswer(answer);
  }

  private bundleIn({ accountId, accessToken, refreshToken, expiresIn }: Json): Bundle {
    const texts = [accountId, accessToken, refreshToken];
    const isWhole = texts.every((text) => typeof text === 'string' && text !== '' && text.length <= 8192);
    if (!isWhole || typeof expiresIn !== 'number' || !(expiresIn > 0 && expiresIn <= 31_536_000))
      throw new PartnerFault('failed', 'The response of the partner has no tokens');
    const [externalId = '', access = '', refresh = ''] = texts as string[];
    const expiresAt = new Date(this.options.now().getTime() + expiresIn * 1000);
    return { externalId, accessToken: access, refreshToken: refresh, expiresAt };
  }
}

function readAnswer({ status, head, complete }: EgressResponse): Json {
  const body = complete ? jsonIn(head) : undefined;
  if (status === 401) throw new PartnerFault('unauthorised', 'The partner does not accept the token');
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
    const code = body?.['code'];
    // Only a code is passed on to the caller, never free text of the partner.
    const reason = typeof code === 'string' && /^[a-z][a-z_]{0,39}$/.test(code) ? code : undefined;
    throw new PartnerFault('refused', `The partner refused${reason ? `: ${reason}` : ' the request'}`, reason);
  }
  if (status < 200 || status > 299) throw new PartnerFault('failed', `The partner answered with the status ${status}`);
  if (!body) throw new PartnerFault('failed', 'The response of the partner is not a JSON object');
  return body;
}

function jsonIn(head: Buffer): Json | undefined {
  try {
    const value: unknown = JSON.parse(head.toString('utf8'));
    return isRecord(value) && !faultInJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
