import 'uplot/dist/uPlot.min.css';
import { useEffect, useEffectEvent, useRef } from 'react';
import UPlot from 'uplot';
import type { ChartData } from './chart-data';

interface Props extends ChartData {
  /** Called with the place of the bucket under the pointer. */
  onPoint: (at: number | undefined) => void;
}

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
const dayMs = 86_400_000;

/** The text size of an element in pixels. */
const textSize = (element: Element): number => Number.parseFloat(getComputedStyle(element).fontSize);

/** The colour of a token as it is now, which a canvas cannot look up. */
function readColour(element: HTMLElement, token: string): string {
  element.style.color = `var(--${token})`;
  const { color } = getComputedStyle(element);
  element.style.color = '';
  return color;
}

/** A value without neighbours is no line, so it gets a point. */
const findLonePoints = (plot: UPlot, series: number): number[] => {
  const values = plot.data[series] ?? [];
  const has = (at: number): boolean => (values[at] ?? null) !== null;
  return [...values.keys()].filter((at) => has(at) && !has(at - 1) && !has(at + 1));
};

const toPlotData = ({ times, bucketMs, lines, names }: ChartData): UPlot.AlignedData => [
  names ? [...names.keys()] : times.map((at) => (at + bucketMs / 2) / 1000),
  ...lines.map(({ values }) => [...values]),
];

/** The drawing of a chart on a canvas. It is a module of its own, which is loaded with the first chart. */
export function TimeChart({ onPoint, ...data }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<UPlot>(undefined);
  const { lines, times, bucketMs, onChoose } = data;
  const shapes = lines.map(({ shape, colour, isDashed }) => `${shape} ${colour} ${isDashed}`).join();
  const read = useEffectEvent(() => data);
  const tell = useEffectEvent((at: number | null | undefined) => onPoint(at ?? undefined));
  const choose = useEffectEvent((from: number, to: number) => onChoose?.(from, to));
  const isChoice = onChoose !== undefined;

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const plot = new UPlot(describePlot(element, { read, tell, choose, isChoice }), toPlotData(read()), element);
    drawn.current = plot;
    const redraw = (): void => plot.redraw(false, true);
    const size = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: element.clientHeight }));
    size.observe(element);
    const theme = new MutationObserver(redraw);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', redraw);
    return () => {
      size.disconnect();
      theme.disconnect();
      dark.removeEventListener('change', redraw);
      plot.destroy();
    };
  }, [shapes, isChoice]);

  const update = useEffectEvent(() => drawn.current?.setData(toPlotData(data)));
  useEffect(() => {
    update();
  }, [times, bucketMs, lines]);

  return <div className="chart-canvas" ref={box} />;
}

/** The ends of the axis of times, or of buckets with names. */
function findRange({ times, bucketMs, names }: ChartData): [number, number] {
  if (names) return [-0.5, names.length - 0.5];
  return [(times[0] ?? 0) / 1000, ((times.at(-1) ?? 0) + bucketMs) / 1000];
}

interface Calls {
  read: () => ChartData;
  tell: (at: number | null | undefined) => void;
  choose: (from: number, to: number) => void;
  isChoice: boolean;
}

function describePlot(element: HTMLElement, { read, tell, choose, isChoice }: Calls): UPlot.Options {
  const { bucketMs, lines, names, steps, sync } = read();
  const text = textSize(element);
  const colour = (token: string) => () => readColour(element, token);
  const isByDay = bucketMs >= dayMs;
  const bars = UPlot.paths.bars?.({ size: [0.85, Infinity] });
  const writeTime = (seconds: number): string => {
    const at = new Date(seconds * 1000);
    // Days begin at midnight UTC, so they are named by UTC.
    if (isByDay) return day.format(new Date(at.getTime() + at.getTimezoneOffset() * 60_000));
    return at.getHours() === 0 && at.getMinutes() === 0 ? day.format(at) : clock.format(at);
  };
  const axis: UPlot.Axis = {
    font: `${text}px ${getComputedStyle(element).fontFamily}`,
    stroke: colour('quiet'),
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
    gap: text / 2,
  };
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    padding: [text / 2, text * 1.5, 0, 0],
    legend: { show: false },
    ...(isByDay && { tzDate: (seconds: number) => UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') }),
    scales: {
      x: { time: !names, range: () => findRange(read()) },
      y: { range: (_plot, _lowest, highest) => [0, read().highest ?? Math.max(1, highest)] },
    },
    axes: [
      {
        ...axis,
        size: text * 2,
        space: text * 5,
        grid: { show: false },
        values: (_plot, at) => at.map((each) => (names ? (read().names?.[each] ?? '') : writeTime(each))),
      },
      {
        ...axis,
        space: text * 2,
        ...(steps && { incrs: [...steps] }),
        // Before the first drawing there are no values, which its type does not say.
        size: (_plot, values: string[] | null) =>
          text + Math.max(1, ...(values ?? []).map((value) => value.length)) * text * 0.6,
        values: (_plot, values) => values.map((value) => read().write(value)),
      },
    ],
    series: [
      {},
      ...lines.map(({ shape, colour: token, isDashed }): UPlot.Series => {
        if (shape === 'bars')
          return { width: 0, fill: colour(token), points: { show: false }, ...(bars && { paths: bars }) };
        return {
          width: 2,
          stroke: colour(token),
          ...(isDashed && { dash: [4, 3] }),
          points: { show: false, size: 5, fill: colour(token), filter: findLonePoints },
        };
      }),
    ],
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: isChoice, y: false, setScale: false, dist: 5 },
      ...(sync !== undefined && { sync: { key: sync } }),
    },
    hooks: {
      setCursor: [({ cursor }) => tell(cursor.idx)],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width === 0) return;
          choose(plot.posToVal(left, 'x') * 1000, plot.posToVal(left + width, 'x') * 1000);
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
    },
  };
}
