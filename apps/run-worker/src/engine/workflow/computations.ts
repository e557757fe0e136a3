import type { Evaluation, Outcome } from '@lensforge/workflows';
import { InlineBudget, computeInSandbox } from '@lensforge/workflows';

/** Thrown where a decision needs values of expressions that are computed in the sandbox first. */
export class Uncomputed extends Error {
  override readonly name = 'Uncomputed';

  constructor() {
    super('values of expressions are not computed yet');
  }
}

/**
 * The values of the expressions that one decision needs. What is cheap is computed at once; the rest is collected, computed
 * in the sandbox, and known when the decision is made again.
 */
export class Computations {
  private readonly known = new Map<string, Outcome>();
  private readonly waiting = new Map<string, Evaluation>();
  private allowance = new InlineBudget();

  /** Undefined until the next `settle`. The name says which expression of which node of the run it is. */
  outcomeOf(name: string, evaluation: Evaluation): Outcome | undefined {
    const outcome = this.known.get(name) ?? this.allowance.evaluate(evaluation);
    if (!outcome) this.waiting.set(name, evaluation);
    return outcome;
  }

  async settle(account: string): Promise<void> {
    const waiting = [...this.waiting];
    this.waiting.clear();
    this.allowance = new InlineBudget();
    const outcomes = await computeInSandbox(
      waiting.map(([, evaluation]) => evaluation),
      { account, ignoreQueueLimit: true },
    );
    for (const [index, [name]] of waiting.entries()) this.known.set(name, outcomes[index] as Outcome);
  }
}
