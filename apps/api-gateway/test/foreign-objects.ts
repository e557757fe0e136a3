import { type Endpoint, endpoints } from '@lensforge/contracts';

/** Endpoints of public objects, and those that authenticate their callers themselves. */
const otherStatuses: Readonly<Record<string, number>> = {
  getCommunity: 200,
  joinCommunity: 403,
  getAiLenser: 200,
  updateAiLenser: 403,
  archiveAiLenser: 403,
  startTeamRun: 403,
  listLeaderboard: 200,
  getLeaderboardFit: 200,
  downloadVotes: 200,
  callIncomingWebhook: 401,
  giveFeedback: 401,
};

/**
 * The status for a caller with all scopes who requests an object of another person: a private lens, its run, an invite-only
 * community, its token, member and invite, a connector. 404 has the message for an unknown object.
 */
export const statusForForeignObject = (endpointId: string): number => otherStatuses[endpointId] ?? 404;

/** The endpoints with an id in their path. */
export const withIds = Object.values<Endpoint>(endpoints).filter(
  ({ params, path }) => params !== undefined && !path.startsWith('/v1/partners/') && !path.startsWith('/v1/operator/'),
);
