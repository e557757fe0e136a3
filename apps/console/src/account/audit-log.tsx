import { useClient } from '../session/console';
import { texts } from '../texts';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Time } from '../ui/time';

/** The audit log of the account, the newest entries first. */
export function AuditLog() {
  const client = useClient();
  const entries = usePaged(['audit'], (cursor) => client.audit.list({ limit: 50, cursor }));
  return (
    <PagedList paged={entries} none={texts.account.noEntries}>
      {(items) => (
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
      )}
    </PagedList>
  );
}
