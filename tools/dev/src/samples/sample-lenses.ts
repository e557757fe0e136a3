import type { LensSettings } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { createLens, setLensLabel, updateLens } from '@lensforge/lenses';

/** A lens with its versions, values for its parameters and answers that a model gave. */
interface LensText {
  title: string;
  description: string;
  tags: readonly string[];
  /** The oldest first. */
  templates: readonly { body: string; changelog?: string; settings?: LensSettings }[];
  /** Labels, by the index of their version. */
  labels: Readonly<Record<string, number>>;
  params: readonly Readonly<Record<string, string>>[];
  answers: readonly string[];
}

export interface SampleLens extends Pick<LensText, 'params' | 'answers' | 'title'> {
  lensId: string;
  /** The oldest first. */
  versionIds: readonly string[];
}

const ofAlice: readonly LensText[] = [
  {
    title: 'Support reply',
    description: 'Answers a customer in the tone of the team, and says what happens next.',
    tags: ['support', 'email'],
    templates: [
      { body: 'Answer this customer:\n[[Message]]' },
      {
        body: 'You answer customers of [[Product]].\nAnswer this message in at most 120 words:\n[[Message]]',
        changelog: 'Name the product, and limit the length.',
      },
      {
        body: 'You answer customers of [[Product]] in a [[Tone!]] tone.\nAnswer this message in at most 120 words. Say what happens next, and when:\n[[Message]]',
        changelog: 'Say what happens next.',
      },
      {
        body: '[[@system]]\nYou answer customers of [[Product]] in a [[Tone!]] tone, in at most 120 words. Say what happens next, and when.\n[[@user]]\n[[Message]]',
        changelog: 'Instructions of their own, tones to choose from, and one length for every caller.',
        settings: {
          sampling: { maxOutputTokens: 400 },
          params: [
            { label: 'Tone', type: 'enum', values: ['calm', 'apologetic', 'friendly'], default: 'friendly' },
            { label: 'Message', type: 'text', max: 5000, description: 'What the customer wrote' },
          ],
        },
      },
    ],
    labels: { production: 1, staging: 2 },
    params: [
      { Product: 'Lensforge', Message: 'My export has been running for an hour. Is it stuck?', Tone: 'calm' },
      { Product: 'Lensforge', Message: 'We were charged twice in October.', Tone: 'apologetic' },
      { Product: 'Lensforge', Message: 'Can two people edit the same workflow?', Tone: 'friendly' },
    ],
    answers: [
      'Thank you for waiting. The export is not stuck: it writes about 40 MB a minute, and yours has 3.1 GB. It will end within the next half hour, and you get an e-mail with the link. You can close the page in the meantime.',
      'You are right, and I am sorry: the invoice of 3 October was paid twice. We returned the second payment this morning; banks need two to five working days for it. You need not do anything.',
      'Yes. The second person who saves sees that another version was saved meanwhile, and chooses which one is the newest. Nothing is overwritten without a question.',
    ],
  },
  {
    title: 'Release notes',
    description: 'Turns merged changes into notes for users.',
    tags: ['release', 'writing'],
    templates: [
      { body: 'Write release notes from these changes:\n[[Changes]]' },
      {
        body: 'Write release notes for version [[Version]] from these changes. Group them into Added, Changed and Fixed; leave out what users do not see:\n[[Changes]]',
        changelog: 'Group the changes.',
      },
    ],
    labels: { production: 1 },
    params: [
      { Version: '2.4.0', Changes: 'feat: filters for runs by cost\nfix: time zone of schedules\nchore: bump linter' },
      { Version: '2.4.1', Changes: 'fix: retries of webhooks after a 429\ndocs: examples for signatures' },
    ],
    answers: [
      '## 2.4.0\n\n### Added\n- Runs can be filtered by their cost.\n\n### Fixed\n- Schedules use the time zone that they were created with.',
      '## 2.4.1\n\n### Fixed\n- A webhook that answers 429 is tried again after the time that it names.',
    ],
  },
  {
    title: 'Triage of bug reports',
    description: 'Reads a report and returns severity, component and the question that is still open.',
    tags: ['support', 'engineering'],
    templates: [
      { body: 'Read this bug report. Return the severity, the component and one open question:\n[[Report]]' },
      {
        body: 'Read this bug report about [[Product]]. Return JSON with severity (low, medium, high), component, and question:\n[[Report]]',
        changelog: 'Return JSON.',
      },
    ],
    labels: { production: 1 },
    params: [
      { Product: 'the editor', Report: 'Undo removes two steps when I hold the key.' },
      { Product: 'the API', Report: 'Since yesterday every tenth request ends with 502.' },
      { Product: 'sign-in', Report: 'The reset e-mail arrives after the link has expired.' },
    ],
    answers: [
      '{"severity": "low", "component": "editor", "question": "Does it happen with a short press, too?"}',
      '{"severity": "high", "component": "gateway", "question": "Do the failing requests share a region?"}',
      '{"severity": "medium", "component": "mail", "question": "Which mail provider does the user have?"}',
    ],
  },
  {
    title: 'Summary of a meeting',
    description: 'Decisions, owners and dates from a transcript.',
    tags: ['meetings'],
    templates: [
      { body: 'Summarise this meeting:\n[[Transcript]]' },
      {
        body: 'List the decisions of this meeting with their owners and dates. Write nothing that was not said:\n[[Transcript]]',
        changelog: 'Decisions with owners and dates alone.',
      },
      {
        body: 'List the decisions of this meeting with their owners and dates, for [[Audience!]]. Write nothing that was not said. Close with the questions that stayed open:\n[[Transcript]]',
        changelog: 'Open questions at the end.',
      },
    ],
    labels: { production: 2, 'last-week': 1 },
    params: [
      { Transcript: 'Ada: we ship on Thursday. Ben: I write the notes. Ada: the price stays open.' },
      { Transcript: 'Cleo: the beta gets ten more seats. Dan: from Monday.', Audience: 'the sales team' },
    ],
    answers: [
      '- Ship on Thursday (Ada)\n- Release notes (Ben)\n\nOpen: the price.',
      '- Ten more seats for the beta, from Monday (Cleo, Dan)\n\nOpen: nothing.',
    ],
  },
];

const ofBob: readonly LensText[] = [
  {
    title: 'Plain English',
    description: 'Rewrites a paragraph so that a newcomer understands it.',
    tags: ['writing'],
    templates: [
      { body: 'Rewrite this in plain English:\n[[Paragraph]]' },
      {
        body: 'Rewrite this for a reader who is new to [[Field]]. Keep every fact, and explain each term once:\n[[Paragraph]]',
        changelog: 'Keep every fact.',
      },
    ],
    labels: { production: 1 },
    params: [
      { Field: 'databases', Paragraph: 'MVCC avoids read locks at the cost of bloat, which vacuum reclaims.' },
      { Field: 'queues', Paragraph: 'At-least-once delivery shifts deduplication to the consumer.' },
    ],
    answers: [
      'The database keeps old versions of a row, so readers never wait for writers. Old versions take space until a clean-up job, called vacuum, removes them.',
      'The queue may deliver a message twice. The program that receives it has to notice, and must not do the work again.',
    ],
  },
  {
    title: 'Questions for an interview',
    description: 'Five questions about a topic, from easy to hard.',
    tags: ['hiring'],
    templates: [
      { body: 'Write five interview questions about [[Topic]], from easy to hard, with what a good answer has.' },
    ],
    labels: {},
    params: [{ Topic: 'indexes' }, { Topic: 'retries and idempotency' }],
    answers: [
      '1. When does an index not help?\n2. What does the order of its columns decide?\n3. What does an index cost a writer?\n4. How do you find an unused one?\n5. How do you add one to a busy table?',
      '1. Why are retries dangerous?\n2. What is an idempotency key?\n3. Where is it stored, and for how long?\n4. What does the second caller get?\n5. What if the first call is still running?',
    ],
  },
];

async function create(ctx: Context, { templates, labels, params, answers, ...lens }: LensText): Promise<SampleLens> {
  const [first, ...later] = templates;
  if (!first) throw new Error(`${lens.title} has no template`);
  const made = await createLens(ctx, { ...lens, templateBody: first.body });
  const { id: lensId } = made.lens;
  const versionIds = [made.version.id];
  for (const { body, changelog, settings } of later) {
    const { id } = await updateLens(ctx, { lensId, templateBody: body, changelog, settings });
    versionIds.push(id);
  }
  for (const [label, at] of Object.entries(labels)) {
    await setLensLabel(ctx, { lensId, label, version: versionIds[at] ?? '' });
  }
  return { title: lens.title, lensId, versionIds, params, answers };
}

async function createAll(ctx: Context, texts: readonly LensText[]): Promise<SampleLens[]> {
  const made: SampleLens[] = [];
  for (const text of texts) made.push(await create(ctx, text));
  return made;
}

export const lensesOfAlice = (ctx: Context): Promise<SampleLens[]> => createAll(ctx, ofAlice);
export const lensesOfBob = (ctx: Context): Promise<SampleLens[]> => createAll(ctx, ofBob);
