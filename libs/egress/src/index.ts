export { isPublic, kindOf, readNetworks, type Networks } from './address.js';
export { egressFetch, type EgressFetch, type FetchPolicy } from './egress-fetch.js';
export { EgressFailed, type EgressFault } from './egress-failed.js';
export { egress, type Answer, type Egress, type Outgoing } from './egress.js';
export { egressPolicy, type EgressPolicy } from './policy.js';
export { networkResolver, systemResolver, type Resolve } from './resolve.js';
export { readTarget } from './target.js';
