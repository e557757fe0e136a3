/** The colour of each status; others have none. */
export const tones: Readonly<Record<string, string>> = {
  succeeded: 'good',
  completed: 'good',
  delivered: 'good',
  active: 'good',
  published: 'good',
  enabled: 'good',
  approved: 'good',
  passed: 'good',
  scored: 'good',
  failed: 'bad',
  timed_out: 'bad',
  exhausted: 'bad',
  rejected: 'bad',
  denied: 'bad',
  disabled: 'bad',
  suspended: 'bad',
  running: 'busy',
  executing: 'busy',
  scoring: 'busy',
  delivering: 'busy',
  waiting: 'wait',
  queued: 'wait',
  pending: 'wait',
  inconclusive: 'wait',
  incomplete: 'wait',
  blocked: 'wait',
  open: 'wait',
};

/** A status in words, with a colour that says the same. */
export const Status = ({ value }: { value: string }) => (
  <span className={`status ${tones[value] ?? 'plain'}`}>{value.replaceAll('_', ' ')}</span>
);
