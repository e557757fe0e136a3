import { type CreditPeriod, creditPeriods } from './credit-period.js';
import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, decimal, flag, integer, list, oneOf, text, uuid } from '../schema/field.js';
import { type Kind, nestedKind, textKind } from '../schema/kinds.js';
import { LensPath } from './lenses.js';
import { PageQuery } from '../schema/paging.js';

const entryKinds = ['grant', 'hold', 'capture', 'release'] as const;

export class CreditEntry {
  @uuid()
  id!: string;

  @oneOf(entryKinds, {
    description:
      'grant: given by the platform; hold: set aside for a run; capture: the cost of the run; release: the rest of the hold.',
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
  @integer({ min: 0, description: 'Credits that can be spent.' })
  available!: number;

  @integer({ min: 0, description: 'Credits that are held for runs that have not ended.' })
  held!: number;

  @list(nestedKind(() => CreditEntry), { description: 'The newest first.' })
  entries!: CreditEntry[];

  @text({ nullable: true, description: 'The cursor of the next, older entries; null when there are none.' })
  nextCursor!: string | null;
}

/** Default limits of a sponsor pool, so that no single caller can use it up. */
export const defaultSponsorLimits = { perRun: 50, perCallerPerDay: 200 } as const;

const paidModels = { min: 1, max: 50 } as const;
const modelName = (): Kind => textKind({ min: 3, max: 200, pattern: /^[^\s/]+\/\S+$/ });

export class SponsorshipRequest {
  @flag({ description: 'false: the pool pays for no runs.' })
  enabled = true;

  @integer({ min: 0, max: 1_000_000_000_000, description: 'The maximum of your credits that runs of others may cost.' })
  credits!: number;

  @oneOf(creditPeriods, { description: 'month: credits are for each calendar month (UTC); total: for all time.' })
  period: CreditPeriod = 'month';

  @list(modelName(), {
    ...paidModels,
    optional: true,
    description:
      'The models that the pool pays for, as provider/key; when absent, every model whose run costs at most maxCreditsPerRun.',
  })
  models?: string[];

  @integer({ min: 1, max: 1_000_000_000, description: 'The maximum cost of a run.' })
  maxCreditsPerRun: number = defaultSponsorLimits.perRun;

  @integer({
    min: 1,
    max: 1_000_000_000,
    description:
      'The maximum cost of the runs of one account in a day (UTC); runs that have not ended count with their holds.',
  })
  maxCreditsPerCallerPerDay: number = defaultSponsorLimits.perCallerPerDay;
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
    description: 'The models that the pool pays for; null: every model whose run costs at most maxCreditsPerRun.',
  })
  models!: string[] | null;

  @integer({ min: 1 })
  maxCreditsPerRun!: number;

  @integer({ min: 1, description: 'The maximum cost of the runs of one account in a day (UTC).' })
  maxCreditsPerCallerPerDay!: number;

  @integer({ min: 0, description: 'Held for runs that have not ended.' })
  held!: number;

  @integer({ min: 0, description: 'Spent in this month or in total, as period says.' })
  spent!: number;

  @dateTime()
  updatedAt!: string;
}

export class SponsoredLens extends Sponsorship {
  @text({ description: 'The title of the lens.' })
  lensTitle!: string;
}

export class CreditDay {
  @text({ description: 'The day (UTC), such as 2026-11-24.' })
  day!: string;

  @integer({ min: 0, description: 'The cost of the runs that ended on it.' })
  credits!: number;
}

export class CreditForecast {
  @integer({ min: 0, description: 'Credits that can be spent.' })
  available!: number;

  @integer({ min: 0, description: 'The cost of the runs of these days.' })
  spent!: number;

  @decimal({ min: 0, description: 'The mean of the days since the first with a cost.' })
  perDay!: number;

  @integer({
    min: 0,
    nullable: true,
    description: 'The days that the available credits last at perDay; null without a cost.',
  })
  daysLeft!: number | null;

  @list(nestedKind(() => CreditDay), { description: 'The last 30 days, the oldest first; today is the last.' })
  days!: CreditDay[];
}

export const creditEndpoints = defineEndpoints({
  getCredits: {
    route: 'GET /v1/credits',
    summary: 'Reads the balance of the account and its entries',
    description:
      'Shows the balance, the credits held by runs that have not ended, and the entries of the ledger, the newest first, in pages.',
    query: PageQuery,
    reply: Credits,
    scopes: ['tokens:read'],
    audience: 'people',
    rate: 'read',
  },
  forecastCredits: {
    route: 'GET /v1/credits/forecast',
    summary: 'Reads the cost of runs on each of the last 30 days, and how long the balance lasts',
    description:
      'The forecast is the available balance divided by the mean cost of a day. Days are those of UTC; holds of runs that have not ended are not part of it.',
    reply: CreditForecast,
    scopes: ['tokens:read'],
    audience: 'people',
    rate: 'expensive',
  },
  listSponsorships: {
    route: 'GET /v1/credits/sponsorships',
    summary: 'Lists the sponsor pools of the lenses of the caller, with their use',
    description: 'Closed pools are in it, too. Pools of the newest lenses come first.',
    query: PageQuery,
    reply: SponsoredLens,
    scopes: ['lenses:write'],
    rate: 'list',
    replies: 'list',
  },
  getSponsorship: {
    route: 'GET /v1/lenses/{lensId}/sponsorship',
    summary: 'Reads the sponsor pool of a lens of the caller, with its use',
    description: 'Shows the limits of the pool and what runs of others have used and hold.',
    params: LensPath,
    reply: Sponsorship,
    scopes: ['lenses:write'],
    rate: 'read',
  },
  setSponsorship: {
    route: 'PUT /v1/lenses/{lensId}/sponsorship',
    summary: 'Opens, changes or closes the sponsor pool of a lens, which pays for runs with fundingSource sponsored',
    description:
      'Replaces all settings of the pool. Runs of other accounts use it when they name fundingSource sponsored; enabled: false stops that without losing the counts.',
    params: LensPath,
    body: SponsorshipRequest,
    reply: Sponsorship,
    scopes: ['lenses:write'],
    rate: 'write',
  },
});
