import { useQueryClient } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { lensesTexts } from '../view-texts/lenses';
import { Action } from '../ui/action';
import { Form, readField } from '../ui/form';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Time } from '../ui/time';

/** The labels of a lens, each of which names a version. */
export function Labels({ lens, isMine }: { lens: shapes.LensRecord; isMine: boolean }) {
  const client = useClient();
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: ['lens', lens.id] });
  const move = async (label: string, to: { version: string; protected?: boolean }): Promise<void> => {
    await client.lenses.setLabel(lens.id, label, to);
    await reload();
  };
  const set = (values: FormData): Promise<void> =>
    move(readField(values, 'label'), { version: readField(values, 'version') });
  const makeDefault = async (defaultLabel: string | null): Promise<void> => {
    await client.lenses.update(lens.id, { defaultLabel });
    await reload();
  };
  const remove = async (label: string): Promise<void> => {
    await client.lenses.removeLabel(lens.id, label);
    await reload();
  };
  return (
    <>
      <h2>{lensesTexts.labels}</h2>
      {lens.labels.length === 0 && <p className="quiet">{lensesTexts.noLabels}</p>}
      <table className="table stacks">
        <tbody>
          {lens.labels.map(({ label, semver, protected: isProtected, updatedAt }) => (
            <tr key={label}>
              <th scope="row">
                {label} {isProtected && <span className="status plain">{lensesTexts.protected}</span>}{' '}
                {label === lens.defaultLabel && <span className="status plain">{lensesTexts.default}</span>}
              </th>
              <td>{semver}</td>
              <td>
                <Time at={updatedAt} />
              </td>
              <td>
                {isMine && (
                  <div className="row">
                    <Action onAct={() => move(label, { version: semver, protected: !isProtected })}>
                      {isProtected ? lensesTexts.unprotect : lensesTexts.protect}
                    </Action>
                    {label === lens.defaultLabel ? (
                      <Action onAct={() => makeDefault(null)}>{lensesTexts.serveNewest}</Action>
                    ) : (
                      <>
                        <Action onAct={() => makeDefault(label)}>{lensesTexts.makeDefault}</Action>
                        <Action onAct={() => remove(label)}>{texts.remove}</Action>
                      </>
                    )}
                  </div>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="quiet">{lensesTexts.served(lens.servedVersion.semver, lens.defaultLabel)}</p>
      {isMine && <p className="quiet">{lensesTexts.protectedHint}</p>}
      {isMine && (
        <Form onSend={set} action={lensesTexts.setLabel} clears>
          <div className="columns">
            <label>
              {texts.name}
              <input name="label" required placeholder="production" />
            </label>
            <label>
              {lensesTexts.version}
              <input name="version" required defaultValue={lens.headVersion.semver} />
            </label>
          </div>
        </Form>
      )}
      {isMine && <LabelHistory lens={lens} />}
    </>
  );
}

/** The moves of the labels, the newest first. */
function LabelHistory({ lens }: { lens: shapes.LensRecord }) {
  const client = useClient();
  const moves = usePaged(['lens', lens.id, 'label moves', lens.labels], (cursor) =>
    client.lenses.listLabelMoves(lens.id, { limit: 20, cursor }),
  );
  return (
    <details>
      <summary>{lensesTexts.history}</summary>
      <PagedList paged={moves} none={lensesTexts.noMoves}>
        {(items) => (
          <table className="table stacks">
            <tbody>
              {items.map(({ id, label, version, credential, movedAt }) => (
                <tr key={id}>
                  <th scope="row">{label}</th>
                  <td>{version?.semver ?? lensesTexts.removedLabel}</td>
                  <td className="quiet">
                    <Time at={movedAt} /> {lensesTexts.movedBy(credential)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </PagedList>
    </details>
  );
}
