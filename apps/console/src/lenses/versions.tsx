import { useQueryClient } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useClient } from '../session/console';
import { lensesTexts } from '../view-texts/lenses';
import { ConfirmedAction } from '../ui/confirmed-action';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Time } from '../ui/time';
import { VersionDiff } from './version-diff';
import { DataTable } from '../ui/data-table';
import { texts } from '../texts';

interface Props {
  lens: shapes.LensRecord;
  isMine: boolean;
}

/** The versions of a lens. Any two can be compared, and the owner can make an older one the newest. */
export function Versions({ lens, isMine }: Props) {
  const client = useClient();
  const [compared, setCompared] = useState<{ from: string; to: string }>();
  const versions = usePaged(['lens', lens.id, 'versions', lens.headVersion.id], (cursor) =>
    client.lenses.listVersions(lens.id, { limit: 50, cursor }),
  );
  const newest = lens.headVersion.semver;
  const listLabels = (versionId: string) => lens.labels.filter((each) => each.versionId === versionId);
  return (
    <>
      <h2>{lensesTexts.versions}</h2>
      <PagedList paged={versions} none={lensesTexts.noVersions}>
        {(items) => (
          <>
            <div className="scroll">
              <DataTable
                items={items}
                getKey={({ id }) => id}
                columns={[
                  {
                    name: lensesTexts.versionColumns.version,
                    isHead: true,
                    show: ({ id, semver }) => (
                      <>
                        <span className="lens-semver">{semver}</span>
                        {listLabels(id).map(({ label }) => (
                          <div key={label}>
                            <span className="status plain">{label}</span>
                          </div>
                        ))}
                      </>
                    ),
                  },
                  {
                    name: lensesTexts.versionColumns.changes,
                    show: ({ changelog, createdAt }) => (
                      <>
                        {changelog}
                        <div className="quiet">
                          <Time at={createdAt} />
                        </div>
                      </>
                    ),
                  },
                  {
                    name: texts.actions,
                    show: ({ semver }) =>
                      semver !== newest && (
                        <div className="row">
                          <button
                            type="button"
                            aria-expanded={compared?.from === semver}
                            onClick={() => setCompared({ from: semver, to: newest })}
                          >
                            {lensesTexts.compare}
                          </button>
                          {isMine && <Restore lens={lens} semver={semver} />}
                        </div>
                      ),
                  },
                ]}
              />
            </div>
            {compared && (
              <VersionDiff
                lensId={lens.id}
                versions={items.map(({ semver }) => semver)}
                from={compared.from}
                to={compared.to}
                onChange={setCompared}
                onClose={() => setCompared(undefined)}
              />
            )}
          </>
        )}
      </PagedList>
    </>
  );
}

function Restore({ lens, semver }: { lens: shapes.LensRecord; semver: string }) {
  const client = useClient();
  const queries = useQueryClient();
  const restore = async (): Promise<void> => {
    const { templateBody, settings } = await client.lenses.getVersion(lens.id, semver);
    await client.lenses.update(lens.id, {
      templateBody,
      settings,
      changelog: lensesTexts.restoredFrom(semver),
      baseVersionId: lens.headVersion.id,
    });
    await queries.invalidateQueries({ queryKey: ['lens', lens.id] });
  };
  return (
    <ConfirmedAction question={lensesTexts.restoreQuestion(semver)} onAct={restore}>
      {lensesTexts.restore}
    </ConfirmedAction>
  );
}
