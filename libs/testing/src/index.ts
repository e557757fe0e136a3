export { aContext, type ContextTraits } from './a-context.js';
export { faultProxy, type FaultProxy } from './fault-proxy.js';
export { freshDatabase, type FreshDatabase } from './fresh-database.js';
export { freshRedisPrefix } from './fresh-redis-prefix.js';
export { readEvents, StreamRefused, type EventStream, type StreamEvent } from './read-events.js';
export { testRedisUrl } from './servers.js';
export { makeIssuerKey, signToken, tokenIssuer, type IssuerKey, type TokenIssuer } from './token-issuer.js';
export { until } from './until.js';
export { webhookMailbox, type Behaviour, type Letter, type Mailbox } from './webhook-mailbox.js';
