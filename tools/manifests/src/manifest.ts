/** An object of the Kubernetes API. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  [member: string]: unknown;
}

export type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path such as `spec.template.spec`; undefined where it does not lead anywhere. */
export const at = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined),
      value,
    );

export const membersAt = (value: unknown, path: string): Members => {
  const found = at(value, path);
  return isMembers(found) ? found : {};
};

export const listAt = (value: unknown, path: string): readonly unknown[] => {
  const found = at(value, path);
  return Array.isArray(found) ? found : [];
};

export const textAt = (value: unknown, path: string): string => {
  const found = at(value, path);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
};

export const textsAt = (value: unknown, path: string): string[] => listAt(value, path).map(String);

export const numberAt = (value: unknown, path: string, absent = Number.NaN): number => {
  const found = at(value, path);
  return typeof found === 'number' ? found : absent;
};

export const toManifestName = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;

export const ofKind = (all: readonly Manifest[], ...kinds: string[]): Manifest[] =>
  all.filter(({ kind }) => kinds.includes(kind));

export const named = (all: readonly Manifest[], kind: string, name: string): Manifest | undefined =>
  all.find((each) => each.kind === kind && each.metadata.name === name);

/** A manifest with pods: its pod template. */
export interface Workload {
  manifest: Manifest;
  name: string;
  /** `app.kubernetes.io/name` of the pods. */
  app: string;
  labels: Readonly<Record<string, string>>;
  pod: Members;
  containers: readonly Members[];
}

export const listWorkloads = (all: readonly Manifest[]): Workload[] =>
  ofKind(all, 'Deployment', 'StatefulSet', 'DaemonSet', 'Job').map((manifest) => {
    const pod = membersAt(manifest, 'spec.template.spec');
    const labels = membersAt(manifest, 'spec.template.metadata.labels') as Record<string, string>;
    const containers = [...listAt(pod, 'initContainers'), ...listAt(pod, 'containers')].filter(isMembers);
    return {
      manifest,
      name: toManifestName(manifest),
      app: labels['app.kubernetes.io/name'] ?? '',
      labels,
      pod,
      containers,
    };
  });

/** True when a label selector has at least one condition and matches these labels. */
export function selects(selector: unknown, labels: Readonly<Record<string, string>>): boolean {
  const equal = Object.entries(membersAt(selector, 'matchLabels'));
  const expressions = listAt(selector, 'matchExpressions');
  return (
    equal.length + expressions.length > 0 &&
    equal.every(([key, value]) => labels[key] === value) &&
    expressions.every((each) => {
      const value = labels[textAt(each, 'key')];
      const isListed = value !== undefined && textsAt(each, 'values').includes(value);
      return textAt(each, 'operator') === 'In' ? isListed : !isListed;
    })
  );
}

const units: Readonly<Record<string, number>> = {
  '': 1,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  k: 1e3,
  M: 1e6,
  G: 1e9,
};

/** Bytes of a quantity such as `512Mi`; NaN for another text. */
export const parseBytes = (quantity: string): number => {
  const [, amount = '', unit = ''] = /^(\d+)([KMG]i|[kMG])?$/.exec(quantity) ?? [];
  return amount === '' ? Number.NaN : Number(amount) * (units[unit] ?? Number.NaN);
};
