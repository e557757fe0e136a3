import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClient } from '../session/console';
import { lensesTexts } from '../view-texts/lenses';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';

/** The caller's workflows that execute a lens, with the versions that they name, and the caller's lenses that include it. */
export function UsedBy({ lensId }: { lensId: string }) {
  const client = useClient();
  const workflows = usePaged(['lens', lensId, 'workflows'], (cursor) =>
    client.lenses.listWorkflows(lensId, { limit: 20, cursor }),
  );
  const { data: including = [] } = useQuery({
    queryKey: ['lens', lensId, 'included by'],
    queryFn: async () => (await client.lenses.listIncluding(lensId, { limit: 100 })).items,
  });
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
      {including.length > 0 && (
        <p>
          {lensesTexts.includedBy}{' '}
          {including.map(({ id, title }) => (
            <Link key={id} to="/lenses/$lensId" params={{ lensId: id }} className="status plain">
              {title}
            </Link>
          ))}
        </p>
      )}
    </>
  );
}
