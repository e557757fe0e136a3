import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';

interface Props<T> {
  items: readonly T[];
  label: string;
  /** In pixels, for text of the usual size. */
  rowHeight?: number;
  /** The names of the columns, in a row above the others. */
  heads?: ReactNode;
  row: (item: T, style: { height: number; transform: string }) => ReactNode;
  /** Called when the end of the rows is near. */
  onEnd?: (() => void) | undefined;
}

/** The size of the root's text in pixels, which its reader sets. */
const textSize = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** A list of rows of one height, of which only the visible ones are in the page. */
export function Rows<T>({ items, label, rowHeight = 38, heads, row, onEnd }: Props<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const height = Math.round((rowHeight * textSize()) / 16);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 10,
  });
  // Another size of the text gives all rows another place.
  useEffect(() => virtual.measure(), [virtual, height]);
  const rows = virtual.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  const isNearEnd = items.length > 0 && last >= items.length - 10;
  const reachEnd = useEffectEvent(() => onEnd?.());
  useEffect(() => {
    if (isNearEnd) reachEnd();
  }, [isNearEnd, items.length]);
  return (
    <div className="rows panel" ref={scroller} tabIndex={0} role="region" aria-label={label}>
      {heads}
      <div className="rows-inner" style={{ height: virtual.getTotalSize() }}>
        {rows.map(({ index, start }) => {
          const item = items[index];
          return item === undefined ? null : row(item, { height, transform: `translateY(${start}px)` });
        })}
      </div>
    </div>
  );
}
