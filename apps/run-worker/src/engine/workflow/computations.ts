import { type Evaluation, InlineBudget, type Outcome, computeInSandbox } from '@lensforge/workflows';

/** Thrown when a decision needs values that the sandbox must compute first. */
export class Uncomputed extends Error {
  override readonly name = 'Uncomputed';

  constructor() {
    super('values of expressions are not computed yet');
  }
}

/**
 * The values of the expressions of one decision. Cheap expressions are computed inline; the others are collected for the
 * sandbox, and their values are known when the decision is repeated.
 */
export class Computations {
  private readonly known = new Map<string, Outcome>();
  private readonly waiting = new Map<string, Evaluation>();
  private allowance = new InlineBudget();

  /** Undefined until the next `settle`. The name identifies the node and the expression. */
  findOutcome(name: string, evaluation: Evaluation): Outcome | undefined {
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
