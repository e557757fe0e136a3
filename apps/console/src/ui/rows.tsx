import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';

interface Props<T> {
  items: readonly T[];
  label: string;
  rowHeight?: number;
  row: (item: T, style: { height: number; transform: string }) => ReactNode;
  /** Called when the end of the rows is near. */
  onEnd?: (() => void) | undefined;
}

/** A list of rows of one height, of which only the visible ones are in the page. */
export function Rows<T>({ items, label, rowHeight = 38, row, onEnd }: Props<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  const rows = virtual.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  const isNearEnd = items.length > 0 && last >= items.length - 10;
  const reachEnd = useEffectEvent(() => onEnd?.());
  useEffect(() => {
    if (isNearEnd) reachEnd();
  }, [isNearEnd, items.length]);
  return (
    <div className="rows panel" ref={scroller} tabIndex={0} role="region" aria-label={label}>
      <div className="rows-inner" style={{ height: virtual.getTotalSize() }}>
        {rows.map(({ index, start }) => {
          const item = items[index];
          return item === undefined ? null : row(item, { height: rowHeight, transform: `translateY(${start}px)` });
        })}
      </div>
    </div>
  );
}
