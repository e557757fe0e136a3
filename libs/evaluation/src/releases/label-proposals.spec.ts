import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LabelRules } from '@lensforge/contracts';
import { type Context, DomainError, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import { getLens, listLabelMoves, removeLensLabel, returnLensLabel, setLensLabel, updateLens } from '@lensforge/lenses';
import { aLens } from '@lensforge/lenses/testing';
import { StoredLabelProposal } from '@lensforge/releases';
import { getWorkflow, saveGraph, setWorkflowLabel } from '@lensforge/workflows';
import { aWorkflow } from '@lensforge/workflows/testing';
import { createDataset, decideLabelProposal, findEvidence, listLabelProposals, readLabelProposal } from '../index.js';

let database: TestDatabase;
/** The owner of the lenses with a token and signed in, the named approver, and a stranger; all but the first are signed in. */
let ada: Context;
let adaInPerson: Context;
let bob: Context;
let eve: Context;
beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 8 });
  const [one, two, three] = [
    await anAccount(database.ctx),
    await anAccount(database.ctx),
    await anAccount(database.ctx),
  ];
  ada = actingAs(database.ctx, one.id);
  [adaInPerson, bob, eve] = [one, two, three].map(({ id }) => signedIn(actingAs(database.ctx, id))) as [
    Context,
    Context,
    Context,
  ];
});
afterAll(() => database.close());

const signedIn = (ctx: Context): Context => ({
  ...ctx,
  actor: { ...ctx.actor, credential: { kind: 'session', id: newId() } },
});
const label = 'production';
const rules = (approvers = [bob.actor.accountId]): LabelRules => ({ secondPerson: { approvers } });

/** A lens of Ada whose production needs a second person, with a newer text. */
async function aGuardedLens(given: LabelRules = rules()): Promise<string> {
  const { id: lensId } = await aLens(ada, { templateBody: 'Greet [[Name]] once, for tests of second persons' });
  await updateLens(ada, { lensId, templateBody: 'Greet [[Name]] twice, for tests of second persons' });
  await setLensLabel(adaInPerson, { lensId, label, version: '1.0.0', rules: given });
  return lensId;
}
const promote = (lensId: string, more: object = {}, ctx = ada) =>
  setLensLabel(ctx, { lensId, label, version: '1.0.1', ...more }, findEvidence);
const placeOf = async (lensId: string) => (await getLens(ada, lensId)).labels[0];
const proposed = async (lensId: string, more: object = {}, ctx = ada): Promise<string> =>
  (await promote(lensId, more, ctx)).proposalId ?? '';
const approve = (ctx: Context, proposalId: string) => decideLabelProposal(ctx, { proposalId, decision: 'approve' });
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'accepted',
    (reason: unknown) => (reason instanceof DomainError ? reason.code : reason),
  );

describe('a label that needs a second person', () => {
  it('stays where it is until that person approves, and says so in its history and audit log', async () => {
    const lensId = await aGuardedLens();
    const place = await promote(lensId, { reason: 'It is shorter.' });
    expect(place).toMatchObject({ semver: '1.0.0', proposalId: expect.any(String) });
    expect(await placeOf(lensId)).toMatchObject({ semver: '1.0.0', proposalId: place.proposalId });
    const proposalId = place.proposalId ?? '';
    const waiting = { id: proposalId, lensId, label, version: '1.0.1', before: '1.0.0', reason: 'It is shorter.' };
    expect((await listLabelProposals(bob, { limit: 5 })).items[0]).toMatchObject({ ...waiting, canDecide: true });
    expect((await listLabelProposals(ada, { limit: 5 })).items[0]).toMatchObject({ ...waiting, canDecide: false });
    expect((await listLabelProposals(eve, { limit: 5 })).items).toEqual([]);
    expect(await approve(bob, proposalId)).toMatchObject({ status: 'approved', decidedBy: bob.actor.accountId });
    expect(await placeOf(lensId)).toMatchObject({ semver: '1.0.1', proposalId: null });
    const [move] = (await listLabelMoves(ada, lensId, { limit: 1 })).items;
    expect(move).toMatchObject({ approvedBy: bob.actor.accountId, reason: 'It is shorter.', credential: 'session' });
    const actions = await database.ctx.db.query<{ action: string }[]>(
      `select action from audit_entries where account_id = $1 order by sequence desc limit 2`,
      [ada.actor.accountId],
    );
    expect(actions.map(({ action }) => action)).toEqual(['label.moved', 'label.proposed']);
    expect((await listLabelProposals(bob, { limit: 5 })).items).toEqual([]);
  });

  it('is not moved by who proposed, owns or does not see it, nor by a token', async () => {
    const lensId = await aGuardedLens(rules([bob.actor.accountId, ada.actor.accountId]));
    const proposalId = await proposed(lensId);
    const bobsToken = { ...bob, actor: { ...bob.actor, credential: { kind: 'developer' as const, id: newId() } } };
    for (const [ctx, code] of [
      [ada, 'FORBIDDEN'],
      [adaInPerson, 'FORBIDDEN'],
      [bobsToken, 'FORBIDDEN'],
      [eve, 'NOT_FOUND'],
    ] as const) {
      expect(await refusal(approve(ctx, proposalId))).toBe(code);
    }
    expect(await refusal(readLabelProposal(eve, proposalId))).toBe('NOT_FOUND');
    expect(await placeOf(lensId)).toMatchObject({ semver: '1.0.0' });
    expect(await refusal(approve(bob, proposalId))).toBe('accepted');
    expect(await refusal(approve(bob, proposalId))).toBe('CONFLICT');
  });

  it('needs the approval for its rules, bounds and arms too, and is not left without it', async () => {
    const lensId = await aGuardedLens();
    await updateLens(ada, { lensId, defaultLabel: label });
    const bounds = { failures: { max: 0.1 } };
    expect(await refusal(setLensLabel(ada, { lensId, label, version: '1.0.0', rules: null }))).toBe('FORBIDDEN');
    for (const more of [
      { rules: null },
      { bounds },
      { protected: true },
      { arms: [{ version: '1.0.1', weight: 5 }] },
    ]) {
      const place = await setLensLabel(adaInPerson, { lensId, label, version: '1.0.0', ...more });
      expect(place).toMatchObject({ rules: rules(), bounds: null, protected: false, arms: null });
      expect(place.proposalId).not.toBeNull();
    }
    expect(await promote(lensId, {}, adaInPerson)).toMatchObject({ semver: '1.0.0' });
    expect((await getLens(ada, lensId)).servedVersion.semver).toBe('1.0.0');
    expect(await refusal(updateLens(adaInPerson, { lensId, defaultLabel: null }))).toBe('CONFLICT');
    await setLensLabel(adaInPerson, { lensId, label: 'other', version: '1.0.0', rules: rules() });
    expect(await refusal(removeLensLabel(adaInPerson, { lensId, label: 'other' }))).toBe('CONFLICT');
    const { proposalId } = await setLensLabel(adaInPerson, { lensId, label, version: '1.0.0', rules: null });
    await approve(bob, proposalId ?? '');
    expect(await placeOf(lensId).then((place) => place?.label)).toBe('other');
    expect((await getLens(ada, lensId)).labels[1]).toMatchObject({ label, rules: null });
    expect(await promote(lensId)).toMatchObject({ semver: '1.0.1', proposalId: null });
  });

  it('goes back at once, which ends what was proposed; a newer proposal replaces an older one', async () => {
    const lensId = await aGuardedLens();
    await approve(bob, await proposed(lensId));
    await updateLens(ada, { lensId, templateBody: 'Greet [[Name]] thrice, for tests of second persons' });
    const first = await proposed(lensId, { version: '1.0.2' });
    const second = await proposed(lensId, { version: '1.0.2', reason: 'Again.' });
    expect(await promote(lensId, { version: '1.0.1' })).toMatchObject({ semver: '1.0.1', proposalId: second });
    expect((await readLabelProposal(ada, second)).status).toBe('pending');
    expect((await readLabelProposal(ada, first)).status).toBe('superseded');
    expect(await refusal(approve(bob, first))).toBe('CONFLICT');
    expect(await returnLensLabel(ada, { lensId, label })).toMatchObject({ semver: '1.0.0', proposalId: null });
    expect(await refusal(approve(bob, second))).toBe('CONFLICT');
    expect(await placeOf(lensId)).toMatchObject({ semver: '1.0.0' });
  });

  it('can be declined by that person, or by its own account', async () => {
    const lensId = await aGuardedLens();
    for (const ctx of [bob, ada]) {
      const proposalId = await proposed(lensId);
      const declined = await decideLabelProposal(ctx, { proposalId, decision: 'decline', comment: 'Not yet.' });
      expect(declined).toMatchObject({ status: 'declined', comment: 'Not yet.' });
      expect(await placeOf(lensId)).toMatchObject({ semver: '1.0.0', proposalId: null });
    }
    const proposalId = await proposed(lensId);
    expect(await refusal(decideLabelProposal(eve, { proposalId, decision: 'decline' }))).toBe('NOT_FOUND');
    await database.source.manager.update(StoredLabelProposal, { id: proposalId }, { expiresAt: new Date(0) });
    expect(await refusal(approve(bob, proposalId))).toBe('CONFLICT');
    expect((await readLabelProposal(bob, proposalId)).status).toBe('expired');
  });

  it('of a gate looks for the evidence again when it is approved, and is approved once of two at a time', async () => {
    const { id: datasetId } = await createDataset(ada, { name: 'Second person' });
    const lensId = await aGuardedLens({ ...rules(), gate: { datasetId } });
    expect(await refusal(promote(lensId))).toBe('CONFLICT');
    const proposalId = await proposed(lensId, { override: true, reason: 'An incident.' }, adaInPerson);
    const both = await Promise.all([approve(bob, proposalId), approve(bob, proposalId)].map((work) => refusal(work)));
    expect(both.sort()).toEqual(['CONFLICT', 'accepted']);
    const [move] = (await listLabelMoves(ada, lensId, { limit: 1 })).items;
    expect(move).toMatchObject({ overridden: true, approvedBy: bob.actor.accountId });
  });

  it('names people who exist, and others than the owner', async () => {
    const lensId = await aGuardedLens();
    const set = (given: LabelRules) =>
      setLensLabel(adaInPerson, { lensId, label: 'other', version: '1.0.0', rules: given });
    for (const each of [{ secondPerson: {} }, rules(['@no-such-handle']), rules([ada.actor.accountId]), {}]) {
      expect(await refusal(set(each))).toBe('BAD_INPUT');
    }
  });

  it('of a community is approved by another administrator than the creator of the token', async () => {
    const { id: community } = await anAccount(database.ctx, { kind: 'community' });
    const members = [
      [ada, 'owner'],
      [bob, 'admin'],
      [eve, 'member'],
    ] as const;
    for (const [{ actor }, role] of members) {
      await database.source.query('insert into memberships (community_id, account_id, role) values ($1, $2, $3)', [
        community,
        actor.accountId,
        role,
      ]);
    }
    const base = actingAs(database.ctx, community);
    const credential = { kind: 'organisation' as const, id: newId(), creatorId: ada.actor.accountId };
    const token: Context = { ...base, actor: { ...base.actor, credential } };
    const { id: workflowId } = await aWorkflow(token);
    const nodes = [{ id: 'a', type: 'transform', settings: { expression: '"ok"' } }];
    await saveGraph(token, { workflowId, graph: { nodes, edges: [] } });
    const person = { ...base, actor: { ...base.actor, credential: { kind: 'session' as const, id: newId() } } };
    await setWorkflowLabel(person, { workflowId, label, version: '1', rules: { secondPerson: {} } });
    const place = await setWorkflowLabel(token, { workflowId, label, version: '2' });
    expect(place.number).toBe(1);
    const { proposalId } = place;
    expect((await listLabelProposals(bob, { limit: 5 })).items[0]).toMatchObject({ workflowId, canDecide: true });
    expect(await refusal(approve(adaInPerson, proposalId ?? ''))).toBe('FORBIDDEN');
    expect(await refusal(approve(eve, proposalId ?? ''))).toBe('NOT_FOUND');
    const setRole = (role: string) =>
      database.source.query('update memberships set role = $1 where community_id = $2 and account_id = $3', [
        role,
        community,
        ada.actor.accountId,
      ]);
    await setRole('member');
    expect(await refusal(approve(bob, proposalId ?? ''))).toBe('CONFLICT');
    await setRole('owner');
    expect(await refusal(approve(bob, proposalId ?? ''))).toBe('accepted');
    expect((await getWorkflow(token, workflowId)).labels).toMatchObject([{ label, number: 2 }]);
  });
});
