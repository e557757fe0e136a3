import { duration } from '../ui/time';
import type { NodeSpan } from './timeline';

const most = 200;

/** The nodes of a run as bars over its time; the first ones of a large run. */
export function Spans({ spans }: { spans: readonly NodeSpan[] }) {
  const shown = spans.slice(0, most);
  const from = Math.min(...shown.map((span) => span.from));
  const now = Math.max(...shown.map((span) => span.to ?? Date.now()));
  const whole = Math.max(1, now - from);
  return (
    <div className="spans">
      {shown.map((span) => {
        const to = span.to ?? now;
        const isBad = span.status === 'failed' || span.status === 'timed_out';
        return (
          <div className="span" key={span.key}>
            <span>{span.key}</span>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect
                className={isBad ? 'bad' : ''}
                x={((span.from - from) / whole) * 100}
                width={Math.max(0.6, ((to - span.from) / whole) * 100)}
                height="10"
              />
            </svg>
            <span className="quiet">{span.to === undefined ? span.status : duration(to - span.from)}</span>
          </div>
        );
      })}
      {spans.length > most && <p className="quiet">+ {spans.length - most}</p>}
    </div>
  );
}
