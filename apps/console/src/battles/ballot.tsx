import { useMutation } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useClient } from '../session/console';
import { battlesTexts } from '../view-texts/battles';
import { describeFault } from '../ui/fault';
import { type Ranking, ballotKey, findPlace, toggled, toVote } from './ranking';

interface Props {
  battle: shapes.Battle;
  ballot: readonly shapes.BallotEntry[];
  onNext: () => void;
}

/**
 * A vote: the best answer at once, or with more than two answers also an order of them. It works by touch and by keys; on
 * wide screens the answers stand side by side and are read together.
 */
export function Ballot({ battle, ballot, onNext }: Props) {
  const client = useClient();
  const [isRanking, setRanking] = useState(false);
  const [ranking, setOrder] = useState<Ranking>([]);
  const [comment, setComment] = useState('');
  const [isTogether, setTogether] = useState(true);
  const answers = useTogether(isTogether);
  const vote = useMutation({
    mutationFn: async (order: Ranking) => client.battles.castVote(battle.id, toVote(order, comment)),
  });
  const isOpen = !vote.isPending && !vote.isSuccess;
  const choose = (id: string): void => {
    if (isRanking) setOrder(toggled(ranking, id));
    else vote.mutate([id]);
  };
  const again = (): void => {
    setOrder([]);
    vote.reset();
  };
  useKeys((key) => {
    if (vote.isSuccess && key === 'Enter') return onNext();
    const meaning = ballotKey(key, ballot.length);
    if (!isOpen || meaning === undefined) return;
    if (meaning === 'tie') vote.mutate([]);
    else if (meaning === 'undo') setOrder(ranking.slice(0, -1));
    else if (meaning === 'send') {
      if (isRanking && ranking.length > 0) vote.mutate(ranking);
    } else {
      const entry = ballot[meaning.entry];
      if (entry) choose(entry.contenderId);
    }
  });
  return (
    <>
      <h2>{battle.title}</h2>
      <p className="answer">{battle.taskPrompt}</p>
      <p className="quiet">
        {battlesTexts.blind} <span className="keys">{isRanking ? battlesTexts.rankingKeys : battlesTexts.keys}</span>
      </p>
      <Options
        mayRank={ballot.length > 2}
        isRanking={isRanking}
        isTogether={isTogether}
        isOpen={isOpen}
        onRank={(ranks) => {
          setRanking(ranks);
          setOrder([]);
        }}
        onTogether={setTogether}
      />
      <div className="ballot" ref={answers}>
        {ballot.map(({ contenderId, contentText }, at) => (
          <Answer
            key={contenderId}
            number={at + 1}
            text={contentText}
            place={findPlace(ranking, contenderId)}
            isRanking={isRanking}
            isOpen={isOpen}
            onChoose={() => choose(contenderId)}
          />
        ))}
      </div>
      {isOpen && (
        <details className="comment">
          <summary>{battlesTexts.addComment}</summary>
          <label>
            {battlesTexts.comment}
            <textarea
              maxLength={280}
              rows={2}
              value={comment}
              onChange={({ currentTarget }) => setComment(currentTarget.value)}
            />
          </label>
        </details>
      )}
      <VoteBar
        ranking={ranking}
        isRanking={isRanking}
        isOpen={isOpen}
        hasVoted={vote.isSuccess}
        error={vote.error}
        onVote={(order) => vote.mutate(order)}
        onNext={onNext}
        onAgain={again}
      />
    </>
  );
}

/** Hears keys that mean nothing to the element that has the focus. */
function useKeys(onKey: (key: string) => void): void {
  const hear = useEffectEvent(({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
    if (ctrlKey || metaKey || altKey) return;
    if (target instanceof Element && target.matches('input:not([type=checkbox]), textarea, select, button, a')) {
      if (!/^\d$/.test(key) || target.matches('input, textarea, select')) return;
    }
    onKey(key);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => hear(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}

interface OptionsProps {
  mayRank: boolean;
  isRanking: boolean;
  isTogether: boolean;
  isOpen: boolean;
  onRank: (ranks: boolean) => void;
  onTogether: (together: boolean) => void;
}

const Options = ({ mayRank, isRanking, isTogether, isOpen, onRank, onTogether }: OptionsProps) => (
  <div className="row ballot-options">
    {mayRank && (
      <label className="check">
        <input
          type="checkbox"
          checked={isRanking}
          disabled={!isOpen}
          onChange={({ currentTarget }) => onRank(currentTarget.checked)}
        />{' '}
        {battlesTexts.rankAll}
      </label>
    )}
    <label className="check wide">
      <input type="checkbox" checked={isTogether} onChange={({ currentTarget }) => onTogether(currentTarget.checked)} />{' '}
      {battlesTexts.together}
    </label>
  </div>
);

interface VoteBarProps {
  ranking: Ranking;
  isRanking: boolean;
  isOpen: boolean;
  hasVoted: boolean;
  error: Error | null;
  onVote: (order: Ranking) => void;
  onNext: () => void;
  onAgain: () => void;
}

const VoteBar = ({ ranking, isRanking, isOpen, hasVoted, error, onVote, onNext, onAgain }: VoteBarProps) => (
  <div className="row vote-bar">
    {isOpen ? (
      <>
        {isRanking && (
          <button type="button" className="primary" disabled={ranking.length === 0} onClick={() => onVote(ranking)}>
            {battlesTexts.sendRanking}
          </button>
        )}
        <button type="button" onClick={() => onVote([])}>
          {battlesTexts.tie}
        </button>
      </>
    ) : (
      hasVoted && (
        <>
          <span role="status">{battlesTexts.thanks}</span>
          <button type="button" className="primary" onClick={onNext}>
            {battlesTexts.next}
          </button>
          <button type="button" onClick={onAgain}>
            {battlesTexts.changeVote}
          </button>
        </>
      )
    )}
    {error !== null && (
      <span role="alert" className="notice bad">
        {describeFault(error)}
      </span>
    )}
  </div>
);

interface AnswerProps {
  number: number;
  text: string;
  place: number | undefined;
  isRanking: boolean;
  isOpen: boolean;
  onChoose: () => void;
}

function Answer({ number, text, place, isRanking, isOpen, onChoose }: AnswerProps) {
  const title = `${battlesTexts.answer} ${number}`;
  return (
    <article className="panel" aria-label={title}>
      <h3>
        {title} {place !== undefined && <span className="status good">{battlesTexts.place(place)}</span>}
      </h3>
      <div className="answer reads" role="region" aria-label={`${battlesTexts.textOf} ${number}`} tabIndex={0}>
        {text}
      </div>
      <button
        type="button"
        className={place === undefined ? 'primary choose' : 'choose'}
        aria-pressed={isRanking ? place !== undefined : undefined}
        disabled={!isOpen}
        onClick={onChoose}
      >
        {isRanking ? (place === undefined ? battlesTexts.placeNext : battlesTexts.unplace) : battlesTexts.choose}
      </button>
    </article>
  );
}

/** Scrolls the answers of a ballot together: each to the same share of its length. */
function useTogether(isTogether: boolean) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = box;
    if (!current || !isTogether) return;
    const texts = [...current.querySelectorAll<HTMLElement>('.reads')];
    const getScrollRoom = (text: HTMLElement): number => text.scrollHeight - text.clientHeight;
    // A scroll that a script causes arrives as an event, too; it must not move the others again.
    const moved = new WeakSet<HTMLElement>();
    const onScroll = (event: Event): void => {
      const { target } = event;
      if (!(target instanceof HTMLElement)) return;
      if (moved.delete(target) || getScrollRoom(target) <= 0) return;
      const share = target.scrollTop / getScrollRoom(target);
      for (const text of texts) {
        const top = Math.round(share * getScrollRoom(text));
        if (text === target || getScrollRoom(text) <= 0 || Math.abs(text.scrollTop - top) < 1) continue;
        moved.add(text);
        text.scrollTop = top;
      }
    };
    for (const text of texts) text.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      for (const text of texts) text.removeEventListener('scroll', onScroll);
    };
  }, [isTogether]);
  return box;
}
