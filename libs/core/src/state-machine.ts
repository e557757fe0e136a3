export interface StateMachine<S extends string> {
  readonly states: readonly S[];
  readonly initial: S;
  canMove(from: S, to: S): boolean;
  next(from: S): readonly S[];
  isTerminal(state: S): boolean;
  /** States that cannot be reached from the initial one; any such state is a mistake in the table. */
  unreachable(): readonly S[];
}

export function stateMachine<S extends string>(initial: S, moves: Readonly<Record<S, readonly S[]>>): StateMachine<S> {
  const states = Object.keys(moves) as S[];
  return {
    states,
    initial,
    canMove: (from, to) => moves[from].includes(to),
    next: (from) => moves[from],
    isTerminal: (state) => moves[state].length === 0,
    unreachable: () => {
      const reached = new Set<S>([initial]);
      for (const state of reached) for (const next of moves[state]) reached.add(next);
      return states.filter((state) => !reached.has(state));
    },
  };
}
