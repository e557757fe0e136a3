import { useQueryClient } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { lensesTexts } from '../view-texts/lenses';
import { Action } from '../ui/action';
import { Form, fieldOf } from '../ui/form';
import { Time } from '../ui/time';

/** The labels of a lens, each of which names a version. */
export function Labels({ lens, isMine }: { lens: shapes.LensRecord; isMine: boolean }) {
  const client = useClient();
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: ['lens', lens.id] });
  const set = async (values: FormData): Promise<void> => {
    await client.lenses.setLabel(lens.id, fieldOf(values, 'label'), { version: fieldOf(values, 'version') });
    await reload();
  };
  const remove = async (label: string): Promise<void> => {
    await client.lenses.removeLabel(lens.id, label);
    await reload();
  };
  return (
    <>
      <h2>{lensesTexts.labels}</h2>
      <table className="table">
        <tbody>
          {lens.labels.map(({ label, semver, updatedAt }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{semver}</td>
              <td>
                <Time at={updatedAt} />
              </td>
              <td>{isMine && <Action onAct={() => remove(label)}>{texts.remove}</Action>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {isMine && (
        <Form onSend={set} action={lensesTexts.setLabel} clears>
          <div className="columns">
            <label>
              {texts.name}
              <input name="label" required placeholder="production" />
            </label>
            <label>
              {lensesTexts.versions}
              <input name="version" required defaultValue={lens.headVersion.semver} />
            </label>
          </div>
        </Form>
      )}
    </>
  );
}
