import type { Issue, LensSettings } from '@lensforge/contracts';
import { badInputs, newId } from '@lensforge/core';
import { inc } from 'semver';
import { type LensParam, type Template, paramKey, templateParams } from './template.js';

/** A parameter as a caller writes it, without its id. */
export interface ParamRequest {
  label: string;
  optional: boolean;
}

export interface ContractChange {
  added: ParamRequest[];
  removed: ParamRequest[];
  /** Required before and optional now, or the other way round. */
  changed: { label: string; optional: boolean }[];
  bump: Bump;
}

const bumps = ['major', 'minor', 'patch'] as const;
export type Bump = (typeof bumps)[number];

export const higherBump = (...of: readonly Bump[]): Bump => bumps.find((bump) => of.includes(bump)) ?? 'patch';

/** The difference of two parameter lists, and the version bump that it requires. */
export function contractChange(before: readonly ParamRequest[], after: readonly ParamRequest[]): ContractChange {
  const old = byKey(before);
  const now = byKey(after);
  const added = after.filter(({ label }) => !old.has(paramKey(label))).map(toRequest);
  const removed = before.filter(({ label }) => !now.has(paramKey(label))).map(toRequest);
  const changed = after
    .filter(({ label, optional }) => (old.get(paramKey(label))?.optional ?? optional) !== optional)
    .map(toRequest);
  const breaks = removed.length > 0 || [...added, ...changed].some(({ optional }) => !optional);
  const widens = added.length > 0 || changed.length > 0;
  return { added, removed, changed, bump: breaks ? 'major' : widens ? 'minor' : 'patch' };
}

const toRequest = ({ label, optional }: ParamRequest): ParamRequest => ({ label, optional });
const byKey = <P extends ParamRequest>(params: readonly P[]): Map<string, P> =>
  new Map(params.map((param) => [paramKey(param.label), param]));

/** The parameters of a template; a parameter keeps the id that its label had before, and one with a default is optional. */
export function deriveParams(
  template: Template,
  before: readonly LensParam[] = [],
  settings: LensSettings | null = null,
): LensParam[] {
  const known = byKey(before);
  const withDefault = new Set(
    (settings?.params ?? []).flatMap(({ label, default: value }) => (value === undefined ? [] : [paramKey(label)])),
  );
  return templateParams(template).map(({ label, optional }) => ({
    id: known.get(paramKey(label))?.id ?? newId(),
    label,
    optional: optional || withDefault.has(paramKey(label)),
  }));
}

export function nextSemver(semver: string, bump: Bump): string {
  const next = inc(semver, bump);
  if (next === null) throw new Error(`${semver} is not a version number`);
  return next;
}

/** A changelog entry for a version that came without one. */
export function describeChange(
  { added, removed, changed }: Omit<ContractChange, 'bump'>,
  settings: readonly string[] = [],
): string {
  const named = (verb: string, params: readonly ParamRequest[]) =>
    params.length > 0
      ? [`${verb} ${params.map(({ label, optional }) => `${label}${optional ? ' (optional)' : ''}`).join(', ')}`]
      : [];
  const parts = [
    ...named('added', added),
    ...named('removed', removed),
    ...changed.map(({ label, optional }) => `${label} is ${optional ? 'optional' : 'required'} now`),
  ];
  const lines = [
    ...(parts.length > 0 ? [`Parameters: ${parts.join('; ')}`] : []),
    ...(settings.length > 0 ? [`Settings: ${settings.join(', ')}`] : []),
  ];
  const given = lines.length > 0 ? lines.join('\n') : 'Text changed';
  return given.length > 500 ? `${given.slice(0, 499)}…` : given;
}

/** Refuses parameters that differ from those of the template. */
export function requireSameParams(derived: readonly LensParam[], given: readonly ParamRequest[] | undefined): void {
  if (!given) return;
  const found = byKey(derived);
  const issues: Issue[] = [];
  const seen = new Set<string>();
  const refuse = (message: string): void => void issues.push({ path: 'params', message });
  for (const { label, optional } of given) {
    const key = paramKey(label);
    const inTemplate = found.get(key);
    if (seen.has(key)) refuse(`lists ${label} twice`);
    else if (!inTemplate) refuse(`${label} is not in the template: write [[${label}${optional ? '!' : ''}]] there`);
    else if (inTemplate.optional !== optional) {
      refuse(
        `${label} is ${inTemplate.optional ? 'optional' : 'required'} in the template: give it optional: ${inTemplate.optional}`,
      );
    }
    seen.add(key);
  }
  for (const { label } of found.values()) {
    if (!seen.has(paramKey(label))) refuse(`lacks ${label}, which is in the template`);
  }
  if (issues.length > 0) throw badInputs(issues);
}
