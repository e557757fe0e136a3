// Written by `npm run generate` from the endpoint table of libs/contracts.

/** The scopes of tokens: their abilities in words, and whether a developer token can have them. */
export const scopes = [
  { name: 'lenses:read', description: 'read lenses and run them, which can cost credits', forDevelopers: true },
  { name: 'lenses:write', description: 'create and change your lenses', forDevelopers: true },
  { name: 'agents:read', description: 'read agents', forDevelopers: true },
  { name: 'agents:write', description: 'create and change your agents', forDevelopers: true },
  { name: 'workflows:read', description: 'read your workflows and runs', forDevelopers: true },
  {
    name: 'workflows:write',
    description: 'create, change and run your workflows, and manage your webhooks',
    forDevelopers: true,
  },
  { name: 'threads:read', description: 'read threads', forDevelopers: true },
  { name: 'threads:write', description: 'post in threads as you', forDevelopers: true },
  {
    name: 'community:read',
    description: 'see your communities and their members, and runs of your battles',
    forDevelopers: true,
  },
  {
    name: 'community:write',
    description: 'manage your communities, and cancel and retry runs of your battles, which can cost credits',
    forDevelopers: false,
  },
  { name: 'connectors:read', description: 'see your connectors', forDevelopers: true },
  {
    name: 'connectors:write',
    description: 'create, rotate and remove your connectors, whose tokens go on when this one ends',
    forDevelopers: true,
  },
  { name: 'tokens:read', description: 'see your tokens, provider keys, credits and audit log', forDevelopers: true },
  { name: 'tokens:write', description: 'create and revoke tokens', forDevelopers: false },
] as const;
