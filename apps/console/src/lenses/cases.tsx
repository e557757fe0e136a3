import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { findPrimaryOutput } from '../runs/primary-output';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { lensesTexts } from '../view-texts/lenses';
import { Action } from '../ui/action';
import { Form, readField } from '../ui/form';
import { formatJson } from '../ui/format-json';
import { Field, SelectField } from '../ui/field';

interface Picked {
  params: Record<string, string>;
  reference: string | null;
}

interface Props {
  lensId: string;
  /** The values of the fields. */
  params: Readonly<Record<string, string>>;
  /** The runs on the page, of which one can be the reference of a case. */
  runIds: string[];
  onPick: (picked: Picked | undefined) => void;
}

const toPicked = ({ params, reference }: shapes.LensCase): Picked => ({
  params: Object.fromEntries(Object.entries(params).map(([label, value]) => [label, formatJson(value)])),
  reference,
});

/** The saved cases of a lens: pick one to fill the fields, save the fields as one. */
export function Cases({ lensId, params, runIds, onPick }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const queryKey = ['lens', lensId, 'cases'];
  const { data: cases = [] } = useQuery({
    queryKey,
    queryFn: async () => (await client.lenses.listCases(lensId, { limit: 100 })).items,
  });
  const [pickedId, setPickedId] = useState('');
  const picked = cases.find(({ id }) => id === pickedId);
  const reload = () => queries.invalidateQueries({ queryKey });
  const pick = (id: string): void => {
    setPickedId(id);
    const found = cases.find((each) => each.id === id);
    onPick(found && toPicked(found));
  };
  const save = async (fields: FormData): Promise<void> => {
    const runId = readField(fields, 'reference');
    const reference = runId === '' ? null : describeAnswer(await client.runs.get(runId));
    const saved = await client.lenses.saveCase(lensId, { name: readField(fields, 'name'), params, reference });
    await reload();
    setPickedId(saved.id);
    onPick(toPicked(saved));
  };
  const remove = async (caseId: string): Promise<void> => {
    await client.lenses.removeCase(lensId, caseId);
    await reload();
    pick('');
  };
  /** Makes a new version with one more example. */
  const addExample = async ({ params: given, reference }: shapes.LensCase): Promise<void> => {
    const { settings } = await client.lenses.get(lensId);
    const example = { params: given, answer: reference ?? '' };
    await client.lenses.update(lensId, {
      settings: { ...settings, examples: [...(settings?.examples ?? []), example] },
    });
    await queries.invalidateQueries({ queryKey: ['lens', lensId] });
  };
  return (
    <div className="form">
      <label>
        {lensesTexts.savedCase}
        <select value={pickedId} onChange={(event) => pick(event.currentTarget.value)}>
          <option value="">{cases.length === 0 ? lensesTexts.noCases : lensesTexts.noCase}</option>
          {cases.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {picked && (
        <div className="row">
          <Action onAct={() => remove(picked.id)}>
            {texts.remove} {picked.name}
          </Action>
          {picked.reference !== null && <Action onAct={() => addExample(picked)}>{lensesTexts.addExample}</Action>}
        </div>
      )}
      <details>
        <summary>{lensesTexts.saveCase}</summary>
        <Form onSend={save} action={texts.save} done={texts.saved} clears>
          <Field label={lensesTexts.caseName} name="name" required maxLength={200} />
          <SelectField label={lensesTexts.reference} name="reference">
            <option value="">{lensesTexts.noReference}</option>
            {runIds.map((runId, at) => (
              <option key={runId} value={runId}>
                {lensesTexts.column(at + 1)}
              </option>
            ))}
          </SelectField>
        </Form>
      </details>
    </div>
  );
}

/** The answer of a run. A run that goes on or failed has none. */
function describeAnswer(run: shapes.PlatformRunStatus): string {
  const answer = findPrimaryOutput(run);
  if (run.status !== 'succeeded' || answer === undefined) throw new Error(lensesTexts.noAnswer);
  return answer.slice(0, 100_000);
}
