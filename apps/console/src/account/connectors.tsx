import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { accountTexts } from '../view-texts/account';
import { ConfirmedAction } from '../ui/confirmed-action';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Secret } from '../ui/secret';
import { Time } from '../ui/time';
import { describeScopes } from './token-kinds';
import { DataTable } from '../ui/data-table';

/** The external programs with a service token, whose token is replaced here. */
export function Connectors() {
  const client = useClient();
  const queries = useQueryClient();
  const [made, setMade] = useState<{ name: string; value: string }>();
  const connectors = usePaged(['connectors'], (cursor) => client.connectors.list({ limit: 50, cursor }));
  const reload = async (): Promise<void> => {
    await queries.invalidateQueries({ queryKey: ['connectors'] });
    await queries.invalidateQueries({ queryKey: ['tokens'] });
  };
  const rotate = async (id: string, name: string): Promise<void> => {
    const { value } = await client.connectors.rotate(id, {});
    setMade({ name, value });
    await reload();
  };
  const remove = async (id: string): Promise<void> => {
    await client.connectors.remove(id);
    await reload();
  };
  return (
    <>
      {made && <Secret what={`${accountTexts.tokenValue} ${made.name}:`} value={made.value} />}
      <PagedList paged={connectors} none={accountTexts.noConnectors}>
        {(items) => (
          <DataTable
            items={items}
            getKey={({ id }) => id}
            columns={[
              { name: texts.name, show: ({ name }) => name },
              { name: accountTexts.scopes, show: ({ scopes }) => describeScopes(scopes) },
              { name: accountTexts.lastUsed, isNamed: true, show: ({ token }) => <Time at={token?.lastUsedAt} /> },
              { name: accountTexts.expires, isNamed: true, show: ({ token }) => <Time at={token?.expiresAt} /> },
              {
                name: texts.actions,
                show: ({ id, name }) => (
                  <div className="row">
                    <ConfirmedAction question={accountTexts.rotateQuestion} onAct={() => rotate(id, name)}>
                      {accountTexts.rotate}
                    </ConfirmedAction>
                    <ConfirmedAction question={accountTexts.removeConnectorQuestion} onAct={() => remove(id)}>
                      {texts.remove}
                    </ConfirmedAction>
                  </div>
                ),
              },
            ]}
          />
        )}
      </PagedList>
    </>
  );
}
