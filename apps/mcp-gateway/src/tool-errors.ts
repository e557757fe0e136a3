import type { ErrorCode, Issue } from '@lensforge/contracts';
import { InvalidInput } from '@lensforge/contracts';
import { DomainError, asBadInput, issuesMessage } from '@lensforge/core';
import { codeOf, isTransient } from '@lensforge/database';
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
const toolCodes: Readonly<Partial<Record<ErrorCode, ToolErrorCode>>> = {
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

/** How a member of the domain is called among the arguments of a tool, where that is not its name in snake_case. */
export type ArgumentNames = Readonly<Record<string, string>>;

/** What was thrown as a refusal in the words of the tool; an unexpected fault is thrown on. */
export function refusalOf(thrown: unknown, names: ArgumentNames = {}): ToolResult {
  const error = asBadInput(thrown);
  if (error instanceof InvalidInput) return invalidArguments(error.issues);
  if (error instanceof DomainError) {
    const code = isToolErrorCode(error.code) ? error.code : toolCodes[error.code];
    if (code) return renamedRefusal(code, error, names);
  }
  return refusalOfDatabase(error);
}

/** The arguments themselves have no name in their schema. */
function invalidArguments(issues: readonly Issue[]): ToolResult {
  const said = issuesMessage(issues.map(({ path, message }) => ({ path: path || 'arguments', message })));
  return refusal('BAD_INPUT', `The arguments do not fit the tool's inputSchema: ${said}`, { issues });
}

/** The domain names its members as REST does; a calling model knows only those of the tool. */
function renamedRefusal(code: ToolErrorCode, { message, details }: DomainError, names: ArgumentNames): ToolResult {
  const { issues, ...others } = details ?? {};
  const renamed = Object.fromEntries(Object.entries(others).map(([name, value]) => [snakeCase(name), value]));
  if (!Array.isArray(issues)) return refusal(code, message, details && renamed);
  const placed = (issues as Issue[]).map((issue) => ({ ...issue, path: argumentPath(issue.path, names) }));
  return refusal(code, issuesMessage(placed), { ...renamed, issues: placed });
}

/** Only the first name is ours; what follows may be a member that the caller has named. */
const argumentPath = (path: string, names: ArgumentNames): string =>
  path.replace(/^[A-Za-z]\w*/, (name) => names[name] ?? snakeCase(name));

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function refusalOfDatabase(error: unknown): ToolResult {
  const state = isTransient(error) ? undefined : codeOf(error);
  if (state === '23505') return refusal('CONFLICT', 'It conflicts with something that exists already');
  if (state?.startsWith('22')) {
    return refusal('BAD_INPUT', 'A value of the arguments cannot be stored: check its form and size');
  }
  throw error;
}
