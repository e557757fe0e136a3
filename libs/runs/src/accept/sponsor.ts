import { hash } from 'node:crypto';
import type { FundingSource } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import type { CreditLimit } from '@lensforge/credits';
import { type Sponsorship, type SponsorshipInput, setSponsorship, readSponsorPool } from '@lensforge/lenses';
import { type Model, toModelName, unknownModels } from '@lensforge/models';

/** The sponsor pool of a lens with its limits. */
export type Sponsor = Sponsorship & { lensId: string };

/** Returns the sponsor of a lens if the request asks for one; undefined for other funding sources. */
export async function sponsorFor(
  ctx: Context,
  { fundingSource }: { fundingSource?: FundingSource | undefined },
  lensId: string,
): Promise<Sponsor | undefined> {
  if (fundingSource !== 'sponsored') return undefined;
  const pool = await readSponsorPool(ctx.db, lensId);
  if (pool?.enabled) return { ...pool, lensId };
  throw new DomainError('BAD_INPUT', 'fundingSource: sponsored cannot be used: this lens has no sponsor pool');
}

/** Returns the models that the sponsor of a lens pays for; undefined if any model or no sponsor. */
export async function sponsoredModels(ctx: Context, lensId: string | null): Promise<readonly string[] | undefined> {
  const pool = lensId === null ? undefined : await readSponsorPool(ctx.db, lensId);
  return pool?.models ?? undefined;
}

export function refuseUnsponsored({ models }: Sponsor, model: Model): void {
  if (models === null || models.includes(toModelName(model))) return;
  throw new DomainError(
    'BAD_INPUT',
    `modelOverride: the sponsor of this lens does not pay for ${toModelName(model)}; name one of ${models.join(', ')}`,
  );
}

/** Returns the credit limits that a sponsored run of this account counts against. */
export function toSponsorLimits(sponsor: Sponsor, accountId: string): CreditLimit[] {
  const { lensId, credits, period, maxCreditsPerRun, maxCreditsPerCallerPerDay } = sponsor;
  return [
    { id: lensId, credits, period, of: 'sponsorship', perRun: maxCreditsPerRun },
    { id: toUsageId(lensId, accountId), credits: maxCreditsPerCallerPerDay, period: 'day', of: 'sponsorship_caller' },
  ];
}

/** Derives the UUID under which the usage of one caller in one pool is counted. */
function toUsageId(lensId: string, accountId: string): string {
  const digits = hash('sha256', `sponsorship ${lensId.toLowerCase()} ${accountId.toLowerCase()}`);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

/** Opens, changes or closes the sponsor pool of the caller's own lens. */
export async function sponsorLens(ctx: Context, lensId: string, order: SponsorshipInput): Promise<void> {
  const unknown = await unknownModels(ctx.db, order.models ?? []);
  if (unknown.length > 0) {
    throw new DomainError(
      'BAD_INPUT',
      `models: there is no model ${unknown.join(', ')}; GET /v1/models lists those that runs can use, as provider/key`,
    );
  }
  await setSponsorship(ctx, lensId, order);
}
