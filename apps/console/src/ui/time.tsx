const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A time as seen from now: `3 min. ago`. */
export function ago(iso: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1000);
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return relative.format(Math.trunc(seconds / size), unit);
}

const join = (larger: string, rest: number, unit: string): string =>
  rest === 0 ? larger : `${larger} ${rest} ${unit}`;

/** A duration in its largest units: `1.2 s`, `3 min 20 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return join(`${minutes} min`, Math.round((ms % 60_000) / 1000), 's');
  return join(`${Math.floor(minutes / 60)} h`, minutes % 60, 'min');
}

export const Time = ({ at }: { at: string | null | undefined }) =>
  at ? (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {ago(at)}
    </time>
  ) : (
    <>–</>
  );
