import { evaluateFormula } from './formula.js';
import { type Manifest, listAt, named, numberAt, textAt } from './manifest.js';

export interface ScalingPolicy {
  type: 'Percent' | 'Pods';
  value: number;
  periodSeconds: number;
}

export interface ScalingRules {
  windowSeconds: number;
  policies: readonly ScalingPolicy[];
}

/** The parts of a ScaledObject with a formula that decide on the number of replicas. */
export interface Scaler {
  min: number;
  max: number;
  formula: string;
  /** The average value for each replica. */
  target: number;
  fallback: { failures: number; replicas: number };
  up: ScalingRules;
  down: ScalingRules;
  /** By name of the trigger: the query on PostgreSQL. */
  queries: Readonly<Record<string, string>>;
  /** By name of the trigger: the key in Redis. */
  lists: Readonly<Record<string, string>>;
}

const toPolicy = (policy: unknown): ScalingPolicy => {
  const type = textAt(policy, 'type');
  if (type !== 'Percent' && type !== 'Pods') throw new Error(`a scaling policy has the unknown type "${type}"`);
  return { type, value: numberAt(policy, 'value'), periodSeconds: numberAt(policy, 'periodSeconds') };
};

/** Reads the ScaledObject `name` from rendered manifests. */
export function readScaler(all: readonly Manifest[], name: string): Scaler {
  const manifest = named(all, 'ScaledObject', name);
  if (!manifest) throw new Error(`the manifests have no ScaledObject ${name}`);
  const modifiers = 'spec.advanced.scalingModifiers';
  const formula = textAt(manifest, `${modifiers}.formula`);
  const metricType = textAt(manifest, `${modifiers}.metricType`);
  const behavior = textAt(manifest, 'spec.fallback.behavior');
  if (formula === '' || metricType !== 'AverageValue' || behavior !== 'currentReplicasIfHigher') {
    throw new Error(
      `the ScaledObject ${name} needs a formula, metricType AverageValue and a fallback currentReplicasIfHigher; ` +
        `it has "${formula}", "${metricType}" and "${behavior}"`,
    );
  }
  const readRules = (direction: string): ScalingRules => {
    const path = `spec.advanced.horizontalPodAutoscalerConfig.behavior.${direction}`;
    return {
      windowSeconds: numberAt(manifest, `${path}.stabilizationWindowSeconds`),
      policies: listAt(manifest, `${path}.policies`).map(toPolicy),
    };
  };
  const triggers = listAt(manifest, 'spec.triggers');
  const readMetadata = (type: string, member: string): Record<string, string> =>
    Object.fromEntries(
      triggers
        .filter((each) => textAt(each, 'type') === type)
        .map((each) => [textAt(each, 'name'), textAt(each, `metadata.${member}`)]),
    );
  return {
    min: numberAt(manifest, 'spec.minReplicaCount'),
    max: numberAt(manifest, 'spec.maxReplicaCount'),
    formula,
    target: Number(textAt(manifest, `${modifiers}.target`)),
    fallback: {
      failures: numberAt(manifest, 'spec.fallback.failureThreshold'),
      replicas: numberAt(manifest, 'spec.fallback.replicas'),
    },
    up: readRules('scaleUp'),
    down: readRules('scaleDown'),
    queries: readMetadata('postgresql', 'query'),
    lists: readMetadata('redis', 'listName'),
  };
}

/** One evaluation of the HorizontalPodAutoscaler. */
export interface Evaluation {
  /** Seconds on any clock. */
  at: number;
  /** The replicas that the metric asked for, before stabilization and limits. */
  recommended: number;
  /** The replicas that were set. */
  replicas: number;
  /** Consecutive failures to read the metric. */
  failures: number;
}

/** The first evaluation: the replicas that are there. */
export const firstEvaluation = (at: number, replicas: number): Evaluation => ({
  at,
  recommended: replicas,
  replicas,
  failures: 0,
});

/** The default of `--horizontal-pod-autoscaler-tolerance`. */
const tolerance = 0.1;

/** The replicas for a value of the formula; the current ones when it is within the tolerance of the target. */
function recommend(scaler: Scaler, current: number, value: number): number {
  if (Math.abs(value / (scaler.target * current) - 1) <= tolerance) return current;
  return Math.ceil(value / scaler.target);
}

/** The sum of changes in one direction within the period that ends at `at`. */
function changesSince(history: readonly Evaluation[], after: number): { added: number; removed: number } {
  let [added, removed] = [0, 0];
  history.forEach(({ at, replicas }, index) => {
    const change = replicas - (history[index - 1]?.replicas ?? replicas);
    if (at <= after) return;
    if (change > 0) added += change;
    else removed -= change;
  });
  return { added, removed };
}

function computeLimit(rules: ScalingRules, direction: 1 | -1, history: readonly Evaluation[], at: number): number {
  const current = history.at(-1)?.replicas ?? 0;
  const limits = rules.policies.map(({ type, value, periodSeconds }) => {
    const { added, removed } = changesSince(history, at - periodSeconds);
    const before = current - added + removed;
    if (type === 'Pods') return before + direction * value;
    const changed = before * (1 + (direction * value) / 100);
    return direction > 0 ? Math.ceil(changed) : Math.trunc(changed);
  });
  // `selectPolicy` is Max by default: the policy with the greatest change.
  return direction > 0 ? Math.max(...limits) : Math.min(...limits);
}

/**
 * The next evaluation as KEDA and the HorizontalPodAutoscaler make it: the formula, its fallback, rounding with the tolerance,
 * stabilization windows, rates and bounds. `values` is undefined when a trigger could not be read.
 */
export function evaluate(
  scaler: Scaler,
  history: readonly Evaluation[],
  at: number,
  values: Readonly<Record<string, number>> | undefined,
): Evaluation {
  const last = history.at(-1);
  if (!last) throw new Error('the history needs a first evaluation');
  const current = last.replicas;
  const failures = values ? 0 : last.failures + 1;
  if (!values && failures <= scaler.fallback.failures) return { at, recommended: current, replicas: current, failures };

  const recommended = values
    ? recommend(scaler, current, evaluateFormula(scaler.formula, values))
    : Math.max(current, scaler.fallback.replicas);
  const within = (seconds: number): number[] =>
    history.filter((each) => each.at > at - seconds).map((each) => each.recommended);
  const lowest = Math.min(recommended, ...within(scaler.up.windowSeconds));
  const highest = Math.max(recommended, ...within(scaler.down.windowSeconds));
  const stabilized = Math.min(Math.max(current, lowest), highest);

  const replicas =
    stabilized > current
      ? Math.min(stabilized, Math.max(current, computeLimit(scaler.up, 1, history, at)), scaler.max)
      : Math.max(stabilized, Math.min(current, computeLimit(scaler.down, -1, history, at)), scaler.min);
  return { at, recommended, replicas, failures };
}
