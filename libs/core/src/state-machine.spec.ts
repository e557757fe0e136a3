import { describe, expect, it } from '@jest/globals';
import { stateMachine } from './state-machine.js';

const door = stateMachine<'open' | 'shut' | 'bricked'>('open', {
  open: ['shut'],
  shut: ['open', 'bricked'],
  bricked: [],
});

describe('a state machine', () => {
  it('allows exactly the moves of its table', () => {
    const moves = door.states.flatMap((from) =>
      door.states.filter((to) => door.canMove(from, to)).map((to) => [from, to]),
    );
    expect(moves).toEqual([
      ['open', 'shut'],
      ['shut', 'open'],
      ['shut', 'bricked'],
    ]);
    expect(door.next('shut')).toEqual(['open', 'bricked']);
  });

  it('knows its initial and terminal states', () => {
    expect(door.initial).toBe('open');
    expect(door.states.filter((state) => door.isTerminal(state))).toEqual(['bricked']);
  });

  it('lists unreachable states', () => {
    expect(door.unreachable()).toEqual([]);
    const broken = stateMachine<'a' | 'b' | 'c' | 'd'>('a', { a: ['b'], b: ['a'], c: ['d'], d: ['c'] });
    expect(broken.unreachable()).toEqual(['c', 'd']);
  });
});
