import { useQuery } from '@tanstack/react-query';
import type { Client, shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { isUuid } from '../ui/uuid';
import type { GraphNode } from './graph';
import { toSettings } from './node-fields';
import { type Giver, type WantedValue, givers, inputsOf, isGiver } from './wanted-values';

type Released = Pick<shapes.LensRecord | shapes.WorkflowRecord, 'defaultLabel' | 'headVersion'>;

const usualVersion = ({ defaultLabel, headVersion }: Released): string => defaultLabel ?? headVersion.id;

/** The values that the named version takes; without a name that of the default label, or the newest. */
const readWanted = {
  lens: async ({ lenses }: Client, id: string, version: string | undefined): Promise<WantedValue[]> => {
    const named = version ?? usualVersion(await lenses.get(id));
    const { params, settings } = await lenses.getVersion(id, named);
    return params.map(({ label, optional }) => ({
      name: label,
      isOptional: optional,
      about: settings?.params?.find((type) => type.label === label)?.description,
    }));
  },
  workflow: async ({ workflows }: Client, id: string, version: string | undefined): Promise<WantedValue[]> => {
    const named = version ?? usualVersion(await workflows.get(id));
    return inputsOf((await workflows.getVersion(id, named)).graph);
  },
} as const satisfies Record<Giver, unknown>;

/**
 * The values that the lens or workflow of a node takes; by its usual version where an expression chooses the version.
 * Undefined while they are not known.
 */
export function useWantedValues({ type, settings }: GraphNode): WantedValue[] | undefined {
  const client = useClient();
  const given = toSettings(settings);
  const id = isGiver(type) ? given[givers[type].target] : undefined;
  const { version } = given;
  const named = typeof version === 'string' || typeof version === 'number' ? String(version) : undefined;
  const { data } = useQuery({
    queryKey: ['wanted values', type, id, named],
    enabled: typeof id === 'string' && isUuid(id),
    queryFn: async () => (isGiver(type) ? readWanted[type](client, String(id), named) : []),
  });
  return data;
}
