import { scopes } from '@lensforge/sdk';

/** The kinds of tokens that a person makes here, with the days that the server allows. */
export const tokenKinds = {
  developer: { min: 1, max: 90, usual: 30 },
  organisation: { min: 30, max: 365, usual: 90 },
  service: { min: 90, max: 365, usual: 365 },
} as const;
export type NewTokenKind = keyof typeof tokenKinds;
export const kindNames = Object.keys(tokenKinds) as NewTokenKind[];

export const scopesFor = (kind: NewTokenKind) =>
  scopes.filter(({ forDevelopers }) => kind !== 'developer' || forDevelopers);

/** The abilities of these scopes in words; names that this console does not know stay names. */
export const describeScopes = (names: readonly string[]): string =>
  names.map((name) => scopes.find((scope) => scope.name === name)?.description ?? name).join('; ');

/** The credit limit that a field has; undefined when it is empty. */
export const parseLimit = (text: string): number | undefined => (text === '' ? undefined : Number(text));
