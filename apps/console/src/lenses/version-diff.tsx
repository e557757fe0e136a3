import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { lensesTexts } from '../view-texts/lenses';
import { countChanges } from '../ui/diff-rows';
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
    <section aria-label={lensesTexts.comparison}>
      <div className="row lens-compare">
        {select(lensesTexts.from, from, (semver) => onChange({ from: semver, to }))}
        {select(lensesTexts.to, to, (semver) => onChange({ from, to: semver }))}
        <button type="button" onClick={() => onChange({ from: to, to: from })}>
          {lensesTexts.swap}
        </button>
        <button type="button" onClick={onClose}>
          {lensesTexts.close}
        </button>
      </div>
      <Loaded query={diff}>{(found) => <Differences key={`${from} ${to}`} diff={found} />}</Loaded>
    </section>
  );
}

function Differences({ diff: { lines, params, settings, bump } }: { diff: shapes.LensDiff }) {
  const { added, removed } = countChanges(lines);
  if (bump === 'none') return <p role="status">{lensesTexts.noDifference}</p>;
  const list = (name: string, given: readonly shapes.LensParamInput[]) =>
    given.length > 0 && (
      <p>
        {name}:{' '}
        {given.map(({ label, optional }) => (
          <span key={label} className="status plain">
            {label} {optional && `(${lensesTexts.optional})`}
          </span>
        ))}
      </p>
    );
  return (
    <>
      <p role="status">
        {lensesTexts.differences(added, removed)} <span className="quiet">{lensesTexts.bumps[bump]}</span>
      </p>
      {list(lensesTexts.addedParameters, params.added)}
      {list(lensesTexts.removedParameters, params.removed)}
      {list(lensesTexts.changedParameters, params.changed)}
      {settings.length > 0 && (
        <ul aria-label={lensesTexts.changedSettings}>
          {settings.map(({ name, before, after }) => (
            <li key={name}>
              {name}: <code>{JSON.stringify(before)}</code> → <code>{JSON.stringify(after)}</code>
            </li>
          ))}
        </ul>
      )}
      <LineDiff lines={lines} label={lensesTexts.differingLines} />
    </>
  );
}
