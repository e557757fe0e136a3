import { StartupError } from './startup-error.js';

export type Replicas = Readonly<Record<string, number>>;

const most = 50;

/** Reads LENSFORGE_REPLICAS, as in `api-gateway=2,run-worker=3`. */
export function readReplicas(text: string, known: readonly string[]): Replicas {
  const entries = text.split(',').filter((part) => part.trim() !== '');
  return Object.fromEntries(
    entries.map((part) => {
      const [, name = '', count = ''] = /^\s*([a-z-]+)\s*=\s*(\d+)\s*$/.exec(part) ?? [];
      if (!known.includes(name)) {
        throw new StartupError(
          `LENSFORGE_REPLICAS has "${part.trim()}", which names no service: write it like run-worker=3 (known: ${known.join(', ')}).`,
        );
      }
      if (Number(count) < 1 || Number(count) > most)
        throw new StartupError(`LENSFORGE_REPLICAS asks for ${count} of ${name}: it must be 1 to ${most}.`);
      return [name, Number(count)];
    }),
  );
}
