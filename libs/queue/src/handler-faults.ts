import type { Job, QueueName } from '@lensforge/contracts';

export interface FoundHandler {
  job: string;
  owner: string;
}

/** Lists missing, duplicate and superfluous handlers of a service that consumes these queues. */
export function handlerFaults(
  known: readonly Job[],
  consumed: readonly QueueName[],
  handlers: readonly FoundHandler[],
): string[] {
  const listOwners = (name: string): string[] => handlers.filter(({ job }) => job === name).map(({ owner }) => owner);
  const names = new Set(handlers.map(({ job }) => job));
  const expected = known.filter(({ queue }) => consumed.includes(queue));
  return [
    ...expected
      .filter(({ name }) => listOwners(name).length === 0)
      .map(({ name, queue }) => `job ${name} of queue ${queue} has no handler`),
    ...expected
      .filter(({ name }) => listOwners(name).length > 1)
      .map(({ name }) => `job ${name} has ${listOwners(name).length} handlers: ${listOwners(name).join(', ')}`),
    ...[...names].flatMap((name) => {
      const job = known.find((each) => each.name === name);
      const owners = listOwners(name).join(', ');
      if (!job) return [`${owners} handles ${name}, which is not in the jobs table`];
      if (consumed.includes(job.queue)) return [];
      return [`${owners} handles ${name}, but its queue ${job.queue} is not consumed here`];
    }),
  ];
}
