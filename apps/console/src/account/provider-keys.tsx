import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { accountTexts } from '../view-texts/account';
import { Action } from '../ui/action';
import { Form, readField } from '../ui/form';
import { Empty, Loaded } from '../ui/states';
import { Time } from '../ui/time';

const providers: readonly shapes.ByokKey['provider'][] = ['openai', 'anthropic', 'google'];

/** The keys of model providers that the account brings. */
export function ProviderKeys() {
  const client = useClient();
  const keys = useQuery({
    queryKey: ['byok-keys'],
    queryFn: async () => (await client.byokKeys.list({ limit: 100 })).items,
  });
  const add = async (values: FormData): Promise<void> => {
    const provider = providers.find((each) => each === readField(values, 'provider')) ?? 'openai';
    await client.byokKeys.create({ provider, label: readField(values, 'label'), secret: readField(values, 'secret') });
    await keys.refetch();
  };
  const then = (act: () => PromiseLike<unknown>) => async (): Promise<void> => {
    await act();
    await keys.refetch();
  };
  return (
    <>
      <Loaded query={keys}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={accountTexts.noKeys} />
          ) : (
            <table className="table stacks">
              <tbody>
                {items.map(({ id, provider, label, last4, lastUsedAt, test }) => (
                  <tr key={id}>
                    <td>
                      {label} <span className="quiet">{provider}</span> <code>…{last4}</code>
                    </td>
                    <td>{test?.status}</td>
                    <td>
                      <Time at={lastUsedAt} />
                    </td>
                    <td>
                      <div className="row">
                        <Action onAct={then(() => client.byokKeys.test(id))}>{accountTexts.testKey}</Action>
                        <Action className="danger" onAct={then(() => client.byokKeys.revoke(id))}>
                          {accountTexts.revoke}
                        </Action>
                      </div>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
      <Form onSend={add} action={accountTexts.addKey} clears>
        <div className="columns">
          <label>
            {accountTexts.provider}
            <select name="provider">
              {providers.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>
          <label>
            {accountTexts.label}
            <input name="label" required />
          </label>
          <label>
            {accountTexts.secret}
            <input name="secret" type="password" required autoComplete="off" />
          </label>
        </div>
      </Form>
    </>
  );
}
