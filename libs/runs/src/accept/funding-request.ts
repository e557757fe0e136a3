import type { FundingSource } from '@lensforge/contracts';

export interface FundingRequest {
  fundingSource?: FundingSource | undefined;
  byokKeyRefId?: string | undefined;
  /** The highest cost that the caller accepts. */
  maxCredits?: number | undefined;
}
