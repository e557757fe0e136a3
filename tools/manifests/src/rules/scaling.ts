import { type Facts, gateways, workers } from '../facts.js';
import {
  type Manifest,
  at,
  listAt,
  membersAt,
  toManifestName,
  named,
  numberAt,
  ofKind,
  textAt,
  listWorkloads,
} from '../manifest.js';
import { plainSettings } from '../settings-of.js';

/** Scalers: each service has one in production, whose triggers measure what its pods work on. */
export const scalingRules = (all: readonly Manifest[], facts: Facts): string[] => [
  ...(facts.production ? ownershipFaults(all) : []),
  ...ofKind(all, 'ScaledObject').flatMap((each) => [...scaledObjectFaults(all, each), ...triggerFaults(each, facts)]),
  ...ofKind(all, 'HorizontalPodAutoscaler').flatMap((each) => autoscalerFaults(all, each)),
];

const getTarget = (scaler: Manifest): string => textAt(scaler, 'spec.scaleTargetRef.name');

function ownershipFaults(all: readonly Manifest[]): string[] {
  const faults: string[] = [];
  for (const [kind, apps] of [
    ['ScaledObject', workers],
    ['HorizontalPodAutoscaler', gateways],
  ] as const) {
    for (const app of apps)
      if (!ofKind(all, kind).some((each) => getTarget(each) === app)) faults.push(`Deployment ${app}: has no ${kind}`);
  }
  const scalers = ofKind(all, 'ScaledObject', 'HorizontalPodAutoscaler');
  for (const scaler of scalers) {
    const target = named(all, 'Deployment', getTarget(scaler));
    if (!target) faults.push(`${toManifestName(scaler)}: there is no Deployment ${getTarget(scaler)}`);
    else if (target['spec'] !== undefined && at(target, 'spec.replicas') !== undefined)
      faults.push(`${toManifestName(target)}: replicas are fixed, and each apply would undo its scaler`);
    if (scalers.some((other) => other !== scaler && getTarget(other) === getTarget(scaler)))
      faults.push(`${toManifestName(scaler)}: ${getTarget(scaler)} has two scalers`);
  }
  return faults;
}

function readSettings(all: readonly Manifest[], app: string): Record<string, string> {
  const workload = listWorkloads(all).find((each) => each.manifest.kind === 'Deployment' && each.app === app);
  return workload ? plainSettings(all, workload) : {};
}

function scaledObjectFaults(all: readonly Manifest[], scaler: Manifest): string[] {
  const spec = membersAt(scaler, 'spec');
  const [least, most] = [numberAt(spec, 'minReplicaCount', 0), numberAt(spec, 'maxReplicaCount', 100)];
  const safe = numberAt(spec, 'fallback.replicas', 0);
  const settings = readSettings(all, getTarget(scaler));
  const targets = [
    textAt(spec, 'advanced.scalingModifiers.target'),
    ...listAt(spec, 'triggers').flatMap((each) =>
      Object.entries(membersAt(each, 'metadata'))
        .filter(([key]) => /^(listLength|targetQueryValue)$/.test(key))
        .map(([, value]) => String(value)),
    ),
  ].filter((each) => each !== '');
  const concurrency = [
    'LENSFORGE_RUN_CONCURRENCY',
    'LENSFORGE_NODE_CONCURRENCY',
    'LENSFORGE_WEBHOOK_CONCURRENCY',
  ].flatMap((name) => settings[name] ?? []);
  const down = membersAt(spec, 'advanced.horizontalPodAutoscalerConfig.behavior.scaleDown');
  return [
    ...(least >= 2 ? [] : ['its minimum is below 2']),
    ...(most > least ? [] : ['its maximum is not above its minimum']),
    ...(numberAt(spec, 'pollingInterval', 30) <= 5 ? [] : ['it looks less often than every 5 s']),
    ...(numberAt(spec, 'fallback.failureThreshold', 0) > 0 && safe >= least && safe <= most
      ? []
      : ['it has no fallback between its minimum and maximum']),
    ...(textAt(spec, 'fallback.behavior') === 'currentReplicasIfHigher'
      ? []
      : ['its fallback may take pods away during an outage']),
    ...(numberAt(down, 'stabilizationWindowSeconds', 0) >= 300 ? [] : ['it scales down within 300 s']),
    ...(concurrency.length > 0 && targets.every((each) => concurrency.every((other) => each === other))
      ? []
      : [`its targets are ${targets.join()}, the concurrency of a pod is ${concurrency.join()}`]),
  ]
    .map((fault) => `${toManifestName(scaler)}: ${fault}`)
    .concat(authenticationFaults(all, scaler));
}

function authenticationFaults(all: readonly Manifest[], scaler: Manifest): string[] {
  return listAt(scaler, 'spec.triggers').flatMap((trigger) => {
    const authentication = named(all, 'TriggerAuthentication', textAt(trigger, 'authenticationRef.name'));
    if (!authentication)
      return [`${toManifestName(scaler)}: the trigger ${textAt(trigger, 'name')} has no TriggerAuthentication`];
    const given = listAt(authentication, 'spec.secretTargetRef');
    const needed = textAt(trigger, 'type') === 'redis' ? ['address', 'username', 'password'] : ['connection'];
    return [
      ...needed
        .filter((each) => !given.some((other) => textAt(other, 'parameter') === each))
        .map((each) => `${toManifestName(authentication)}: has no parameter ${each}`),
      ...given
        .filter((each) => textAt(each, 'name') !== 'scaler')
        .map((each) => `${toManifestName(authentication)}: KEDA reads the Secret ${textAt(each, 'name')}`),
    ];
  });
}

/** The formula names every trigger, and each list is a key of the queue of runs. */
function triggerFaults(scaler: Manifest, { queueKeys }: Facts): string[] {
  const triggers = listAt(scaler, 'spec.triggers');
  const names = triggers.map((each) => textAt(each, 'name'));
  const formula = textAt(scaler, 'spec.advanced.scalingModifiers.formula');
  const inFormula = formula.match(/[a-z_]+/g)?.filter((each) => each !== 'max') ?? [];
  const faults = [
    ...inFormula
      .filter((each) => !names.includes(each))
      .map((each) => `its formula names ${each}, which is not a trigger`),
    ...(formula === '' && names.length > 1 ? ['several triggers without a formula give their maximum'] : []),
    ...(formula === ''
      ? []
      : names
          .filter((each) => !inFormula.includes(each))
          .map((each) => `its formula does not name the trigger ${each}`)),
  ];
  if (getTarget(scaler) === 'run-worker') {
    const lists = triggers
      .filter((each) => textAt(each, 'type') === 'redis')
      .map((each) => [textAt(each, 'name'), textAt(each, 'metadata.listName')]);
    const expected = Object.entries(queueKeys);
    const [found, wanted] = [lists, expected].map((pairs) =>
      pairs
        .map((pair) => pair.join(' '))
        .sort()
        .join(', '),
    );
    if (found !== wanted) faults.push(`its lists are ${found}, the queue has ${wanted}`);
    if (formula.replace(/\s/g, '') !== 'max(waiting+prioritized+active,backlog)')
      faults.push(`its formula is ${formula}`);
  } else if (!textAt(triggers[0], 'metadata.query').includes('webhook_deliveries')) {
    faults.push('it does not count due deliveries');
  }
  return faults.map((fault) => `${toManifestName(scaler)}: ${fault}`);
}

function autoscalerFaults(all: readonly Manifest[], scaler: Manifest): string[] {
  const [least, most] = [numberAt(scaler, 'spec.minReplicas', 1), numberAt(scaler, 'spec.maxReplicas', 0)];
  const app = getTarget(scaler);
  const metrics = listAt(scaler, 'spec.metrics').map(
    (each) => textAt(each, 'resource.name') || textAt(each, 'pods.metric.name'),
  );
  const shares = readSettings(all, app)[`LENSFORGE_REPLICAS_${app.toUpperCase().replaceAll('-', '_')}`];
  return [
    ...(least >= 2 ? [] : ['its minimum is below 2']),
    ...(most > least ? [] : ['its maximum is not above its minimum']),
    ...(metrics.includes('cpu') ? [] : ['it does not measure CPU']),
    ...(app !== 'api-gateway' || metrics.includes('lensforge_event_stream_readers')
      ? []
      : ['it does not measure open streams']),
    ...(shares === String(least)
      ? []
      : [`its minimum is ${least}, and without Redis each of ${shares ?? '?'} pods grants its share of the limits`]),
  ].map((fault) => `${toManifestName(scaler)}: ${fault}`);
}
