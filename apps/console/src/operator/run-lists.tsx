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
import { DataTable } from '../ui/data-table';

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
      <DataTable
        className="table"
        items={runs}
        getKey={({ id }) => id}
        columns={[
          {
            name: words.run,
            show: ({ id, accountId, kind }) => (
              <>
                {accountId === me.account?.id ? (
                  <Link to="/runs/$runId" params={{ runId: id }}>
                    <code>{id}</code>
                  </Link>
                ) : (
                  <code>{id}</code>
                )}{' '}
                <span className="quiet">{kind}</span>
              </>
            ),
          },
          { name: words.account, show: ({ accountHandle, accountId }) => accountHandle ?? accountId },
          { name: texts.status, show: ({ status }) => <Status value={status} /> },
          { name: words.cause, show: ({ errorCode, waitsFor }) => errorCode ?? waitsFor ?? '–' },
          {
            name: operatorTexts.worker,
            show: ({ worker }) => (worker === null ? '–' : <code>{worker}</code>),
          },
          { name: texts.created, show: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </div>
  );
}
