import { type ErrorCode, InvalidInput, type Issue } from '@lensforge/contracts';
import { DomainError, asBadInput, issuesMessage, toSnakeCase } from '@lensforge/core';
import { getErrorCode, isTransient } from '@lensforge/database';
import type { ToolResult } from './tool-result.js';

/** The error codes of tools; all of them are documented. */
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

/** Tool codes for domain codes that tools do not have. A code in neither list is an internal error. */
const toolCodes: Readonly<Partial<Record<ErrorCode, ToolErrorCode>>> = {
  UNAUTHENTICATED: 'PERMISSION_DENIED',
  INSUFFICIENT_SCOPE: 'PERMISSION_DENIED',
  IDEMPOTENCY_KEY_REUSED: 'CONFLICT',
  INSUFFICIENT_CREDITS: 'THROTTLED',
  RATE_LIMITED: 'THROTTLED',
  PAYLOAD_TOO_LARGE: 'BAD_INPUT',
  UNPROCESSABLE_PARAMS: 'BAD_INPUT',
};

/** The result of a failed call. It has no structuredContent, since clients would validate it against the schema. */
export class Refusal implements ToolResult {
  readonly content: ToolResult['content'];
  readonly isError = true;
  readonly #code: ToolErrorCode;

  constructor(code: ToolErrorCode, message: string, details?: Readonly<Record<string, unknown>>) {
    this.content = [{ type: 'text', text: JSON.stringify({ error: { code, message, ...(details && { details }) } }) }];
    this.#code = code;
  }

  /** The error code for logs; clients read it in the text. */
  get code(): ToolErrorCode {
    return this.#code;
  }
}

/** The error code of a result; undefined for a success. */
export const codeIn = (result: ToolResult): string | undefined =>
  result instanceof Refusal ? result.code : result.isError ? 'error' : undefined;

/** Arguments of a tool by the name of their domain member, where that is not the same name in snake_case. */
export type ArgumentNames = Readonly<Record<string, string>>;

/** Turns a thrown error into a refusal with the argument names of the tool; rethrows unexpected errors. */
export function toRefusal(thrown: unknown, names: ArgumentNames = {}): ToolResult {
  const error = asBadInput(thrown);
  if (error instanceof InvalidInput) return invalidArguments(error.issues);
  if (error instanceof DomainError) {
    const code = isToolErrorCode(error.code) ? error.code : toolCodes[error.code];
    if (code) return renamedRefusal(code, error, names);
  }
  return refusalOfDatabase(error);
}

/** A refusal for arguments that do not match the schema; an issue without a path is about the whole object. */
function invalidArguments(issues: readonly Issue[]): ToolResult {
  const message = issuesMessage(issues.map((issue) => ({ path: issue.path || 'arguments', message: issue.message })));
  return new Refusal('BAD_INPUT', `The arguments do not match the tool's inputSchema: ${message}`, { issues });
}

/** Renames members in an error from the names of REST to the argument names of the tool. */
function renamedRefusal(code: ToolErrorCode, { message, details }: DomainError, names: ArgumentNames): ToolResult {
  const { issues, ...others } = details ?? {};
  const renamed = Object.fromEntries(Object.entries(others).map(([name, value]) => [toSnakeCase(name), value]));
  if (!Array.isArray(issues)) return new Refusal(code, message, details && renamed);
  const renamedIssues = (issues as Issue[]).map((issue) => ({ ...issue, path: argumentPath(issue.path, names) }));
  return new Refusal(code, issuesMessage(renamedIssues), { ...renamed, issues: renamedIssues });
}

/** Renames the first member of a path; the rest may be names that the caller chose. */
const argumentPath = (path: string, names: ArgumentNames): string =>
  path.replace(/^[A-Za-z]\w*/, (name) => names[name] ?? toSnakeCase(name));

function refusalOfDatabase(error: unknown): ToolResult {
  const state = isTransient(error) ? undefined : getErrorCode(error);
  if (state === '23505') return new Refusal('CONFLICT', 'It conflicts with something that already exists');
  if (state?.startsWith('22')) {
    return new Refusal('BAD_INPUT', 'A value of the arguments cannot be stored: check its form and size');
  }
  throw error;
}
