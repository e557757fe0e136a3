import { defineEndpoints } from '../catalogue/endpoint.js';
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

const all = { params: PartnerPath, reply: PartnerReply, scopes: [], audience: 'people' } as const;
const command = { ...all, body: PartnerRequest } as const;

export const partnerEndpoints = defineEndpoints({
  provisionPartner: {
    ...command,
    route: 'POST /v1/partners/{partnerName}/provision',
    summary: 'Opens an account with the partner; repeated calls return the same account',
    description:
      'The body is an object for the partner. Only session and developer tokens of people can call it. An unknown partner returns 404.',
    rate: 'create',
  },
  getPartnerBalance: {
    ...all,
    route: 'GET /v1/partners/{partnerName}/balance',
    summary: 'Reads the balance of the account with the partner',
    description:
      'Shows the balance as the partner reports it. 404 before the account was provisioned. Only session and developer tokens of people can call it.',
    rate: 'read',
  },
  refreshPartnerToken: {
    ...command,
    route: 'POST /v1/partners/{partnerName}/refresh-token',
    summary: 'Gets new tokens from the partner; the previous ones stop working',
    description:
      'The new tokens are stored encrypted. An unknown partner returns 400. A partner that does not answer causes 500 with the code partner_error.',
    rate: 'write',
    unknownIs400: true,
  },
  sendPartnerClaim: {
    ...command,
    route: 'POST /v1/partners/{partnerName}/send-claim',
    summary: 'Sends a claim to the partner',
    description:
      'The body is passed to the partner; its idempotencyKey makes the request safe to repeat. An unknown partner returns 400. A partner that does not answer causes 500 with the code partner_error.',
    rate: 'write',
    unknownIs400: true,
  },
});
