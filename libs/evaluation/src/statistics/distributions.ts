/** The quantile of the standard normal distribution, to nine digits (the rational approximation of P. J. Acklam). */
export function normalQuantile(probability: number): number {
  if (probability <= 0) return -Infinity;
  if (probability >= 1) return Infinity;
  const tail = 0.02425;
  if (probability < tail) return tailQuantile(Math.sqrt(-2 * Math.log(probability)));
  if (probability > 1 - tail) return -tailQuantile(Math.sqrt(-2 * Math.log(1 - probability)));
  const q = probability - 0.5;
  const r = q * q;
  return (polynomial(central.above, r) * q) / (polynomial(central.below, r) * r + 1);
}

const tailQuantile = (q: number): number => polynomial(tails.above, q) / (polynomial(tails.below, q) * q + 1);

/** Coefficients with the highest power first. */
const polynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);

const central = {
  above: [
    -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239,
  ],
  below: [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572],
};
const tails = {
  above: [
    -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
    2.938163982698783,
  ],
  below: [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416],
};

/** The quantile of Student's t distribution: exact for one and two degrees of freedom, else by the expansion around the normal one. */
export function studentQuantile(probability: number, degrees: number): number {
  if (degrees === 1) return Math.tan(Math.PI * (probability - 0.5));
  if (degrees === 2) return (2 * probability - 1) / Math.sqrt(2 * probability * (1 - probability));
  const z = normalQuantile(probability);
  const [z2, z3] = [z * z, z ** 3];
  const terms = [
    z,
    (z3 + z) / 4,
    (z3 * (5 * z2 + 16) + 3 * z) / 96,
    (z3 * (3 * z2 * z2 + 19 * z2 + 17) - 15 * z) / 384,
    (z3 * (79 * z2 ** 3 + 776 * z2 * z2 + 1482 * z2 - 1920) - 945 * z) / 92_160,
  ];
  return terms.reduce((sum, term, power) => sum + term / degrees ** power, 0);
}

/** The probability of at most `count` successes in `trials` throws of a fair coin. */
export function fairCoinAtMost(count: number, trials: number): number {
  let logTerm = -trials * Math.LN2;
  let sum = Math.exp(logTerm);
  for (let k = 1; k <= count; k += 1) {
    logTerm += Math.log(trials - k + 1) - Math.log(k);
    sum += Math.exp(logTerm);
  }
  return Math.min(1, sum);
}
