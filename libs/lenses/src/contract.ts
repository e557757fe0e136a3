import type { Issue } from '@lensforge/contracts';
import { badInputs, newId } from '@lensforge/core';
import { inc } from 'semver';
import type { LensParam } from './template.js';
import { paramKey, templateParams } from './template.js';

/** A parameter as a caller says it, without its id. */
export interface ParamRequest {
  label: string;
  optional: boolean;
}

export interface ContractChange {
  added: ParamRequest[];
  removed: ParamRequest[];
  /** Required before and optional now, or the other way round. */
  changed: { label: string; optional: boolean }[];
  bump: 'major' | 'minor' | 'patch';
}

/** What the change of parameters means to those who fill them in. */
export function contractChange(before: readonly ParamRequest[], after: readonly ParamRequest[]): ContractChange {
  const old = byKey(before);
  const now = byKey(after);
  const added = after.filter(({ label }) => !old.has(paramKey(label))).map(wish);
  const removed = before.filter(({ label }) => !now.has(paramKey(label))).map(wish);
  const changed = after
    .filter(({ label, optional }) => (old.get(paramKey(label))?.optional ?? optional) !== optional)
    .map(wish);
  const breaks = removed.length > 0 || [...added, ...changed].some(({ optional }) => !optional);
  const widens = added.length > 0 || changed.length > 0;
  return { added, removed, changed, bump: breaks ? 'major' : widens ? 'minor' : 'patch' };
}

const wish = ({ label, optional }: ParamRequest): ParamRequest => ({ label, optional });
const byKey = <P extends ParamRequest>(params: readonly P[]): Map<string, P> =>
  new Map(params.map((param) => [paramKey(param.label), param]));

/** The parameters of a text; one that had the same label before keeps its id. */
export function paramsOf(templateBody: string, before: readonly LensParam[] = []): LensParam[] {
  const known = byKey(before);
  return templateParams(templateBody).map((param) => ({
    id: known.get(paramKey(param.label))?.id ?? newId(),
    ...param,
  }));
}

export function nextSemver(semver: string, { bump }: Pick<ContractChange, 'bump'>): string {
  const next = inc(semver, bump);
  if (next === null) throw new Error(`version ${semver} is none`);
  return next;
}

/** In words, for a version that came without any. */
export function describeChange({ added, removed, changed }: ContractChange): string {
  const named = (verb: string, params: readonly ParamRequest[]) =>
    params.length > 0
      ? [`${verb} ${params.map(({ label, optional }) => `${label}${optional ? ' (optional)' : ''}`).join(', ')}`]
      : [];
  const parts = [
    ...named('added', added),
    ...named('removed', removed),
    ...changed.map(({ label, optional }) => `${label} is ${optional ? 'optional' : 'required'} now`),
  ];
  const said = parts.length > 0 ? `Parameters: ${parts.join('; ')}` : 'Text changed';
  return said.length > 500 ? `${said.slice(0, 499)}…` : said;
}

/** Parameters that a caller says beside a template have to be those that it has. */
export function refuseOtherParams(templateBody: string, said: readonly ParamRequest[] | undefined): void {
  if (!said) return;
  const found = byKey(templateParams(templateBody));
  const issues: Issue[] = [];
  const seen = new Set<string>();
  const refuse = (message: string): void => void issues.push({ path: 'params', message });
  for (const { label, optional } of said) {
    const key = paramKey(label);
    const inTemplate = found.get(key);
    if (seen.has(key)) refuse(`names ${label} twice`);
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
