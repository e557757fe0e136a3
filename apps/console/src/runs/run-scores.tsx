import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Action } from '../ui/action';
import { Loaded } from '../ui/states';
import { Time } from '../ui/time';
import { percent } from '../experiments/numbers';

/** The scores of a run, and a rating of one's own. */
export function RunScores({ runId }: { runId: string }) {
  const client = useClient();
  const { title, none, name, score, source, reason, good, bad, sources } = texts.runs.scores;
  const scores = useQuery({
    queryKey: ['run', runId, 'scores'],
    queryFn: () => client.runs.listScores(runId),
  });
  const rate = async (thumb: 'up' | 'down'): Promise<void> => {
    await client.runs.setScore(runId, { name: 'rating', thumb });
    await scores.refetch();
  };
  return (
    <section className="panel">
      <h2>{title}</h2>
      <Loaded query={scores}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet">{none}</p>
          ) : (
            <div className="scroll" tabIndex={0} role="region" aria-label={title}>
              <table className="table">
                <thead>
                  <tr>
                    <th scope="col">{name}</th>
                    <th scope="col">{score}</th>
                    <th scope="col">{source}</th>
                    <th scope="col">{reason}</th>
                    <th scope="col">{texts.created}</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((each) => (
                    <tr key={each.id}>
                      <th scope="row" className="word">
                        {each.name}
                      </th>
                      <td className="word">{each.score === null ? '–' : percent(each.score)}</td>
                      <td className="word">{sources[each.source]}</td>
                      <td>{each.error ?? each.reason ?? '–'}</td>
                      <td>
                        <Time at={each.createdAt} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
      <Evaluations runId={runId} />
      <p className="row">
        <Action onAct={() => rate('up')}>{good}</Action>
        <Action onAct={() => rate('down')}>{bad}</Action>
      </p>
    </section>
  );
}

/** The state of the run for each rule of evaluation, and why. */
function Evaluations({ runId }: { runId: string }) {
  const client = useClient();
  const { evaluations, rule, reason, states } = texts.runs.scores;
  const { data } = useQuery({
    queryKey: ['run', runId, 'evaluations'],
    queryFn: () => client.runs.listEvaluations(runId, { limit: 100 }),
  });
  if (!data || data.items.length === 0) return null;
  return (
    <details>
      <summary>{evaluations}</summary>
      <table className="table stacks">
        <thead>
          <tr>
            <th scope="col">{rule}</th>
            <th scope="col">{texts.status}</th>
            <th scope="col">{reason}</th>
          </tr>
        </thead>
        <tbody>
          {data.items.map((each) => (
            <tr key={each.ruleId}>
              <th scope="row">{each.rule}</th>
              <td>{states[each.state]}</td>
              <td>{each.reason ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
