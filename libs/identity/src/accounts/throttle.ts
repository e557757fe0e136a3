/** At most `limit` tries within `seconds`. After `freeTries` each try has to wait twice as long as the one before. */
export interface Allowance {
  limit: number;
  seconds: number;
  freeTries?: number;
}

const quarter = 15 * 60;
const hour = 60 * 60;

export const allowances = {
  /** Tries for one account from all networks. */
  account: { limit: 10, seconds: quarter, freeTries: 5 },
  /** Tries for one account from one network, so that one attacker cannot use up the tries of the owner. */
  accountFromNetwork: { limit: 7, seconds: quarter },
  /** Tries for all accounts from one network. */
  network: { limit: 30, seconds: quarter },
  signUps: { limit: 10, seconds: hour },
  resets: { limit: 10, seconds: hour },
  emails: { limit: 3, seconds: hour },
  userCodes: { limit: 10, seconds: quarter },
} as const satisfies Record<string, Allowance>;

/** The seconds until the next try is allowed, given the ages of earlier ones; 0 means now. */
export function secondsToWait({ limit, seconds, freeTries }: Allowance, ages: readonly number[]): number {
  const counted = ages.filter((age) => age < seconds).sort((one, other) => one - other);
  const youngest = counted[0];
  if (youngest === undefined) return 0;
  const full = counted[limit - 1];
  if (full !== undefined) return seconds - full;
  if (freeTries === undefined || counted.length < freeTries) return 0;
  return Math.max(0, 2 ** (counted.length - freeTries + 1) - youngest);
}
