import { createHash } from 'node:crypto';

/** In SQL: `run_id || '-' || left(md5(node_key), 12) || '-g' || generation`. */
export const nodeJobId = (runId: string, nodeKey: string, generation: number): string =>
  `${runId}-${createHash('md5').update(nodeKey).digest('hex').slice(0, 12)}-g${generation}`;
