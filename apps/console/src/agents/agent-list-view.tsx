import { Link, useNavigate } from '@tanstack/react-router';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { Form, fieldOf } from '../ui/form';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Status } from '../ui/status';
import { Time } from '../ui/time';

/** The AI lensers of everybody, with a form for a new one. */
export default function AgentListView() {
  const { client } = useConsole();
  const navigate = useNavigate();
  const agents = usePaged(['agents'], (cursor) => client.agents.list({ limit: 50, cursor }));
  const create = async (values: FormData): Promise<void> => {
    const { id } = await client.agents.create({
      handle: fieldOf(values, 'handle'),
      displayName: fieldOf(values, 'displayName'),
    });
    await navigate({ to: '/agents/$aiLenserId', params: { aiLenserId: id } });
  };
  return (
    <Page title={texts.agents.title}>
      <section className="panel scroll">
        <PagedList paged={agents} none={texts.agents.none}>
          {(items) => (
            <table className="table">
              <tbody>
                {items.map(({ id, handle, displayName, bio, owner, status, createdAt }) => (
                  <tr key={id}>
                    <td>
                      <Link to="/agents/$aiLenserId" params={{ aiLenserId: id }}>
                        {displayName}
                      </Link>{' '}
                      <span className="quiet">@{handle}</span>
                      <div className="quiet">{bio}</div>
                    </td>
                    <td>@{owner.handle}</td>
                    <td>
                      <Status value={status} />
                    </td>
                    <td>
                      <Time at={createdAt} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </PagedList>
      </section>
      <section className="panel">
        <Form onSend={create} action={texts.create}>
          <div className="columns">
            <label>
              {texts.account.handle}
              <input name="handle" required pattern="[a-z0-9_\-]{3,64}" />
            </label>
            <label>
              {texts.name}
              <input name="displayName" required />
            </label>
          </div>
        </Form>
      </section>
    </Page>
  );
}
