import type { Endpoint, Scope } from '@lensforge/contracts';
import { asksForCredential, endpoints, grants, scopes } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { aToken, anAccount } from '@lensforge/identity/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SignedInGateway } from './signed-in.js';
import { aGatewayWithSignIn } from './signed-in.js';

/*
 * The status of each endpoint for each kind of credential. The ids in the paths are unknown, and bodies are empty: 401 and
 * 403 come from authentication, other statuses from the endpoint (200 success, 400 an empty body, 404 an unknown id).
 * `wrong scope` is a developer token with all scopes but the accepted ones.
 */
const table = `
                  none malformed expired revoked wrong-scope anonymous session developer organisation service mcp service_role
health            200  200       200     200     200         200       200     200       200          200     200 200
getMe             401  401       401     401     200         200       200     200       200          200     401 401
updateMe          401  401       401     401     403         403       400     400       403          403     401 401
listTokens        401  401       401     401     403         403       200     200       200          200     401 401
createToken       401  401       401     401     403         403       400     400       400          400     401 401
limitToken        401  401       401     401     403         403       400     403       403          403     401 401
revokeTokens      401  401       401     401     403         403       400     400       400          400     401 401
revokeToken       401  401       401     401     403         403       404     404       404          404     401 401
listConnectors    401  401       401     401     403         403       200     200       200          200     401 401
createConnector   401  401       401     401     403         403       400     400       400          400     401 401
getConnector      401  401       401     401     403         403       404     404       404          404     401 401
removeConnector   401  401       401     401     403         403       404     404       404          404     401 401
rotateConnector   401  401       401     401     403         403       404     404       404          404     401 401
listCommunities   401  401       401     401     403         403       200     200       200          200     401 401
createCommunity   401  401       401     401     403         403       400     403       403          403     401 401
getCommunity      401  401       401     401     403         404       404     404       404          404     401 401
updateCommunity   401  401       401     401     403         403       404     404       404          404     401 401
removeCommunity   401  401       401     401     403         403       404     403       403          403     401 401
joinCommunity     401  401       401     401     403         403       404     404       403          403     401 401
listMembers       401  401       401     401     403         403       404     404       404          404     401 401
setRole           401  401       401     401     403         403       400     400       400          400     401 401
removeMember      401  401       401     401     403         403       404     404       404          404     401 401
listInvites       401  401       401     401     403         403       404     404       404          404     401 401
createInvite      401  401       401     401     403         403       404     404       404          404     401 401
revokeInvite      401  401       401     401     403         403       404     404       404          404     401 401
listAudit         401  401       401     401     403         403       200     200       403          403     401 401
listLenses        401  401       401     401     403         200       200     200       200          200     401 401
createLens        401  401       401     401     403         403       400     400       400          400     401 401
importLens        401  401       401     401     403         403       400     400       400          400     401 401
getLens           401  401       401     401     403         404       404     404       404          404     401 401
updateLens        401  401       401     401     403         403       404     404       404          404     401 401
deleteLens        401  401       401     401     403         403       404     404       404          404     401 401
publishLens       401  401       401     401     403         403       404     404       404          404     401 401
archiveLens       401  401       401     401     403         403       404     404       404          404     401 401
restoreLens       401  401       401     401     403         403       404     404       404          404     401 401
forkLens          401  401       401     401     403         403       404     404       404          404     401 401
listLensVersions  401  401       401     401     403         404       404     404       404          404     401 401
getLensVersion    401  401       401     401     403         404       404     404       404          404     401 401
diffLensVersions  401  401       401     401     403         400       400     400       400          400     401 401
exportLens        401  401       401     401     403         404       404     404       404          404     401 401
setLensLabel      401  401       401     401     403         403       400     400       400          400     401 401
removeLensLabel   401  401       401     401     403         403       404     404       404          404     401 401
executeLens       401  401       401     401     403         403       400     400       400          400     401 401
executeLensBatch  401  401       401     401     403         403       400     400       400          400     401 401
listModels        401  401       401     401     403         200       200     200       200          200     401 401
runWorkflow           401  401       401     401     403         403       400     400       400          400     401 401
listWorkflows         401  401       401     401     403         200       200     200       200          200     401 401
createWorkflow        401  401       401     401     403         403       400     400       400          400     401 401
importWorkflow        401  401       401     401     403         403       400     400       400          400     401 401
getWorkflow           401  401       401     401     403         404       404     404       404          404     401 401
updateWorkflow        401  401       401     401     403         403       404     404       404          404     401 401
deleteWorkflow        401  401       401     401     403         403       404     404       404          404     401 401
saveWorkflowGraph     401  401       401     401     403         403       400     400       400          400     401 401
listWorkflowVersions  401  401       401     401     403         404       404     404       404          404     401 401
getWorkflowVersion    401  401       401     401     403         404       404     404       404          404     401 401
diffWorkflowVersions  401  401       401     401     403         400       400     400       400          400     401 401
dryRunWorkflow        401  401       401     401     403         403       404     404       404          404     401 401
exportWorkflow        401  401       401     401     403         404       404     404       404          404     401 401
listWorkflowRuns      401  401       401     401     403         403       404     404       404          404     401 401
listSchedules         401  401       401     401     403         403       404     404       404          404     401 401
createSchedule        401  401       401     401     403         403       400     400       400          400     401 401
getSchedule           401  401       401     401     403         403       404     404       404          404     401 401
updateSchedule        401  401       401     401     403         403       404     404       404          404     401 401
deleteSchedule        401  401       401     401     403         403       404     404       404          404     401 401
previewSchedule       401  401       401     401     403         403       404     404       404          404     401 401
listScheduleTicks     401  401       401     401     403         403       404     404       404          404     401 401
listRuns          401  401       401     401     403         403       200     200       200          200     401 401
getRun            401  401       401     401     403         403       404     404       404          404     401 401
cancelRun         401  401       401     401     403         403       404     404       404          404     401 401
streamRunEvents   401  401       401     401     403         403       404     404       404          404     401 401
retryRun          401  401       401     401     403         403       404     404       404          404     401 401
reportRun         401  401       401     401     403         403       400     400       400          400     401 401
listRunArtifacts  401  401       401     401     403         403       404     404       404          404     401 401
getRunArtifact    401  401       401     401     403         403       404     404       404          404     401 401
getRunArtifactContent 401  401       401     401     403         403       404     404       404          404     401 401
createRunReadToken 401  401       401     401     403         403       404     404       404          404     401 401
streamGroupEvents 401  401       401     401     403         403       400     400       400          400     401 401
listRunNodes      401  401       401     401     403         403       404     404       404          404     401 401
listRunApprovals  401  401       401     401     403         403       404     404       404          404     401 401
answerRunApproval 401  401       401     401     403         403       400     400       400          400     401 401
createWaitUrl     401  401       401     401     403         403       404     404       404          404     401 401
answerWait        404  404       404     404     404         404       404     404       404          404     404 404
startRunOperation 401  401       401     401     403         403       400     400       400          400     401 401
getRunOperation   401  401       401     401     403         403       404     404       404          404     401 401
cancelRunOperation 401  401       401     401     403         403       404     404       404          404     401 401
getCredits        401  401       401     401     403         403       200     200       403          403     401 401
getSponsorship    401  401       401     401     403         403       404     404       404          404     401 401
setSponsorship    401  401       401     401     403         403       400     400       400          400     401 401
listByokKeys      401  401       401     401     403         403       200     200       403          403     401 401
createByokKey     401  401       401     401     403         403       400     400       403          403     401 401
getByokKey        401  401       401     401     403         403       404     404       403          403     401 401
testByokKey       401  401       401     401     403         403       404     404       403          403     401 401
rotateByokKey     401  401       401     401     403         403       400     400       403          403     401 401
revokeByokKey     401  401       401     401     403         403       404     404       403          403     401 401
claimLocalRun     401  401       401     401     403         403       200     200       403          403     401 401
reportLocalRun    401  401       401     401     403         403       400     400       403          403     401 401
finishLocalRun    401  401       401     401     403         403       400     400       403          403     401 401
listIncomingWebhooks   401  401       401     401     403         403       200     200       200          200     401 401
createIncomingWebhook  401  401       401     401     403         403       400     400       400          400     401 401
getIncomingWebhook     401  401       401     401     403         403       404     404       404          404     401 401
updateIncomingWebhook  401  401       401     401     403         403       404     404       404          404     401 401
removeIncomingWebhook  401  401       401     401     403         403       404     404       404          404     401 401
rotateIncomingWebhook  401  401       401     401     403         403       404     404       404          404     401 401
listIncomingCalls      401  401       401     401     403         403       404     404       404          404     401 401
callIncomingWebhook    401  401       401     401     401         401       401     401       401          401     401 401
listWebhookEndpoints 401  401       401     401     403         403       200     200       200          200     401 401
createWebhookEndpoint 401  401       401     401     403         403       400     400       400          400     401 401
getWebhookEndpoint 401  401       401     401     403         403       404     404       404          404     401 401
updateWebhookEndpoint 401  401       401     401     403         403       404     404       404          404     401 401
deleteWebhookEndpoint 401  401       401     401     403         403       404     404       404          404     401 401
rotateWebhookSecret 401  401       401     401     403         403       404     404       404          404     401 401
enableWebhookEndpoint 401  401       401     401     403         403       404     404       404          404     401 401
disableWebhookEndpoint 401  401       401     401     403         403       404     404       404          404     401 401
testWebhookEndpoint 401  401       401     401     403         403       404     404       404          404     401 401
listWebhookDeliveries 401  401       401     401     403         403       404     404       404          404     401 401
getWebhookDelivery 401  401       401     401     403         403       404     404       404          404     401 401
redeliverWebhook 401  401       401     401     403         403       404     404       404          404     401 401
listWebhookReplays 401  401       401     401     403         403       404     404       404          404     401 401
replayWebhookEvents 401  401       401     401     403         403       400     400       400          400     401 401
getWebhookReplay 401  401       401     401     403         403       404     404       404          404     401 401
listWebhookEvents 401  401       401     401     403         403       200     200       200          200     401 401
provisionPartner       401  401       401     401     404         403       404     404       403          403     401 401
getPartnerBalance      401  401       401     401     404         403       404     404       403          403     401 401
refreshPartnerToken    401  401       401     401     400         403       400     400       403          403     401 401
sendPartnerClaim       401  401       401     401     400         403       400     400       403          403     401 401
`;

const [head = '', ...lines] = table.trim().split('\n');
const kinds = head.trim().split(/ +/);
type Row = Readonly<Record<string, number>>;
const rows = new Map(
  lines.map((line): [string, Row] => {
    const [id = '', ...statuses] = line.trim().split(/ +/);
    return [id, Object.fromEntries(kinds.map((kind, at) => [kind, Number(statuses[at])]))];
  }),
);

const all: readonly Endpoint[] = Object.values<Endpoint>(endpoints);
const people = ['developer', 'session'];
const forAccounts = [...people, 'organisation', 'service'];
const admitted = { public: [...forAccounts, 'anonymous'], accounts: forAccounts, people, session: ['session'] };

/** The status with which an endpoint refuses a kind of credential; undefined when it accepts it. */
function refusalOf(endpoint: Endpoint, kind: string): number | undefined {
  if (endpoint.rawBody && endpoint.errors.includes(401)) return 401;
  if (!asksForCredential(endpoint)) return undefined;
  const { audience = 'accounts', scopes: needed } = endpoint;
  if (!forAccounts.includes(kind) && kind !== 'wrong-scope' && kind !== 'anonymous') return 401;
  if (kind === 'wrong-scope') return needed.length > 0 || audience === 'session' ? 403 : undefined;
  if (!admitted[audience].includes(kind)) return 403;
  const readsOnly = kind === 'anonymous' && needed.length > 0 && !needed.some((scope) => scope.endsWith(':read'));
  return readsOnly ? 403 : undefined;
}

let gateway: SignedInGateway;
let tokens: Record<string, string>;
/** Developer tokens of one account by their scopes. */
const tokensByScopes = new Map<string, Promise<string>>();
let developerId: string;

beforeAll(async () => {
  gateway = await aGatewayWithSignIn({ LENSFORGE_RATE_EXECUTE_PER_MINUTE: '100000' });
  const { ctx } = gateway;
  const [developer, community, person] = await Promise.all([
    anAccount(ctx),
    anAccount(ctx, { kind: 'community' }),
    gateway.aPerson(),
  ]);
  developerId = developer.id;
  const valueOf = async (kind: 'developer' | 'organisation' | 'service' | 'mcp', accountId: string) =>
    (await aToken(ctx, { kind, accountId })).value;
  const expired = await aToken(ctx, { accountId: developerId });
  const revoked = await aToken(ctx, { accountId: developerId });
  await ctx.db.query(`update api_tokens set expires_at = now() - interval '1 s' where id = $1`, [expired.id]);
  await ctx.db.query('update api_tokens set revoked_at = now() where id = $1', [revoked.id]);
  tokens = {
    none: '',
    malformed: 'lf_dev_0123456789abcdef',
    expired: expired.value,
    revoked: revoked.value,
    anonymous: gateway.anonymousToken(),
    session: gateway.sessionToken(person),
    developer: await valueOf('developer', developerId),
    organisation: await valueOf('organisation', community.id),
    service: await valueOf('service', community.id),
    mcp: await valueOf('mcp', developerId),
    service_role: gateway.serviceRoleToken(),
  };
});
afterAll(() => gateway.stop());

function tokenWith(held: readonly Scope[]): Promise<string> {
  const name = held.join(' ');
  const known =
    tokensByScopes.get(name) ?? aToken(gateway.ctx, { accountId: developerId, held }).then(({ value }) => value);
  tokensByScopes.set(name, known);
  return known;
}

const allBut = (needed: readonly Scope[]): readonly Scope[] =>
  scopes.filter((held) => !needed.some((scope) => grants([held], scope)));

/** Calls an endpoint with unknown ids and an empty body. */
function call({ method, path }: Endpoint, token: string) {
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
  return gateway.call(
    method,
    path.replace(/\{\w+\}/g, () => newId()),
    { token, ...body },
  );
}

describe('the table of credentials', () => {
  it('has exactly one row for each endpoint', () => {
    expect([...rows.keys()].sort()).toEqual(all.map(({ id }) => id).sort());
  });

  it('agrees with the scopes and audiences of the endpoints', () => {
    const differing = all.flatMap((endpoint) =>
      kinds.flatMap((kind) => {
        const written = rows.get(endpoint.id)?.[kind];
        const refusal = refusalOf(endpoint, kind);
        const same = refusal === undefined ? written !== 401 && written !== 403 : written === refusal;
        return same ? [] : [`${endpoint.id} with ${kind}: expected ${refusal ?? 'access'}, not ${written}`];
      }),
    );
    expect(differing).toEqual([]);
  });

  it.each(all.map((endpoint) => [endpoint.id, endpoint] as const))(
    'matches the answers of %s',
    async (id, endpoint) => {
      const found: Record<string, number> = {};
      for (const kind of kinds) {
        const token = kind === 'wrong-scope' ? await tokenWith(allBut(endpoint.scopes)) : (tokens[kind] ?? '');
        const { status, headers, body } = await call(endpoint, token);
        found[kind] = status;
        if (status === 401) {
          expect(body.error?.code).toBe('unauthorized');
          const plain = kind === 'none' || endpoint.rawBody;
          expect(headers.get('www-authenticate')).toBe(plain ? 'Bearer' : 'Bearer error="invalid_token"');
        }
      }
      expect(found).toEqual(rows.get(id));
    },
  );
});

describe('a developer token with one scope:', () => {
  it.each(scopes)('%s gives access to endpoints that need it or its read scope, and to no others', async (held) => {
    const token = await tokenWith([held]);
    const wrong: string[] = [];
    for (const endpoint of all.filter(asksForCredential)) {
      const { status, headers, body } = await call(endpoint, token);
      const { audience = 'accounts', scopes: needed, id } = endpoint;
      const opens = needed.length === 0 || needed.some((scope) => scope === held || isReadOf(scope, held));
      if (audience === 'session') {
        if (status !== 403 || body.error?.code !== 'forbidden') wrong.push(`${id}: ${status}, but needs a session`);
      } else if (opens) {
        if (status === 401 || body.error?.code === 'insufficient_scope')
          wrong.push(`${id}: ${status}, but the scope suffices`);
      } else {
        const challenge = `Bearer error="insufficient_scope", scope="${needed.join(' ')}"`;
        const refused = status === 403 && body.error?.code === 'insufficient_scope';
        if (!refused || headers.get('www-authenticate') !== challenge)
          wrong.push(`${id}: ${status}, but the scope does not suffice`);
      }
    }
    expect(wrong).toEqual([]);
  });

  const isReadOf = (needed: Scope, held: Scope): boolean =>
    needed.endsWith(':read') && held === needed.replace(':read', ':write');

  it('no scope gives access only to endpoints that need none', async () => {
    const token = await tokenWith([]);
    for (const endpoint of all.filter(({ scopes: needed, audience }) => needed.length > 0 && audience !== 'session')) {
      expect((await call(endpoint, token)).body.error?.code).toBe('insufficient_scope');
    }
  });
});
