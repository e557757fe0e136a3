import type { FundingSource } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { DomainError, badInput, isUuid } from '@lensforge/core';
import type { CreditLimit } from '@lensforge/credits';
import { holdCreditsForRuns, requireCredits } from '@lensforge/credits';
import type { Model } from '@lensforge/models';
import type { ModelCriteria } from '@lensforge/models';
import { nameOf } from '@lensforge/models';
import type { Sponsor } from './sponsor.js';
import { limitsOf, refuseUnsponsored } from './sponsor.js';

export interface FundingRequest {
  fundingSource?: FundingSource | undefined;
  byokKeyRefId?: string | undefined;
  /** What the run may cost at most. */
  maxCredits?: number | undefined;
}

/** A key of the caller that a run shall be executed with. */
export interface ByokKeyChoice {
  id: string;
  provider: string;
}

/** Who pays for a run, and how much is set aside for it. */
export interface Funding {
  hold: number;
  /** null: the account that asks. */
  payerAccountId: string | null;
  byokKeyId: string | null;
  limits: readonly CreditLimit[];
}

const nobodyPays = { hold: 0, payerAccountId: null, limits: [] } as const;

/** The caller's own key that the request names, alive; undefined when it is to be paid otherwise. */
export async function byokKeyChoice(
  ctx: Context,
  { fundingSource, byokKeyRefId }: FundingRequest,
): Promise<ByokKeyChoice | undefined> {
  if (fundingSource !== 'user_byok_cloud') {
    if (byokKeyRefId === undefined) return undefined;
    throw badInput('byokKeyRefId', 'requires fundingSource user_byok_cloud');
  }
  if (byokKeyRefId === undefined) {
    throw badInput('byokKeyRefId', 'is required when fundingSource is user_byok_cloud');
  }
  const [key] = isUuid(byokKeyRefId)
    ? await ctx.db.query<ByokKeyChoice[]>(
        'select id, provider from byok_keys where id = $1 and account_id = $2 and revoked_at is null',
        [byokKeyRefId, ctx.actor.accountId],
      )
    : [];
  if (!key) throw badInput('byokKeyRefId', `you have no BYOK key with the id ${byokKeyRefId.slice(0, 100)}`);
  return key;
}

/** Whoever lends a key and names no model means one that the key opens; behind an endpoint there are no others. */
export function modelsOf(
  key: ByokKeyChoice | undefined,
  { modelOverride, providerOverride }: ModelCriteria,
): Pick<ModelCriteria, 'providerOverride' | 'endpointKeyId'> {
  if (key?.provider === 'openai-compatible') return { endpointKeyId: key.id };
  return key && modelOverride === undefined && providerOverride === undefined ? { providerOverride: key.provider } : {};
}

export interface FundingOrder {
  request: FundingRequest;
  /** What lentKey found. */
  key: ByokKeyChoice | undefined;
  /** What sponsorFor found. */
  sponsor: Sponsor | undefined;
  model: Model;
  /** What it may cost at most, were it paid in credits. */
  estimate: number;
}

/** Decides who pays and what has to be set aside, before anything is written. */
export async function fundRun(ctx: Context, order: FundingOrder): Promise<Funding> {
  const funding = fundingOf(ctx, order);
  const { payerAccountId, hold: amount } = funding;
  if (amount > 0) await requireCredits(ctx, { accountId: payerAccountId ?? ctx.actor.accountId, amount });
  return funding;
}

/** Who pays and how much is to be set aside, whether that much is there or not. */
export function fundingOf(ctx: Context, { request, key, sponsor, model, estimate }: FundingOrder): Funding {
  switch (request.fundingSource) {
    case 'user_byok_cloud':
      if (key?.provider !== model.providerKey) {
        throw badInput(
          'byokKeyRefId',
          `is a key for ${key?.provider ?? 'no provider'}; the model ${nameOf(model)} is of ${model.providerKey}`,
        );
      }
      return { ...nobodyPays, byokKeyId: key.id };
    case 'user_byok_local':
      return { ...nobodyPays, byokKeyId: null };
    case 'sponsored':
      return { byokKeyId: null, hold: holdOf(estimate, request), ...sponsoredBy(ctx, sponsor, model) };
    case 'platform_credit':
    case undefined:
      return { ...nobodyPays, byokKeyId: null, hold: holdOf(estimate, request) };
  }
}

/** All that may be charged is held: a run for which the caller allows less is not begun. */
function holdOf(estimate: number, { maxCredits }: FundingRequest): number {
  if (maxCredits === undefined || estimate <= maxCredits) return estimate;
  throw new DomainError(
    'INSUFFICIENT_CREDITS',
    `This run may cost ${estimate} credits; maxCredits allows ${maxCredits}: raise it, or choose a cheaper model`,
    { limitOf: 'run', needed: estimate, limit: maxCredits },
  );
}

function sponsoredBy(
  ctx: Context,
  sponsor: Sponsor | undefined,
  model: Model,
): Pick<Funding, 'payerAccountId' | 'limits'> {
  if (!sponsor) throw new Error('a run is to be paid by a sponsor that was not looked for');
  refuseUnsponsored(sponsor, model);
  return { payerAccountId: sponsor.accountId, limits: limitsOf(sponsor, ctx.actor.accountId) };
}

export interface FundedRun extends Partial<Pick<Funding, 'payerAccountId' | 'limits'>> {
  id: string;
  accountId: string;
  hold: number;
}

/** Sets aside what was decided. To be called in the transaction that writes the runs; one pays for all of them. */
export async function holdFor(ctx: Context, runs: readonly FundedRun[]): Promise<void> {
  const [first] = runs;
  if (!first || first.hold === 0) return;
  const { accountId, payerAccountId, limits } = first;
  await holdCreditsForRuns(ctx, {
    accountId: payerAccountId ?? accountId,
    holds: runs.map(({ id: runId, hold: amount }) => ({ runId, amount })),
    ...(limits && { limits }),
  });
}
