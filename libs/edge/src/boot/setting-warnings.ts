import { findNearest } from '@lensforge/contracts';
import type { PlatformEnvironment, Source } from './environment.js';
import { knownSettings } from './known-settings.js';
import { acceptedRisks, isAccepted, listRisks } from './risks.js';

/** Warnings that are logged at every start: accepted risks, and settings that no service has. */
export const settingWarnings = (environment: PlatformEnvironment, source: Source): string[] => [
  ...acceptedWarnings(environment),
  ...unknownSettings(source).map((name) => {
    const nearest = findNearest(toOwnName(name.replace(/_FILE$/, '')), knownSettings.map(toOwnName));
    const hint = nearest === undefined ? '' : `; did you mean ${prefix}${nearest}?`;
    return `${name} is not a setting of any service and has no effect${hint}`;
  }),
];

const acceptedWarnings = (environment: PlatformEnvironment): string[] =>
  listRisks(environment)
    .filter((risk) => isAccepted(environment, risk))
    .map(({ risk, path, message }) => `${path} ${message} (${acceptedBy(environment, risk)} accepts ${risk})`);

const acceptedBy = (environment: PlatformEnvironment, risk: string): string =>
  acceptedRisks(environment).includes(risk) ? 'LENSFORGE_ACCEPT_RISKS' : 'the default';

const prefix = 'LENSFORGE_';
const toOwnName = (name: string): string => name.slice(prefix.length);

const known: ReadonlySet<string> = new Set(knownSettings);

const unknownSettings = (source: Source): string[] =>
  Object.keys(source)
    .filter((name) => name.startsWith(prefix) && source[name] !== undefined)
    .filter((name) => !known.has(name) && !known.has(name.replace(/_FILE$/, '')))
    .sort();
