import { type CountedPairs, FIRST_WINS, OUTCOMES, SECOND_WINS, TIE } from './count-pairs.js';

/** Strengths of all contenders, then the logarithm of the tie parameter, then the effects of covariates. */
export type Parameters = Float64Array;

export type Solution = { parameters: Parameters; iterations: number; converged: boolean };

const MIN_RIDGE = 0.001;
const MAX_RIDGE = 1000;
const MAX_ITERATIONS = 200;
/** The longest change by a parameter in one step: a full step from far away may overshoot. */
const LONGEST_STEP = 4;
/** Below this length, full Newton steps are safe. */
const SAFE_STEP = 0.01;
/** Steps of this length that no longer become shorter are rounding errors. */
const ROUNDING = 1e-6;
const SOLVE_PRECISION = 1e-4;

/**
 * The Bradley–Terry model with Davidson's ties. With d = strength of a − strength of b + Σ effect · covariate difference and
 * the tie parameter v, the outcomes have probabilities proportional to
 *
 *     a wins: exp(d / 2)      b wins: exp(−d / 2)      tie: v
 *
 * The fit maximises Σ count · ln(probability) − ridge / 2 · Σ (strength − prior)², with the same ridge on effects and none on
 * v. The function is concave in strengths, effects and ln v, so that Newton's method finds its one maximum; the steps are
 * computed by conjugate gradients over the pairs.
 */
export class PairModel {
  readonly size: number;
  private readonly contenders: number;
  private readonly effects: number;
  private readonly gradient: Float64Array;
  /** The diagonal of the negative Hessian. */
  private readonly diagonal: Float64Array;
  /** Second derivatives for each pair: by d twice, and by d and ln v. */
  private readonly curvature: Float64Array;
  private readonly tieCurvature: Float64Array;
  /** How far a unit of a parameter moves d at most. */
  private readonly reach: Float64Array;

  constructor(
    private readonly pairs: CountedPairs,
    private readonly ridge: number,
  ) {
    if (!(ridge >= MIN_RIDGE && ridge <= MAX_RIDGE)) {
      throw new RangeError(`ridge must be from ${MIN_RIDGE} to ${MAX_RIDGE}, not ${ridge}.`);
    }
    this.contenders = pairs.contenders.length;
    this.effects = this.contenders + 1;
    this.size = this.effects + pairs.covariates.length;
    this.gradient = new Float64Array(this.size);
    this.diagonal = new Float64Array(this.size);
    this.curvature = new Float64Array(pairs.first.length);
    this.tieCurvature = new Float64Array(pairs.first.length);
    this.reach = new Float64Array(this.size).fill(1);
    for (let at = this.effects; at < this.size; at += 1) {
      let most = 0;
      for (let pair = 0; pair < pairs.first.length; pair += 1) {
        most = Math.max(most, Math.abs(this.difference(pair, at)));
      }
      this.reach[at] = most || 1;
    }
  }

  /** The index of ln v among the parameters. */
  get tieIndex(): number {
    return this.contenders;
  }

  /** The parameters of highest posterior probability, to about the square of `tolerance`. `start` may be a nearby solution. */
  solve(
    counts: Float64Array,
    { start, prior, tolerance = 1e-10 }: { start?: Parameters; prior?: Parameters; tolerance?: number } = {},
  ): Solution {
    let ties = 0;
    let total = 0;
    for (let at = 0; at < counts.length; at += OUTCOMES) {
      ties += counts[at + TIE] as number;
      total +=
        (counts[at + FIRST_WINS] as number) + (counts[at + SECOND_WINS] as number) + (counts[at + TIE] as number);
    }
    const decided = total - ties;
    if (decided < total * 1e-12 || total === 0) {
      // Without a decided vote the data say nothing about strengths: v grows without limit.
      const parameters = Float64Array.from(prior ?? new Float64Array(this.size));
      parameters[this.tieIndex] = total === 0 ? -Infinity : Infinity;
      return { parameters, iterations: 0, converged: true };
    }
    let parameters = Float64Array.from(start ?? new Float64Array(this.size));
    const hasStart = start !== undefined && Number.isFinite(start[this.tieIndex]);
    if (ties === 0) parameters[this.tieIndex] = -Infinity;
    else if (!hasStart) parameters[this.tieIndex] = Math.log((2 * ties) / decided);

    let before = Infinity;
    this.evaluate(parameters, counts, prior);
    for (let iterations = 1; iterations <= MAX_ITERATIONS; iterations += 1) {
      const step = this.divideByCurvature(this.gradient, SOLVE_PRECISION);
      const longest = step.reduce((most, value, at) => Math.max(most, Math.abs(value) * (this.reach[at] as number)), 0);
      if (longest <= tolerance || (longest <= ROUNDING && longest > before / 2)) {
        return { parameters: moved(parameters, step, 1), iterations, converged: true };
      }
      before = longest;
      const promised = dot(this.gradient, step);
      let scale = Math.min(1, LONGEST_STEP / longest);
      let next = moved(parameters, step, scale);
      this.evaluate(next, counts, prior);
      // A slope that points back steeply means that the step went past the maximum.
      while (longest > SAFE_STEP && dot(this.gradient, step) < -promised / 2 && scale > 1e-6) {
        scale /= 2;
        next = moved(parameters, step, scale);
        this.evaluate(next, counts, prior);
      }
      parameters = next;
    }
    return { parameters, iterations: MAX_ITERATIONS, converged: false };
  }

  /** Sets the gradient and the second derivatives at these parameters. */
  private evaluate(parameters: Parameters, counts: Float64Array, prior: Parameters | undefined): void {
    const { first, second } = this.pairs;
    const { gradient, diagonal, curvature, tieCurvature, contenders, effects, size, ridge } = this;
    const tie = Math.exp(parameters[contenders] as number);
    for (let at = 0; at < size; at += 1) {
      gradient[at] = ridge * ((prior ? (prior[at] as number) : 0) - (parameters[at] as number));
      diagonal[at] = ridge;
    }
    let tieGradient = 0;
    let tieDiagonal = 0;
    for (let pair = 0; pair < first.length; pair += 1) {
      const wins = counts[pair * OUTCOMES + FIRST_WINS] as number;
      const losses = counts[pair * OUTCOMES + SECOND_WINS] as number;
      const ties = counts[pair * OUTCOMES + TIE] as number;
      const total = wins + losses + ties;
      if (total === 0) {
        curvature[pair] = 0;
        tieCurvature[pair] = 0;
        continue;
      }
      const i = first[pair] as number;
      const j = second[pair] as number;
      let gap = (parameters[i] as number) - (parameters[j] as number);
      if (size > effects) gap += this.shift(parameters, pair);
      // Of the two sides, the weaker one has odds² : 1, which cannot overflow.
      const odds = Math.exp(-Math.abs(gap) / 2);
      const unit = 1 / (1 + odds * odds + tie * odds);
      const win = gap > 0 ? unit : odds * odds * unit;
      const loss = gap > 0 ? odds * odds * unit : unit;
      const draw = tie * odds * unit;
      // Without differences of nearly equal numbers, also where one side always wins.
      const slope = wins * (loss + draw / 2) - losses * (win + draw / 2) - (ties * (win - loss)) / 2;
      const bend = total * (win * loss + (draw * (win + loss)) / 4);
      curvature[pair] = bend;
      tieCurvature[pair] = (total * draw * (loss - win)) / 2;
      gradient[i] = (gradient[i] as number) + slope;
      gradient[j] = (gradient[j] as number) - slope;
      diagonal[i] = (diagonal[i] as number) + bend;
      diagonal[j] = (diagonal[j] as number) + bend;
      tieGradient += ties * (win + loss) - (wins + losses) * draw;
      tieDiagonal += total * draw * (win + loss);
      for (let at = effects; at < size; at += 1) {
        const difference = this.difference(pair, at);
        gradient[at] = (gradient[at] as number) + difference * slope;
        diagonal[at] = (diagonal[at] as number) + difference * difference * bend;
      }
    }
    gradient[contenders] = tie === 0 ? 0 : tieGradient;
    diagonal[contenders] = tie === 0 ? 1 : tieDiagonal;
  }

  /** The change of parameters that changes the gradient by `target`, at the parameters that were evaluated last. */
  private divideByCurvature(target: Float64Array, precision: number): Float64Array {
    const { size, diagonal } = this;
    const solution = new Float64Array(size);
    const rest = Float64Array.from(target);
    const scaled = rest.map((value, at) => value / (diagonal[at] as number));
    const direction = Float64Array.from(scaled);
    const image = new Float64Array(size);
    let norm = dot(rest, scaled);
    const enough = norm * precision * precision;
    for (let round = 0; round < 2 * size + 20 && norm > enough && norm > 0; round += 1) {
      this.multiplyByCurvature(direction, image);
      const length = norm / dot(direction, image);
      for (let at = 0; at < size; at += 1) {
        solution[at] = (solution[at] as number) + length * (direction[at] as number);
        const left = (rest[at] as number) - length * (image[at] as number);
        rest[at] = left;
        scaled[at] = left / (diagonal[at] as number);
      }
      const before = norm;
      norm = dot(rest, scaled);
      for (let at = 0; at < size; at += 1) {
        direction[at] = (scaled[at] as number) + (norm / before) * (direction[at] as number);
      }
    }
    return solution;
  }

  private multiplyByCurvature(vector: Float64Array, image: Float64Array): void {
    const { first, second } = this.pairs;
    const { curvature, tieCurvature, diagonal, contenders, effects, size, ridge } = this;
    const tie = vector[contenders] as number;
    for (let at = 0; at < size; at += 1) image[at] = ridge * (vector[at] as number);
    let tieImage = (diagonal[contenders] as number) * tie;
    for (let pair = 0; pair < first.length; pair += 1) {
      const i = first[pair] as number;
      const j = second[pair] as number;
      let gap = (vector[i] as number) - (vector[j] as number);
      if (size > effects) gap += this.shift(vector, pair);
      const cross = tieCurvature[pair] as number;
      const force = (curvature[pair] as number) * gap + cross * tie;
      image[i] = (image[i] as number) + force;
      image[j] = (image[j] as number) - force;
      tieImage += cross * gap;
      for (let at = effects; at < size; at += 1) image[at] = (image[at] as number) + this.difference(pair, at) * force;
    }
    image[contenders] = tieImage;
  }

  /**
   * For each pair and outcome, the decrease of the margin between two contenders when one such outcome is removed, to first
   * order, at the parameters that were solved last.
   */
  marginDerivatives(parameters: Parameters, leader: number, rival: number): Float64Array {
    const { first, second } = this.pairs;
    const derivatives = new Float64Array(first.length * OUTCOMES);
    const tie = Math.exp(parameters[this.tieIndex] as number);
    if (tie === Infinity) return derivatives;
    const margin = new Float64Array(this.size);
    margin[leader] = 1;
    margin[rival] = -1;
    const change = this.divideByCurvature(margin, 1e-6);
    const tieChange = change[this.tieIndex] as number;
    for (let pair = 0; pair < first.length; pair += 1) {
      const i = first[pair] as number;
      const j = second[pair] as number;
      const gap = (parameters[i] as number) - (parameters[j] as number) + this.shift(parameters, pair);
      const gapChange = (change[i] as number) - (change[j] as number) + this.shift(change, pair);
      const odds = Math.exp(-Math.abs(gap) / 2);
      const total = 1 + odds * odds + tie * odds;
      const mean = (Math.sign(gap) * (1 - odds * odds)) / total / 2;
      const common = -gapChange * mean - tieChange * ((tie * odds) / total);
      derivatives[pair * OUTCOMES + FIRST_WINS] = common + gapChange / 2;
      derivatives[pair * OUTCOMES + SECOND_WINS] = common - gapChange / 2;
      derivatives[pair * OUTCOMES + TIE] = common + tieChange;
    }
    return derivatives;
  }

  /** Σ effect · covariate difference of a pair. */
  private shift(parameters: Float64Array, pair: number): number {
    let sum = 0;
    for (let at = this.effects; at < this.size; at += 1) sum += (parameters[at] as number) * this.difference(pair, at);
    return sum;
  }

  private difference(pair: number, at: number): number {
    return this.pairs.differences[pair * (this.size - this.effects) + at - this.effects] as number;
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] as number) * (b[at] as number);
  return sum;
}

function moved(from: Float64Array, step: Float64Array, scale: number): Float64Array<ArrayBuffer> {
  return Float64Array.from(from, (value, at) => value + scale * (step[at] as number));
}
