import { useNavigate } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { ExperimentFields, readExperimentFields } from '../experiments/experiment-fields';
import { useClient } from '../session/console';
import { lensesTexts } from '../view-texts/lenses';
import { DatasetSelect, useNewestDataset } from '../ui/dataset-select';
import { Form, readField } from '../ui/form';

interface Props {
  lensId: string;
  /** Versions and models of the columns; the first one is the baseline. */
  arms: readonly (shapes.ExperimentArmRequest & { name: string })[];
}

/** Starts an experiment: each column answers the cases of a dataset. */
export function DatasetRun({ lensId, arms }: Props) {
  const client = useClient();
  const navigate = useNavigate();
  const newest = useNewestDataset();
  if (newest === undefined) return null;
  const start = async (fields: FormData): Promise<void> => {
    const [baseline] = arms;
    const { id } = await client.experiments.create({
      target: { lensId },
      dataset: { id: readField(fields, 'dataset') },
      arms: [...arms],
      ...(baseline && arms.length > 1 && { baseline: baseline.name }),
      ...readExperimentFields(fields),
    });
    await navigate({ to: '/experiments/$experimentId', params: { experimentId: id } });
  };
  return (
    <details>
      <summary>{lensesTexts.runDataset}</summary>
      <p className="quiet">{lensesTexts.runDatasetHint}</p>
      <Form onSend={start} action={lensesTexts.startDataset}>
        <div className="columns">
          <DatasetSelect label={lensesTexts.dataset} newest={newest} />
          <ExperimentFields />
        </div>
      </Form>
    </details>
  );
}
