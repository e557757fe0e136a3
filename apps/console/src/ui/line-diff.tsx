import { useState } from 'react';
import { texts } from '../texts';
import { type DiffLine, type DiffRow, diffRows } from './diff-rows';
import type { LinePart } from './diff-words';

/** Two texts line by line, with long stretches of equal lines folded. */
export function LineDiff({ lines, label }: { lines: readonly DiffLine[]; label: string }) {
  return (
    <div className="diff" tabIndex={0} role="region" aria-label={label}>
      {diffRows(lines).map((row, at) => (
        <Row key={at} row={row} />
      ))}
    </div>
  );
}

const signs = { same: ' ', added: '+', removed: '−' } as const;

function Row({ row }: { row: DiffRow }) {
  const [isOpen, setOpen] = useState(false);
  if (row.kind === 'folded') {
    if (isOpen) return row.rows.map((each, at) => <Row key={at} row={each} />);
    return (
      <button type="button" className="diff-fold" onClick={() => setOpen(true)}>
        {texts.equalLines(row.rows.length)}
      </button>
    );
  }
  const { kind, text, before, after, parts } = row;
  // Elements for insertions and deletions, since colour alone tells nothing to many readers.
  const Text = kind === 'added' ? 'ins' : kind === 'removed' ? 'del' : 'span';
  return (
    <div className={`diff-line ${kind}`}>
      <span className="quiet" aria-hidden="true">
        {before}
      </span>
      <span className="quiet" aria-hidden="true">
        {after}
      </span>
      <span>{signs[kind]}</span>
      {parts ? <Parts parts={parts} Changed={Text} /> : <Text>{text}</Text>}
    </div>
  );
}

/** A line of which only some words differ. */
const Parts = ({ parts, Changed }: { parts: readonly LinePart[]; Changed: 'ins' | 'del' | 'span' }) => (
  <span>{parts.map(({ text, isChanged }, at) => (isChanged ? <Changed key={at}>{text}</Changed> : text))}</span>
);
