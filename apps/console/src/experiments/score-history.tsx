import { Link } from '@tanstack/react-router';
import { experimentsTexts } from '../view-texts/experiments';
import { Chart } from '../ui/chart';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import { toHistory } from './history';
import { percent } from './numbers';
import { useExperiments } from './use-experiments';

interface Props {
  target: { lensId: string } | { workflowId: string };
  datasetId: string;
  /** The end of the experiment that is shown, which adds its arms. */
  endedAt: string | null;
}

/** The scores of all versions that were tried with a dataset, the newest first. */
export function ScoreHistory({ target, datasetId, endedAt }: Props) {
  const { scorers, tried } = toHistory(useExperiments(target, datasetId, endedAt));
  if (tried.length === 0) return null;
  return (
    <section className="panel scroll" tabIndex={0} aria-label={experimentsTexts.history}>
      <h2>{experimentsTexts.history}</h2>
      {tried.length > 1 && <HistoryCharts scorers={scorers} tried={tried.toReversed()} />}
      <table className="table">
        <thead>
          <tr>
            <th>{experimentsTexts.version}</th>
            <th>{experimentsTexts.ended}</th>
            <th>{experimentsTexts.gate}</th>
            {scorers.map((scorer) => (
              <th key={scorer}>{scorer}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tried.map(({ experimentId, name, version, isCandidate, modelOverride, at, gateResult, scores }) => (
            <tr key={`${experimentId} ${name}`}>
              <th scope="row">
                <Link to="/experiments/$experimentId" params={{ experimentId }}>
                  {version}
                </Link>
                {isCandidate && <div className="quiet">{experimentsTexts.candidate}</div>}
                {modelOverride !== null && <div className="quiet">{modelOverride}</div>}
              </th>
              <td>
                <Time at={at} />
              </td>
              <td>{gateResult !== null && <Status value={gateResult} />}</td>
              {scorers.map((scorer) => (
                <td key={scorer}>
                  <Mean of={scores.find((score) => score.scorer === scorer)?.mean} name={`${scorer}, ${version}`} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The mean of each scorer from the oldest version to the newest. */
const HistoryCharts = ({ scorers, tried }: ReturnType<typeof toHistory>) => (
  <div className="charts">
    {scorers.map((scorer) => {
      const values = tried.map(({ scores }) => scores.find((score) => score.scorer === scorer)?.mean ?? null);
      const say = (at: number): string => sayShare(values[at] ?? null);
      const names = tried.map(({ version }) => version);
      return (
        <Chart
          key={scorer}
          name={scorer}
          value={say(values.length - 1)}
          times={[...names.keys()]}
          names={names}
          bucketMs={0}
          nameTime={(at) => names[at] ?? ''}
          tell={say}
          highest={1}
          write={percent}
          lines={[{ shape: 'line', colour: 'accent', values }]}
        />
      );
    })}
  </div>
);

const sayShare = (share: number | null): string => (share === null ? '–' : percent(share));

const Mean = ({ of: mean, name }: { of: number | undefined; name: string }) =>
  mean === undefined ? (
    '–'
  ) : (
    <>
      <meter value={mean} aria-label={name} /> {percent(mean)}
    </>
  );
