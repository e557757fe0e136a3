/** Rate classes that are counted for each account, over all services. */
export const accountRateClasses = ['read', 'list', 'write', 'create', 'expensive', 'execute', 'run', 'test'] as const;

export type AccountRateClass = (typeof accountRateClasses)[number];

/**
 * The rate class of a request. `incoming` counts calls without an account: for each incoming webhook, and for each network
 * that calls callback URLs. `none` is for health checks, which are not counted.
 */
export type RateClass = AccountRateClass | 'incoming' | 'none';

/** A rate class, with other classes for requests with certain members, such as a search instead of a list. */
export interface Rated<C extends RateClass = RateClass> {
  readonly rate: C;
  /** The class of a request that has this query parameter or tool argument. */
  readonly rateWith?: Readonly<Record<string, C>>;
}

/** The rate class of a request with these query parameters or tool arguments. */
export function pickRateClass<C extends RateClass>({ rate, rateWith = {} }: Rated<C>, members: unknown): C {
  if (typeof members !== 'object' || members === null) return rate;
  const named = Object.keys(rateWith).find((name) => Reflect.get(members, name) !== undefined);
  return (named === undefined ? undefined : rateWith[named]) ?? rate;
}
