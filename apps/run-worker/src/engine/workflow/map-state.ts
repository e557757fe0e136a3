import type { NodeState } from '@lensforge/runs';
import type { NodePositions } from './plan.js';

/** The progress of a map, stored with its node: the items that have started, are open, have ended and have failed. */
export type MapState = { count: number; next: number; open: number; done: number; failed: readonly number[] };

export const startMap = (count: number): MapState => ({ count, next: 0, open: 0, done: 0, failed: [] });

export const stateOfMap = ({ state }: NodeState): MapState => state as MapState;

/** Starts items while fewer than `most` are open. */
export function startItems(state: MapState, most: number): { state: MapState; started: number[] } {
  const count = Math.max(Math.min(most - state.open, state.count - state.next), 0);
  return {
    state: { ...state, open: state.open + count, next: state.next + count },
    started: Array.from({ length: count }, (_, index) => state.next + index),
  };
}

export const endItem = (state: MapState, index: number, { failed }: { failed: boolean }): MapState => ({
  ...state,
  open: state.open - 1,
  done: state.done + 1,
  failed: failed ? [...state.failed, index] : state.failed,
});

export const nodesPerItem = (positions: NodePositions, mapKey: string): number =>
  positions.of(mapKey).planned.inner?.nodes.size ?? 0;

/** The number of nodes of items that have not started, in all maps. */
export function countUnstarted(positions: NodePositions, nodes: Iterable<[string, NodeState]>): number {
  let count = 0;
  for (const [key, node] of nodes) {
    if (node.status !== 'waiting' || positions.of(key).planned.node.type !== 'map') continue;
    const { count: items, next } = stateOfMap(node);
    count += (items - next) * nodesPerItem(positions, key);
  }
  return count;
}
