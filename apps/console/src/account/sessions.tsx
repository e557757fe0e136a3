import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { accountTexts } from '../view-texts/account';
import { Action } from '../ui/action';
import { ConfirmedAction } from '../ui/confirmed-action';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Loaded } from '../ui/states';
import { Time } from '../ui/time';
import { DataTable } from '../ui/data-table';

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
      <h2>{accountTexts.sessions}</h2>
      <Loaded query={preferred}>{() => <OpenSessions />}</Loaded>
      <h2>{accountTexts.signIn}</h2>
      <p>
        <a href={`${settings.signIn}/id/security`}>{accountTexts.security}</a>
        {' · '}
        <a href={`${settings.signIn}/id/password`}>{accountTexts.password}</a>
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
    <PagedList paged={sessions} none={accountTexts.noSessions}>
      {(items) => (
        <>
          <DataTable
            items={items}
            getKey={({ id }) => id}
            columns={[
              {
                name: accountTexts.place,
                show: ({ clientName, current, userAgent }) => (
                  <>
                    {clientName ?? accountTexts.browser} {current && <strong>{accountTexts.here}</strong>}
                    <div className="quiet">{userAgent}</div>
                  </>
                ),
              },
              { name: accountTexts.address, className: 'brief', show: ({ address }) => address },
              { name: accountTexts.lastUsed, isNamed: true, show: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
              { name: accountTexts.begun, isNamed: true, show: ({ createdAt }) => <Time at={createdAt} /> },
              {
                name: texts.actions,
                show: ({ id, current }) =>
                  !current && (
                    <Action className="danger" onAct={then(() => client.me.endSession(id))}>
                      {accountTexts.endSession}
                    </Action>
                  ),
              },
            ]}
          />
          <ConfirmedAction question={accountTexts.endOthersQuestion} onAct={then(() => client.me.endOtherSessions())}>
            {accountTexts.endOthers}
          </ConfirmedAction>
        </>
      )}
    </PagedList>
  );
}
