import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { battlesTexts } from '../view-texts/battles';
import { Status } from '../ui/status';
import { inWords } from './battle-types';

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** The ranks of a closed battle with votes, judgements and answers, and where the contenders stand among all. */
export function Result({ battle }: { battle: shapes.Battle }) {
  const client = useClient();
  const score = useQuery({
    queryKey: ['battle', battle.id, 'score', battle.status],
    queryFn: async () => client.battles.getScore(battle.id),
  });
  const ratings = useQuery({
    queryKey: ['leaderboard', battle.battleType, 'all'],
    enabled: battle.status === 'published',
    queryFn: async () => (await client.leaderboards.list(battle.battleType, { source: 'all', limit: 100 })).items,
  });
  const judge = battle.judging?.judge ?? null;
  const ranked = [...battle.contenders].sort((a, b) => (a.rank ?? 99) - (b.rank ?? 99));
  const votes = new Map(battle.voteAggregates.map((each) => [each.contenderId, each]));
  const verdicts = new Map(score.data?.aiJudgeVerdicts.map((each) => [each.contenderId, each]));
  const findRating = ({ lensId, workflowId, contenderRefId }: shapes.Contender) =>
    ratings.data?.find(({ contender }) => contender === (lensId ?? workflowId ?? contenderRefId));
  return (
    <section className="panel">
      <h2>{battlesTexts.result}</h2>
      {judge !== null && (
        <p className="quiet">
          {battlesTexts.judge}: {judge}
        </p>
      )}
      <ol className="results">
        {ranked.map((contender) => {
          const verdict = verdicts.get(contender.id);
          const counted = votes.get(contender.id);
          const rating = findRating(contender);
          const answer = battle.submissions.find(({ contenderId }) => contenderId === contender.id);
          return (
            <li key={contender.id}>
              <div className="row">
                <span className="place">{contender.rank ?? '–'}</span>
                <strong>{contender.displayName}</strong>
                {contender.id === battle.winner && <Status value={battlesTexts.winner.toLowerCase()} />}
                <Author contender={contender} />
              </div>
              {counted && (
                <div className="share">
                  <progress max={1} value={counted.voteScore} aria-label={battlesTexts.voteScore} />
                  <span>
                    {percent(counted.voteScore)} · {battlesTexts.firstPlaces(counted.voteCount)}
                  </span>
                </div>
              )}
              {rating && (
                <p className="quiet">
                  {battlesTexts.rating(
                    Math.round(rating.elo),
                    Math.round(rating.eloInterval.low),
                    Math.round(rating.eloInterval.high),
                    inWords(battle.battleType),
                  )}
                </p>
              )}
              {verdict && (
                <details>
                  <summary>
                    {battlesTexts.verdict}: {verdict.verdict} ({percent(verdict.score)})
                  </summary>
                  <p className="answer">{verdict.reasoning}</p>
                </details>
              )}
              {answer && (
                <details open={contender.id === battle.winner}>
                  <summary>{battlesTexts.answer}</summary>
                  <p className="answer">{answer.contentText}</p>
                </details>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** The lenser behind a contender: an AI lenser has a view, a person a history of battles. */
function Author({ contender: { contenderType, contenderRefId } }: { contender: shapes.Contender }) {
  if (contenderRefId === null) return null;
  return contenderType === 'human' ? (
    <Link to="/battles" search={{ tab: 'history', lenser: contenderRefId }}>
      {battlesTexts.itsHistory}
    </Link>
  ) : (
    <Link to="/agents/$aiLenserId" params={{ aiLenserId: contenderRefId }}>
      {battlesTexts.profile}
    </Link>
  );
}
