/** The chances of a case, estimated from the passes among its repetitions. */
export interface Repeated {
  /** At least one of k answers passes. */
  passAtK: number;
  /** All of k answers pass. */
  passHatK: number;
}

/** Both for k answers out of n, of which `passed` passed, without bias: shares of the sets of k answers. */
export function repeated(passed: number, n: number, k: number): Repeated {
  return { passAtK: 1 - shareOfSets(n - passed, n, k), passHatK: shareOfSets(passed, n, k) };
}

/** The share of the sets of k among n that lie within `some` of them. */
function shareOfSets(some: number, n: number, k: number): number {
  let share = 1;
  for (let each = 0; each < k; each += 1) share *= Math.max(0, some - each) / (n - each);
  return share;
}
