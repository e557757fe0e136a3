import { useQuery } from '@tanstack/react-query';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { Action } from '../ui/action';
import { Empty, Loaded } from '../ui/states';
import { Time } from '../ui/time';

/** The tokens of the account and its communities. The sign-in pages make them and explain their scopes. */
export function Tokens() {
  const { client, settings } = useConsole();
  const tokens = useQuery({
    queryKey: ['tokens'],
    queryFn: async () => (await client.tokens.list({ limit: 100 })).items,
  });
  const revoke = async (id: string): Promise<void> => {
    await client.tokens.revoke(id);
    await tokens.refetch();
  };
  return (
    <>
      <p>
        <a href={`${settings.signIn}/id/tokens`}>{texts.account.createTokens}</a>
      </p>
      <Loaded query={tokens}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={texts.account.noTokens} />
          ) : (
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">{texts.account.label}</th>
                  <th scope="col">{texts.account.scopes}</th>
                  <th scope="col">{texts.account.lastUsed}</th>
                  <th scope="col">{texts.account.expires}</th>
                  <th scope="col">{texts.actions}</th>
                </tr>
              </thead>
              <tbody>
                {items.map(({ id, label, kind, prefix, scopes, lastUsedAt, expiresAt }) => (
                  <tr key={id}>
                    <td>
                      {label}
                      <div className="quiet">
                        {kind} <code>{prefix}…</code>
                      </div>
                    </td>
                    <td>{scopes.join(', ')}</td>
                    <td>
                      <Time at={lastUsedAt} />
                    </td>
                    <td>
                      <Time at={expiresAt} />
                    </td>
                    <td>
                      <Action className="danger" onAct={() => revoke(id)}>
                        {texts.account.revoke}
                      </Action>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
    </>
  );
}
