import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Overlay, hasKubectl, manifestsIn, buildYaml } from './build-overlay.js';
import { findFaults } from './check.js';
import { factsOfCode } from './code-facts.js';
import type { Facts } from './facts.js';
import { type Manifest, at, named } from './manifest.js';
import { Schemas } from './schemas.js';

const schemas = Schemas.find();
let code: Omit<Facts, 'production'>;
beforeAll(async () => {
  code = await factsOfCode();
});

/** A change that breaks one thing. */
type Defect = (all: Manifest[]) => void;

const find = (all: readonly Manifest[], name: string): Manifest => {
  const [kind = '', short = ''] = name.split(' ');
  const found =
    named(all, kind, short) ?? all.find((each) => each.kind === kind && each.metadata.name.startsWith(`${short}-`));
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};

/** Sets a member of a manifest; undefined deletes it. After a `!` the rest of the path is one name with dots. */
const set =
  (name: string, path: string, value: unknown): Defect =>
  (all) => {
    const end = path.includes('!') ? path.indexOf('!') : path.lastIndexOf('.');
    const [parent, key] = end < 0 ? ['', path] : [path.slice(0, end), path.slice(end + 1)];
    const manifest = find(all, name);
    const target = parent === '' ? manifest : at(manifest, parent);
    if (typeof target !== 'object' || target === null) throw new Error(`${name} has no ${parent}`);
    if (value === undefined) Reflect.deleteProperty(target, key);
    else Reflect.set(target, key, value);
  };

const remove =
  (name: string): Defect =>
  (all) =>
    void all.splice(all.indexOf(find(all, name)), 1);

const pod = 'spec.template.spec';
const container = `${pod}.containers.0`;
const gateway = 'Deployment api-gateway';
const worker = 'Deployment run-worker';
const scaler = 'ScaledObject run-worker';
const annotation = 'metadata.annotations!nginx.ingress.kubernetes.io/';

const bySchema: Record<string, [Defect, RegExp]> = {
  'a member with a typing error': [set(gateway, `${container}.readynessProbe`, {}), /additional properties/],
  'a number where a text must be': [set('ConfigMap settings', 'data.PORT', 8080), /must be string/],
  'a port without a number': [set(gateway, `${container}.ports.0.containerPort`, undefined), /containerPort/],
  'a value that is not in the list': [
    set(gateway, `${pod}.topologySpreadConstraints.0.whenUnsatisfiable`, 5),
    /must be string/,
  ],
  'an API version that does not exist': [
    set('HorizontalPodAutoscaler oauth', 'apiVersion', 'autoscaling/v3'),
    /not a kind/,
  ],
  'a member that KEDA does not have': [set(scaler, 'spec.fallback.replica', 3), /additional properties/],
  'a behavior that KEDA does not have': [set(scaler, 'spec.fallback.behavior', 'keep'), /allowed values/],
  'a parameter that the scaler does not have': [
    set(scaler, 'spec.triggers.1.metadata.list', 'x'),
    /list is not in the metadata/,
  ],
  'a scaler that does not exist': [set(scaler, 'spec.triggers.1.type', 'bullmq'), /bullmq is not a scaler/],
};

const byRule: Record<string, [Defect, RegExp]> = {
  'a process that may be root': [set(gateway, `${pod}.securityContext.runAsNonRoot`, undefined), /runAsNonRoot/],
  'the user 0': [set(gateway, `${pod}.securityContext.runAsUser`, 0), /runAsUser/],
  'no seccomp profile': [set(gateway, `${pod}.securityContext.seccompProfile`, undefined), /seccomp/],
  capabilities: [set(gateway, `${container}.securityContext.capabilities`, { add: ['NET_ADMIN'] }), /capabilities/],
  'privilege escalation': [
    set(gateway, `${container}.securityContext.allowPrivilegeEscalation`, undefined),
    /escalation/,
  ],
  'a privileged container': [set(gateway, `${container}.securityContext.privileged`, true), /privileged/],
  'the network of the node': [set(gateway, `${pod}.hostNetwork`, true), /namespace with its node/],
  'a folder of the node': [set(gateway, `${pod}.volumes.0`, { name: 'tmp', hostPath: { path: '/tmp' } }), /hostPath/],
  'a writable root': [set(gateway, `${container}.securityContext.readOnlyRootFilesystem`, false), /read-only/],
  'a /tmp without a limit': [set(gateway, `${pod}.volumes.0.emptyDir`, {}), /size limit/],
  'no /tmp': [set(gateway, `${container}.volumeMounts`, []), /\/tmp/],
  'the token of the service account': [set(worker, `${pod}.automountServiceAccountToken`, true), /token/],
  'the service account of another service': [set(worker, `${pod}.serviceAccountName`, 'oauth'), /not its own/],
  'a namespace without Pod Security': [
    set('Namespace lensforge', 'metadata.labels!pod-security.kubernetes.io/enforce', 'baseline'),
    /enforce/,
  ],
  'variables of Services': [set(gateway, `${pod}.enableServiceLinks`, undefined), /enableServiceLinks/],
  'a priority class that does not exist': [remove('PriorityClass lensforge-jobs'), /PriorityClass/],
  'an object in another namespace': [set('Service oauth', 'metadata.namespace', 'default'), /namespace lensforge/],

  'an image with a tag': [
    set(gateway, `${container}.image`, 'registry.example.com/lensforge/api-gateway:1.0'),
    /digest/,
  ],
  'the latest image': [set(gateway, `${container}.image`, 'lensforge/api-gateway:latest'), /latest/],
  'a shell as the first process': [
    set(gateway, `${container}.command`, ['sh', '-c', 'node /app/bundle/api-gateway.js']),
    /shell/,
  ],
  'no memory limit': [set(gateway, `${container}.resources.limits`, undefined), /memory has no limit/],
  'no CPU request': [set(gateway, `${container}.resources.requests.cpu`, undefined), /CPU is requested/],
  'a CPU limit of a gateway': [set(gateway, `${container}.resources.limits.cpu`, '1'), /CPU limit/],
  'a heap above the memory limit': [
    set(gateway, `${container}.env.0.value`, '--max-old-space-size=2048'),
    /memory limit is below/,
  ],
  'a heap without a limit': [set(gateway, `${container}.env`, []), /max-old-space-size/],
  'children that do not fit into the memory': [
    set('ConfigMap run-worker-settings', 'data.LENSFORGE_RATINGS_MEMORY_MB', '4096'),
    /memory limit is below/,
  ],

  'liveness that depends on the database': [
    set(gateway, `${container}.livenessProbe.httpGet.path`, '/ready'),
    /liveness/,
  ],
  'readiness that is liveness': [set(gateway, `${container}.readinessProbe.httpGet.path`, '/live'), /readiness/],
  'a probe on the public port': [set(gateway, `${container}.readinessProbe.httpGet.port`, 'http'), /management port/],
  'a start that may take 20 s': [set(gateway, `${container}.startupProbe.failureThreshold`, 10), /startup probe/],
  'an impatient readiness probe': [
    set(gateway, `${container}.readinessProbe.timeoutSeconds`, 1),
    /check of the database/,
  ],

  'a grace period below the drain': [
    set('ConfigMap api-gateway-settings', 'data.LENSFORGE_DRAIN_MS', '90000'),
    /grace period of 60/,
  ],
  'the usual grace period': [set(worker, `${pod}.terminationGracePeriodSeconds`, 30), /grace period is below 120/],
  'no pause before SIGTERM': [set(gateway, `${container}.lifecycle`, undefined), /preStop/],
  'a rollout that takes pods away first': [set(gateway, 'spec.strategy.rollingUpdate.maxUnavailable', 1), /rollout/],
  'no disruption budget': [remove('PodDisruptionBudget run-worker'), /has 0 disruption budgets/],
  'a budget of other pods': [
    set('PodDisruptionBudget oauth', 'spec.selector.matchLabels', { app: 'oauth' }),
    /selects no pod/,
  ],
  'a budget that holds unhealthy pods': [
    set('PodDisruptionBudget oauth', 'spec.unhealthyPodEvictionPolicy', undefined),
    /unhealthy/,
  ],
  'all pods on one node': [set(gateway, `${pod}.topologySpreadConstraints`, []), /not spread/],
  'a Service of other pods': [set('Service oauth', 'spec.selector', { app: 'oauth' }), /selects 0 workloads/],
  'a Service for a port that does not exist': [
    set('Service oauth', 'spec.ports.0.targetPort', 'web'),
    /no container has the port web/,
  ],
  'the management port in a Service': [
    set('Service oauth', 'spec.ports.0.targetPort', 'management'),
    /management port has no Service/,
  ],

  'no default deny': [remove('NetworkPolicy default-deny'), /denies everything/],
  'the internet for a gateway': [
    set('NetworkPolicy internet', 'spec.podSelector', {
      matchExpressions: [
        { key: 'app.kubernetes.io/name', operator: 'In', values: ['api-gateway', 'run-worker', 'webhook-dispatcher'] },
      ],
    }),
    /api-gateway → internet/,
  ],
  'metadata services among the internet': [
    set('NetworkPolicy internet', 'spec.egress.0.to.0.ipBlock.except', [
      '10.0.0.0/8',
      '172.16.0.0/12',
      '192.168.0.0/16',
      '100.64.0.0/10',
      '127.0.0.0/8',
    ]),
    /169\.254/,
  ],
  'every port of the internet': [set('NetworkPolicy internet', 'spec.egress.0.ports', undefined), /any port/],
  'a policy for no pod': [
    set('NetworkPolicy dns', 'spec.podSelector', { matchLabels: { app: 'lensforge' } }),
    /selects no pod/,
  ],
  'every namespace as a source': [
    set('NetworkPolicy public', 'spec.ingress.0.from.0', { namespaceSelector: {} }),
    /every namespace/,
  ],
  'everything as a source': [set('NetworkPolicy public', 'spec.ingress.0.from', undefined), /everything → api-gateway/],
  'a port name that no pod has': [
    set('NetworkPolicy metrics', 'spec.ingress.0.ports.0.port', 'metrics'),
    /port metrics/,
  ],
  'a gateway that cannot reach oauth': [remove('NetworkPolicy gateways-to-oauth'), /do not allow api-gateway → oauth/],
  'services without Redis': [remove('NetworkPolicy redis'), /an address:6379/],
  'all private networks for PostgreSQL': [
    set('NetworkPolicy postgres', 'spec.egress.0.to.0.ipBlock.cidr', '10.0.0.0/8'),
    /10\.0\.0\.0\/8:5432/,
  ],

  'a secret in plain sight': [
    set(worker, `${container}.env.0`, { name: 'LENSFORGE_OPENAI_API_KEY', value: 'sk-1' }),
    /plain sight/,
  ],
  'a password in a ConfigMap': [
    set('ConfigMap settings', 'data.LENSFORGE_OAUTH_URL', 'http://user:password@oauth:8080'),
    /is a secret/,
  ],
  'the Secret of another service': [set(gateway, `${container}.envFrom.2.secretRef.name`, 'run-worker'), /not its own/],
  'no Secret': [
    set(gateway, `${container}.envFrom.2`, { configMapRef: { name: 'nothing' } }),
    /has no Secret|does not exist/,
  ],
  'a setting that does not exist': [
    set('ConfigMap settings', 'data.LENSFORGE_LEAVES_MS', '1'),
    /LENSFORGE_LEAVES_MS is not a setting/,
  ],
  'a setting of another service': [
    set('ConfigMap api-gateway-settings', 'data.LENSFORGE_RUN_CONCURRENCY', '5'),
    /not a setting of api-gateway/,
  ],
  'a missing setting': [set('ConfigMap settings', 'data.PORT', undefined), /PORT is missing/],
  'an invalid value': [set('ConfigMap settings', 'data.LENSFORGE_MANAGEMENT_PORT', '8080'), /must differ from PORT/],
  'a public address without TLS': [
    set('ConfigMap settings', 'data.LENSFORGE_PUBLIC_API_URL', 'http://api.example.com'),
    /must start with https/,
  ],
  'a Secret among the manifests': [
    (all) =>
      void all.push({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'oauth', namespace: 'lensforge' },
        data: {},
      }),
    /a Secret is part/,
  ],

  'fixed replicas': [set(worker, 'spec.replicas', 3), /replicas are fixed/],
  'a service without a scaler': [remove('ScaledObject webhook-dispatcher'), /webhook-dispatcher: has no ScaledObject/],
  'a scaler of nothing': [set(scaler, 'spec.scaleTargetRef.name', 'worker'), /no Deployment worker/],
  'a formula with an unknown name': [
    set(scaler, 'spec.advanced.scalingModifiers.formula', 'max(wait + prioritized + active, backlog)'),
    /names wait/,
  ],
  'the maximum of several triggers': [set(scaler, 'spec.advanced.scalingModifiers', undefined), /without a formula/],
  'a sum without the jobs in progress': [
    set(scaler, 'spec.advanced.scalingModifiers.formula', 'max(waiting + prioritized, backlog)'),
    /does not name the trigger active/,
  ],
  'a list that the queue does not have': [
    set(scaler, 'spec.triggers.1.metadata.listName', 'bull:runs:wait'),
    /its lists are/,
  ],
  'no PostgreSQL beside Redis': [
    (all) => void (at(find(all, scaler), 'spec.triggers') as unknown[]).shift(),
    /names backlog/,
  ],
  'a target that is not the concurrency': [
    set('ConfigMap run-worker-settings', 'data.LENSFORGE_RUN_CONCURRENCY', '30'),
    /concurrency of a pod/,
  ],
  'no fallback': [set(scaler, 'spec.fallback', undefined), /fallback/],
  'a minimum of one': [set(scaler, 'spec.minReplicaCount', 1), /minimum is below 2/],
  'a fast way down': [
    set(scaler, 'spec.advanced.horizontalPodAutoscalerConfig.behavior.scaleDown.stabilizationWindowSeconds', 0),
    /scales down/,
  ],
  'a gateway that does not count streams': [
    set('HorizontalPodAutoscaler api-gateway', 'spec.metrics', [
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
    ]),
    /open streams/,
  ],
  'limits for another number of pods': [
    set('HorizontalPodAutoscaler oauth', 'spec.minReplicas', 4),
    /share of the limits/,
  ],
  'a trigger without credentials': [remove('TriggerAuthentication scaler-redis'), /no TriggerAuthentication/],

  'no migrations': [remove('Job migrate'), /no Job migrate/],
  'migrations with the role of services': [
    set('Job migrate', `${container}.envFrom.0.secretRef.name`, 'api-gateway'),
    /owner of the tables/,
  ],
  'migrations that never end': [set('Job migrate', 'spec.activeDeadlineSeconds', undefined), /deadline/],

  'an Ingress that buffers': [set('Ingress lensforge', `${annotation}proxy-buffering`, 'on'), /buffers/],
  'an Ingress that ends streams': [
    set('Ingress lensforge', `${annotation}proxy-read-timeout`, '60'),
    /ends event streams/,
  ],
  'an Ingress for small bodies': [set('Ingress lensforge', `${annotation}proxy-body-size`, '1m'), /refuses bodies/],
  'an Ingress without TLS': [set('Ingress lensforge', 'spec.tls', undefined), /no certificate/],
  'an Ingress to nothing': [
    set('Ingress lensforge', 'spec.rules.0.http.paths.0.backend.service.name', 'gateway'),
    /no Service gateway/,
  ],
};

const ofGatewayApi: Record<string, [Defect, RegExp]> = {
  'a route that ends streams': [set('HTTPRoute api-gateway', 'spec.rules.0.timeouts', undefined), /limits the time/],
  'a route over plain HTTP': [set('HTTPRoute api-gateway', 'spec.parentRefs.0.sectionName', 'redirect'), /plain HTTP/],
  'a route of no listener': [set('HTTPRoute oauth', 'spec.parentRefs.0.sectionName', 'identity'), /listener identity/],
  'a listener without a certificate': [set('Gateway lensforge', 'spec.listeners.1.tls', undefined), /no certificate/],
};

const ofTrial: Record<string, [Defect, RegExp]> = {
  'the key of BYOK keys in a gateway': [
    set('Secret api-gateway', 'data.LENSFORGE_BYOK_MASTER_KEY', 'eA=='),
    /LENSFORGE_BYOK_MASTER_KEY is not a setting/,
  ],
  'a Secret that does not exist': [remove('Secret oauth'), /the Secret oauth.* does not exist/],
  'a store that everything reaches': [
    set('NetworkPolicy valkey', 'spec.ingress.0.from.0', { podSelector: {} }),
    /do not allow/,
  ],
};

const withKubectl = hasKubectl() ? describe : describe.skip;

withKubectl('the checker', () => {
  const good = new Map<Overlay, string>();
  const broken = (overlay: Overlay, defect: Defect): string[] => {
    if (!good.has(overlay)) good.set(overlay, buildYaml(overlay));
    const all = manifestsIn(good.get(overlay) ?? '');
    defect(all);
    return findFaults(all, { ...code, production: overlay !== 'dev' }, schemas);
  };
  const matching = (pattern: RegExp): unknown => expect.arrayContaining([expect.stringMatching(pattern)]);

  it.each(Object.entries(byRule))('refuses %s', (_, [defect, pattern]) => {
    expect(broken('production', defect)).toEqual(matching(pattern));
  });

  it.each(Object.entries(ofGatewayApi))('refuses %s', (_, [defect, pattern]) => {
    expect(broken('high-availability', defect)).toEqual(matching(pattern));
  });

  it.each(Object.entries(ofTrial))('refuses %s', (_, [defect, pattern]) => {
    expect(broken('dev', defect)).toEqual(matching(pattern));
  });

  (schemas ? it.each(Object.entries(bySchema)) : it.skip.each(Object.entries(bySchema)))(
    'refuses %s',
    (_, [defect, pattern]) => {
      expect(broken('production', defect)).toEqual(matching(pattern));
    },
  );
});
