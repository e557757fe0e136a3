import type { PlatformEnvironment, Source } from './environment.js';
import { knownSettings } from './known-settings.js';
import { acceptedRisks, isAccepted, listRisks } from './risks.js';

/** Warnings that are logged at every start: accepted risks, and settings that no service has. */
export const settingWarnings = (environment: PlatformEnvironment, source: Source): string[] => [
  ...acceptedWarnings(environment),
  ...unknownSettings(source).map((name) => {
    const nearest = nearestTo(name.replace(/_FILE$/, ''));
    const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    return `${name} is not a setting of any service and has no effect${hint}`;
  }),
];

const acceptedWarnings = (environment: PlatformEnvironment): string[] =>
  listRisks(environment)
    .filter((risk) => isAccepted(environment, risk))
    .map(({ risk, path, message }) => `${path} ${message} (${acceptedBy(environment, risk)} accepts ${risk})`);

const acceptedBy = (environment: PlatformEnvironment, risk: string): string =>
  acceptedRisks(environment).includes(risk) ? 'LENSFORGE_ACCEPT_RISKS' : 'the default';

const known: ReadonlySet<string> = new Set(knownSettings);

const unknownSettings = (source: Source): string[] =>
  Object.keys(source)
    .filter((name) => name.startsWith('LENSFORGE_') && source[name] !== undefined)
    .filter((name) => !known.has(name) && !known.has(name.replace(/_FILE$/, '')))
    .sort();

const maxEdits = 6;

/** The known setting with the fewest edits to this name; undefined when none is similar. */
function nearestTo(name: string): string | undefined {
  const ranked = knownSettings
    .map((each) => ({ each, edits: editsBetween(name, each) }))
    .sort((one, other) => one.edits - other.edits);
  const [best] = ranked;
  return best && best.edits <= Math.min(maxEdits, (name.length - 'LENSFORGE_'.length) / 2) ? best.each : undefined;
}

/** The Levenshtein distance. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [column, wanted] of [...other].entries()) {
      const [left = 0, above = 0, diagonal = 0] = [next[column], row[column + 1], row[column]];
      next.push(Math.min(left + 1, above + 1, diagonal + (letter === wanted ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
