import type { Scope } from './scopes.js';

/** The abilities of a token by scope, as consent pages and forms for tokens list them. */
export const scopeDescriptions: Readonly<Record<Scope, string>> = {
  'lenses:read': 'read lenses and run them, which can cost credits',
  'lenses:write': 'create and change your lenses',
  'agents:read': 'read agents',
  'agents:write': 'create and change your agents',
  'workflows:read': 'read your workflows and runs',
  'workflows:write': 'create, change and run your workflows, and manage your webhooks',
  'threads:read': 'read threads',
  'threads:write': 'post in threads as you',
  'community:read': 'see your communities and their members, and runs of your battles',
  'community:write': 'manage your communities, and cancel and retry runs of your battles, which can cost credits',
  'connectors:read': 'see your connectors',
  'connectors:write': 'create, rotate and remove your connectors, whose tokens go on when this one ends',
  'tokens:read': 'see your tokens, provider keys, credits and audit log',
  'tokens:write': 'create and revoke tokens',
};
