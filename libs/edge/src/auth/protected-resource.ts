/** Paths of the protected resource metadata (RFC 9728), which names the authorization server. */
export const protectedResourcePaths = {
  '/.well-known/oauth-protected-resource': '',
  '/.well-known/oauth-protected-resource/mcp': '/mcp',
} as const;

/** Leaves out the scopes: clients would request every one that is listed. */
export const protectedResource = (
  path: keyof typeof protectedResourcePaths,
  { resourceBase, issuer }: { resourceBase: string; issuer: string },
): object => ({
  resource: resourceBase + protectedResourcePaths[path],
  authorization_servers: [issuer],
  bearer_methods_supported: ['header'],
  resource_name: 'Lensforge tools',
});
