import { gateways } from '../facts.js';
import {
  type Manifest,
  type Workload,
  at,
  isMembers,
  listAt,
  membersAt,
  named,
  numberAt,
  ofKind,
  selects,
  textAt,
  listWorkloads,
} from '../manifest.js';
import { plainSettings, withoutHash } from '../settings-of.js';

/** Time between the last hook of a process and the end of its grace period. */
const reserveSeconds = 5;
const graceOf: Readonly<Record<string, number>> = { 'run-worker': 120, 'webhook-dispatcher': 45 };

/** Rollouts without lost requests: surge, grace periods, budgets, spread, Services. */
export const rolloutRules = (all: readonly Manifest[]): string[] => [
  ...listWorkloads(all)
    .filter(({ manifest }) => manifest.kind === 'Deployment')
    .flatMap((workload) => [
      ...deploymentFaults(workload),
      ...graceFaults(all, workload),
      ...budgetFaults(all, workload),
    ]),
  ...selectorFaults(all),
  ...migrationFaults(all),
];

function deploymentFaults({ name, manifest, labels, pod }: Workload): string[] {
  const rolling = membersAt(manifest, 'spec.strategy.rollingUpdate');
  const keys = listAt(pod, 'topologySpreadConstraints')
    .filter((each) => selects(at(each, 'labelSelector'), labels))
    .map((each) => textAt(each, 'topologyKey'));
  return [
    ...(rolling['maxUnavailable'] === 0 && rolling['maxSurge'] === 1
      ? []
      : ['a rollout takes pods away before new ones are ready']),
    ...(numberAt(manifest, 'spec.minReadySeconds', 0) >= 5 ? [] : ['minReadySeconds is below 5']),
    ...['kubernetes.io/hostname', 'topology.kubernetes.io/zone']
      .filter((key) => !keys.includes(key))
      .map((key) => `its pods are not spread over ${key}`),
  ].map((fault) => `${name}: ${fault}`);
}

function graceFaults(all: readonly Manifest[], workload: Workload): string[] {
  const { name, app, pod, containers } = workload;
  const settings = plainSettings(all, workload);
  const isGateway = gateways.some((each) => each === app);
  const sleep = Math.min(...containers.map((each) => numberAt(each, 'lifecycle.preStop.sleep.seconds', 0)));
  const leave = isGateway ? Number(settings['LENSFORGE_LEAVE_MS'] ?? 2000) : 0;
  const drain = Number(settings['LENSFORGE_DRAIN_MS'] ?? 25_000);
  const needed = sleep + (leave + drain) / 1000 + reserveSeconds;
  const grace = numberAt(pod, 'terminationGracePeriodSeconds', 30);
  return [
    ...(sleep >= 5 ? [] : [`${name}: no preStop sleep of 5 s, in which load balancers notice`]),
    ...(grace >= needed
      ? []
      : [`${name}: the grace period of ${grace} s is below ${needed} s: preStop, leave and drain`]),
    ...(grace >= (graceOf[app] ?? 60) ? [] : [`${name}: the grace period is below ${graceOf[app] ?? 60} s`]),
  ];
}

function budgetFaults(all: readonly Manifest[], { name, labels }: Workload): string[] {
  const budgets = ofKind(all, 'PodDisruptionBudget').filter((each) => selects(at(each, 'spec.selector'), labels));
  const [budget] = budgets;
  if (!budget || budgets.length > 1) return [`${name}: has ${budgets.length} disruption budgets`];
  return [
    ...(at(budget, 'spec.maxUnavailable') === 1
      ? []
      : [`${name}: its disruption budget does not allow exactly one pod`]),
    ...(textAt(budget, 'spec.unhealthyPodEvictionPolicy') === 'AlwaysAllow'
      ? []
      : [`${name}: its disruption budget keeps unhealthy pods on a node`]),
  ];
}

/** Selectors of workloads, budgets and Services, and the ports of Services. */
function selectorFaults(all: readonly Manifest[]): string[] {
  const workloads = listWorkloads(all);
  const faults: string[] = [];
  for (const { name, manifest, labels } of workloads) {
    if (manifest.kind === 'Job') continue;
    if (!selects(at(manifest, 'spec.selector'), labels)) faults.push(`${name}: its selector does not match its pods`);
  }
  for (const budget of ofKind(all, 'PodDisruptionBudget')) {
    if (!workloads.some(({ labels }) => selects(at(budget, 'spec.selector'), labels)))
      faults.push(`PodDisruptionBudget ${budget.metadata.name}: selects no pod`);
  }
  for (const service of ofKind(all, 'Service').filter((each) => !isScraped(all, each))) {
    const found = workloads.filter(({ labels }) => selects({ matchLabels: at(service, 'spec.selector') }, labels));
    if (found.length !== 1) faults.push(`Service ${service.metadata.name}: selects ${found.length} workloads`);
    const ports = found.flatMap(({ containers }) =>
      containers.flatMap((each) => listAt(each, 'ports').map((port) => textAt(port, 'name'))),
    );
    for (const port of listAt(service, 'spec.ports')) {
      const target = textAt(port, 'targetPort');
      if (!ports.includes(target)) faults.push(`Service ${service.metadata.name}: no container has the port ${target}`);
      if (target === 'management') faults.push(`Service ${service.metadata.name}: the management port has no Service`);
    }
  }
  return faults;
}

function migrationFaults(all: readonly Manifest[]): string[] {
  const job = named(all, 'Job', 'migrate');
  if (!job) return ['there is no Job migrate'];
  const [container] = listAt(job, 'spec.template.spec.containers').filter(isMembers);
  const secrets = listAt(container, 'envFrom').map((each) => withoutHash(textAt(each, 'secretRef.name')));
  return [
    ...(numberAt(job, 'spec.backoffLimit', 0) > 0 ? [] : ['has no backoffLimit']),
    ...(numberAt(job, 'spec.activeDeadlineSeconds', 0) > 0 ? [] : ['has no deadline']),
    ...(secrets.join() === 'migrate' ? [] : ['does not have the Secret of the owner of the tables, and that alone']),
    ...(listAt(container, 'command').includes('--app-role') ? [] : ['grants no role to the services']),
  ].map((fault) => `Job migrate: ${fault}`);
}

/** True for a headless Service of management ports that only a ServiceMonitor uses. */
const isScraped = (all: readonly Manifest[], service: Manifest): boolean =>
  textAt(service, 'spec.clusterIP') === 'None' &&
  listAt(service, 'spec.ports').every((port) => textAt(port, 'targetPort') === 'management') &&
  ofKind(all, 'ServiceMonitor').some((monitor) => selects(at(monitor, 'spec.selector'), service.metadata.labels ?? {}));
