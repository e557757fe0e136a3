import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useClient } from '../session/console';
import { experimentsTexts } from '../view-texts/experiments';
import { Chips } from '../ui/chips';
import { formatJson } from '../ui/format-json';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { type CaseRow, getVerdict, toMatrix } from './matrix';
import { DataTable } from '../ui/data-table';

interface Props {
  experiment: shapes.Experiment;
}

const filters = ['failed', 'worse', 'better'] as const;

/** The answers of an experiment by case and arm, filtered; a case opens with the answers of all arms side by side. */
export function Cells({ experiment: { id, arms, baseline, cellsDone } }: Props) {
  const client = useClient();
  const [only, setOnly] = useState<(typeof filters)[number] | undefined>();
  const [arm, setArm] = useState<string | undefined>();
  const [open, setOpen] = useState<string | undefined>();
  const cells = usePaged(['experiment', id, 'cells', { only, arm, cellsDone }], (cursor) =>
    client.experiments.listCells(id, { limit: 50, cursor, only, arm }),
  );
  const names = arms.map(({ name }) => name);
  const shown = arm === undefined ? names : [arm];
  return (
    <section className="panel scroll" tabIndex={0} aria-label={experimentsTexts.cells}>
      <h2>{experimentsTexts.cells}</h2>
      <Chips
        label={experimentsTexts.filters}
        all={experimentsTexts.all}
        options={baseline === null ? ['failed'] : filters}
        value={only}
        onChange={setOnly}
      />
      {names.length > 1 && (
        <Chips label={experimentsTexts.arms} all={experimentsTexts.all} options={names} value={arm} onChange={setArm} />
      )}
      {open !== undefined && <OneCase experimentId={id} caseKey={open} onClose={() => setOpen(undefined)} />}
      <PagedList paged={cells} none={experimentsTexts.noCells}>
        {(items) => (
          <DataTable
            className="table matrix"
            items={toMatrix(items)}
            getKey={({ key, repetition }) => `${key} ${repetition}`}
            columns={[
              {
                name: experimentsTexts.case,
                isHead: true,
                show: ({ key, repetition }) => (
                  <>
                    <button type="button" onClick={() => setOpen(key)}>
                      {key}
                    </button>
                    {repetition > 1 && <span className="quiet"> ({repetition})</span>}
                  </>
                ),
              },
              ...shown.map((name) => ({
                name,
                show: ({ cells }: CaseRow<shapes.ExperimentCell>) => <Cell cell={cells.get(name)} />,
              })),
            ]}
          />
        )}
      </PagedList>
    </section>
  );
}

const Cell = ({ cell }: { cell: shapes.ExperimentCell | undefined }) =>
  cell ? (
    <>
      <Status value={getVerdict(cell)} /> <span className="clipped">{describe(cell)}</span>
    </>
  ) : (
    '–'
  );

/** The first reason why an answer does not pass, or the beginning of one that does. */
function describe({ error, scores, output }: shapes.ExperimentCell): string {
  const failed = scores.find(({ pass }) => !pass);
  return error ?? (failed ? `${failed.scorer}: ${failed.reason}` : (output ?? '').slice(0, 200));
}

function OneCase({ experimentId, caseKey, onClose }: { experimentId: string; caseKey: string; onClose: () => void }) {
  const client = useClient();
  const cells = useQuery({
    queryKey: ['experiment', experimentId, 'case', caseKey],
    queryFn: async () => (await client.experiments.listCells(experimentId, { key: caseKey, limit: 100 })).items,
  });
  return (
    <section className="panel" aria-label={caseKey}>
      <div className="row">
        <h3>{caseKey}</h3>
        <button type="button" onClick={onClose}>
          {experimentsTexts.close}
        </button>
      </div>
      <Loaded query={cells}>
        {(found) => (
          <>
            <dl className="facts">
              <dt>{experimentsTexts.params}</dt>
              <dd>
                <pre>{formatJson(found[0]?.params ?? {})}</pre>
              </dd>
              <dt>{experimentsTexts.expected}</dt>
              <dd>
                <pre>{formatJson(found[0]?.expected ?? null)}</pre>
              </dd>
            </dl>
            <div className="columns">
              {found.map((cell) => (
                <Answer key={`${cell.arm} ${cell.repetition}`} cell={cell} />
              ))}
            </div>
          </>
        )}
      </Loaded>
    </section>
  );
}

const Answer = ({ cell }: { cell: shapes.ExperimentCell }) => (
  <section className="panel">
    <h4>
      {cell.arm} {cell.repetition > 1 && `(${cell.repetition})`} <Status value={getVerdict(cell)} />
    </h4>
    <p className="answer">{cell.output ?? cell.error}</p>
    <ul>
      {cell.scores.flatMap(({ scorer, assertions }) =>
        assertions.map(({ type, pass, reason }, index) => (
          <li key={`${scorer} ${index}`}>
            <Status value={pass ? 'passed' : 'failed'} /> {type}: {reason}
          </li>
        )),
      )}
    </ul>
    {cell.runId !== null && (
      <Link to="/runs/$runId" params={{ runId: cell.runId }}>
        {experimentsTexts.run}
      </Link>
    )}
  </section>
);
