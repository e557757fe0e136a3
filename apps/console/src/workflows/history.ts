import type { Graph } from './graph';
import { type MapPath, changeAt, existingPath } from './map-graph';
import { type Selection, nothingChosen } from './selection';

/** A workflow in the editor, with the graph that is open and what is chosen there. */
export interface Snapshot {
  root: Graph;
  /** The maps that were opened. */
  path: MapPath;
  chosen: Selection;
}

/** The states of a workflow that is edited. */
export interface History {
  past: readonly Snapshot[];
  now: Snapshot;
  future: readonly Snapshot[];
}

export type HistoryStep =
  /** Changes the open graph. The selection stays unless another one is given. */
  | { change: (graph: Graph) => Graph; chosen?: Selection }
  | { choose: Selection | ((before: Selection) => Selection) }
  | { open: MapPath; chosen?: Selection }
  | { reset: Graph }
  | 'undo'
  | 'redo';

const toSnapshot = (root: Graph): Snapshot => ({ root, path: [], chosen: nothingChosen });

export const startHistory = (root: Graph): History => ({ past: [], now: toSnapshot(root), future: [] });

/** Undo and redo also go back to the graph that was open and to what was chosen there. */
export function historyReducer(history: History, step: HistoryStep): History {
  const { past, now, future } = history;
  if (step === 'undo') {
    const before = past.at(-1);
    return before ? { past: past.slice(0, -1), now: before, future: [now, ...future] } : history;
  }
  if (step === 'redo') {
    const [next, ...rest] = future;
    return next ? { past: [...past, now], now: next, future: rest } : history;
  }
  if ('reset' in step) return startHistory(step.reset);
  if ('choose' in step) {
    const chosen = typeof step.choose === 'function' ? step.choose(now.chosen) : step.choose;
    return { ...history, now: { ...now, chosen } };
  }
  if ('open' in step) {
    const { open, chosen = nothingChosen } = step;
    return { ...history, now: { ...now, path: existingPath(now.root, open), chosen } };
  }
  const root = changeAt(now.root, now.path, step.change);
  if (root === now.root) return history;
  return { past: [...past, now], now: { ...now, root, chosen: step.chosen ?? now.chosen }, future: [] };
}
