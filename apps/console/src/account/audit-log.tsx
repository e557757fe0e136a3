import { useClient } from '../session/console';
import { texts } from '../texts';
import { Fault } from '../ui/fault';
import { usePaged } from '../ui/paged';
import { Loading } from '../ui/states';
import { Time } from '../ui/time';

/** The audit log of the account, the newest entries first. */
export function AuditLog() {
  const client = useClient();
  const { items, isLoading, error, more, retry } = usePaged(['audit'], (cursor) =>
    client.audit.list({ limit: 50, cursor }),
  );
  if (isLoading) return <Loading />;
  if (error) return <Fault error={error} onRetry={retry} />;
  return (
    <>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{texts.account.when}</th>
            <th scope="col">{texts.account.action}</th>
            <th scope="col">{texts.account.target}</th>
            <th scope="col">{texts.runs.request}</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ id, action, target, requestId, occurredAt }) => (
            <tr key={id}>
              <td>
                <Time at={occurredAt} />
              </td>
              <td>{action}</td>
              <td>
                <code>{target === null ? '' : Object.values(target).join(' ')}</code>
              </td>
              <td>
                <code>{requestId}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more && (
        <button type="button" onClick={more}>
          {texts.more}
        </button>
      )}
    </>
  );
}
