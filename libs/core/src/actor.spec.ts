import { describe, expect, it } from '@jest/globals';
import type { Scope } from '@lensforge/contracts';
import { scopes } from '@lensforge/contracts';
import type { Actor, CredentialKind } from './actor.js';
import { credentialKinds, isServiceRole, platformActor, requireScope } from './actor.js';
import type { Context } from './context.js';
import { notFound } from './domain-error.js';
import { newId } from './ids.js';

function holding(held: readonly Scope[], kind: CredentialKind = 'developer'): Context {
  const actor: Actor = { credential: { kind, id: newId() }, accountId: newId(), userId: null, scopes: held };
  return { actor, db: {} as Context['db'], now: () => new Date(), requestId: newId() };
}

describe('a scope check', () => {
  it('passes with the scope or its write scope, and names the one that is missing', () => {
    expect(() => requireScope(holding(['lenses:read']), 'lenses:read')).not.toThrow();
    expect(() => requireScope(holding(['lenses:write']), 'lenses:read')).not.toThrow();
    expect(() => requireScope(holding(['lenses:read', 'workflows:write']), 'lenses:write')).toThrow(
      expect.objectContaining({
        code: 'INSUFFICIENT_SCOPE',
        message: 'This needs the scope lenses:write, which the credential does not carry',
        details: { scope: 'lenses:write' },
      }),
    );
  });

  it('lets nobody pass without scopes but the platform itself', () => {
    for (const kind of credentialKinds) {
      const passed = scopes.filter((scope) => {
        try {
          requireScope(holding([], kind), scope);
          return true;
        } catch {
          return false;
        }
      });
      expect(passed).toEqual(kind === 'service_role' ? scopes : []);
    }
    expect(isServiceRole({ ...holding([]), actor: platformActor })).toBe(true);
  });
});

it('a refusal does not tell what is missing from what is hidden', () => {
  expect(notFound('run', 'x')).toMatchObject({
    code: 'NOT_FOUND',
    message: 'There is no run with the id x that you can reach',
  });
});
