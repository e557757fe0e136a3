import { endpoint } from '../catalogue/endpoint.js';
import { text } from '../schema/field.js';
import { FreeForm } from '../schema/free-form.js';

export class PartnerPath {
  @text({ max: 100, description: 'The name of the registered partner.' })
  partnerName!: string;
}

/** What a partner is asked; its members are the partner's. See docs/partners.md. */
export class PartnerRequest extends FreeForm {}

/** What a partner answers; its members are the partner's. */
export class PartnerReply extends FreeForm {}

const all = {
  params: PartnerPath,
  reply: PartnerReply,
  status: 200,
  scopes: [],
  audience: 'people',
  replies: 'envelope',
} as const;

const asked = { ...all, method: 'POST', body: PartnerRequest } as const;
const askedErrors = [400, 401, 403, 413, 415, 429, 500] as const;

export const partnerEndpoints = {
  provisionPartner: endpoint({
    ...asked,
    id: 'provisionPartner',
    path: '/v1/partners/{partnerName}/provision',
    summary: 'Opens an account with the partner; repeated calls answer the same account',
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
    ...asked,
    id: 'refreshPartnerToken',
    path: '/v1/partners/{partnerName}/refresh-token',
    summary: 'Gets new tokens of the partner; the previous ones stop working',
    rate: 'write',
    errors: askedErrors,
  }),
  sendPartnerClaim: endpoint({
    ...asked,
    id: 'sendPartnerClaim',
    path: '/v1/partners/{partnerName}/send-claim',
    summary: 'Sends a claim to the partner',
    rate: 'write',
    errors: askedErrors,
  }),
} as const;
