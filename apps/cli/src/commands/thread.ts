import type { shapes } from '@lensforge/sdk';
import { type Command, limitOption } from '../command.js';
import { UsageFault } from '../faults.js';
import { printEvents } from '../follow-run.js';
import { fields, time } from '../layout.js';
import { printable } from '../terminal.js';

const subjects = ['lens', 'workflow', 'battle', 'run', 'community'] as const;

/** The subject that an option such as `--about lens:<id>` names. */
function parseSubject(text: string | undefined): Pick<shapes.NewThreadRequest, 'subjectType' | 'subjectId'> {
  if (text === undefined) return {};
  const [type = '', subjectId = ''] = text.split(':');
  const subjectType = subjects.find((each) => each === type);
  if (!subjectType || subjectId === '')
    throw new UsageFault(`--about is <kind>:<id>; kinds are ${subjects.join(', ')}`);
  return { subjectType, subjectId };
}

const about = { value: 'kind:id', summary: 'the subject, such as lens:<id>' };

const list: Command = {
  name: 'thread ls',
  summary: 'List threads about a subject, or those without one',
  options: { ...limitOption, about },
  async run(session, input) {
    const subject = parseSubject(input.text('about'));
    await session.showList(
      (limit) => session.client.threads.list({ limit, ...subject }, session.call),
      [
        ['id', ({ id }) => id],
        ['title', ({ title }) => title],
        ['status', ({ status }) => status],
        ['messages', ({ messageCount }) => messageCount],
        ['owner', ({ owner }) => `@${owner.handle}`],
        ['last message', ({ lastMessageAt }) => time(lastMessageAt)],
      ],
      'There are no threads',
    );
  },
};

const messageText = ({ position, author, createdAt, text, status }: shapes.Message): string =>
  `#${position} @${author.handle}, ${time(createdAt)}\n${printable(text ?? `(${status})`)}`;

const get: Command = {
  name: 'thread get',
  summary: 'Show a thread with its newest messages',
  args: ['id'],
  async run(session, input) {
    const { threads } = session.client;
    const [thread, page] = await Promise.all([
      threads.get(input.arg('id'), session.call),
      threads.listMessages(input.arg('id'), { order: 'newest', limit: 50 }, session.call),
    ]);
    const messages = page.items.reverse();
    session.show({ ...thread, messages }, () =>
      [
        fields({ id: thread.id, title: thread.title, status: thread.status, visibility: thread.visibility }),
        ...messages.map((message) => `\n${messageText(message)}`),
      ].join('\n'),
    );
  },
};

const create: Command = {
  name: 'thread create',
  summary: 'Create a thread',
  args: ['title'],
  options: {
    about,
    visibility: { value: 'kind', oneOf: ['subject', 'private', 'community', 'public'], summary: 'who can read it' },
  },
  async run(session, input) {
    const visibility = input.text('visibility') as shapes.Thread['visibility'] | undefined;
    const body = { title: input.arg('title'), ...parseSubject(input.text('about')), ...(visibility && { visibility }) };
    const thread = await session.client.threads.create(body, session.call);
    session.show(thread, () => thread.id);
  },
};

const post: Command = {
  name: 'thread post',
  summary: 'Post a message; its text is an argument, or comes from stdin for -',
  args: ['id', 'text'],
  options: { reply: { value: 'message', summary: 'the message that it replies to' } },
  async run(session, input) {
    const given = input.arg('text');
    const parentId = input.text('reply');
    const text = given === '-' ? (await session.readStdin()).trimEnd() : given;
    const body = { text, ...(parentId !== undefined && { parentId }) };
    const message = await session.client.threads.postMessage(input.arg('id'), body, session.call);
    session.show(message, () => message.id);
  },
};

const watch: Command = {
  name: 'thread watch',
  summary: 'Print the events of a thread until it is closed',
  args: ['id'],
  run: (session, input) => printEvents(session, session.client.threads.events(input.arg('id'), session.call)),
};

export const threadCommands: readonly Command[] = [list, get, create, post, watch];
