import { type Scope, grants, scopeDescriptions } from '@lensforge/contracts';

const withAnyWrite = 'change your profile and your provider keys';

/** The ability of one scope as a sentence. */
export const describeScope = (scope: Scope): string =>
  scopeDescriptions[scope].replace(/^./, (letter) => letter.toUpperCase());

/** The abilities that these scopes give to a client of the tools; a write scope includes the read scope of its name. */
export const describeToolPermissions = (scopes: readonly Scope[]): string[] =>
  (Object.keys(scopeDescriptions) as Scope[])
    .filter((scope) => grants(scopes, scope))
    .map((scope) => scopeDescriptions[scope]);

/** The abilities of these scopes in REST. */
export function describePermissions(scopes: readonly Scope[]): string[] {
  const lines = describeToolPermissions(scopes);
  return scopes.some((scope) => scope.endsWith(':write')) ? [...lines, withAnyWrite] : lines;
}
