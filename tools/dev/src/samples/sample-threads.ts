import type { Context } from '@lensforge/core';
import { createThread, deleteMessage, hideMessage, postMessage } from '@lensforge/threads';

export interface ThreadSources {
  as: (accountId: string) => Context;
  alice: string;
  bob: string;
  carol: string;
  dave: string;
  lensId: string;
  battleId: string;
}

/** Threads about a lens and a published battle and one without a subject, with replies, mentions and a hidden message. */
export async function sampleThreads({
  as,
  alice,
  bob,
  carol,
  dave,
  lensId,
  battleId,
}: ThreadSources): Promise<string[]> {
  const post = async (author: string, threadId: string, text: string, parentId?: string): Promise<string> =>
    (await postMessage(as(author), { threadId, text, ...(parentId !== undefined && { parentId }) })).id;

  const { id: aboutLens } = await createThread(as(bob), {
    title: 'Which tone for angry customers?',
    subjectType: 'lens',
    subjectId: lensId,
  });
  const question = await post(
    bob,
    aboutLens,
    'With `Tone` set to **friendly** the reply begins with a joke. For an angry customer that is wrong. Should the lens decide by itself?',
  );
  await post(alice, aboutLens, 'I would leave it to the caller, and add *calm* to the examples.', question);
  await post(
    carol,
    aboutLens,
    'We use this list:\n\n- calm: money and lost work\n- friendly: questions\n- brief: the rest',
    question,
  );
  await post(bob, aboutLens, 'Thank you, @carol. I took your list over.');

  const { id: aboutBattle } = await createThread(as(carol), {
    title: 'Was this close?',
    subjectType: 'battle',
    subjectId: battleId,
  });
  await post(carol, aboutBattle, 'The second answer has fewer words and says the same. I was surprised by the result.');
  const shout = await post(dave, aboutBattle, 'Voters never read past the first line!!!');
  await post(
    alice,
    aboutBattle,
    '> fewer words\n\nIt leaves out *when it is safe* to ask again. That decided it for me.',
  );
  await hideMessage(as(alice), { threadId: aboutBattle, messageId: shout, hidden: true });

  const { id: general } = await createThread(as(alice), { title: 'Writing for newcomers', visibility: 'community' });
  await post(
    alice,
    general,
    '## Three rules that helped us\n\n1. Say who acts.\n2. Explain a term where it first appears.\n3. Show one example:\n\n```json\n{ "params": { "Tone": "calm" } }\n```\n\nMore in the [glossary](https://example.com/glossary).',
  );
  const second = await post(dave, general, 'Rule 4: read it aloud. What is hard to say is hard to read.');
  await post(bob, general, 'We do that in reviews. It takes **five minutes** a page.', second);
  const mistake = await post(dave, general, 'Sorry, wrong thread.');
  await deleteMessage(as(dave), { threadId: general, messageId: mistake });
  await post(
    carol,
    general,
    '@alice can this become a lens? Something like `plain-english`, with the rules as parameters.',
  );
  return [aboutLens, aboutBattle, general];
}
