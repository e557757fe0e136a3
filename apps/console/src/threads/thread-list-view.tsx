import { Link, useNavigate } from '@tanstack/react-router';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Fault } from '../ui/fault';
import { Form, fieldOf } from '../ui/form';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { Empty, Loading } from '../ui/states';
import { Status } from '../ui/status';
import { Time } from '../ui/time';

/** The conversations that the person takes part in. */
export default function ThreadListView() {
  const client = useClient();
  const navigate = useNavigate();
  const { items, isLoading, error, more, retry } = usePaged(['threads'], (cursor) =>
    client.threads.list({ limit: 50, cursor }),
  );
  const create = async (values: FormData): Promise<void> => {
    const { id } = await client.threads.create({ title: fieldOf(values, 'title') });
    await navigate({ to: '/threads/$threadId', params: { threadId: id } });
  };
  return (
    <Page title={texts.threads.title}>
      <section className="panel scroll">
        {isLoading ? (
          <Loading />
        ) : error ? (
          <Fault error={error} onRetry={retry} />
        ) : items.length === 0 ? (
          <Empty title={texts.threads.none} />
        ) : (
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
        {more && (
          <button type="button" onClick={more}>
            {texts.more}
          </button>
        )}
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
