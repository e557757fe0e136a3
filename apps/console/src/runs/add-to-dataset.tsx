import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useClient } from '../session/console';
import { runsTexts } from '../view-texts/runs';
import { DatasetSelect, useNewestDataset } from '../ui/dataset-select';
import { DialogButton } from '../ui/dialog-button';
import { Form, readField } from '../ui/form';

const words = runsTexts.toDataset;

/** The most runs that one request makes cases of. */
const maxRunsToCases = 100;

/** Makes cases of runs: their parameters, and their outputs as expected if wanted. */
export const AddToDataset = ({ runIds }: { runIds: readonly string[] }) => (
  <DialogButton name={words.add} disabled={runIds.length > maxRunsToCases}>
    {() => <CasesForm runIds={runIds} />}
  </DialogButton>
);

function CasesForm({ runIds }: { runIds: readonly string[] }) {
  const client = useClient();
  const newest = useNewestDataset();
  const [done, setDone] = useState<{ datasetId: string; change: shapes.DatasetChange }>();
  const add = async (values: FormData): Promise<void> => {
    const datasetId = readField(values, 'dataset');
    const withOutput = values.get('withOutput') !== null;
    const mask = values.get('mask') !== null;
    setDone({
      datasetId,
      change: await client.datasets.addCasesFromRuns(datasetId, { runIds: [...runIds], withOutput, mask }),
    });
  };
  if (done) {
    return (
      <p role="status">
        {words.added(done.change.added, done.change.changed)}{' '}
        <Link to="/datasets/$datasetId" params={{ datasetId: done.datasetId }}>
          {words.open}
        </Link>
      </p>
    );
  }
  if (newest === undefined) {
    return (
      <p>
        {words.none} <Link to="/datasets">{words.make}</Link>
      </p>
    );
  }
  return (
    <Form onSend={add} action={words.add}>
      <DatasetSelect label={words.dataset} newest={newest} />
      <label className="row">
        <input type="checkbox" name="withOutput" /> {words.withOutput}
      </label>
      <label className="row">
        <input type="checkbox" name="mask" /> {words.mask}
      </label>
    </Form>
  );
}
