import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { datasetsTexts } from '../view-texts/datasets';
import { LensSelect } from '../ui/lens-select';
import { Form, readField } from '../ui/form';

const checks = ['contains', 'equals', 'is-json', 'none'] as const;
const services = ['live', 'batch'] as const;

/** Starts an experiment with the cases of a dataset. */
export function NewExperiment({ datasetId }: { datasetId: string }) {
  const client = useClient();
  const navigate = useNavigate();
  const { data: scorers = [] } = useQuery({
    queryKey: ['scorers'],
    queryFn: async () => (await client.scorers.list({ limit: 100 })).items,
  });
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
          <label>
            {datasetsTexts.version}
            <input name="version" placeholder={datasetsTexts.newest} maxLength={64} />
          </label>
          <label>
            {datasetsTexts.baseline}
            <input name="baseline" placeholder={datasetsTexts.noBaseline} maxLength={64} />
          </label>
          <label>
            {datasetsTexts.model}
            <input name="model" placeholder={datasetsTexts.ofLens} maxLength={200} />
          </label>
          <label>
            {datasetsTexts.check}
            <select name="check">
              {checks.map((check) => (
                <option key={check} value={check}>
                  {datasetsTexts.checks[check]}
                </option>
              ))}
            </select>
          </label>
          <label>
            {datasetsTexts.storedScorer}
            <select name="scorer">
              <option value="">{datasetsTexts.noScorer}</option>
              {scorers.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label>
            {datasetsTexts.repetitions}
            <input name="repetitions" type="number" min={1} max={20} defaultValue={1} required />
          </label>
          <label>
            {datasetsTexts.budget}
            <input name="budget" type="number" min={0} />
          </label>
          <label>
            {datasetsTexts.service}
            <select name="service">
              {services.map((service) => (
                <option key={service} value={service}>
                  {datasetsTexts.services[service]}
                </option>
              ))}
            </select>
          </label>
        </div>
      </Form>
    </section>
  );
}

function toRequest(datasetId: string, fields: FormData): shapes.ExperimentRequest {
  const field = (name: string): string => readField(fields, name);
  const [version, baseline, modelOverride, check, scorer, budget] = [
    field('version'),
    field('baseline'),
    field('model'),
    field('check'),
    field('scorer'),
    field('budget'),
  ];
  const named = (name: string): shapes.ExperimentArmRequest => ({
    name: name === '' ? datasetsTexts.newest : name,
    ...(name !== '' && { version: name }),
    ...(modelOverride !== '' && { modelOverride }),
  });
  const arms = [...(baseline === '' ? [] : [named(baseline)]), named(version)];
  return {
    target: { lensId: field('lens') },
    dataset: { id: datasetId },
    arms,
    repetitions: Number(field('repetitions')),
    service: field('service') === 'batch' ? 'batch' : 'live',
    ...(baseline !== '' && { baseline }),
    ...(check !== 'none' && { scorers: [{ name: 'check', kind: 'check', assertions: [{ type: check }] }] }),
    ...(scorer !== '' && { storedScorers: [{ id: scorer }] }),
    ...(budget !== '' && { budget: Number(budget) }),
  };
}
