const key = 'lensforge.mcp-consent';

/** The address that the browser returns to from the authorization server of an MCP server. */
export const consentAddress = (api: string): string => `${api}/console/agents/consent`;

/** Remembers in this tab which server an authorization is for, until the browser is back. */
export function rememberConsent(serverId: string, authorizationUrl: string): void {
  const state = new URL(authorizationUrl).searchParams.get('state');
  sessionStorage.setItem(key, JSON.stringify({ serverId, state }));
}

/** The server that the browser returns for; undefined when this tab did not begin an authorization with this state. */
export function readConsent(state: string | null): string | undefined {
  const stored = sessionStorage.getItem(key);
  if (stored === null || state === null) return undefined;
  const pending = JSON.parse(stored) as { serverId: string; state: string };
  return pending.state === state ? pending.serverId : undefined;
}

export const forgetConsent = (): void => sessionStorage.removeItem(key);
