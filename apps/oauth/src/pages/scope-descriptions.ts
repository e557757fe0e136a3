import type { Scope } from '@lensforge/contracts';
import { grants, scopeDescriptions } from '@lensforge/contracts';

const withAnyWrite = 'change your profile and your provider keys';

/** The ability of one scope as a sentence. */
export const descriptionOf = (scope: Scope): string =>
  scopeDescriptions[scope].replace(/^./, (letter) => letter.toUpperCase());

/** The abilities of these scopes; a write scope includes the read scope of its name. */
export function permissionsOf(scopes: readonly Scope[]): string[] {
  const lines = (Object.keys(scopeDescriptions) as Scope[])
    .filter((scope) => grants(scopes, scope))
    .map((scope) => scopeDescriptions[scope]);
  return scopes.some((scope) => scope.endsWith(':write')) ? [...lines, withAnyWrite] : lines;
}
