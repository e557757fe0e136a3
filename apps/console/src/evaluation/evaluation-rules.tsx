import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { DataTable } from '../ui/data-table';
import { Action } from '../ui/action';
import { ConfirmedAction } from '../ui/confirmed-action';
import { Form, readField } from '../ui/form';
import { Loaded } from '../ui/states';
import { Suspension } from '../ui/suspension';
import { delegationsTexts } from '../view-texts/delegations';
import { evaluationTexts } from '../view-texts/evaluation';
import { Field, SelectField } from '../ui/field';

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
            <DataTable
              items={items}
              getKey={({ id }) => id}
              columns={[
                {
                  name: evaluationTexts.columns.rule,
                  isHead: true,
                  show: ({ name, enabled, suspendedReason }) => (
                    <>
                      {name} {!enabled && <span className="quiet">{evaluationTexts.isOff}</span>}{' '}
                      <Suspension reason={suspendedReason} />
                    </>
                  ),
                },
                {
                  name: evaluationTexts.columns.runs,
                  show: ({ share, label, tag }) => evaluationTexts.runs(share, label, tag),
                },
                {
                  name: evaluationTexts.columns.scorers,
                  show: ({ scorers }) => scorers.map((each) => each.name).join(', '),
                },
                {
                  name: evaluationTexts.columns.credits,
                  isNamed: true,
                  show: ({ creditsToday, creditsPerDay }) => evaluationTexts.creditsOf(creditsToday, creditsPerDay),
                },
                { name: evaluationTexts.columns.waiting, isNamed: true, show: ({ pending }) => pending },
                { name: texts.actions, show: (rule) => <RuleActions rule={rule} onChanged={reload} /> },
              ]}
            />
          )
        }
      </Loaded>
      <NewRule target={target} onCreated={reload} />
    </section>
  );
}

function RuleActions({ rule, onChanged }: { rule: shapes.EvaluationRule; onChanged: () => Promise<void> }) {
  const { evaluationRules } = useClient();
  const { id, name, enabled, suspendedReason } = rule;
  const act = (work: () => PromiseLike<unknown>) => async (): Promise<void> => {
    await work();
    await onChanged();
  };
  return (
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
  if (usable.length === 0) {
    return (
      <p className="quiet">
        {evaluationTexts.noScorers} <Link to="/experiments">{evaluationTexts.storeScorer}</Link>
      </p>
    );
  }
  return (
    <details>
      <summary>{evaluationTexts.newRule}</summary>
      <Form onSend={create} action={texts.create} clears>
        <div className="columns">
          <Field label={evaluationTexts.rule} name="name" required maxLength={100} />
          <SelectField label={evaluationTexts.scorer} name="scorer">
            {usable.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <Field
            label={evaluationTexts.share}
            name="share"
            type="number"
            min="0.01"
            max="100"
            step="any"
            defaultValue="10"
            required
          />
          <Field label={evaluationTexts.credits} name="credits" type="number" min="0" defaultValue="1000" required />
          <Field label={evaluationTexts.ofLabel} name="label" maxLength={60} />
          <Field label={evaluationTexts.withTag} name="tag" maxLength={60} />
        </div>
      </Form>
    </details>
  );
}
