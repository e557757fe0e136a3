import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { percent } from '../experiments/numbers';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { ConfirmedAction } from '../ui/confirmed-action';
import { DataTable } from '../ui/data-table';
import { Field, SelectField, TextField } from '../ui/field';
import { Form, readField } from '../ui/form';
import { Json } from '../ui/json';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Secret } from '../ui/secret';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import { scorersTexts } from '../view-texts/scorers';
import { checkTypes, judgeMethods, needsRubric, readRule, scorerKinds } from './scorer-rule';

/** The stored scorers of the person, each of which can be tried, and a form for a new one. */
export function Scorers() {
  const client = useClient();
  const scorers = usePaged(['scorers', 'pages'], (cursor) => client.scorers.list({ limit: 50, cursor }));
  const [tried, setTried] = useState<shapes.StoredScorer>();
  const remove = async (id: string): Promise<void> => {
    await client.scorers.remove(id);
    setTried(undefined);
    scorers.retry();
  };
  return (
    <section className="panel" aria-label={scorersTexts.title}>
      <h2>{scorersTexts.title}</h2>
      <p className="quiet">{scorersTexts.hint}</p>
      <div className="scroll">
        <PagedList paged={scorers} none={scorersTexts.none}>
          {(items) => (
            <DataTable
              items={items}
              getKey={({ id }) => id}
              columns={[
                { name: texts.name, isHead: true, show: ({ name }) => name },
                {
                  name: scorersTexts.rule,
                  show: ({ name, rule }) => (
                    <details>
                      <summary>{scorersTexts.kinds[rule.kind]}</summary>
                      <Json value={rule} label={`${scorersTexts.rule}: ${name}`} />
                    </details>
                  ),
                },
                { name: texts.runs.version, isNamed: true, show: ({ version }) => version },
                { name: scorersTexts.changed, isNamed: true, show: ({ updatedAt }) => <Time at={updatedAt} /> },
                {
                  name: texts.actions,
                  show: (scorer) => (
                    <div className="row">
                      <button
                        type="button"
                        aria-expanded={tried?.id === scorer.id}
                        onClick={() => setTried(tried?.id === scorer.id ? undefined : scorer)}
                      >
                        {scorersTexts.try}
                      </button>
                      <ConfirmedAction
                        question={scorersTexts.removeQuestion(scorer.name)}
                        onAct={() => remove(scorer.id)}
                      >
                        {texts.remove}
                      </ConfirmedAction>
                    </div>
                  ),
                },
              ]}
            />
          )}
        </PagedList>
      </div>
      {tried && <Trial key={tried.id} scorer={tried} />}
      <NewScorer onCreated={scorers.retry} />
    </section>
  );
}

/** Scores an output that a person writes. */
function Trial({ scorer: { id, name, rule } }: { scorer: shapes.StoredScorer }) {
  const client = useClient();
  const [score, setScore] = useState<shapes.SampleScore>();
  const send = async (values: FormData): Promise<void> => {
    const [expected, baseline] = [readField(values, 'expected'), readField(values, 'baseline')];
    const sample: shapes.ScorerSample = {
      output: readField(values, 'output'),
      ...(expected !== '' && { expected }),
      ...(baseline !== '' && { baseline }),
    };
    setScore((await client.scorers.test(id, { samples: [sample] })).scores[0]);
  };
  return (
    <section aria-label={scorersTexts.trial(name)}>
      <h3>{scorersTexts.trial(name)}</h3>
      <Form onSend={send} action={scorersTexts.score}>
        <TextField label={scorersTexts.output} name="output" required rows={3} maxLength={100_000} />
        <Field label={scorersTexts.expected} name="expected" />
        {rule.kind === 'pairwise' && (
          <TextField label={scorersTexts.baseline} name="baseline" required rows={3} maxLength={100_000} />
        )}
      </Form>
      {score && (
        <p role="status">
          <Status value={score.pass ? 'passed' : 'failed'} /> {percent(score.score)} · {score.error ?? score.reason}
          {score.credits > 0 && ` · ${score.credits} ${texts.runs.nodes.credits}`}
        </p>
      )}
    </section>
  );
}

function NewScorer({ onCreated }: { onCreated: () => void }) {
  const client = useClient();
  const [kind, setKind] = useState<shapes.ScorerRule['kind']>('check');
  const [method, setMethod] = useState<(typeof judgeMethods)[number]>('rubric');
  const [made, setMade] = useState<shapes.ScorerCreated>();
  const create = async (values: FormData): Promise<void> => {
    setMade(
      await client.scorers.create({
        name: readField(values, 'name'),
        rule: readRule(kind, (field) => readField(values, field)),
      }),
    );
    onCreated();
  };
  return (
    <details>
      <summary>{scorersTexts.create}</summary>
      {made?.secret && <Secret what={scorersTexts.secret(made.name)} value={made.secret} />}
      <Form onSend={create} action={texts.create} clears>
        <div className="columns">
          <Field label={texts.name} name="name" required maxLength={100} pattern="[\w.\-]+" />
          <SelectField
            label={scorersTexts.kind}
            name="kind"
            value={kind}
            onChange={({ currentTarget }) => setKind(scorerKinds.find((each) => each === currentTarget.value) ?? kind)}
          >
            {scorerKinds.map((each) => (
              <option key={each} value={each}>
                {scorersTexts.kinds[each]}
              </option>
            ))}
          </SelectField>
          {kind === 'check' && (
            <>
              <SelectField label={scorersTexts.checkOf} name="type">
                {checkTypes.map((type) => (
                  <option key={type} value={type}>
                    {scorersTexts.checks[type]}
                  </option>
                ))}
              </SelectField>
              <Field label={scorersTexts.value} name="value" placeholder={scorersTexts.valueOfCase} />
            </>
          )}
          {kind === 'model' && (
            <SelectField
              label={scorersTexts.method}
              name="method"
              value={method}
              onChange={({ currentTarget }) =>
                setMethod(judgeMethods.find((each) => each === currentTarget.value) ?? method)
              }
            >
              {judgeMethods.map((each) => (
                <option key={each} value={each}>
                  {scorersTexts.methods[each]}
                </option>
              ))}
            </SelectField>
          )}
          {(kind === 'model' || kind === 'pairwise') && (
            <Field label={scorersTexts.model} name="model" maxLength={200} placeholder={scorersTexts.withoutModel} />
          )}
          {kind === 'http' && (
            <Field label={scorersTexts.url} name="url" type="url" required placeholder="https://example.com/score" />
          )}
          <Field
            label={scorersTexts.threshold}
            name="threshold"
            type="number"
            min={0}
            max={1}
            step="any"
            placeholder={scorersTexts.usual}
          />
        </div>
        {kind === 'model' && needsRubric(method) && (
          <TextField label={scorersTexts.rubric} name="rubric" required rows={3} maxLength={10_000} />
        )}
      </Form>
    </details>
  );
}
