import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { experimentsTexts } from '../view-texts/experiments';
import { readField } from '../ui/form';
import { Field, SelectField } from '../ui/field';

const checks = ['contains', 'equals', 'is-json', 'none'] as const;
const services = ['live', 'batch'] as const;

/** How an experiment judges answers, how many it asks for, and what it may spend. */
export function ExperimentFields() {
  const client = useClient();
  const { data: scorers = [] } = useQuery({
    queryKey: ['scorers'],
    queryFn: async () => (await client.scorers.list({ limit: 100 })).items,
  });
  return (
    <>
      <SelectField label={experimentsTexts.fields.check} name="check">
        {checks.map((check) => (
          <option key={check} value={check}>
            {experimentsTexts.fields.checks[check]}
          </option>
        ))}
      </SelectField>
      <SelectField label={experimentsTexts.fields.storedScorer} name="scorer">
        <option value="">{experimentsTexts.fields.noScorer}</option>
        {scorers.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <Field
        label={experimentsTexts.fields.repetitions}
        name="repetitions"
        type="number"
        min={1}
        max={20}
        defaultValue={1}
        required
      />
      <Field label={experimentsTexts.fields.budget} name="budget" type="number" min={0} />
      <SelectField label={experimentsTexts.fields.service} name="service">
        {services.map((service) => (
          <option key={service} value={service}>
            {experimentsTexts.fields.services[service]}
          </option>
        ))}
      </SelectField>
    </>
  );
}

/** The members of a request that the fields set. */
export function readExperimentFields(
  fields: FormData,
): Pick<shapes.ExperimentRequest, 'repetitions' | 'service' | 'scorers' | 'storedScorers' | 'budget'> {
  const [check, scorer, budget] = ['check', 'scorer', 'budget'].map((name) => readField(fields, name));
  const type = checks.find((each) => each === check) ?? 'none';
  return {
    repetitions: Number(readField(fields, 'repetitions')),
    service: readField(fields, 'service') === 'batch' ? 'batch' : 'live',
    ...(type !== 'none' && { scorers: [{ name: 'check', kind: 'check', assertions: [{ type }] }] }),
    ...(scorer && { storedScorers: [{ id: scorer }] }),
    ...(budget && { budget: Number(budget) }),
  };
}
