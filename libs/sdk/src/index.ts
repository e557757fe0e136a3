import type * as shapes from './generated/shapes.js';

export { Call } from './call.js';
export type { CallOptions, WithResponse } from './call.js';
export { createClient } from './create-client.js';
export type { Client } from './create-client.js';
export {
  ApiError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  IdempotencyKeyReusedError,
  InsufficientCreditsError,
  InsufficientScopeError,
  InternalServerError,
  InvalidRequestError,
  LensforgeError,
  MethodNotAllowedError,
  NotFoundError,
  PartnerError,
  PayloadTooLargeError,
  RateLimitedError,
  ServiceUnavailableError,
  TimeoutError,
  UnauthorizedError,
  UnprocessableParamsError,
  UnsupportedMediaTypeError,
  WebhookVerificationError,
} from './errors.js';
export type { ErrorCode } from './errors.js';
export type { AgentEvent, BattleEvent, ExperimentEvent, RunEvent, ThreadEvent, WebhookEvent } from './events.js';
export { EventStream } from './event-stream.js';
export type { StreamOptions } from './event-stream.js';
export type { shapes };
export type { Resources } from './generated/resources.js';
export { scopes } from './generated/scopes.js';
export { LineStream } from './line-stream.js';
export { ListCall, Page } from './pages.js';
export type { PageMeta } from './pages.js';
export type { ClientOptions } from './transport.js';
export type { WaitForExperiment, WaitForRun, WaitOptions } from './wait.js';
export { webhooks } from './webhooks.js';
export type { VerifyOptions, Webhooks } from './webhooks.js';
export type { RunWithTools, Tools } from './with-tools.js';
