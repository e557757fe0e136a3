import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { changesOf } from '../ui/diff-rows';
import { LineDiff } from '../ui/line-diff';
import { Loaded } from '../ui/states';

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
      <LineDiff lines={lines} label={texts.lenses.differingLines} />
    </>
  );
}
