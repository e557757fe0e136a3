import { useMemo } from 'react';
import { texts } from '../texts';
import { Rows } from '../ui/rows';
import { duration } from '../ui/time';
import { computeBounds, placeSpan } from './span-places';
import type { NodeSpan } from './timeline';

/** The nodes of a run as bars over its time, of which only the visible ones are in the page. */
export function Spans({ spans }: { spans: ReadonlyMap<string, NodeSpan> }) {
  const all = useMemo(() => [...spans.values()], [spans]);
  const bounds = computeBounds(all, Date.now());
  return (
    <Rows
      items={all}
      label={texts.runs.spans}
      rowHeight={24}
      row={(span, style) => {
        const { x, width, ms } = placeSpan(span, bounds);
        const isBad = span.status === 'failed' || span.status === 'timed_out';
        return (
          <div className="rows-item span" key={span.key} style={style}>
            <span title={span.key}>{span.key}</span>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect className={isBad ? 'bad' : ''} x={x} width={width} height="10" />
            </svg>
            <span className="quiet">{ms === undefined || isBad ? span.status.replaceAll('_', ' ') : duration(ms)}</span>
          </div>
        );
      }}
    />
  );
}
