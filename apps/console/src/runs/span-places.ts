import type { NodeSpan } from './timeline';

export interface Bounds {
  from: number;
  to: number;
}

/** The time that spans cover; those that have not ended go on until `now`. */
export function computeBounds(spans: readonly NodeSpan[], now: number): Bounds {
  let from = Infinity;
  let to = -Infinity;
  for (const span of spans) {
    from = Math.min(from, span.from);
    to = Math.max(to, span.to ?? now);
  }
  return { from, to: Math.max(to, from + 1) };
}

/** The place of a span within the bounds, in per cent, and its duration if it has ended. */
export function placeSpan(span: NodeSpan, { from, to }: Bounds): { x: number; width: number; ms: number | undefined } {
  const share = 100 / (to - from);
  return {
    x: (span.from - from) * share,
    width: Math.max(0.6, ((span.to ?? to) - span.from) * share),
    ms: span.to === undefined ? undefined : span.to - span.from,
  };
}
