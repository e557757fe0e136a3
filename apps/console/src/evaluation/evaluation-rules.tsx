import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { ColumnHeads } from '../ui/column-heads';
import { Action } from '../ui/action';
import { ConfirmedAction } from '../ui/confirmed-action';
import { Form, readField } from '../ui/form';
import { Loaded } from '../ui/states';
import { Suspension } from '../ui/suspension';
import { delegationsTexts } from '../view-texts/delegations';
import { evaluationTexts } from '../view-texts/evaluation';

type Target = { lensId: string } | { workflowId: string };

/** The rules that evaluate the runs of a lens or workflow, and a form for a new one. */
export function EvaluationRules({ target }: { target: Target }) {
  const client = useClient();
  const rules = useQuery({
    queryKey: ['evaluation-rules', target],
    queryFn: () => client.evaluationRules.list({ ...target, limit: 100 }),
  });
  const reload = async (): Promise<void> => {
    await rules.refetch();
  };
  return (
    <section>
      <h2>{evaluationTexts.rules}</h2>
      <p className="quiet">{evaluationTexts.rulesHint}</p>
      <Loaded query={rules}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet">{evaluationTexts.noRules}</p>
          ) : (
            <table className="table stacks">
              <ColumnHeads names={evaluationTexts.columns} />
              <tbody>
                {items.map((rule) => (
                  <Rule key={rule.id} rule={rule} onChanged={reload} />
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
      <NewRule target={target} onCreated={reload} />
    </section>
  );
}

function Rule({ rule, onChanged }: { rule: shapes.EvaluationRule; onChanged: () => Promise<void> }) {
  const { evaluationRules } = useClient();
  const { id, name, share, label, tag, scorers, creditsToday, creditsPerDay, pending, enabled, suspendedReason } = rule;
  const act = (work: () => PromiseLike<unknown>) => async (): Promise<void> => {
    await work();
    await onChanged();
  };
  return (
    <tr>
      <th scope="row">
        {name} {!enabled && <span className="quiet">{evaluationTexts.isOff}</span>}{' '}
        <Suspension reason={suspendedReason} />
      </th>
      <td>{evaluationTexts.runs(share, label, tag)}</td>
      <td>{scorers.map((each) => each.name).join(', ')}</td>
      <td>{evaluationTexts.creditsOf(creditsToday, creditsPerDay)}</td>
      <td>{pending}</td>
      <td>
        <div className="row">
          {suspendedReason === null ? (
            <Action onAct={act(() => evaluationRules.update(id, { enabled: !enabled }))}>
              {enabled ? evaluationTexts.off : evaluationTexts.on}
            </Action>
          ) : (
            <ConfirmedAction question={evaluationTexts.takeOver(name)} onAct={act(() => evaluationRules.takeOver(id))}>
              {delegationsTexts.takeOver}
            </ConfirmedAction>
          )}
          <ConfirmedAction question={evaluationTexts.remove(name)} onAct={act(() => evaluationRules.remove(id))}>
            {texts.remove}
          </ConfirmedAction>
        </div>
      </td>
    </tr>
  );
}

function NewRule({ target, onCreated }: { target: Target; onCreated: () => Promise<void> }) {
  const client = useClient();
  const { data: scorers = [] } = useQuery({
    queryKey: ['scorers'],
    queryFn: async () => (await client.scorers.list({ limit: 100 })).items,
  });
  const create = async (values: FormData): Promise<void> => {
    const [label, tag] = [readField(values, 'label'), readField(values, 'tag')];
    await client.evaluationRules.create({
      ...target,
      name: readField(values, 'name'),
      share: Number(readField(values, 'share')),
      scorers: [{ id: readField(values, 'scorer') }],
      creditsPerDay: Number(readField(values, 'credits')),
      ...(label !== '' && { label }),
      ...(tag !== '' && { tag }),
    });
    await onCreated();
  };
  const usable = scorers.filter(({ rule }) => rule.kind !== 'pairwise');
  if (usable.length === 0) return <p className="quiet">{evaluationTexts.noScorers}</p>;
  return (
    <details>
      <summary>{evaluationTexts.newRule}</summary>
      <Form onSend={create} action={texts.create} clears>
        <div className="columns">
          <label>
            {evaluationTexts.rule}
            <input name="name" required maxLength={100} />
          </label>
          <label>
            {evaluationTexts.scorer}
            <select name="scorer">
              {usable.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label>
            {evaluationTexts.share}
            <input name="share" type="number" min="0.01" max="100" step="any" defaultValue="10" required />
          </label>
          <label>
            {evaluationTexts.credits}
            <input name="credits" type="number" min="0" defaultValue="1000" required />
          </label>
          <label>
            {evaluationTexts.ofLabel}
            <input name="label" maxLength={60} />
          </label>
          <label>
            {evaluationTexts.withTag}
            <input name="tag" maxLength={60} />
          </label>
        </div>
      </Form>
    </details>
  );
}
