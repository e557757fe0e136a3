import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { threadsTexts } from '../view-texts/threads';
import { Action } from '../ui/action';
import { ConfirmedAction } from '../ui/confirmed-action';
import { Form, readField } from '../ui/form';
import { MarkdownText } from '../ui/markdown-text';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import { canEdit, buildThreads } from './thread-tree';
import { TextField } from '../ui/field';

interface Props {
  messages: readonly shapes.Message[];
  threadId: string;
  /** False for a closed thread, which takes no messages and no edits. */
  isOpen: boolean;
  /** The person may hide messages and mute their authors. */
  isModerator: boolean;
  onChanged: () => Promise<void>;
}

/** Messages with their replies below them. */
export const Conversation = (props: Props) => (
  <ol className="conversation">
    {buildThreads(props.messages).map(({ message, replies }) => (
      <li key={message.id}>
        <Entry {...props} message={message} canReply={props.isOpen} />
        {replies.length > 0 && (
          <ol className="replies">
            {replies.map((reply) => (
              <li key={reply.id}>
                <Entry {...props} message={reply} canReply={false} />
              </li>
            ))}
          </ol>
        )}
      </li>
    ))}
  </ol>
);

type Mode = 'reading' | 'editing' | 'replying';

function Entry({ message, canReply, isOpen, ...props }: Props & { message: shapes.Message; canReply: boolean }) {
  const { me } = useConsole();
  const [mode, setMode] = useState<Mode>('reading');
  const isMine = message.author.id === me.account?.id;
  const { author, text, status, createdAt, editedAt } = message;
  return (
    <article className="panel message" aria-label={`@${author.handle}`}>
      <header className="row">
        <strong>{author.displayName}</strong>
        <span className="quiet">@{author.handle}</span>
        {author.kind === 'ai' && <Status value="AI lenser" />}
        {status === 'hidden' && <Status value="hidden" />}
        <span className="quiet">
          <Time at={createdAt} /> {editedAt !== null && threadsTexts.edited}
        </span>
      </header>
      {mode === 'editing' ? (
        <Editor message={message} {...props} onDone={() => setMode('reading')} />
      ) : text === null ? (
        <p className="quiet">{status === 'hidden' ? threadsTexts.hidden : threadsTexts.deleted}</p>
      ) : (
        <MarkdownText text={text} />
      )}
      {mode === 'reading' && (
        <div className="row message-actions">
          {canReply && (
            <button type="button" className="plain" onClick={() => setMode('replying')}>
              {threadsTexts.reply}
            </button>
          )}
          {isOpen && isMine && canEdit(message, Date.now()) && (
            <button type="button" className="plain" onClick={() => setMode('editing')}>
              {threadsTexts.edit}
            </button>
          )}
          <Acts message={message} isMine={isMine} {...props} />
        </div>
      )}
      {mode === 'replying' && <Reply message={message} {...props} onDone={() => setMode('reading')} />}
    </article>
  );
}

interface EntryProps extends Pick<Props, 'threadId' | 'onChanged'> {
  message: shapes.Message;
  onDone: () => void;
}

function Editor({ message, threadId, onChanged, onDone }: EntryProps) {
  const { client } = useConsole();
  const save = async (values: FormData): Promise<void> => {
    const text = readField(values, 'text');
    await client.threads.editMessage(threadId, message.id, { text, version: message.version });
    await onChanged();
    onDone();
  };
  return (
    <Form onSend={save} action={texts.save}>
      <TextField
        label={threadsTexts.write}
        name="text"
        required
        maxLength={16_000}
        rows={5}
        defaultValue={message.text ?? ''}
        autoFocus
      />
      <button type="button" onClick={onDone}>
        {threadsTexts.leave}
      </button>
    </Form>
  );
}

function Reply({ message, threadId, onChanged, onDone }: EntryProps) {
  const { client } = useConsole();
  const post = async (values: FormData): Promise<void> => {
    await client.threads.postMessage(threadId, { text: readField(values, 'text'), parentId: message.id });
    await onChanged();
    onDone();
  };
  return (
    <Form onSend={post} action={threadsTexts.reply}>
      <TextField
        label={threadsTexts.replyTo(message.author.handle)}
        name="text"
        required
        maxLength={16_000}
        autoFocus
      />
      <button type="button" onClick={onDone}>
        {threadsTexts.leave}
      </button>
    </Form>
  );
}

/** The deletion by the author, and what a moderator does with messages of others. */
function Acts({
  message,
  isMine,
  threadId,
  isModerator,
  onChanged,
}: Omit<EntryProps, 'onDone'> & { isMine: boolean; isModerator: boolean }) {
  const { client } = useConsole();
  const hide = async (hidden: boolean): Promise<void> => {
    await client.threads.hideMessage(threadId, message.id, { hidden });
    await onChanged();
  };
  const remove = async (): Promise<void> => {
    await client.threads.deleteMessage(threadId, message.id);
    await onChanged();
  };
  const mute = async (): Promise<void> => {
    await client.threads.muteMember(threadId, message.author.id);
  };
  if (message.status === 'deleted') return null;
  return (
    <>
      {isMine && (
        <ConfirmedAction question={threadsTexts.deleteQuestion} onAct={remove}>
          {texts.remove}
        </ConfirmedAction>
      )}
      {isModerator && (
        <Action className="plain" onAct={() => hide(message.status !== 'hidden')}>
          {message.status === 'hidden' ? threadsTexts.show : threadsTexts.hide}
        </Action>
      )}
      {isModerator && !isMine && (
        <ConfirmedAction question={threadsTexts.muteQuestion(message.author.handle)} onAct={mute}>
          {threadsTexts.mute}
        </ConfirmedAction>
      )}
    </>
  );
}
