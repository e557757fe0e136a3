import type { RestErrorCode } from './error-codes.js';
import { integer, list, oneOf, text } from '../schema/field.js';
import { nestedKind, textKind } from '../schema/kinds.js';
import type { Shape } from '../schema/rules.js';

const count = { min: 0, max: Number.MAX_SAFE_INTEGER } as const;

/** One fault of a request. */
export class RequestIssue {
  @oneOf(['path', 'query', 'header', 'body'], {
    optional: true,
    description: 'The part of the request that has the fault.',
  })
  in?: 'path' | 'query' | 'header' | 'body';

  @text({ description: 'The path of the member, such as params.Name or items.3.label; empty for the whole part.' })
  path!: string;

  @text({ description: 'The fault, such as: is required.' })
  message!: string;
}

export class InvalidRequestDetails {
  @list(nestedKind(() => RequestIssue), { min: 1, max: 100_000, description: 'All faults that were found.' })
  issues!: RequestIssue[];

  @list(textKind(), {
    max: 100_000,
    optional: true,
    description: 'Names of required parameters or inputs without a value.',
  })
  missing?: string[];

  @text({ optional: true, description: 'The reason that the partner gave.' })
  reason?: string;
}

export class InsufficientScopeDetails {
  @list(textKind(), { min: 1, description: 'Any one of these scopes is enough.' })
  scopes!: string[];
}

export class ConflictDetails {
  @text({ optional: true, description: 'The current status of the resource.' })
  status?: string;

  @text({ optional: true, nullable: true, description: 'The time at which the approval was answered.' })
  answeredAt?: string | null;

  @text({ optional: true, nullable: true, description: 'The account that answered an approval.' })
  answeredBy?: string | null;
}

export class InsufficientCreditsDetails {
  @text({
    description:
      'The limit that was reached: account, token, agent (the cap of an AI lenser), sponsorship (the pool), sponsorship_run or sponsorship_caller (its caps), sponsor (their account), run (maxCredits), or battle (its budgetCredits).',
  })
  limitOf!: string;

  @integer({ ...count, optional: true, description: 'The credits that the run needs as a hold.' })
  needed?: number;

  @integer({ ...count, optional: true })
  limit?: number;

  @oneOf(['month', 'total', 'day'], { optional: true })
  period?: 'month' | 'total' | 'day';

  @integer({ ...count, optional: true })
  spent?: number;

  @integer({ ...count, optional: true })
  held?: number;

  @integer({ ...count, optional: true, description: 'The credits that are left under the cap.' })
  left?: number;
}

export class PayloadTooLargeDetails {
  @integer(count)
  limitBytes!: number;

  @integer({
    ...count,
    optional: true,
    description: 'The size that Content-Length announced; absent for a chunked body.',
  })
  bodyBytes?: number;
}

export class UnprocessableParamsDetails {
  @list(textKind(), { max: 100_000, description: 'Required members that are absent.' })
  missing!: string[];

  @list(nestedKind(() => RequestIssue), { max: 100_000, description: 'Members with an invalid value.' })
  invalid!: RequestIssue[];
}

export class RateLimitedDetails {
  @integer({ min: 1, description: 'Seconds to wait, as in the Retry-After header.' })
  retryAfter!: number;

  @integer({ min: 0, optional: true, description: 'The number that the caller may have or send.' })
  limit?: number;

  @text({ optional: true, description: 'The limit that was reached, when it is not that of requests per minute.' })
  reason?: string;
}

/** The shape of `error.details` for each `error.code`; a code without one never has details. */
export const errorDetails: Readonly<Record<RestErrorCode, Shape | undefined>> = {
  invalid_request: InvalidRequestDetails,
  unauthorized: undefined,
  insufficient_scope: InsufficientScopeDetails,
  forbidden: undefined,
  not_found: undefined,
  method_not_allowed: undefined,
  conflict: ConflictDetails,
  idempotency_key_reused: undefined,
  insufficient_credits: InsufficientCreditsDetails,
  payload_too_large: PayloadTooLargeDetails,
  unsupported_media_type: undefined,
  unprocessable_params: UnprocessableParamsDetails,
  rate_limited: RateLimitedDetails,
  internal_error: undefined,
  service_unavailable: undefined,
  partner_error: undefined,
};

/** Codes whose details are optional. */
export const codesWithOptionalDetails: readonly RestErrorCode[] = ['conflict'];
