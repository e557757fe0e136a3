import type { OAuthClient } from '@lensforge/identity';
import { hasApprovedClient, isLoopback } from '@lensforge/identity';
import type { Visit } from './visit.js';

/**
 * Whether the browser may be sent to an address of a client without a click of the person: our own clients, programs on
 * this computer, and clients that this person has let in and not taken that back.
 */
export async function returnsByItself(visit: Visit, client: OAuthClient, redirectUri: string): Promise<boolean> {
  if (client.kind === 'first_party' || isLoopback(redirectUri)) return true;
  const accountId = visit.signedIn?.account?.id;
  return accountId !== undefined && hasApprovedClient(visit.ctx, { accountId, clientId: client.id });
}
