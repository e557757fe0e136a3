/** Rate classes that are counted for each account; every service that counts them shares the same counts. */
export const accountRateClasses = ['read', 'list', 'write', 'create', 'expensive', 'execute', 'run', 'test'] as const;

export type AccountRateClass = (typeof accountRateClasses)[number];

/**
 * What a request counts as. `incoming` counts calls from outside that carry no account: for each incoming webhook, and for
 * each network where a waiting node is answered. `none` is for health checks alone: a load balancer asks often, from one
 * address, and must always get an answer.
 */
export type RateClass = AccountRateClass | 'incoming' | 'none';

/** A rate class, and other classes for requests that name certain members, such as a search instead of a list. */
export interface Rated<C extends RateClass = RateClass> {
  readonly rate: C;
  /** The class of a request that names this member of its query, or of a tool's arguments. */
  readonly rateWith?: Readonly<Record<string, C>>;
}

/** The rate class of a request with these query members or arguments. */
export function rateClassOf<C extends RateClass>({ rate, rateWith = {} }: Rated<C>, members: unknown): C {
  if (typeof members !== 'object' || members === null) return rate;
  const named = Object.keys(rateWith).find((name) => Reflect.get(members, name) !== undefined);
  return (named === undefined ? undefined : rateWith[named]) ?? rate;
}
