import { type OAuthClient, hasApprovedClient, isOnThisComputer } from '@lensforge/identity';
import type { PageRequest } from './page-request.js';

/**
 * True when the browser may be sent to an address of a client without a click of the person: for first-party clients,
 * programs on this computer, and clients that this person has approved.
 */
export async function redirectsDirectly(page: PageRequest, client: OAuthClient, redirectUri: string): Promise<boolean> {
  if (client.kind === 'first_party' || isOnThisComputer(redirectUri)) return true;
  const accountId = page.signedIn?.account?.id;
  return accountId !== undefined && hasApprovedClient(page.ctx, { accountId, clientId: client.id });
}
