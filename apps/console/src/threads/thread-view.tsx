import { useQuery } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Form, fieldOf } from '../ui/form';
import { Page } from '../ui/page';
import { Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Time } from '../ui/time';

const route = getRouteApi('/threads/$threadId');

/** A conversation, as it goes on. Messages are shown as they were written, never as markup. */
export default function ThreadView() {
  const { threadId } = route.useParams();
  const client = useClient();
  const thread = useQuery({ queryKey: ['thread', threadId], queryFn: async () => client.threads.get(threadId) });
  const messages = useQuery({
    queryKey: ['thread', threadId, 'messages'],
    queryFn: async () => (await client.threads.listMessages(threadId, { limit: 100, order: 'newest' })).items.reverse(),
  });
  useEffect(() => {
    const controller = new AbortController();
    const follow = async (): Promise<void> => {
      for await (const _event of client.threads.events(threadId, { signal: controller.signal }))
        void messages.refetch();
    };
    // Without the stream the view still shows what it read.
    follow().catch(() => undefined);
    return () => controller.abort();
  }, [client, threadId]);
  const post = async (values: FormData): Promise<void> => {
    await client.threads.postMessage(threadId, { text: fieldOf(values, 'text') });
    await messages.refetch();
  };
  return (
    <Page title={thread.data?.title ?? texts.threads.title} above={<Link to="/threads">{texts.threads.title}</Link>}>
      <Loaded query={thread}>
        {({ status, visibility, subjectType }) => (
          <p>
            <Status value={status} /> {visibility} {subjectType}
          </p>
        )}
      </Loaded>
      <Loaded query={messages}>
        {(items) =>
          items.map(({ id, author, text, status, createdAt }) => (
            <article className="panel" key={id}>
              <p className="quiet">
                @{author.handle} <Time at={createdAt} />
              </p>
              <p className="answer">{text ?? (status === 'hidden' ? texts.threads.hidden : texts.threads.deleted)}</p>
            </article>
          ))
        }
      </Loaded>
      <section className="panel">
        <Form onSend={post} action={texts.threads.post} clears>
          <label>
            {texts.threads.write}
            <textarea name="text" required />
          </label>
        </Form>
      </section>
    </Page>
  );
}
