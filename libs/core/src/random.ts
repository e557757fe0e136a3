/** A pseudo-random generator (sfc32), repeatable by its seed and stream number. */
export class Random {
  private a: number;
  private b: number;
  private c = 0x9e3779b9;
  private counter = 1;

  constructor(seed: number, stream = 0) {
    this.a = seed | 0;
    this.b = stream | 0;
    // The high half of a seed above 32 bits counts too.
    this.c ^= Math.floor(seed / 2 ** 32) | 0;
    for (let round = 0; round < 15; round += 1) this.uniform();
  }

  /** A number from 0 to 1, without 1. */
  uniform(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  }

  /** A number of the standard normal distribution. */
  normal(): number {
    // 1 − uniform() is above 0.
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }

  /** A number of the Poisson distribution with this whole-numbered mean. */
  poisson(mean: number): number {
    if (mean > LARGE_MEAN) {
      // The normal approximation with its correction for skewness.
      const z = this.normal();
      return Math.max(0, Math.round(mean + Math.sqrt(mean) * z + (z * z - 1) / 6));
    }
    const table = poissonTable(mean);
    const u = this.uniform();
    let value = 0;
    while (u >= (table[value] as number)) value += 1;
    return value;
  }
}

const LARGE_MEAN = 30;
const tables: (Float64Array | undefined)[] = [];

/** Probabilities of at most 0, 1, 2 … events. */
function poissonTable(mean: number): Float64Array {
  const known = tables[mean];
  if (known) return known;
  const table = new Float64Array(120);
  let probability = Math.exp(-mean);
  let sum = 0;
  for (let value = 0; value < table.length; value += 1) {
    sum += probability;
    table[value] = sum;
    probability *= mean / (value + 1);
  }
  table[table.length - 1] = 1;
  tables[mean] = table;
  return table;
}
