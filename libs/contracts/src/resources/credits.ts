import type { CreditPeriod } from './credit-period.js';
import { creditPeriods } from './credit-period.js';
import { endpoint } from '../catalogue/endpoint.js';
import { dateTime, flag, integer, list, oneOf, text, uuid } from '../schema/field.js';
import type { Kind } from '../schema/kinds.js';
import { nestedKind, textKind } from '../schema/kinds.js';
import { LensPath } from './lenses.js';
import { PageQuery } from '../schema/paging.js';

const entryKinds = ['grant', 'hold', 'capture', 'release'] as const;

export class CreditEntry {
  @uuid()
  id!: string;

  @oneOf(entryKinds, {
    description: 'grant: came from the platform; hold: set aside for a run; capture: its cost; release: what it left.',
  })
  kind!: (typeof entryKinds)[number];

  @integer({ min: 1 })
  amount!: number;

  @uuid({ nullable: true, description: 'The run; null for a grant.' })
  runId!: string | null;

  @text({ nullable: true })
  note!: string | null;

  @dateTime()
  createdAt!: string;
}

export class Credits {
  @integer({ min: 0, description: 'What can be spent.' })
  available!: number;

  @integer({ min: 0, description: 'What is set aside for runs that have not ended.' })
  held!: number;

  @list(nestedKind(() => CreditEntry), { description: 'The newest first.' })
  entries!: CreditEntry[];

  @text({ nullable: true, description: 'For the entries before these; null when there are none.' })
  nextCursor!: string | null;
}

/** What a sponsor pays at most when nothing is said: no single caller empties a pool with it. */
export const usualSponsorLimits = { perRun: 50, perCallerPerDay: 200 } as const;

const paidModels = { min: 1, max: 50 } as const;
const modelName = (): Kind => textKind({ min: 3, max: 200, pattern: /^[^\s/]+\/\S+$/ });

export class SponsorshipRequest {
  @flag({ description: 'false: runs are not paid from it for now.' })
  enabled = true;

  @integer({ min: 0, max: 1_000_000_000_000, description: 'How many of your credits runs of others may cost.' })
  credits!: number;

  @oneOf(creditPeriods, { description: 'In each calendar month (UTC), or in all.' })
  period: CreditPeriod = 'month';

  @list(modelName(), {
    ...paidModels,
    optional: true,
    description:
      'The only models that are paid for, as provider/key; when left out, each whose run costs at most maxCreditsPerRun.',
  })
  models?: string[];

  @integer({ min: 1, max: 1_000_000_000, description: 'What one run may cost at most.' })
  maxCreditsPerRun: number = usualSponsorLimits.perRun;

  @integer({
    min: 1,
    max: 1_000_000_000,
    description:
      'What the runs of one account may cost in a day (UTC); those that have not ended count as what is held.',
  })
  maxCreditsPerCallerPerDay: number = usualSponsorLimits.perCallerPerDay;
}

export class Sponsorship {
  @uuid()
  lensId!: string;

  @flag()
  enabled!: boolean;

  @integer({ min: 0 })
  credits!: number;

  @oneOf(creditPeriods)
  period!: CreditPeriod;

  @list(modelName(), {
    ...paidModels,
    nullable: true,
    description: 'The only models that are paid for; null: each whose run costs at most maxCreditsPerRun.',
  })
  models!: string[] | null;

  @integer({ min: 1 })
  maxCreditsPerRun!: number;

  @integer({ min: 1, description: 'For each account, in a day (UTC).' })
  maxCreditsPerCallerPerDay!: number;

  @integer({ min: 0, description: 'Set aside for runs that have not ended.' })
  held!: number;

  @integer({ min: 0, description: 'Spent in this month or in total, by the period.' })
  spent!: number;

  @dateTime()
  updatedAt!: string;
}

export const creditEndpoints = {
  getCredits: endpoint({
    id: 'getCredits',
    method: 'GET',
    path: '/v1/credits',
    summary: 'Reads the balance of the account and how it came about',
    query: PageQuery,
    reply: Credits,
    status: 200,
    scopes: ['tokens:read'],
    audience: 'people',
    rate: 'read',
    errors: [400, 401, 403, 429, 500],
    replies: 'envelope',
  }),
  getSponsorship: endpoint({
    id: 'getSponsorship',
    method: 'GET',
    path: '/v1/lenses/{lensId}/sponsorship',
    summary: 'Reads the sponsor pool of a lens of the caller, and how much of it is used',
    params: LensPath,
    reply: Sponsorship,
    status: 200,
    scopes: ['lenses:write'],
    rate: 'read',
    errors: [400, 401, 403, 404, 429, 500],
    replies: 'envelope',
  }),
  setSponsorship: endpoint({
    id: 'setSponsorship',
    method: 'PUT',
    path: '/v1/lenses/{lensId}/sponsorship',
    summary: 'Opens, changes or closes the pool of credits that pays for runs of a lens with fundingSource sponsored',
    params: LensPath,
    body: SponsorshipRequest,
    reply: Sponsorship,
    status: 200,
    scopes: ['lenses:write'],
    rate: 'write',
    errors: [400, 401, 403, 404, 413, 415, 429, 500],
    replies: 'envelope',
  }),
} as const;
