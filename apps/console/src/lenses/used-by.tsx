import { Link } from '@tanstack/react-router';
import { useClient } from '../session/console';
import { lensesTexts } from '../view-texts/lenses';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';

/** The caller's workflows that execute a lens, and the versions that they name. */
export function UsedBy({ lensId }: { lensId: string }) {
  const client = useClient();
  const workflows = usePaged(['lens', lensId, 'workflows'], (cursor) =>
    client.lenses.listWorkflows(lensId, { limit: 20, cursor }),
  );
  return (
    <>
      <h2>{lensesTexts.users}</h2>
      <PagedList paged={workflows} none={lensesTexts.noUsers}>
        {(items) => (
          <table className="table stacks">
            <tbody>
              {items.map(({ id, title, versions }) => (
                <tr key={id}>
                  <th scope="row">
                    <Link to="/workflows/$workflowId" params={{ workflowId: id }}>
                      {title}
                    </Link>
                  </th>
                  <td>
                    {versions.map((version) => (
                      <span key={version} className="status plain">
                        {version}
                      </span>
                    ))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </PagedList>
    </>
  );
}
