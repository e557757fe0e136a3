import { useNavigate } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { ExperimentFields, readExperimentFields } from '../experiments/experiment-fields';
import { useClient } from '../session/console';
import { datasetsTexts } from '../view-texts/datasets';
import { LensSelect } from '../ui/lens-select';
import { Form, readField } from '../ui/form';
import { Field } from '../ui/field';

/** Starts an experiment with the cases of a dataset. */
export function NewExperiment({ datasetId }: { datasetId: string }) {
  const client = useClient();
  const navigate = useNavigate();
  const start = async (fields: FormData): Promise<void> => {
    const { id } = await client.experiments.create(toRequest(datasetId, fields));
    await navigate({ to: '/experiments/$experimentId', params: { experimentId: id } });
  };
  return (
    <section className="panel">
      <h2>{datasetsTexts.tryLens}</h2>
      <Form onSend={start} action={datasetsTexts.start}>
        <div className="columns">
          <LensSelect label={datasetsTexts.lens} />
          <Field label={datasetsTexts.version} name="version" placeholder={datasetsTexts.newest} maxLength={64} />
          <Field label={datasetsTexts.baseline} name="baseline" placeholder={datasetsTexts.noBaseline} maxLength={64} />
          <Field label={datasetsTexts.model} name="model" placeholder={datasetsTexts.ofLens} maxLength={200} />
          <ExperimentFields />
        </div>
      </Form>
    </section>
  );
}

function toRequest(datasetId: string, fields: FormData): shapes.ExperimentRequest {
  const [version = '', baseline = '', modelOverride = ''] = ['version', 'baseline', 'model'].map((name) =>
    readField(fields, name),
  );
  const named = (name: string): shapes.ExperimentArmRequest => ({
    name: name === '' ? datasetsTexts.newest : name,
    ...(name !== '' && { version: name }),
    ...(modelOverride !== '' && { modelOverride }),
  });
  const arms = [...(baseline === '' ? [] : [named(baseline)]), named(version)];
  return {
    target: { lensId: readField(fields, 'lens') },
    dataset: { id: datasetId },
    arms,
    ...(baseline !== '' && { baseline }),
    ...readExperimentFields(fields),
  };
}
