import { ApiError, ConnectionError, InsufficientScopeError, LensforgeError, RateLimitedError } from '@lensforge/sdk';

export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  credential: 4,
  runFailed: 5,
  inconclusive: 6,
  interrupted: 130,
} as const;

/** A command line that cannot be carried out as it is written. */
export class UsageFault extends Error {
  constructor(
    message: string,
    readonly advice = 'See: lensforge help',
  ) {
    super(message);
  }
}

/** A command failed for a reason that is not an answer of the platform. */
export class CommandFault extends Error {
  constructor(
    message: string,
    readonly advice: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A command needs a credential, and there is none. */
export class CredentialNeeded extends Error {
  readonly advice = 'Log in with: lensforge login, or set LENSFORGE_API_KEY';
}

/** A run that was watched did not succeed. */
export class RunNotSucceeded extends Error {
  constructor(
    message: string,
    readonly advice: string,
  ) {
    super(message);
  }
}

/** A gate has too few cases to decide. */
export class GateInconclusive extends CommandFault {}

/** The reason with which Ctrl-C aborts a command. */
export class Interrupted extends Error {
  override readonly message = 'interrupted';
}

export function toExitCode(error: unknown): number {
  if (error instanceof UsageFault) return exitCodes.usage;
  if (error instanceof CredentialNeeded) return exitCodes.credential;
  if (error instanceof RunNotSucceeded) return exitCodes.runFailed;
  if (error instanceof GateInconclusive) return exitCodes.inconclusive;
  if (error instanceof Interrupted) return exitCodes.interrupted;
  if (error instanceof ApiError && (error.code === 'unauthorized' || error.code === 'insufficient_scope'))
    return exitCodes.credential;
  return exitCodes.failed;
}

const adviceByCode: Readonly<Record<string, string>> = {
  unauthorized: 'Log in again with: lensforge login. When LENSFORGE_API_KEY is set, check its value',
  forbidden: 'The account may not do this: see whose credential is used with: lensforge whoami',
  not_found: 'Check the id; the list of the resource shows those that you can see',
  invalid_request: 'Correct the named values; --help shows what the command takes',
  conflict: 'Read the current state of the resource, then decide again',
  insufficient_credits: 'See the balance with: lensforge credits',
  idempotency_key_reused: 'Use another idempotency key',
  payload_too_large: 'Send less at once',
  service_unavailable: 'Try again in a moment; check the platform with: lensforge doctor',
  internal_error: 'Try again; if it stays, report the request id to the operator',
};

/** The next step after an error. */
export function adviceFor(error: unknown): string {
  if (error instanceof InsufficientScopeError) {
    const scopes = error.details.scopes.join(' or ');
    return `The token needs the scope ${scopes}: log in with a token that has it (lensforge login --scopes …)`;
  }
  if (error instanceof RateLimitedError) return `Wait ${Math.ceil(error.retryAfter ?? 1)} seconds, then try again`;
  if (error instanceof ApiError)
    return adviceByCode[(error as ApiError).code] ?? 'See docs/rest.md for the meaning of the code';
  if (error instanceof ConnectionError) return 'Check the address and the platform with: lensforge doctor';
  const { advice } = error as { advice?: unknown };
  return typeof advice === 'string' ? advice : 'Try again; --help describes the command';
}

/** The code of an error of the operating system, such as ENOENT. */
export const getSystemCode = (error: unknown): string =>
  (error as NodeJS.ErrnoException | undefined)?.code ?? 'unknown error';

export const getRequestId = (error: unknown): string | undefined =>
  error instanceof LensforgeError ? error.requestId : undefined;
