import type { Facts } from './facts.js';
import type { Manifest } from './manifest.js';
import { ingressRules } from './rules/ingress.js';
import { networkRules } from './rules/network.js';
import { podRules } from './rules/pods.js';
import { rolloutRules } from './rules/rollout.js';
import { scalingRules } from './rules/scaling.js';
import { settingRules } from './rules/settings.js';
import type { Schemas } from './schemas.js';

/** Sentences about faults of an overlay; none for a good one. */
export const findFaults = (all: readonly Manifest[], facts: Facts, schemas: Schemas | undefined): string[] => [
  ...duplicates(all),
  ...(schemas ? all.flatMap((each) => schemas.findSchemaFaults(each)) : []),
  ...podRules(all, facts),
  ...rolloutRules(all),
  ...networkRules(all, facts),
  ...settingRules(all, facts),
  ...scalingRules(all, facts),
  ...ingressRules(all, facts),
];

function duplicates(all: readonly Manifest[]): string[] {
  const names = all.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  return names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${name} exists twice`);
}
