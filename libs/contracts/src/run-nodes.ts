export const nodeStatuses = [
  'pending',
  'queued',
  'running',
  'waiting',
  'succeeded',
  'failed',
  'skipped',
  'canceled',
  'timed_out',
] as const;
export type NodeStatus = (typeof nodeStatuses)[number];
