import type { Scope } from '@lensforge/contracts';
import { grants } from '@lensforge/contracts';

/** The abilities of a developer token by scope, as the consent page lists them. */
const words: Readonly<Record<Scope, string>> = {
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
const withAnyWrite = 'change your profile and your provider keys';

/** The ability of one scope as a sentence. */
export const descriptionOf = (scope: Scope): string => words[scope].replace(/^./, (letter) => letter.toUpperCase());

/** The abilities of these scopes; a write scope includes the read scope of its name. */
export function permissionsOf(scopes: readonly Scope[]): string[] {
  const lines = (Object.keys(words) as Scope[]).filter((scope) => grants(scopes, scope)).map((scope) => words[scope]);
  return scopes.some((scope) => scope.endsWith(':write')) ? [...lines, withAnyWrite] : lines;
}
