import type { ErrorCode, Issue } from '@lensforge/contracts';
import { InvalidInput } from '@lensforge/contracts';
import { DomainError } from '@lensforge/core';
import { codeOf, isPassing } from '@lensforge/database';
import type { ToolResult } from './tool.js';

/** The codes that a tool can answer with, all of them documented. */
export const toolErrorCodes = [
  'NOT_FOUND',
  'FORBIDDEN',
  'MISSING_PARAMS',
  'MISSING_LENSER',
  'SLOTS_FULL',
  'CONFIRMATION_REQUIRED',
  'INVALID_TRANSITION',
  'BAD_INPUT',
  'CONFLICT',
  'THROTTLED',
  'PERMISSION_DENIED',
] as const;

export type ToolErrorCode = (typeof toolErrorCodes)[number];

const isToolErrorCode = (code: ErrorCode): code is ToolErrorCode =>
  (toolErrorCodes as readonly string[]).includes(code);

/** What the domain has finer words for than the catalogue. A code in neither list is a fault of ours. */
const nearest: Readonly<Partial<Record<ErrorCode, ToolErrorCode>>> = {
  UNAUTHENTICATED: 'PERMISSION_DENIED',
  INSUFFICIENT_SCOPE: 'PERMISSION_DENIED',
  IDEMPOTENCY_KEY_REUSED: 'CONFLICT',
  INSUFFICIENT_CREDITS: 'THROTTLED',
  RATE_LIMITED: 'THROTTLED',
  PAYLOAD_TOO_LARGE: 'BAD_INPUT',
  UNPROCESSABLE_PARAMS: 'BAD_INPUT',
};

const outcomes = new WeakMap<ToolResult, ToolErrorCode>();

/** A failed call as the calling model sees it: no structuredContent, which clients would hold against the schema. */
export function refusal(code: ToolErrorCode, message: string, details?: Readonly<Record<string, unknown>>): ToolResult {
  const text = JSON.stringify({ error: { code, message, ...(details && { details }) } });
  const result: ToolResult = { content: [{ type: 'text', text }], isError: true };
  outcomes.set(result, code);
  return result;
}

/** The code of a refusal made here. */
export const codeIn = (result: ToolResult): string | undefined =>
  outcomes.get(result) ?? (result.isError ? 'error' : undefined);

/** What was thrown as a refusal; what is nobody's fault but ours is thrown on. */
export function refusalOf(error: unknown): ToolResult {
  if (error instanceof InvalidInput) return unfit(error.issues);
  if (error instanceof DomainError) {
    const code = isToolErrorCode(error.code) ? error.code : nearest[error.code];
    if (code) return refusal(code, error.message, error.details);
  }
  return refusalOfDatabase(error);
}

const mostSaid = 3;

function unfit(issues: readonly Issue[]): ToolResult {
  const said = issues.slice(0, mostSaid).map(({ path, message }) => (path ? `${path} ${message}` : `they: ${message}`));
  const more = issues.length > mostSaid ? `; and ${issues.length - mostSaid} more` : '';
  return refusal('BAD_INPUT', `The arguments do not fit the tool's inputSchema: ${said.join('; ')}${more}`, { issues });
}

function refusalOfDatabase(error: unknown): ToolResult {
  const state = isPassing(error) ? undefined : codeOf(error);
  if (state === '23505') return refusal('CONFLICT', 'Something else already stands where this would go');
  if (state?.startsWith('22')) {
    return refusal('BAD_INPUT', 'A value of the arguments cannot be stored; check its form and size');
  }
  throw error;
}
