import { endpoint } from '../catalogue/endpoint.js';
import { text } from '../schema/field.js';
import { FreeForm } from '../schema/free-form.js';

export class PartnerPath {
  @text({ max: 100, description: 'The name of the registered partner.' })
  partnerName!: string;
}

/** A request to a partner, with members that the partner defines. See docs/partners.md. */
export class PartnerRequest extends FreeForm {}

/** A reply of a partner, with members that the partner defines. */
export class PartnerReply extends FreeForm {}

const all = {
  params: PartnerPath,
  reply: PartnerReply,
  status: 200,
  scopes: [],
  audience: 'people',
  replies: 'envelope',
} as const;

const command = { ...all, method: 'POST', body: PartnerRequest } as const;
const commandErrors = [400, 401, 403, 413, 415, 429, 500] as const;

export const partnerEndpoints = {
  provisionPartner: endpoint({
    ...command,
    id: 'provisionPartner',
    path: '/v1/partners/{partnerName}/provision',
    summary: 'Opens an account with the partner; repeated calls return the same account',
    rate: 'create',
    errors: [400, 401, 403, 404, 413, 415, 429, 500],
  }),
  getPartnerBalance: endpoint({
    ...all,
    id: 'getPartnerBalance',
    method: 'GET',
    path: '/v1/partners/{partnerName}/balance',
    summary: 'Reads the balance of the account with the partner',
    rate: 'read',
    errors: [400, 401, 403, 404, 429, 500],
  }),
  refreshPartnerToken: endpoint({
    ...command,
    id: 'refreshPartnerToken',
    path: '/v1/partners/{partnerName}/refresh-token',
    summary: 'Gets new tokens from the partner; the previous ones stop working',
    rate: 'write',
    errors: commandErrors,
  }),
  sendPartnerClaim: endpoint({
    ...command,
    id: 'sendPartnerClaim',
    path: '/v1/partners/{partnerName}/send-claim',
    summary: 'Sends a claim to the partner',
    rate: 'write',
    errors: commandErrors,
  }),
} as const;
