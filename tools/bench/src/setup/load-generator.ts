import type { Order, OutcomeOf } from '../load/orders.js';
import { type Child, startChild } from './child-program.js';

export interface LoadGenerator {
  readonly pid: number;
  carryOut<O extends Order>(order: O): Promise<OutcomeOf<O>>;
}

interface Reply {
  outcome?: unknown;
  fault?: string;
}

/** Executes one order at a time; a failed one returns its reason. */
export function startLoadGenerator(): LoadGenerator {
  const child: Child = startChild('load/program.js', {});
  return {
    pid: child.pid,
    carryOut: <O extends Order>(order: O) =>
      new Promise<OutcomeOf<O>>((resolve, reject) => {
        const gone = (): void => reject(new Error('the load generator died'));
        child.process.once('exit', gone);
        child.process.once('message', ({ outcome, fault }: Reply) => {
          child.process.off('exit', gone);
          if (fault === undefined) resolve(outcome as OutcomeOf<O>);
          else reject(new Error(fault));
        });
        child.process.send(order);
      }),
  };
}
