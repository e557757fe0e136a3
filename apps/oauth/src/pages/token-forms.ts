import { type Scope, developerScopes, scopes } from '@lensforge/contracts';
import { tokenLifetimes } from '@lensforge/identity';

export type NewTokenKind = 'developer' | 'organisation' | 'service';

export interface TokenForm {
  name: string;
  explanation: string;
  days: { min: number; max: number };
  defaultDays: number;
  scopes: readonly Scope[];
}

/** The kinds of tokens that a person can create on a page; MCP clients get theirs by signing in. */
export const tokenForms: Readonly<Record<NewTokenKind, TokenForm>> = {
  developer: {
    name: 'developer token',
    explanation:
      'Acts for you in REST, the SDK and the command line. It cannot administer communities or create tokens.',
    days: tokenLifetimes.developer,
    defaultDays: 30,
    scopes: developerScopes,
  },
  organisation: {
    name: 'organisation token',
    explanation:
      'Acts for a community: it sees public things, those for communities, and those of this community. It ends when you no longer administer the community.',
    days: tokenLifetimes.organisation,
    defaultDays: 90,
    scopes,
  },
  service: {
    name: 'service token',
    explanation:
      'Acts for a machine that is registered as a connector. Rotating the connector replaces the token at once.',
    days: tokenLifetimes.service,
    defaultDays: 365,
    scopes,
  },
};

export const isNewTokenKind = (kind: string): kind is NewTokenKind => Object.hasOwn(tokenForms, kind);
