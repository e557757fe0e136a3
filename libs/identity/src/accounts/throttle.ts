/** How often something may be tried within a while, and from which try on each waits twice as long as the one before. */
export interface Allowance {
  most: number;
  seconds: number;
  freely?: number;
}

const quarter = 15 * 60;
const hour = 60 * 60;

export const allowances = {
  /** Of one account, by whoever it is. */
  account: { most: 10, seconds: quarter, freely: 5 },
  /** Of one account from one place: a single stranger leaves something for the owner. */
  stranger: { most: 7, seconds: quarter },
  /** Of all accounts from one place. */
  network: { most: 30, seconds: quarter },
  signUps: { most: 10, seconds: hour },
  resets: { most: 10, seconds: hour },
  mails: { most: 3, seconds: hour },
  userCodes: { most: 10, seconds: quarter },
} as const satisfies Record<string, Allowance>;

/** In how many seconds the next try is due after those of these ages; 0: now. */
export function secondsToWait({ most, seconds, freely }: Allowance, ages: readonly number[]): number {
  const counted = ages.filter((age) => age < seconds).sort((one, other) => one - other);
  const youngest = counted[0];
  if (youngest === undefined) return 0;
  const full = counted[most - 1];
  if (full !== undefined) return seconds - full;
  if (freely === undefined || counted.length < freely) return 0;
  return Math.max(0, 2 ** (counted.length - freely + 1) - youngest);
}
