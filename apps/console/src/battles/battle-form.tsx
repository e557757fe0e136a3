import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { type ReactNode, useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { battlesTexts } from '../view-texts/battles';
import { Form, readField } from '../ui/form';
import { battleTypes, inWords, judgingModes } from './battle-types';
import { type CheckDraft, checkKinds, toCheck, toCheckDraft } from './checks';
import { Field, SelectField, TextField } from '../ui/field';

interface Props {
  /** The draft that is changed; a new battle without one. */
  battle?: shapes.Battle;
  action: string;
  onSend: (request: shapes.NewBattleRequest) => Promise<unknown>;
}

type Criterion = shapes.RubricCriterion;

const newCriterion: Criterion = { name: '', weight: 1, description: '' };
const newCheck: CheckDraft = { kind: 'contains', weight: 1, value: '' };

/** All settings of a battle. A type belongs to a battle from its beginning, so it is not among those of a draft. */
export function BattleForm({ battle, action, onSend }: Props) {
  const [mode, setMode] = useState(battle?.judgingMode ?? 'community_vote');
  const [rubric, setRubric] = useState<readonly Criterion[]>(battle?.rubric ?? []);
  const [checks, setChecks] = useState<readonly CheckDraft[]>(battle?.checks?.map(toCheckDraft) ?? []);
  const send = async (values: FormData): Promise<void> => {
    const budget = readField(values, 'budgetCredits');
    const hasJudge = mode === 'ai_judge' || mode === 'rubric_score';
    await onSend({
      title: readField(values, 'title'),
      taskPrompt: readField(values, 'taskPrompt'),
      ...(!battle && { battleType: battleTypes.find((each) => each === readField(values, 'battleType')) }),
      judgingMode: mode,
      maxContenders: Number(readField(values, 'maxContenders')),
      aiJudgeModelKey: (hasJudge && readField(values, 'aiJudgeModelKey')) || null,
      budgetCredits: budget === '' ? null : Number(budget),
      ...(mode === 'rubric_score' && rubric.length > 0 && { rubric: [...rubric] }),
      ...(mode === 'auto_score' && { checks: checks.map(toCheck) }),
    });
  };
  return (
    <Form onSend={send} action={action} {...(battle && { done: texts.saved })}>
      <Field label={texts.name} name="title" required maxLength={200} defaultValue={battle?.title} />
      <TextField label={battlesTexts.task} name="taskPrompt" required rows={5} defaultValue={battle?.taskPrompt} />
      <div className="columns">
        {!battle && (
          <SelectField label={battlesTexts.type} name="battleType">
            {battleTypes.map((each) => (
              <option key={each} value={each}>
                {battlesTexts.types[each]}
              </option>
            ))}
          </SelectField>
        )}
        <SelectField
          label={battlesTexts.judgingMode}
          name="judgingMode"
          value={mode}
          onChange={({ currentTarget }) => setMode(judgingModes.find((each) => each === currentTarget.value) ?? mode)}
        >
          {judgingModes.map((each) => (
            <option key={each} value={each}>
              {battlesTexts.modes[each]}
            </option>
          ))}
        </SelectField>
        <Field
          label={battlesTexts.maxContenders}
          name="maxContenders"
          type="number"
          required
          min={2}
          max={26}
          defaultValue={battle?.maxContenders ?? 2}
        />
        <Field
          label={battlesTexts.budget}
          name="budgetCredits"
          type="number"
          min={0}
          defaultValue={battle?.budgetCredits ?? ''}
        />
        {(mode === 'ai_judge' || mode === 'rubric_score') && <JudgeField judge={battle?.aiJudgeModelKey} />}
      </div>
      {mode === 'rubric_score' && <Rubric items={rubric} onChange={setRubric} />}
      {mode === 'auto_score' && <Checks items={checks} onChange={setChecks} />}
    </Form>
  );
}

function JudgeField({ judge }: { judge: string | null | undefined }) {
  const client = useClient();
  const { data: models = [] } = useQuery({
    queryKey: ['models', 'json'],
    queryFn: async () => (await client.models.list({ limit: 100, capability: 'json' })).items,
  });
  return (
    <SelectField label={battlesTexts.judge} name="aiJudgeModelKey" defaultValue={judge ?? ''} key={models.length}>
      <option value="">{battlesTexts.offlineJudge}</option>
      {models.map(({ id, provider, key }) => (
        <option key={id} value={`${provider}/${key}`}>
          {provider}/{key}
        </option>
      ))}
    </SelectField>
  );
}

interface RowsProps<T> {
  items: readonly T[];
  onChange: (items: readonly T[]) => void;
}

const Rubric = (props: RowsProps<Criterion>) => (
  <ItemRows
    {...props}
    title={battlesTexts.rubric}
    hint={battlesTexts.rubricHint}
    most={10}
    added={newCriterion}
    add={battlesTexts.addCriterion}
    fields={(criterion, change) => (
      <>
        <label>
          {battlesTexts.criterion}
          <input
            required
            maxLength={60}
            value={criterion.name}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
        </label>
        <label className="grows">
          {battlesTexts.question}
          <input
            maxLength={1000}
            value={criterion.description ?? ''}
            onChange={({ currentTarget }) => change({ description: currentTarget.value })}
          />
        </label>
      </>
    )}
  />
);

const Checks = (props: RowsProps<CheckDraft>) => (
  <ItemRows
    {...props}
    title={battlesTexts.checks}
    hint={battlesTexts.checksHint}
    most={20}
    added={newCheck}
    add={battlesTexts.addCheck}
    fields={(check, change) => (
      <>
        <label>
          {battlesTexts.check}
          <select
            value={check.kind}
            onChange={({ currentTarget }) =>
              change({ kind: checkKinds.find((each) => each === currentTarget.value) ?? check.kind })
            }
          >
            {checkKinds.map((each) => (
              <option key={each} value={each}>
                {inWords(each)}
              </option>
            ))}
          </select>
        </label>
        <label className="grows">
          {battlesTexts.checkValues[check.kind]}
          <textarea
            required
            rows={check.kind === 'json_schema' ? 5 : 1}
            value={check.value}
            onChange={({ currentTarget }) => change({ value: currentTarget.value })}
          />
        </label>
      </>
    )}
  />
);

interface ItemRowsProps<T> extends RowsProps<T> {
  title: string;
  hint: string;
  /** The number of items a battle may have. */
  most: number;
  /** A new item, and the text of the button that adds it. */
  added: T;
  add: string;
  fields: (item: T, change: (part: Partial<T>) => void) => ReactNode;
}

/** Items with a weight, each in a row that can be removed. */
function ItemRows<T extends { weight?: number | undefined }>(props: ItemRowsProps<T>) {
  const { items, onChange, title, hint, most, added, add, fields } = props;
  return (
    <fieldset className="rows-form">
      <legend>{title}</legend>
      <p className="quiet">{hint}</p>
      {items.map((item, at) => {
        const change = (part: Partial<T>): void => onChange(items.with(at, { ...item, ...part }));
        return (
          <div className="rows-form-row" key={at}>
            {fields(item, change)}
            <label className="short">
              {battlesTexts.weight}
              <input
                type="number"
                min={0.01}
                max={100}
                step="any"
                required
                value={item.weight ?? 1}
                onChange={({ currentTarget }) =>
                  onChange(items.with(at, { ...item, weight: currentTarget.valueAsNumber }))
                }
              />
            </label>
            <button type="button" onClick={() => onChange(items.toSpliced(at, 1))}>
              {texts.remove}
            </button>
          </div>
        );
      })}
      {items.length < most && (
        <button type="button" onClick={() => onChange([...items, added])}>
          {add}
        </button>
      )}
    </fieldset>
  );
}
