import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../session/console';
import { Action } from '../ui/action';
import { describeFault } from '../ui/fault';
import { Json } from '../ui/json';
import { Empty, Loaded } from '../ui/states';
import { reviewsTexts } from '../view-texts/reviews';

/** The next answer that waits for the person, reviewed with the keyboard. */
export function ReviewNext({ queue }: { queue: shapes.ReviewQueue }) {
  const client = useClient();
  const [after, setAfter] = useState<string>();
  const next = useQuery({
    queryKey: ['review-next', queue.id, after],
    queryFn: async () => client.reviewQueues.getNextReview(queue.id, after === undefined ? {} : { after }),
    refetchOnWindowFocus: false,
  });
  return (
    <Loaded query={next}>
      {({ item, waiting }) =>
        item === null ? (
          <Empty title={reviewsTexts.nothing} />
        ) : (
          <section className="panel">
            <p className="quiet">{reviewsTexts.waiting(waiting)}</p>
            <Answer key={item.id} queue={queue} item={item} onSkip={() => setAfter(item.id)} />
          </section>
        )
      }
    </Loaded>
  );
}

interface AnswerProps {
  queue: shapes.ReviewQueue;
  item: shapes.ItemToReview;
  onSkip: () => void;
}

type Choice = 'up' | 'down' | 1 | 2 | 3 | 4 | 5;
const choices = { verdict: ['up', 'down'], marks: [1, 2, 3, 4, 5] } as const;
const nameOf = (choice: Choice): string =>
  choice === 'up' ? reviewsTexts.good : choice === 'down' ? reviewsTexts.bad : reviewsTexts.mark(choice);

function Answer({ queue: { id, scale }, item, onSkip }: AnswerProps) {
  const client = useClient();
  const queries = useQueryClient();
  const [choice, setChoice] = useState<Choice>();
  const [fault, setFault] = useState<unknown>();
  const [comment, corrected] = [useRef<HTMLTextAreaElement>(null), useRef<HTMLTextAreaElement>(null)];
  const isSending = useRef(false);

  const send = async (): Promise<void> => {
    if (choice === undefined) throw new Error(reviewsTexts.choose);
    const [said, right] = [comment, corrected].map(({ current }) => current?.value.trim() ?? '');
    await client.reviewQueues.giveReview(id, item.id, {
      ...(typeof choice === 'number' ? { mark: choice } : { thumb: choice }),
      ...(said !== '' && { comment: said }),
      ...(right !== '' && { corrected: right }),
    });
    await queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('review') });
  };
  const sendOnce = (): void => {
    if (isSending.current) return;
    isSending.current = true;
    send()
      .catch(setFault)
      .finally(() => {
        isSending.current = false;
      });
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
      if (event.key === 'Escape' && isTyping) (event.target as HTMLElement).blur();
      if (isTyping ? event.key !== 'Enter' || !event.ctrlKey : event.ctrlKey || event.metaKey || event.altKey) return;
      const act = keyActs[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    };
    const keyActs: Readonly<Record<string, (() => void) | undefined>> = {
      ...(scale === 'verdict'
        ? { g: () => setChoice('up'), b: () => setChoice('down') }
        : Object.fromEntries(choices.marks.map((mark) => [String(mark), () => setChoice(mark)]))),
      c: () => comment.current?.focus(),
      e: () => corrected.current?.focus(),
      s: onSkip,
      enter: sendOnce,
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  return (
    <>
      <h2>{reviewsTexts.input}</h2>
      <Json value={item.params} label={reviewsTexts.input} />
      <h2>{reviewsTexts.answer}</h2>
      <Json value={item.output} label={reviewsTexts.answer} />
      <div className="row" role="group" aria-label={reviewsTexts.scale}>
        {choices[scale].map((each) => (
          <button
            key={each}
            type="button"
            className="chip"
            aria-pressed={choice === each}
            onClick={() => setChoice(each)}
          >
            {nameOf(each)}
          </button>
        ))}
      </div>
      <div className="form">
        <label>
          {reviewsTexts.comment}
          <textarea ref={comment} rows={2} maxLength={2000} />
        </label>
        <label>
          {reviewsTexts.corrected}
          <textarea ref={corrected} rows={3} maxLength={100_000} />
        </label>
        <div className="row">
          <Action className="primary" onAct={send}>
            {reviewsTexts.send}
          </Action>
          <button type="button" onClick={onSkip}>
            {reviewsTexts.skip}
          </button>
        </div>
        {fault !== undefined && (
          <p role="alert" className="notice bad">
            {describeFault(fault)}
          </p>
        )}
        <p className="quiet">{reviewsTexts.keys[scale]}</p>
      </div>
    </>
  );
}
