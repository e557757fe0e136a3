import type { FundingSource, Sampling } from '@lensforge/contracts';
import { type Context, DomainError, badInput, isUuid } from '@lensforge/core';
import { type CreditLimit, holdCreditsForRuns, requireCredits } from '@lensforge/credits';
import { estimateMaxTokens } from '@lensforge/lenses';
import {
  type ChosenModel,
  type Model,
  type ModelCriteria,
  type PromptImage,
  chargesForInput,
  estimateCost,
  measureImages,
  toModelName,
} from '@lensforge/models';
import type { NewRun } from './insert-runs.js';
import { type Sponsor, toSponsorLimits, refuseUnsponsored } from './sponsor.js';

export interface FundingRequest {
  fundingSource?: FundingSource | undefined;
  byokKeyRefId?: string | undefined;
  /** The highest cost that the caller accepts. */
  maxCredits?: number | undefined;
}

/** The caller's BYOK key for a run. */
export interface ByokKeyChoice {
  id: string;
  provider: string;
}

/** The payer of a run and the amount to hold. */
export interface Funding {
  hold: number;
  /** null: the account of the run. */
  payerAccountId: string | null;
  byokKeyId: string | null;
  limits: readonly CreditLimit[];
}

/** The funding of a run that costs no credits. */
export const free: Funding = { hold: 0, payerAccountId: null, byokKeyId: null, limits: [] };

/** Returns the active BYOK key that the request names; undefined for other funding sources. */
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

/** Restricts the choice of models to those that the BYOK key can use. */
export function restrictModels(
  key: ByokKeyChoice | undefined,
  { modelOverride, providerOverride }: ModelCriteria,
): Pick<ModelCriteria, 'providerOverride' | 'endpointKeyId'> {
  if (key?.provider === 'openai-compatible') return { endpointKeyId: key.id };
  return key && modelOverride === undefined && providerOverride === undefined ? { providerOverride: key.provider } : {};
}

/** Refuses the funding sources that only runs of lenses can have. */
export function refuseFundingOfLenses({ fundingSource }: FundingRequest): void {
  if (fundingSource !== 'sponsored' && fundingSource !== 'user_byok_local') return;
  throw badInput('fundingSource', `${fundingSource} is for lenses; use platform_credit or user_byok_cloud`);
}

export interface FundingOrder {
  request: FundingRequest;
  /** The result of byokKeyChoice. */
  key: ByokKeyChoice | undefined;
  /** The result of sponsorFor. */
  sponsor: Sponsor | undefined;
  model: Model;
  /** The maximum cost in credits. */
  estimate: number;
  /** True for a run whose calls are answered from a recording. */
  isReplayed?: boolean | undefined;
}

/** Decides the payer and the hold, and checks the balance, before anything is written. */
export async function fundRun(ctx: Context, order: FundingOrder): Promise<Funding> {
  const funding = decideFunding(ctx, order);
  const { payerAccountId, hold: amount } = funding;
  if (amount > 0) await requireCredits(ctx, { accountId: payerAccountId ?? ctx.actor.accountId, amount });
  return funding;
}

/** Decides the payer and the hold without checking the balance. */
export function decideFunding(
  ctx: Context,
  { request, key, sponsor, model, estimate, isReplayed = false }: FundingOrder,
): Funding {
  if (isReplayed) return free;
  switch (request.fundingSource) {
    case 'user_byok_cloud':
      if (key?.provider !== model.providerKey) {
        throw badInput(
          'byokKeyRefId',
          `is a key for ${key?.provider ?? 'no provider'}; the model ${toModelName(model)} is of ${model.providerKey}`,
        );
      }
      return { ...free, byokKeyId: key.id };
    case 'user_byok_local':
      return free;
    case 'sponsored':
      return { ...free, hold: checkHold(estimate, request), ...sponsoredBy(ctx, sponsor, model) };
    case 'platform_credit':
    case undefined:
      return { ...free, hold: checkHold(estimate, request) };
  }
}

/** The whole estimate is held; a run is refused if the caller allows less. */
function checkHold(estimate: number, { maxCredits }: FundingRequest): number {
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
  if (!sponsor) throw new Error('the funding source is sponsored, but no sponsor was read');
  refuseUnsponsored(sponsor, model);
  return { payerAccountId: sponsor.accountId, limits: toSponsorLimits(sponsor, ctx.actor.accountId) };
}

/** The estimated maximum cost of a request with a prompt. The tokens are counted only if a model charges for them. */
export async function promptCost(
  model: ChosenModel,
  prompt: string,
  { sampling, images = [] }: { sampling?: Sampling | null | undefined; images?: readonly PromptImage[] } = {},
): Promise<number> {
  if (!chargesForInput(model)) return estimateCost(model, 0, { sampling });
  return estimateCost(model, await estimateMaxTokens(prompt), { sampling, images: await measureImages(images) });
}

/** Holds credits for runs with the same payer and limits, in the transaction that writes them. */
export async function holdFor(ctx: Context, runs: readonly NewRun[], limits: Funding['limits']): Promise<void> {
  const [first] = runs;
  if (!first || first.hold === 0) return;
  await holdCreditsForRuns(ctx, {
    accountId: first.payerAccountId ?? first.accountId,
    holds: runs.map(({ id: runId, hold: amount }) => ({ runId, amount })),
    limits,
  });
}
