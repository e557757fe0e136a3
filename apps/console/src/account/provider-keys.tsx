import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useClient } from '../session/console';
import { accountTexts } from '../view-texts/account';
import { Action } from '../ui/action';
import { Form, readField } from '../ui/form';
import { Empty, Loaded } from '../ui/states';
import { Time } from '../ui/time';
import { DataTable } from '../ui/data-table';
import { texts } from '../texts';
import { Field } from '../ui/field';

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
              <Field
                label={accountTexts.baseUrl}
                name="baseUrl"
                type="url"
                required
                placeholder="https://models.example.com/v1"
              />
              <Field label={accountTexts.models} name="models" required autoComplete="off" spellCheck={false} />
            </>
          )}
          <Field label={accountTexts.label} name="label" required />
          <Field label={accountTexts.secret} name="secret" type="password" required autoComplete="off" />
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
    <DataTable
      items={keys}
      getKey={({ id }) => id}
      columns={[
        {
          name: accountTexts.keyColumns.key,
          show: ({ provider, baseUrl, label, last4 }) => (
            <>
              {label}{' '}
              <span className="quiet">
                {provider} {baseUrl}
              </span>{' '}
              <code>…{last4}</code>
            </>
          ),
        },
        { name: accountTexts.keyColumns.test, show: ({ test }) => test?.status },
        { name: accountTexts.keyColumns.used, isNamed: true, show: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
        {
          name: texts.actions,
          show: ({ id }) => (
            <div className="row">
              <Action onAct={then(() => client.byokKeys.test(id))}>{accountTexts.testKey}</Action>
              <Action className="danger" onAct={then(() => client.byokKeys.revoke(id))}>
                {accountTexts.revoke}
              </Action>
            </div>
          ),
        },
      ]}
    />
  );
}
