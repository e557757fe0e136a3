import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { Action } from '../ui/action';
import { ConfirmedAction } from '../ui/confirmed-action';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Loaded } from '../ui/states';
import { Time } from '../ui/time';

/** The open sessions of the person, and the ways to sign in. */
export function Sessions() {
  const { session, settings } = useConsole();
  // A token from the sign-in belongs to a session of its own. The one of the browser is to be kept, so it is asked for first.
  const preferred = useQuery({
    queryKey: ['browser-session'],
    queryFn: async () => {
      await session.preferBrowserSession();
      return true;
    },
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <>
      <h2>{texts.account.sessions}</h2>
      <Loaded query={preferred}>{() => <OpenSessions />}</Loaded>
      <h2>{texts.account.signIn}</h2>
      <p>
        <a href={`${settings.signIn}/id/security`}>{texts.account.security}</a>
        {' · '}
        <a href={`${settings.signIn}/id/password`}>{texts.account.password}</a>
      </p>
    </>
  );
}

function OpenSessions() {
  const { client } = useConsole();
  const queries = useQueryClient();
  const sessions = usePaged(['sessions'], (cursor) => client.me.listSessions({ limit: 50, cursor }));
  const then = (act: () => PromiseLike<unknown>) => async (): Promise<void> => {
    await act();
    await queries.invalidateQueries({ queryKey: ['sessions'] });
  };
  return (
    <PagedList paged={sessions} none={texts.account.noSessions}>
      {(items) => (
        <>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{texts.account.place}</th>
                <th scope="col">{texts.account.address}</th>
                <th scope="col">{texts.account.lastUsed}</th>
                <th scope="col">{texts.account.begun}</th>
                <th scope="col">{texts.actions}</th>
              </tr>
            </thead>
            <tbody>
              {items.map(({ id, clientName, userAgent, address, current, createdAt, lastUsedAt }) => (
                <tr key={id}>
                  <td>
                    {clientName ?? texts.account.browser} {current && <strong>{texts.account.here}</strong>}
                    <div className="quiet">{userAgent}</div>
                  </td>
                  <td>{address}</td>
                  <td>
                    <Time at={lastUsedAt} />
                  </td>
                  <td>
                    <Time at={createdAt} />
                  </td>
                  <td>
                    {!current && (
                      <Action className="danger" onAct={then(() => client.me.endSession(id))}>
                        {texts.account.endSession}
                      </Action>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <ConfirmedAction question={texts.account.endOthersQuestion} onAct={then(() => client.me.endOtherSessions())}>
            {texts.account.endOthers}
          </ConfirmedAction>
        </>
      )}
    </PagedList>
  );
}
