import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aToken } from '@lensforge/identity/testing';
import { type TestCaller, aCaller, callerOf } from './callers.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

/*
 * Each rule of a label, by each operation that could get around it and each kind of credential: what happened to the label, or
 * the status of the refusal. The command line and the console send the same
 * requests, and no tool moves a label.
 */
const table = `
rule          operation      owner    token    approver  stranger
none          promote        moved    moved    404       404
none          split          moved    moved    404       404
none          bounds         set      set      404       404
none          rules          set      403      404       404
none          return         back     back     404       404
none          remove         removed  removed  404       404
none          default        set      set      404       404
protected     promote        moved    403      404       404
protected     split          moved    403      404       404
protected     bounds         set      403      404       404
protected     unprotect      set      403      404       404
protected     return         back     403      404       404
protected     remove         removed  403      404       404
protected     default        set      403      404       404
gate          promote        409      409      404       404
gate          split          409      409      404       404
gate          override       moved    403      404       404
gate          bounds         set      403      404       404
gate          rules          set      403      404       404
gate          return         back     back     404       404
gate          remove         removed  403      404       404
gate          default        set      403      404       404
secondPerson  promote        waits    waits    404       404
secondPerson  split          waits    waits    404       404
secondPerson  override       waits    waits    404       404
secondPerson  bounds         waits    403      404       404
secondPerson  rules          waits    403      404       404
secondPerson  return         back     back     404       404
secondPerson  remove         409      403      404       404
secondPerson  default        409      403      404       404
secondPerson  approve        403      403      moved     404
secondPerson  decline        declined declined declined  404
`;

let gateway: SignedInGateway;
let callers: Record<'owner' | 'token' | 'approver' | 'stranger', TestCaller>;
let datasetId: string;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn({ LENSFORGE_RATE_WRITE_PER_MINUTE: '1000000' });
  const [owner, approver, stranger] = [await aCaller(gateway), await aCaller(gateway), await aCaller(gateway)];
  const held = ['lenses:read', 'lenses:write'] as const;
  const { value: token } = await aToken(gateway.ctx, { accountId: owner.accountId, held });
  callers = { owner, approver, stranger, token: callerOf(gateway, { accountId: owner.accountId, token }) };
  datasetId = String((await owner.post('/v1/datasets', { name: 'Cases' })).body.data?.['id']);
});
afterAll(() => gateway.stop());

const text = (version: string): string => `${version}: greet [[Name]], in a few words and as a friend would do it.`;

/** A private lens with three versions, whose default label was moved from the first to the second, under a rule. */
async function aLabelled(rule: string): Promise<{ path: string; label: string; proposalId: string | undefined }> {
  const { owner } = callers;
  const made = await owner.post('/v1/lenses', { title: rule, templateBody: text('One'), visibility: 'private' });
  const path = `/v1/lenses/${String(made.body.data?.['id'])}`;
  for (const version of ['Two', 'Three']) await owner.patch(path, { templateBody: text(version) });
  const label = `${path}/labels/production`;
  await owner.put(label, { version: '1.0.0' });
  await owner.patch(path, { defaultLabel: 'production' });
  const rules: Record<string, object> = {
    none: {},
    protected: { protected: true },
    gate: { rules: { gate: { datasetId } } },
    secondPerson: { rules: { secondPerson: { approvers: [callers.approver.accountId] } } },
  };
  const placed = await owner.put(label, { version: '1.0.1', ...rules[rule] });
  expect(placed.status).toBe(200);
  const proposed = rule === 'secondPerson' ? await owner.put(label, { version: '1.0.2' }) : undefined;
  return { path, label, proposalId: proposed?.body.data?.['proposalId'] as string | undefined };
}

type Labelled = Awaited<ReturnType<typeof aLabelled>>;
const reason = 'An incident.';
const operations: Record<string, (caller: TestCaller, of: Labelled) => Promise<{ status: number }>> = {
  promote: (caller, { label }) => caller.put(label, { version: '1.0.2' }),
  split: (caller, { label }) => caller.put(label, { version: '1.0.1', arms: [{ version: '1.0.2', weight: 10 }] }),
  override: (caller, { label }) => caller.put(label, { version: '1.0.2', override: true, reason }),
  bounds: (caller, { label }) => caller.put(label, { version: '1.0.1', bounds: { latencyMs: 900 } }),
  rules: (caller, { label }) =>
    caller.put(label, { version: '1.0.1', rules: { gate: { datasetId, maxRevisionsBehind: 5 } } }),
  unprotect: (caller, { label }) => caller.put(label, { version: '1.0.1', protected: false }),
  return: (caller, { label }) => caller.post(`${label}/return`, { reason }),
  remove: async (caller, { path, label }) => {
    const left = await callers.owner.patch(path, { defaultLabel: null });
    return left.status === 200 ? caller.remove(label) : removeOther(caller, path);
  },
  default: (caller, { path }) => caller.patch(path, { defaultLabel: null }),
  approve: (caller, { proposalId }) => caller.post(`/v1/label-proposals/${proposalId}`, { decision: 'approve' }),
  decline: (caller, { proposalId }) => caller.post(`/v1/label-proposals/${proposalId}`, { decision: 'decline' }),
};

/** Removes a label with the same rule that is not the default. */
async function removeOther(caller: TestCaller, path: string): Promise<{ status: number }> {
  const rules = { secondPerson: { approvers: [callers.approver.accountId] } };
  await callers.owner.put(`${path}/labels/other`, { version: '1.0.1', rules });
  return caller.remove(`${path}/labels/other`);
}

/** How the label is after an operation that was accepted. */
async function seen({ path, proposalId: earlier }: Labelled, operation: string): Promise<string> {
  const { data } = (await callers.owner.get(path)).body as { data: { defaultLabel: string | null; labels: Place[] } };
  const place = data.labels.find(({ label }) => label === 'production');
  if (operation === 'remove') return place ? 'stays' : 'removed';
  if (operation === 'default') return data.defaultLabel === null ? 'set' : 'stays';
  if (operation === 'decline') return place?.proposalId === null && place.semver === '1.0.1' ? 'declined' : 'stays';
  if (place?.proposalId && place.proposalId !== earlier && place.semver === '1.0.1' && !place.arms) return 'waits';
  if (place?.semver === '1.0.0') return 'back';
  if (place?.semver === '1.0.2' || place?.arms) return 'moved';
  return 'set';
}
interface Place {
  label: string;
  semver: string;
  arms: object[] | null;
  proposalId: string | null;
}

const [, ...lines] = table.trim().split('\n');
const rows = lines.map((line) => line.split(/\s+/) as [string, string, string, string, string, string]);

describe('the rules of a label', () => {
  it.each(rows)('%s: %s', async (rule, operation, owner, token, approver, stranger) => {
    for (const [name, expected] of Object.entries({ owner, token, approver, stranger })) {
      const of = await aLabelled(rule);
      const { status } = (await operations[operation]?.(callers[name as keyof typeof callers], of)) ?? { status: 0 };
      const happened = status === 200 ? await seen(of, operation) : String(status);
      expect([name, happened]).toEqual([name, expected]);
    }
  });
});
