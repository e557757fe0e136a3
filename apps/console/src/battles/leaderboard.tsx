import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { battlesTexts } from '../view-texts/battles';
import { Action } from '../ui/action';
import { saveLines } from '../ui/save-file';
import { Empty, Loaded } from '../ui/states';
import { type BattleType, battleTypes, inWords } from './battle-types';
import { type Scale, toPercent, rangeText, computeScale, computeTicks } from './intervals';

type Source = 'votes' | 'judges' | 'all';

const sources: readonly Source[] = ['votes', 'judges', 'all'];

interface Props {
  type: BattleType;
  source: Source;
  /** Compares answers of equal style. */
  isStyled: boolean;
}

export const pickSource = (value: string | undefined): Source => sources.find((each) => each === value) ?? 'votes';

/** The rated contenders of a type with their intervals, and how sure the first place is. */
export function Leaderboard({ type, source, isStyled }: Props) {
  const client = useClient();
  const navigate = useNavigate();
  const covariates = isStyled ? 'style' : 'none';
  const query = { source, covariates } as const;
  const entries = useQuery({
    queryKey: ['leaderboard', type, query],
    queryFn: async () => (await client.leaderboards.list(type, { ...query, limit: 100 })).items,
    // Ratings are computed some seconds after a battle is published.
    refetchInterval: 10_000,
  });
  const choose = (next: Partial<Props>): void => {
    const { type: t, source: s, isStyled: styled } = { type, source, isStyled, ...next };
    void navigate({ to: '/battles', search: { tab: 'leaderboards', type: t, source: s, style: styled || undefined } });
  };
  const download = (): Promise<void> =>
    saveLines(client.leaderboards.downloadVotes(type, query), `votes-${type}-${source}.ndjson`);
  return (
    <>
      <div className="row board-filters">
        <label>
          {battlesTexts.type}
          <select
            value={type}
            onChange={({ currentTarget }) =>
              choose({ type: battleTypes.find((each) => each === currentTarget.value) ?? type })
            }
          >
            {battleTypes.map((each) => (
              <option key={each} value={each}>
                {inWords(each)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {battlesTexts.source}
          <select value={source} onChange={({ currentTarget }) => choose({ source: pickSource(currentTarget.value) })}>
            {sources.map((each) => (
              <option key={each} value={each}>
                {battlesTexts.sources[each]}
              </option>
            ))}
          </select>
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={isStyled}
            onChange={({ currentTarget }) => choose({ isStyled: currentTarget.checked })}
          />{' '}
          {battlesTexts.equalStyle}
        </label>
      </div>
      <Loaded query={entries}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={battlesTexts.noRatings}>
              <p>{battlesTexts.noRatingsHint}</p>
            </Empty>
          ) : (
            <Board entries={items} />
          )
        }
      </Loaded>
      <Fit type={type} query={query} />
      <Action onAct={download}>{battlesTexts.download}</Action>
      <p className="quiet">{battlesTexts.downloadHint}</p>
    </>
  );
}

function Board({ entries }: { entries: readonly shapes.LeaderboardEntry[] }) {
  const scale = computeScale(entries);
  const hasGroups = entries.some(({ component }) => component > 1);
  return (
    <section className="panel scroll">
      <table className="table board">
        <caption className="quiet">{battlesTexts.boardCaption}</caption>
        <thead>
          <tr>
            <th scope="col">{battlesTexts.rank}</th>
            <th scope="col">{battlesTexts.contender}</th>
            <th scope="col" className="number">
              Elo
            </th>
            <th scope="col" className="interval-cell">
              <Axis scale={scale} />
              <span className="hidden">{battlesTexts.interval}</span>
            </th>
            <th scope="col" className="number wide">
              {battlesTexts.record}
            </th>
            <th scope="col" className="number wide">
              {battlesTexts.votesUsed}
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.contender}>
              <td>
                <strong>{entry.rank}</strong>{' '}
                {entry.ranks.best !== entry.ranks.worst && <span className="quiet">({rangeText(entry.ranks)})</span>}
              </td>
              <td>
                {entry.displayName}
                <div className="quiet">
                  {entry.kind}
                  {hasGroups && ` · ${battlesTexts.group} ${entry.component}`}
                </div>
              </td>
              <td className="number">{Math.round(entry.elo)}</td>
              <td className="interval-cell">
                <Interval entry={entry} scale={scale} />
              </td>
              <td className="number wide">
                {entry.wins} / {entry.ties} / {entry.losses}
              </td>
              <td className="number wide">{entry.votes}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The interval of an entry as a line with its strength as a point. */
function Interval({ entry: { elo, eloInterval }, scale }: { entry: shapes.LeaderboardEntry; scale: Scale }) {
  const [low, high] = [Math.round(eloInterval.low), Math.round(eloInterval.high)];
  const [from, to] = [toPercent(eloInterval.low, scale), toPercent(eloInterval.high, scale)];
  return (
    <svg className="interval" role="img" aria-label={`${low} – ${high}`}>
      <title>{`${low} – ${high}`}</title>
      {computeTicks(scale).map((tick) => (
        <line
          key={tick}
          className="tick"
          x1={`${toPercent(tick, scale)}%`}
          x2={`${toPercent(tick, scale)}%`}
          y1="0"
          y2="24"
        />
      ))}
      <line x1={`${from}%`} x2={`${to}%`} y1="12" y2="12" />
      <line x1={`${from}%`} x2={`${from}%`} y1="7" y2="17" />
      <line x1={`${to}%`} x2={`${to}%`} y1="7" y2="17" />
      <circle cx={`${toPercent(elo, scale)}%`} cy="12" r="4" />
    </svg>
  );
}

const Axis = ({ scale }: { scale: Scale }) => (
  <svg className="interval axis" aria-hidden="true">
    {computeTicks(scale).map((tick) => (
      <text key={tick} x={`${toPercent(tick, scale)}%`} y="16" textAnchor="middle">
        {tick}
      </text>
    ))}
  </svg>
);

/** How the leaderboard was computed, and how many votes carry its first place. */
function Fit({ type, query }: { type: BattleType; query: { source: Source; covariates: 'none' | 'style' } }) {
  const client = useClient();
  const fit = useQuery({
    queryKey: ['leaderboard', type, query, 'fit'],
    queryFn: async () => client.leaderboards.getFit(type, query),
  });
  if (!fit.data || fit.data.contenders === 0) return null;
  const { fragility, effects, fit: parameters, componentCount } = fit.data;
  return (
    <section className="panel">
      <h2>{battlesTexts.fragility}</h2>
      <p>{fragility.statement}</p>
      {componentCount > 1 && <p className="notice">{battlesTexts.groups(componentCount)}</p>}
      <dl className="facts">
        <dt>{battlesTexts.votesUsed}</dt>
        <dd>{parameters.votes}</dd>
        <dt>{battlesTexts.bootstraps}</dt>
        <dd>{parameters.bootstraps}</dd>
        {effects.map(({ covariate, effect, interval }) => (
          <Effect
            key={covariate}
            name={covariate}
            text={`${signed(effect)} (${signed(interval.low)} – ${signed(interval.high)})`}
          />
        ))}
      </dl>
    </section>
  );
}

const Effect = ({ name, text }: { name: string; text: string }) => (
  <>
    <dt>{inWords(name)}</dt>
    <dd>{text}</dd>
  </>
);

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
