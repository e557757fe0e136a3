import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import type { Page as SdkPage, shapes } from '@lensforge/sdk';
import { useEffect, useEffectEvent } from 'react';
import { useConsole } from '../session/console';
import { threadsTexts } from '../view-texts/threads';
import { Action } from '../ui/action';
import { Fault } from '../ui/fault';
import { Form, readField } from '../ui/form';
import { Page } from '../ui/page';
import { Empty, Loaded, Loading } from '../ui/states';
import { Status } from '../ui/status';
import { Conversation } from './conversation';
import { Mutes } from './mutes';
import { SubjectLink } from './subject';
import { TextField } from '../ui/field';

const route = getRouteApi('/threads/$threadId');
const pageSize = 100;

/** A conversation, as it goes on. Messages are Markdown of anybody, shown as elements and never as markup. */
export default function ThreadView() {
  const { threadId } = route.useParams();
  const { client, me } = useConsole();
  const thread = useQuery({ queryKey: ['thread', threadId], queryFn: async () => client.threads.get(threadId) });
  const messages = useMessages(threadId);
  const refetch = useEffectEvent(() => {
    void messages.refetch();
    void thread.refetch();
  });
  useEffect(() => {
    const controller = new AbortController();
    const follow = async (): Promise<void> => {
      for await (const _event of client.threads.events(threadId, { signal: controller.signal })) refetch();
    };
    // Without the stream the view still shows what it read.
    follow().catch(() => undefined);
    return () => controller.abort();
  }, [client, threadId]);
  const reload = async (): Promise<void> => {
    await messages.refetch();
  };
  const post = async (values: FormData): Promise<void> => {
    await client.threads.postMessage(threadId, { text: readField(values, 'text') });
    await reload();
  };
  const found = thread.data;
  const isOpen = found?.status === 'open';
  const isOwner = found !== undefined && found.owner.id === me.account?.id;
  return (
    <Page
      title={found?.title ?? threadsTexts.title}
      above={<Link to="/threads">{threadsTexts.title}</Link>}
      actions={found && isOwner && <Moderation thread={found} onChanged={() => void thread.refetch()} />}
    >
      <Loaded query={thread}>{(thread) => <Facts thread={thread} />}</Loaded>
      {messages.hasNextPage && (
        <button type="button" onClick={() => void messages.fetchNextPage()}>
          {threadsTexts.earlier}
        </button>
      )}
      {messages.isPending ? (
        <Loading />
      ) : messages.isError ? (
        <Fault error={messages.error} onRetry={() => void messages.refetch()} />
      ) : messages.items.length === 0 ? (
        <Empty title={threadsTexts.noMessages} />
      ) : (
        <Conversation
          messages={messages.items}
          threadId={threadId}
          isOpen={isOpen}
          isModerator={isOwner}
          onChanged={reload}
        />
      )}
      {isOpen && (
        <section className="panel">
          <Form onSend={post} action={threadsTexts.post} clears>
            <TextField label={threadsTexts.write} name="text" required maxLength={16_000} />
            <p className="quiet">{threadsTexts.writeHint}</p>
          </Form>
        </section>
      )}
      {found?.status === 'closed' && <p className="notice">{threadsTexts.closed}</p>}
      {isOwner && <Mutes threadId={threadId} />}
    </Page>
  );
}

function Facts({ thread }: { thread: shapes.Thread }) {
  const { status, visibility, subjectType, subjectId, owner, messageCount } = thread;
  return (
    <p>
      <Status value={status} /> {threadsTexts.visibilities[visibility]} · @{owner.handle} · {messageCount}{' '}
      {threadsTexts.messages}
      {subjectType !== null && subjectId !== null && (
        <>
          {' · '}
          <SubjectLink type={subjectType} id={subjectId} />
        </>
      )}
    </p>
  );
}

/** The newest messages and the pages before them, the oldest first. */
function useMessages(threadId: string) {
  const { client } = useConsole();
  const query = useInfiniteQuery({
    queryKey: ['thread', threadId, 'messages'],
    queryFn: async ({ pageParam }): Promise<SdkPage<shapes.Message>> =>
      client.threads.listMessages(threadId, { limit: pageSize, order: 'newest', cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.meta.nextCursor ?? undefined,
  });
  return { ...query, items: query.data?.pages.flatMap(({ items }) => items).reverse() ?? [] };
}

function Moderation({ thread, onChanged }: { thread: shapes.Thread; onChanged: () => void }) {
  const { client } = useConsole();
  const status = thread.status === 'open' ? 'closed' : 'open';
  const move = async (): Promise<void> => {
    await client.threads.update(thread.id, { status });
    onChanged();
  };
  return <Action onAct={move}>{status === 'closed' ? threadsTexts.close : threadsTexts.reopen}</Action>;
}
