export { limitResponseTime } from './rest/response-timeout.js';
export { Bearer } from './auth/bearer.js';
export { callerAddress } from './auth/caller-address.js';
export { createRequestContext } from './auth/authorise.js';
export type { CredentialOf } from './auth/authorise.js';
export { Drain } from './boot/drain.js';
export { ListResponse } from './rest/envelope.js';
export { PlatformEnvironment } from './boot/environment.js';
export { BadEnvironment, allOrNone, readEnvironment } from './boot/read-environment.js';
export {
  httpUrl,
  mailSender,
  masterKeyText,
  perAccount,
  perMinute,
  replicaUrl,
  replicas,
  smtpUrl,
} from './boot/setting-limits.js';
export { jsonOfRawBody, getRawBody } from './rest/http-server.js';
export { countUnauthenticated } from './auth/identify.js';
export { NotJson, parseJson } from './rest/json-text.js';
export { FailureLog } from './observability/failure-log.js';
export { createLogger } from './observability/logging.js';
export type { Logger, ServiceLogger } from './observability/logging.js';
export { RouteBehavior } from './rest/route-behavior.js';
export { Metrics } from './observability/metrics.js';
export { networkSubject, getRateLimitSubject } from './limits/rate-limit-subjects.js';
export { PeriodicTask, startPeriodicTask } from './boot/periodic-task.js';
export type { PeriodicTaskOptions } from './boot/periodic-task.js';
export { platformContext } from './boot/platform-context.js';
export { StartupError, Platform, openPlatform, toHostAndPath } from './boot/platform.js';
export type { PlatformDefinition } from './boot/platform.js';
export { protectedResource, protectedResourcePaths } from './auth/protected-resource.js';
export { urlForHost, publicUrl } from './auth/public-url.js';
export { RateEnvironment } from './limits/rate-environment.js';
export { enforceRateLimit, tooMany } from './limits/rate-limit-replies.js';
export { RateLimits } from './limits/rate-limits.js';
export { withRedisTimeout } from './limits/redis-timeout.js';
export { refuseQuery } from './rest/guard-endpoints.js';
export { toHttpFault } from './rest/request-faults.js';
export { HttpFault, restFault } from './rest/rest-errors.js';
export { risks } from './boot/risks.js';
export type { Risk } from './boot/risks.js';
export { runProcess } from './boot/run-process.js';
export { sendDocument, sendLines } from './rest/send-document.js';
export { acceptsHtml, documentHeaders, sendFile, serveFolder, strictPolicy } from './rest/static-files.js';
export type { StaticFile, StaticFolder } from './rest/static-files.js';
export { serve, startService } from './boot/serve.js';
export { serveTogether, startTogether } from './boot/serve-together.js';
export type { ServicesOfProcess } from './boot/serve-together.js';
export type { Service, ServiceDefinition } from './boot/serve.js';
export { Caller, Input, NeedsCredential, Serves } from './rest/serves.js';
export type { InputOf } from './rest/serves.js';
export { settingWarnings } from './boot/setting-warnings.js';
export { startRunChangesPublisher } from './boot/run-changes-publisher.js';
export { currentTraceparent, inSpan, recordSpan } from './observability/telemetry.js';
export { trustedTokens } from './auth/trusted-tokens.js';
export { version } from './version.js';
export { startWorker, work } from './boot/work.js';
export type { WorkerDefinition } from './boot/work.js';
