import { type Facts, gateways, services, workers } from '../facts.js';
import {
  type Manifest,
  type Workload,
  at,
  isMembers,
  listAt,
  membersAt,
  toManifestName,
  ofKind,
  selects,
  textAt,
  textsAt,
  listWorkloads,
} from '../manifest.js';

/** Default deny in both directions, and exactly the connections that the services need. */
export function networkRules(all: readonly Manifest[], facts: Facts): string[] {
  const policies = ofKind(all, 'NetworkPolicy');
  const workloads = listWorkloads(all);
  const [denied, others] = [policies.filter(isDefaultDeny), policies.filter((each) => !isDefaultDeny(each))];
  const found = new Set(others.flatMap((policy) => listConnections(policy, workloads)));
  const needed = new Set(facts.production ? [...everywhere, ...outside] : [...everywhere, ...inside]);
  return [
    ...(denied.length > 0 ? [] : ['no NetworkPolicy denies everything by default']),
    ...others.flatMap((policy) => policyFaults(policy, workloads)),
    ...[...needed].filter((each) => !found.has(each)).map((each) => `network policies do not allow ${each}`),
    ...[...found]
      .filter((each) => !needed.has(each))
      .map((each) => `network policies allow ${each}, which nothing needs`),
  ];
}

const isDefaultDeny = ({ spec }: Manifest): boolean =>
  Object.keys(membersAt(spec, 'podSelector')).length === 0 &&
  ['Ingress', 'Egress'].every((type) => textsAt(spec, 'policyTypes').includes(type)) &&
  listAt(spec, 'ingress').length + listAt(spec, 'egress').length === 0;

const owners = [...services, 'migrate'];
const everywhere = [
  ...services.map((app) => `a namespace → ${app}:management`),
  ...gateways.map((app) => `a namespace → ${app}:http`),
  ...['api-gateway', 'mcp-gateway'].flatMap((app) => [`${app} → oauth:http (out)`, `${app} → oauth:http (in)`]),
  ...workers.flatMap((app) => [`${app} → internet:443`, `${app} → internet:80`]),
  ...owners.map((app) => `${app} → DNS:53`),
];
const outside = [
  ...owners.map((app) => `${app} → an address:5432`),
  ...services.map((app) => `${app} → an address:6379`),
  ...['oauth', 'webhook-dispatcher'].flatMap((app) => [`${app} → an address:465`, `${app} → an address:587`]),
];
const inside = [
  ...['postgres', 'valkey'].map((app) => `${app} → DNS:53`),
  ...['in', 'out'].flatMap((way) => [
    ...owners.map((app) => `${app} → postgres:postgres (${way})`),
    ...services.map((app) => `${app} → valkey:valkey (${way})`),
  ]),
];

const selected = (policy: Manifest, workloads: readonly Workload[]): readonly Workload[] => {
  const selector = at(policy, 'spec.podSelector');
  return isMembers(selector) && Object.keys(selector).length === 0
    ? workloads
    : workloads.filter(({ labels }) => selects(selector, labels));
};

/** The connections that a policy allows, in words. */
function listConnections(policy: Manifest, workloads: readonly Workload[]): string[] {
  const apps = selected(policy, workloads).map(({ app }) => app);
  const ruleConnections = (way: 'ingress' | 'egress'): string[] =>
    listAt(policy, `spec.${way}`).flatMap((rule) => {
      const ports = listAt(rule, 'ports').map((port) => textAt(port, 'port'));
      const peers = listAt(rule, way === 'ingress' ? 'from' : 'to').flatMap((peer) => peerNames(peer, workloads));
      const ends = peers.length === 0 ? ['everything'] : peers;
      return ends.flatMap((peer) =>
        apps.flatMap((app) =>
          (ports.length === 0 ? ['any port'] : ports).map((port) => {
            const mark = workloads.some((each) => each.app === peer) ? (way === 'ingress' ? ' (in)' : ' (out)') : '';
            return way === 'ingress' ? `${peer} → ${app}:${port}${mark}` : `${app} → ${peer}:${port}${mark}`;
          }),
        ),
      );
    });
  return [...ruleConnections('ingress'), ...ruleConnections('egress')];
}

function peerNames(peer: unknown, workloads: readonly Workload[]): string[] {
  const [namespace, pods] = [at(peer, 'namespaceSelector'), at(peer, 'podSelector')];
  const cidr = textAt(peer, 'ipBlock.cidr');
  if (cidr !== '')
    return [/^(0\.0\.0\.0\/0|2000::\/3)$/.test(cidr) ? 'internet' : isNarrow(cidr) ? 'an address' : cidr];
  if (namespace !== undefined) {
    const name = namespaceName(namespace);
    if (name === '') return ['every namespace'];
    return [name === 'kube-system' && pods !== undefined ? 'DNS' : 'a namespace'];
  }
  const found = workloads.filter(({ labels }) => selects(pods, labels)).map(({ app }) => app);
  return found.length > 0 ? found : ['no pod'];
}

const namespaceName = (selector: unknown): string => {
  const name = membersAt(selector, 'matchLabels')['kubernetes.io/metadata.name'];
  return typeof name === 'string' ? name : '';
};

const isNarrow = (cidr: string): boolean => {
  const [, bits = '0'] = /\/(\d+)$/.exec(cidr) ?? [];
  return Number(bits) >= (cidr.includes(':') ? 48 : 16);
};

/** Private networks, and the addresses of metadata services. */
const neverOutside = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
];

function policyFaults(policy: Manifest, workloads: readonly Workload[]): string[] {
  const apps = selected(policy, workloads);
  const blocks = listAt(policy, 'spec.egress').flatMap((rule) =>
    listAt(rule, 'to').map((peer) => membersAt(peer, 'ipBlock')),
  );
  const whole = blocks.filter((block) => textAt(block, 'cidr') === '0.0.0.0/0');
  const missing = whole.flatMap((block) => neverOutside.filter((each) => !textsAt(block, 'except').includes(each)));
  const portNames = new Set(
    workloads.flatMap(({ containers }) =>
      containers.flatMap((each) => listAt(each, 'ports').map((port) => textAt(port, 'name'))),
    ),
  );
  const ports = ['ingress', 'egress'].flatMap((way) =>
    listAt(policy, `spec.${way}`).flatMap((rule) => listAt(rule, 'ports').map((port) => textAt(port, 'port'))),
  );
  return [
    ...(apps.length > 0 ? [] : ['selects no pod']),
    ...missing.map((each) => `does not except ${each} from the internet`),
    ...ports
      .filter((port) => !/^\d+$/.test(port) && !portNames.has(port))
      .map((port) => `no container has the port ${port}`),
  ].map((fault) => `${toManifestName(policy)}: ${fault}`);
}
