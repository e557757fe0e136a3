import { useQueryClient } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { labelsTexts } from '../view-texts/labels';
import { Action } from '../ui/action';
import { Form, readField } from '../ui/form';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Time } from '../ui/time';

type Version = { semver: string } | { number: number };

/** A lens or workflow, whose labels are shown. */
type Labelled = { kind: 'lens'; of: shapes.LensRecord } | { kind: 'workflow'; of: shapes.WorkflowRecord };

type Move = shapes.LensLabelMove | shapes.WorkflowLabelMove;

const nameOf = (version: Version): string => ('semver' in version ? version.semver : String(version.number));

/** The labels of a lens or workflow, each of which names a version. */
export function Labels({ isMine, ...labelled }: Labelled & { isMine: boolean }) {
  const { kind, of } = labelled;
  const client = useClient();
  const queries = useQueryClient();
  const resource = kind === 'lens' ? client.lenses : client.workflows;
  const doAndReload = (work: () => Promise<unknown>) => async (): Promise<void> => {
    await work();
    await queries.invalidateQueries({ queryKey: [kind, of.id] });
  };
  const set = (values: FormData): Promise<void> => {
    const reason = readField(values, 'reason');
    const to = { version: readField(values, 'version'), ...(reason !== '' && { reason }) };
    return doAndReload(() => resource.setLabel(of.id, readField(values, 'label'), to))();
  };
  const makeDefault = (defaultLabel: string | null) => doAndReload(() => resource.update(of.id, { defaultLabel }));
  return (
    <>
      <h2>{labelsTexts.labels}</h2>
      {of.labels.length === 0 && <p className="quiet">{labelsTexts.noLabels}</p>}
      <table className="table stacks">
        <tbody>
          {of.labels.map(({ label, protected: isProtected, updatedAt, ...place }) => (
            <tr key={label}>
              <th scope="row">
                {label} {isProtected && <span className="status plain">{labelsTexts.protected}</span>}{' '}
                {label === of.defaultLabel && <span className="status plain">{labelsTexts.default}</span>}
              </th>
              <td>{nameOf(place)}</td>
              <td>
                <Time at={updatedAt} />
              </td>
              <td>
                {isMine && (
                  <div className="row">
                    <Action onAct={doAndReload(() => resource.returnLabel(of.id, label, {}))}>
                      {labelsTexts.goBack}
                    </Action>
                    <Action
                      onAct={doAndReload(() =>
                        resource.setLabel(of.id, label, { version: nameOf(place), protected: !isProtected }),
                      )}
                    >
                      {isProtected ? labelsTexts.unprotect : labelsTexts.protect}
                    </Action>
                    {label === of.defaultLabel ? (
                      <Action onAct={makeDefault(null)}>{labelsTexts.serveNewest}</Action>
                    ) : (
                      <>
                        <Action onAct={makeDefault(label)}>{labelsTexts.makeDefault}</Action>
                        <Action onAct={doAndReload(() => resource.removeLabel(of.id, label))}>{texts.remove}</Action>
                      </>
                    )}
                  </div>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="quiet">{labelsTexts.served(nameOf(of.servedVersion), of.defaultLabel)}</p>
      {isMine && (
        <>
          <p className="quiet">{labelsTexts.protectedHint}</p>
          <Form onSend={set} action={labelsTexts.setLabel} clears>
            <div className="columns">
              <label>
                {texts.name}
                <input name="label" required placeholder="production" />
              </label>
              <label>
                {labelsTexts.version}
                <input name="version" required defaultValue={nameOf(of.headVersion)} />
              </label>
              <label>
                {labelsTexts.reason}
                <input name="reason" maxLength={500} />
              </label>
            </div>
          </Form>
          <LabelHistory {...labelled} />
        </>
      )}
    </>
  );
}

/** The moves of the labels, the newest first. */
function LabelHistory({ kind, of }: Labelled) {
  const client = useClient();
  const moves = usePaged<Move>([kind, of.id, 'label moves', of.labels], async (cursor) =>
    kind === 'lens'
      ? client.lenses.listLabelMoves(of.id, { limit: 20, cursor })
      : client.workflows.listLabelMoves(of.id, { limit: 20, cursor }),
  );
  return (
    <details>
      <summary>{labelsTexts.history}</summary>
      <PagedList paged={moves} none={labelsTexts.noMoves}>
        {(items) => (
          <table className="table stacks">
            <tbody>
              {items.map(({ id, label, version, before, kind: move, reason, credential, movedAt }) => (
                <tr key={id}>
                  <th scope="row">{label}</th>
                  <td>
                    {labelsTexts.moved(before ? nameOf(before) : undefined, version ? nameOf(version) : undefined)}{' '}
                    {move === 'return' && <span className="status plain">{labelsTexts.returned}</span>}
                    {reason !== null && <div>{reason}</div>}
                  </td>
                  <td className="quiet">
                    <Time at={movedAt} /> {labelsTexts.movedBy(credential)}
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
