import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { experimentsTexts } from '../view-texts/experiments';
import { readField } from '../ui/form';

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
      <label>
        {experimentsTexts.fields.check}
        <select name="check">
          {checks.map((check) => (
            <option key={check} value={check}>
              {experimentsTexts.fields.checks[check]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {experimentsTexts.fields.storedScorer}
        <select name="scorer">
          <option value="">{experimentsTexts.fields.noScorer}</option>
          {scorers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {experimentsTexts.fields.repetitions}
        <input name="repetitions" type="number" min={1} max={20} defaultValue={1} required />
      </label>
      <label>
        {experimentsTexts.fields.budget}
        <input name="budget" type="number" min={0} />
      </label>
      <label>
        {experimentsTexts.fields.service}
        <select name="service">
          {services.map((service) => (
            <option key={service} value={service}>
              {experimentsTexts.fields.services[service]}
            </option>
          ))}
        </select>
      </label>
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
