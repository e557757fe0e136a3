import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useClient } from '../session/console';
import { accountTexts } from '../view-texts/account';
import { ColumnHeads } from '../ui/column-heads';
import { Action } from '../ui/action';
import { Form, readField } from '../ui/form';
import { Empty, Loaded } from '../ui/states';
import { Time } from '../ui/time';

const providers: readonly shapes.ByokKey['provider'][] = ['openai', 'anthropic', 'google', 'openai-compatible'];

const readModels = (text: string): { key: string }[] =>
  text
    .split(',')
    .map((key) => ({ key: key.trim() }))
    .filter(({ key }) => key !== '');

/** The keys of model providers that the account brings. */
export function ProviderKeys() {
  const client = useClient();
  const [provider, setProvider] = useState<shapes.ByokKey['provider']>('openai');
  const keys = useQuery({
    queryKey: ['byok-keys'],
    queryFn: async () => (await client.byokKeys.list({ limit: 100 })).items,
  });
  const add = async (values: FormData): Promise<void> => {
    await client.byokKeys.create({
      provider,
      label: readField(values, 'label'),
      secret: readField(values, 'secret'),
      ...(provider === 'openai-compatible' && {
        baseUrl: readField(values, 'baseUrl'),
        models: readModels(readField(values, 'models')),
      }),
    });
    await keys.refetch();
  };
  return (
    <>
      <Loaded query={keys}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={accountTexts.noKeys} />
          ) : (
            <KeyTable keys={items} onChanged={keys.refetch} />
          )
        }
      </Loaded>
      <Form onSend={add} action={accountTexts.addKey} clears>
        <div className="columns">
          <label>
            {accountTexts.provider}
            <select
              value={provider}
              onChange={({ target }) => setProvider(providers.find((each) => each === target.value) ?? provider)}
            >
              {providers.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>
          {provider === 'openai-compatible' && (
            <>
              <label>
                {accountTexts.baseUrl}
                <input name="baseUrl" type="url" required placeholder="https://models.example.com/v1" />
              </label>
              <label>
                {accountTexts.models}
                <input name="models" required autoComplete="off" spellCheck={false} />
              </label>
            </>
          )}
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

function KeyTable({ keys, onChanged }: { keys: readonly shapes.ByokKey[]; onChanged: () => Promise<unknown> }) {
  const client = useClient();
  const then = (act: () => PromiseLike<unknown>) => async (): Promise<void> => {
    await act();
    await onChanged();
  };
  return (
    <table className="table stacks">
      <ColumnHeads names={accountTexts.keyColumns} />
      <tbody>
        {keys.map(({ id, provider, baseUrl, label, last4, lastUsedAt, test }) => (
          <tr key={id}>
            <td>
              {label}{' '}
              <span className="quiet">
                {provider} {baseUrl}
              </span>{' '}
              <code>…{last4}</code>
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
  );
}
