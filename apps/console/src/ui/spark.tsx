interface Props {
  /** The figure that the line is about, with its value. */
  name: string;
  value: string;
  values: readonly (number | null)[];
  isBad?: boolean;
}

const [width, height] = [100, 24];

/** A figure with a line of how it came about, without axes. */
export function Spark({ name, value, values, isBad = false }: Props) {
  const most = Math.max(1, ...values.map((each) => each ?? 0));
  const step = width / Math.max(1, values.length - 1);
  const points = values.map((each, at) => `${at * step},${height - ((each ?? 0) / most) * height}`).join(' ');
  return (
    <figure className={isBad ? 'spark bad' : 'spark'}>
      <figcaption>
        <span className="quiet">{name}</span> <strong>{value}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <polyline points={points} />
      </svg>
    </figure>
  );
}
