import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { operatorTexts } from '../view-texts/operator';
import { Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Time } from '../ui/time';

const refreshMs = 10_000;
const lists = ['stuck', 'lost', 'failed', 'oldest'] as const;

/** The runs of all accounts that may need an operator. */
export function RunLists() {
  const { client } = useConsole();
  const [list, setList] = useState<shapes.OperatorRunsQuery['list']>('stuck');
  const runs = useQuery({
    queryKey: ['operator', 'runs', list],
    queryFn: async () => (await client.operator.listRuns({ list })).runs,
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  });
  return (
    <section className="panel">
      <h2>{operatorTexts.runLists.title}</h2>
      <div className="chips" role="group" aria-label={operatorTexts.runLists.title}>
        {lists.map((name) => (
          <button type="button" key={name} className="chip" aria-pressed={name === list} onClick={() => setList(name)}>
            {operatorTexts.runLists[name]}
          </button>
        ))}
      </div>
      <Loaded query={runs}>
        {(found) =>
          found.length === 0 ? <p className="quiet">{operatorTexts.runLists.none}</p> : <RunTable runs={found} />
        }
      </Loaded>
    </section>
  );
}

function RunTable({ runs }: { runs: readonly shapes.OperatorRun[] }) {
  const { me } = useConsole();
  const words = operatorTexts.runLists;
  return (
    <div className="scroll tall" tabIndex={0} role="region" aria-label={words.title}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{words.run}</th>
            <th scope="col">{words.account}</th>
            <th scope="col">{texts.status}</th>
            <th scope="col">{words.cause}</th>
            <th scope="col">{operatorTexts.worker}</th>
            <th scope="col">{texts.created}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map(({ id, accountId, accountHandle, kind, status, errorCode, waitsFor, worker, createdAt }) => (
            <tr key={id}>
              <td>
                {accountId === me.account?.id ? (
                  <Link to="/runs/$runId" params={{ runId: id }}>
                    <code>{id}</code>
                  </Link>
                ) : (
                  <code>{id}</code>
                )}{' '}
                <span className="quiet">{kind}</span>
              </td>
              <td>{accountHandle ?? accountId}</td>
              <td>
                <Status value={status} />
              </td>
              <td>{errorCode ?? waitsFor ?? '–'}</td>
              <td>{worker === null ? '–' : <code>{worker}</code>}</td>
              <td>
                <Time at={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
