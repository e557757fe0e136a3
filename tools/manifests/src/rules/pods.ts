import { type Facts, gateways } from '../facts.js';
import {
  type Manifest,
  type Members,
  type Workload,
  at,
  parseBytes,
  isMembers,
  listAt,
  membersAt,
  named,
  numberAt,
  ofKind,
  textAt,
  textsAt,
  listWorkloads,
} from '../manifest.js';
import { plainSettings } from '../settings-of.js';

type Check = readonly [isFine: boolean, fault: string];

const faultsIn = (name: string, checks: readonly Check[]): string[] =>
  checks.filter(([isFine]) => !isFine).map(([, fault]) => `${name}: ${fault}`);

/** Pod Security restricted and more, images, resources and probes. */
export const podRules = (all: readonly Manifest[], facts: Facts): string[] => [
  ...ofKind(all, 'Namespace').flatMap(namespaceRules),
  ...(named(all, 'Namespace', 'lensforge') ? [] : ['there is no Namespace lensforge']),
  ...all
    .filter(({ kind, metadata }) => !clusterScoped.includes(kind) && metadata.namespace !== 'lensforge')
    .map(({ kind, metadata }) => `${kind} ${metadata.name}: is not in the namespace lensforge`),
  ...listWorkloads(all).flatMap((workload) => [
    ...podFaults(all, workload),
    ...workload.containers.flatMap((container) => [
      ...containerFaults(workload, container),
      ...imageFaults(workload, container, facts),
      ...resourceFaults(all, workload, container),
      ...(workload.manifest.kind === 'Job' ? [] : probeFaults(workload, container)),
    ]),
  ]),
];

const clusterScoped = ['Namespace', 'PriorityClass'];

const namespaceRules = ({ metadata: { name, labels = {} } }: Manifest): string[] =>
  ['enforce', 'warn', 'audit']
    .filter((mode) => labels[`pod-security.kubernetes.io/${mode}`] !== 'restricted')
    .map((mode) => `Namespace ${name}: pod-security.kubernetes.io/${mode} is not restricted`);

const allowedVolumes = ['configMap', 'emptyDir', 'persistentVolumeClaim', 'secret'];

function podFaults(all: readonly Manifest[], { name, pod, manifest }: Workload): string[] {
  const context = membersAt(pod, 'securityContext');
  const account = named(all, 'ServiceAccount', textAt(pod, 'serviceAccountName'));
  const volumes = listAt(pod, 'volumes').filter(isMembers);
  return faultsIn(name, [
    [context['runAsNonRoot'] === true, 'runAsNonRoot is not true'],
    [numberAt(context, 'runAsUser') >= 100, 'runAsUser is not a number above 99'],
    [textAt(context, 'seccompProfile.type') === 'RuntimeDefault', 'the seccomp profile is not RuntimeDefault'],
    [['hostNetwork', 'hostPID', 'hostIPC'].every((key) => !pod[key]), 'it shares a namespace with its node'],
    [pod['automountServiceAccountToken'] === false, 'the token of the service account is mounted'],
    [account?.['automountServiceAccountToken'] === false, 'it has no ServiceAccount without a token'],
    [textAt(pod, 'serviceAccountName') === manifest.metadata.name, 'its ServiceAccount is not its own'],
    [pod['enableServiceLinks'] === false, 'enableServiceLinks is not false'],
    [named(all, 'PriorityClass', textAt(pod, 'priorityClassName')) !== undefined, 'its PriorityClass does not exist'],
    ...volumes.map((volume): Check => {
      const kinds = Object.keys(volume).filter((key) => key !== 'name');
      return [
        kinds.every((kind) => allowedVolumes.includes(kind)),
        `the volume ${textAt(volume, 'name')} is a ${kinds.join()}`,
      ];
    }),
    ...volumes
      .filter((volume) => isMembers(volume['emptyDir']))
      .map((volume): Check => [
        textAt(volume, 'emptyDir.sizeLimit') !== '',
        `the volume ${textAt(volume, 'name')} has no size limit`,
      ]),
  ]);
}

function containerFaults({ name, pod, manifest }: Workload, container: Members): string[] {
  const context = membersAt(container, 'securityContext');
  const volumes = [
    ...listAt(pod, 'volumes'),
    ...listAt(manifest, 'spec.volumeClaimTemplates').map((each) => at(each, 'metadata')),
  ];
  const names = volumes.map((volume) => textAt(volume, 'name'));
  const command = textsAt(container, 'command');
  return faultsIn(name, [
    [context['allowPrivilegeEscalation'] === false, 'privilege escalation is not refused'],
    [context['privileged'] !== true, 'a container is privileged'],
    [context['readOnlyRootFilesystem'] === true, 'the root file system is not read-only'],
    [textsAt(context, 'capabilities.drop').includes('ALL'), 'not all capabilities are dropped'],
    [listAt(context, 'capabilities.add').length === 0, 'a capability is added'],
    [context['runAsUser'] !== 0 && context['runAsNonRoot'] !== false, 'a container may run as root'],
    [
      !/(^|\/)(sh|bash|npm|npx)$/.test(command[0] ?? ''),
      'the process with number 1 is a shell or npm, which does not pass signals on',
    ],
    [
      listAt(container, 'volumeMounts').some((mount) => textAt(mount, 'mountPath') === '/tmp'),
      'nothing is mounted at /tmp',
    ],
    ...listAt(container, 'volumeMounts').map((mount): Check => {
      const volume = textAt(mount, 'name');
      return [names.includes(volume), `the volume ${volume} does not exist`];
    }),
  ]);
}

function imageFaults({ name }: Workload, container: Members, { production }: Facts): string[] {
  const image = textAt(container, 'image');
  return faultsIn(name, [
    [image !== '' && !image.endsWith(':latest'), `the image ${image} is the latest one of its name`],
    [
      /@sha256:[0-9a-f]{64}$/.test(image) || (!production && /^lensforge\/[a-z-]+:dev$/.test(image)),
      `the image ${image} has no digest`,
    ],
  ]);
}

/** Heaps take three quarters of the memory of their processes. */
const processFactor = 1.3;

function resourceFaults(all: readonly Manifest[], workload: Workload, container: Members): string[] {
  const limit = parseBytes(textAt(container, 'resources.limits.memory'));
  const heap = readHeap(container);
  const needed = heap === undefined ? 0 : neededMemory(workload, heap, plainSettings(all, workload));
  const isGateway = gateways.some((each) => each === workload.app);
  return faultsIn(workload.name, [
    [textAt(container, 'resources.requests.cpu') !== '', 'no CPU is requested'],
    [textAt(container, 'resources.requests.memory') !== '', 'no memory is requested'],
    [limit > 0, 'the memory has no limit'],
    [!isGateway || textAt(container, 'resources.limits.cpu') === '', 'a CPU limit delays the answers of a gateway'],
    [
      heap !== undefined || !textsAt(container, 'command').join(' ').includes('bundle/'),
      'NODE_OPTIONS has no --max-old-space-size',
    ],
    [!(needed > limit), `the memory limit is below ${Math.ceil(needed / 2 ** 20)}Mi, which its heaps need`],
  ]);
}

function readHeap(container: Members): number | undefined {
  const options = listAt(container, 'env').find((each) => textAt(each, 'name') === 'NODE_OPTIONS');
  const [, megabytes] = /--max-old-space-size=(\d+)/.exec(textAt(options, 'value')) ?? [];
  return megabytes === undefined ? undefined : Number(megabytes);
}

/** The process and its children: sandbox processes, and those of isolated runs and of ratings in a run-worker. */
function neededMemory({ app }: Workload, heap: number, settings: Readonly<Record<string, string>>): number {
  const setting = (name: string, usual: number): number => Number(settings[`LENSFORGE_${name}`] ?? usual);
  const sandbox = app === 'migrate' ? 0 : setting('SANDBOX_PROCESSES', 2) * setting('SANDBOX_MEMORY_MB', 128);
  const others =
    app === 'run-worker' ? setting('RUN_ISOLATED_CONCURRENCY', 1) * heap + setting('RATINGS_MEMORY_MB', 768) : 0;
  return processFactor * (heap + sandbox + others) * 2 ** 20;
}

function probeFaults({ name, app }: Workload, container: Members): string[] {
  if (!isService(app)) return faultsIn(name, [[isMembers(container['readinessProbe']), 'it has no readiness probe']]);
  const path = (probe: string): string => textAt(container, `${probe}.httpGet.path`);
  const startup =
    numberAt(container, 'startupProbe.failureThreshold', 3) * numberAt(container, 'startupProbe.periodSeconds', 10);
  const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'];
  return faultsIn(name, [
    [path('startupProbe') === '/live' && startup >= 60, 'it has no startup probe on /live for 60 s'],
    [path('livenessProbe') === '/live', 'liveness is not /live: an outage of a store would restart everything'],
    [path('readinessProbe') === '/ready', 'readiness is not /ready'],
    [
      probes.every((probe) => textAt(container, `${probe}.httpGet.port`) === 'management'),
      'a probe is not on the management port',
    ],
    [
      numberAt(container, 'readinessProbe.timeoutSeconds', 1) >= 2,
      'the readiness probe ends before the check of the database (1.5 s)',
    ],
  ]);
}

const isService = (app: string): boolean => !['postgres', 'valkey'].includes(app);
