import { readFileSync } from 'node:fs';
import { type Field, type Issue, type Shape, findFault, listFields } from '@lensforge/contracts';
import { type PlatformEnvironment, type Source, processSettings } from './environment.js';
import { acceptedRisks, isAccepted, isRiskName, risks, listRisks } from './risks.js';
import { storeFaults } from './store-settings.js';

export class BadEnvironment extends Error {
  override readonly name = 'BadEnvironment';
}

/**
 * Reads the settings into a frozen object; throws BadEnvironment with all faults and no secrets. A setting with the suffix
 * _FILE names a file that holds the value.
 */
export function readEnvironment<E extends PlatformEnvironment>(shape: Shape<E>, source: Source = processSettings): E {
  const fields = listFields(shape);
  const { given, faults: readFaults } = valuesIn(source, [...fields.keys()]);
  const unreadNames = new Set(readFaults.map(({ path }) => path.replace(/_FILE$/, '')));
  const { environment, faults: valueFaults } = readValues(shape, given);
  const invalidNames = new Set(valueFaults.map(({ path }) => path));
  const between = [...platformFaults(environment), ...environment.faults(), ...refusedRisks(environment)];
  const faults = [...valueFaults, ...between.filter(({ path }) => !invalidNames.has(path))];
  const all = [...readFaults, ...faults.filter(({ path }) => !unreadNames.has(path))];
  if (all.length === 0) return Object.freeze(environment);
  const files = Object.fromEntries(readFaults.map(({ path }) => [path, source[path]]));
  throw new BadEnvironment(explain(all, fields, { ...files, ...given }));
}

/** The valid members, and the faults of the others. */
function readValues<E extends PlatformEnvironment>(
  shape: Shape<E>,
  given: Record<string, string>,
): { environment: E; faults: Issue[] } {
  const environment = new shape();
  const faults: Issue[] = [];
  for (const [name, { type, optional = false }] of listFields(shape)) {
    const written = given[name];
    const value = written === undefined ? Reflect.get(environment, name) : (type.fromText?.(written) ?? written);
    if (value === undefined && optional) continue;
    const fault = findFault(type, value, name);
    if (fault) faults.push(fault);
    else Reflect.set(environment, name, value);
  }
  return { environment, faults };
}

function valuesIn(source: Source, names: readonly string[]): { given: Record<string, string>; faults: Issue[] } {
  const given: Record<string, string> = {};
  const faults: Issue[] = [];
  for (const name of names) {
    const path = `${name}_FILE`;
    const [value, file] = [source[name]?.trim(), source[path]?.trim()];
    if (value) given[name] = value;
    if (!file) continue;
    if (value) faults.push({ path, message: `cannot be set together with ${name}: remove one of them` });
    try {
      given[name] ??= readFileSync(file, 'utf8').trim();
    } catch (error) {
      faults.push({ path, message: `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})` });
    }
  }
  return { given, faults };
}

const outside = ['LENSFORGE_OUTSIDE_ISSUER', 'LENSFORGE_OUTSIDE_JWKS_URL', 'LENSFORGE_OUTSIDE_AUDIENCE'] as const;

function platformFaults(environment: PlatformEnvironment): Issue[] {
  const { PORT: port, LENSFORGE_MANAGEMENT_PORT: management } = environment;
  const sameAsPort = management !== undefined && management !== 0 && management === port;
  return [
    ...(sameAsPort ? [{ path: 'LENSFORGE_MANAGEMENT_PORT', message: 'must differ from PORT' }] : []),
    ...allOrNone(environment, outside),
    ...storeFaults(environment),
  ];
}

/** Faults of settings that are valid only together. */
export function allOrNone<E>(environment: E, names: readonly (keyof E & string)[]): Issue[] {
  const missing = names.filter((name) => environment[name] === undefined);
  if (missing.length === names.length) return [];
  return missing.map((path) => ({ path, message: `is required: set all or none of ${names.join(', ')}` }));
}

const mayHoldSecret = /(KEY|SECRET|TOKEN|PASSWORD|PASSPHRASE|_URL|_ENDPOINT|_CA)$/;

function refusedRisks(environment: PlatformEnvironment): Issue[] {
  const accepted = acceptedRisks(environment);
  const unknown = accepted.filter((name) => !isRiskName(name));
  return [
    ...unknown.map((name) => ({
      path: 'LENSFORGE_ACCEPT_RISKS',
      message: `contains ${name}, which is not a risk; the risks are ${Object.keys(risks).join(', ')}`,
    })),
    ...listRisks(environment)
      .filter((risk) => !isAccepted(environment, risk))
      .map(({ risk, path, message }) => ({
        path,
        message: `${message} (LENSFORGE_ACCEPT_RISKS=${risk} accepts the risk)`,
      })),
  ];
}

function explain(
  issues: readonly Issue[],
  fields: ReadonlyMap<string, Field>,
  given: Readonly<Record<string, string | undefined>>,
): string {
  const sorted = [...issues].sort((one, other) => one.path.localeCompare(other.path));
  const lines = sorted.map(({ path, message }) => {
    const value = given[path];
    if (value === undefined) return `  ${path} is missing: ${describeExpectation(fields.get(path))}`;
    const shown = mayHoldSecret.test(path) ? 'is not usable' : `is ${JSON.stringify(value.slice(0, 80))}`;
    return `  ${path} ${shown}: ${message.startsWith(`${path} `) ? message.slice(path.length + 1) : message}`;
  });
  return [`the configuration has ${lines.length === 1 ? 'a fault' : `${lines.length} faults`}`, ...lines].join('\n');
}

function describeExpectation(field: Field | undefined): string {
  if (!field) return 'it is required';
  if (field.description) return field.description;
  const { type, enum: values, minimum, maximum } = field.type.schema;
  if (Array.isArray(values)) return `one of ${values.join(', ')}`;
  return type === 'integer' ? `a whole number from ${String(minimum)} to ${String(maximum)}` : 'it is required';
}
