import { type Endpoint, asksForCredential, endpoints } from '@lensforge/contracts';
import { describe, expect, it } from '@jest/globals';
import { credentialRows, kinds } from './credential-table.js';

const all: readonly Endpoint[] = Object.values<Endpoint>(endpoints);
const people = ['developer', 'session'];
const forAccounts = [...people, 'organisation', 'service'];
const admitted = { public: [...forAccounts, 'anonymous'], accounts: forAccounts, people, session: ['session'] };

/** The status with which an endpoint refuses a kind of credential; undefined when it accepts it. */
function refusalOf(endpoint: Endpoint, kind: string): number | undefined {
  if (endpoint.rawBody && endpoint.headers) return 401;
  if (!asksForCredential(endpoint)) return undefined;
  const { audience = 'accounts', scopes: needed } = endpoint;
  if (!forAccounts.includes(kind) && kind !== 'wrong-scope' && kind !== 'anonymous') return 401;
  if (kind === 'wrong-scope') return needed.length > 0 || audience === 'session' ? 403 : undefined;
  if (!admitted[audience].includes(kind)) return 403;
  // The person of the session is no operator; input is validated before that is looked up.
  if (endpoint.path.startsWith('/v1/operator/') && !endpoint.params && !endpoint.query && !endpoint.body) return 403;
  const readsOnly = kind === 'anonymous' && needed.length > 0 && !needed.some((scope) => scope.endsWith(':read'));
  return readsOnly ? 403 : undefined;
}

describe('the table of credentials', () => {
  it('has exactly one row for each endpoint', () => {
    expect([...credentialRows.keys()].sort()).toEqual(all.map(({ id }) => id).sort());
  });

  it('agrees with the scopes and audiences of the endpoints', () => {
    const differing = all.flatMap((endpoint) =>
      kinds.flatMap((kind) => {
        const written = credentialRows.get(endpoint.id)?.[kind];
        const refusal = refusalOf(endpoint, kind);
        const same = refusal === undefined ? written !== 401 && written !== 403 : written === refusal;
        return same ? [] : [`${endpoint.id} with ${kind}: expected ${refusal ?? 'access'}, not ${written}`];
      }),
    );
    expect(differing).toEqual([]);
  });
});
