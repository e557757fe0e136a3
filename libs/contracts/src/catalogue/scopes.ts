const resources = ['lenses', 'agents', 'workflows', 'threads', 'community', 'connectors', 'tokens'] as const;

export type Scope = `${(typeof resources)[number]}:${'read' | 'write'}`;

export const scopes: readonly Scope[] = resources.flatMap((resource): Scope[] => [
  `${resource}:read`,
  `${resource}:write`,
]);

export const writeScopes = scopes.filter((scope) => scope.endsWith(':write'));

/** Scopes of developer tokens. These tokens cannot create organisation tokens or administer communities. */
export const developerScopes: readonly Scope[] = scopes.filter(
  (scope) => scope !== 'community:write' && scope !== 'tokens:write',
);

export function isScope(value: string): value is Scope {
  return (scopes as readonly string[]).includes(value);
}

/** True when a held scope grants the needed one: write includes the matching read. */
export function grants(held: readonly Scope[], needed: Scope): boolean {
  return held.includes(needed) || held.includes(needed.replace(/:read$/, ':write') as Scope);
}
