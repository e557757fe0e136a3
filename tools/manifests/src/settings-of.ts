import { type Manifest, type Workload, at, listAt, membersAt, named, textAt } from './manifest.js';

/** The plain settings of the containers of a workload: ConfigMaps and values, without Secrets. */
export function plainSettings(all: readonly Manifest[], { containers }: Workload): Record<string, string> {
  return collect(containers, (container) => [
    ...listAt(container, 'envFrom').flatMap((source) =>
      Object.entries(membersAt(named(all, 'ConfigMap', textAt(source, 'configMapRef.name')), 'data')),
    ),
    ...listAt(container, 'env')
      .filter((each) => at(each, 'valueFrom') === undefined)
      .map((each) => [textAt(each, 'name'), textAt(each, 'value')]),
  ]);
}

/** The settings that Secrets of the overlay hold. */
export function secretSettings(all: readonly Manifest[], { containers }: Workload): Record<string, string> {
  return collect(containers, (container) =>
    listAt(container, 'envFrom').flatMap((source) =>
      Object.entries(membersAt(named(all, 'Secret', textAt(source, 'secretRef.name')), 'data')).map(([name, value]) => [
        name,
        Buffer.from(String(value), 'base64').toString(),
      ]),
    ),
  );
}

const collect = (
  containers: Workload['containers'],
  read: (container: Workload['containers'][number]) => unknown[][],
): Record<string, string> =>
  Object.fromEntries(containers.flatMap(read).map(([name, value]) => [String(name), String(value)]));

/** The name of a ConfigMap or Secret without the hash that Kustomize appends, in its alphabet. */
export const withoutHash = (name: string): string => name.replace(/-[2456789bcdfghkmt]{10}$/, '');
