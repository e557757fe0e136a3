import { Link, useNavigate } from '@tanstack/react-router';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Form, fieldOf } from '../ui/form';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Status } from '../ui/status';
import { Time } from '../ui/time';

/** The conversations that the person takes part in. */
export default function ThreadListView() {
  const client = useClient();
  const navigate = useNavigate();
  const threads = usePaged(['threads'], (cursor) => client.threads.list({ limit: 50, cursor }));
  const create = async (values: FormData): Promise<void> => {
    const { id } = await client.threads.create({ title: fieldOf(values, 'title') });
    await navigate({ to: '/threads/$threadId', params: { threadId: id } });
  };
  return (
    <Page title={texts.threads.title}>
      <section className="panel scroll">
        <PagedList paged={threads} none={texts.threads.none}>
          {(items) => (
            <table className="table">
              <tbody>
                {items.map(({ id, title, subjectType, status, messageCount, lastMessageAt, createdAt }) => (
                  <tr key={id}>
                    <td>
                      <Link to="/threads/$threadId" params={{ threadId: id }}>
                        {title}
                      </Link>{' '}
                      <span className="quiet">{subjectType}</span>
                    </td>
                    <td>
                      {messageCount} {texts.threads.messages}
                    </td>
                    <td>
                      <Status value={status} />
                    </td>
                    <td>
                      <Time at={lastMessageAt ?? createdAt} />
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
          <label>
            {texts.name}
            <input name="title" required />
          </label>
        </Form>
      </section>
    </Page>
  );
}
