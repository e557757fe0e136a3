import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Loaded } from '../ui/states';
import type { DiffRow } from './diff-rows';
import { changesOf, diffRows } from './diff-rows';

interface Props {
  lensId: string;
  versions: readonly string[];
  from: string;
  to: string;
  onChange: (compared: { from: string; to: string }) => void;
  onClose: () => void;
}

/** The differences of two versions: lines of text, and parameters. */
export function VersionDiff({ lensId, versions, from, to, onChange, onClose }: Props) {
  const client = useClient();
  const diff = useQuery({
    queryKey: ['lens', lensId, 'diff', from, to],
    queryFn: async () => client.lenses.diffVersions(lensId, { from, to }),
    // Versions never change.
    staleTime: Infinity,
  });
  const select = (label: string, value: string, onChoose: (semver: string) => void) => (
    <label>
      {label}
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {versions.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
  );
  return (
    <section aria-label={texts.lenses.comparison}>
      <div className="row lens-compare">
        {select(texts.lenses.from, from, (semver) => onChange({ from: semver, to }))}
        {select(texts.lenses.to, to, (semver) => onChange({ from, to: semver }))}
        <button type="button" onClick={() => onChange({ from: to, to: from })}>
          {texts.lenses.swap}
        </button>
        <button type="button" onClick={onClose}>
          {texts.lenses.close}
        </button>
      </div>
      <Loaded query={diff}>{(found) => <Differences key={`${from} ${to}`} diff={found} />}</Loaded>
    </section>
  );
}

function Differences({ diff: { lines, params, bump } }: { diff: shapes.LensDiff }) {
  const { added, removed } = changesOf(lines);
  if (added + removed === 0) return <p role="status">{texts.lenses.noDifference}</p>;
  const list = (name: string, given: readonly shapes.LensParamInput[]) =>
    given.length > 0 && (
      <p>
        {name}:{' '}
        {given.map(({ label, optional }) => (
          <span key={label} className="status plain">
            {label} {optional && `(${texts.lenses.optional})`}
          </span>
        ))}
      </p>
    );
  return (
    <>
      <p role="status">
        {texts.lenses.differences(added, removed)} <span className="quiet">{texts.lenses.bumps[bump]}</span>
      </p>
      {list(texts.lenses.addedParameters, params.added)}
      {list(texts.lenses.removedParameters, params.removed)}
      {list(texts.lenses.changedParameters, params.changed)}
      <div className="diff lens-diff" tabIndex={0} role="region" aria-label={texts.lenses.differingLines}>
        {diffRows(lines).map((row, at) => (
          <Row key={at} row={row} />
        ))}
      </div>
    </>
  );
}

const signs = { same: ' ', added: '+', removed: '−' } as const;

function Row({ row }: { row: DiffRow }) {
  const [isOpen, setOpen] = useState(false);
  if (row.kind === 'folded') {
    if (isOpen) return row.rows.map((each, at) => <Row key={at} row={each} />);
    return (
      <button type="button" className="lens-fold" onClick={() => setOpen(true)}>
        {texts.lenses.equalLines(row.rows.length)}
      </button>
    );
  }
  const { kind, text, before, after } = row;
  // Elements for insertions and deletions, since colour alone tells nothing to many readers.
  const Text = kind === 'added' ? 'ins' : kind === 'removed' ? 'del' : 'span';
  return (
    <div className={`lens-line ${kind}`}>
      <span className="quiet" aria-hidden="true">
        {before}
      </span>
      <span className="quiet" aria-hidden="true">
        {after}
      </span>
      <span>{signs[kind]}</span>
      <Text>{text}</Text>
    </div>
  );
}
