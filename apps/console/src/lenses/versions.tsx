import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Loaded } from '../ui/states';
import { Time } from '../ui/time';

/** The versions of a lens, and what one of them lacks of the newest. */
export function Versions({ lens }: { lens: shapes.LensRecord }) {
  const client = useClient();
  const [compared, setCompared] = useState<string>();
  const versions = useQuery({
    queryKey: ['lens', lens.id, 'versions', lens.headVersion.id],
    queryFn: async () => (await client.lenses.listVersions(lens.id, { limit: 50 })).items,
  });
  return (
    <>
      <h2>{texts.lenses.versions}</h2>
      <Loaded query={versions}>
        {(items) => (
          <table className="table">
            <tbody>
              {items.map(({ id, semver, changelog, createdAt }) => (
                <tr key={id}>
                  <th scope="row">{semver}</th>
                  <td>{changelog}</td>
                  <td>
                    <Time at={createdAt} />
                  </td>
                  <td>
                    {id !== lens.headVersion.id && (
                      <button
                        type="button"
                        aria-expanded={compared === semver}
                        onClick={() => setCompared(compared === semver ? undefined : semver)}
                      >
                        {texts.lenses.compare}
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Loaded>
      {compared !== undefined && <Diff lensId={lens.id} from={compared} />}
    </>
  );
}

const signs = { same: '  ', added: '+ ', removed: '- ' } as const;

function Diff({ lensId, from }: { lensId: string; from: string }) {
  const client = useClient();
  const diff = useQuery({
    queryKey: ['lens', lensId, 'diff', from],
    queryFn: async () => client.lenses.diffVersions(lensId, { from }),
  });
  return (
    <Loaded query={diff}>
      {({ lines }) => (
        <div className="diff" tabIndex={0} role="region" aria-label={texts.lenses.compare}>
          {lines.map(({ kind, text }, at) => (
            <div key={at} className={kind}>
              {signs[kind]}
              {text}
            </div>
          ))}
        </div>
      )}
    </Loaded>
  );
}
