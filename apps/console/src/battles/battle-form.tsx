import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { battlesTexts } from '../view-texts/battles';
import { Form, fieldOf } from '../ui/form';
import { battleTypes, inWords, judgingModes } from './battle-types';
import type { CheckDraft } from './checks';
import { checkKinds, checkOf, draftOf } from './checks';

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
  const client = useClient();
  const [mode, setMode] = useState(battle?.judgingMode ?? 'community_vote');
  const [rubric, setRubric] = useState<readonly Criterion[]>(battle?.rubric ?? []);
  const [checks, setChecks] = useState<readonly CheckDraft[]>(battle?.checks?.map(draftOf) ?? []);
  const { data: models = [] } = useQuery({
    queryKey: ['models', 'json'],
    queryFn: async () => (await client.models.list({ limit: 100, capability: 'json' })).items,
  });
  const send = async (values: FormData): Promise<void> => {
    const budget = fieldOf(values, 'budget');
    const hasJudge = mode === 'ai_judge' || mode === 'rubric_score';
    await onSend({
      title: fieldOf(values, 'title'),
      taskPrompt: fieldOf(values, 'task'),
      ...(!battle && { battleType: battleTypes.find((each) => each === fieldOf(values, 'type')) }),
      judgingMode: mode,
      maxContenders: Number(fieldOf(values, 'slots')),
      aiJudgeModelKey: (hasJudge && fieldOf(values, 'judge')) || null,
      budgetCredits: budget === '' ? null : Number(budget),
      ...(mode === 'rubric_score' && rubric.length > 0 && { rubric: [...rubric] }),
      ...(mode === 'auto_score' && { checks: checks.map(checkOf) }),
    });
  };
  return (
    <Form onSend={send} action={action}>
      <label>
        {texts.name}
        <input name="title" required maxLength={200} defaultValue={battle?.title} />
      </label>
      <label>
        {battlesTexts.task}
        <textarea name="task" required rows={5} defaultValue={battle?.taskPrompt} />
      </label>
      <div className="columns">
        {!battle && (
          <label>
            {battlesTexts.type}
            <select name="type">
              {battleTypes.map((each) => (
                <option key={each} value={each}>
                  {battlesTexts.types[each]}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          {battlesTexts.judgingMode}
          <select
            name="mode"
            value={mode}
            onChange={({ currentTarget }) => setMode(judgingModes.find((each) => each === currentTarget.value) ?? mode)}
          >
            {judgingModes.map((each) => (
              <option key={each} value={each}>
                {battlesTexts.modes[each]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {battlesTexts.maxContenders}
          <input name="slots" type="number" required min={2} max={26} defaultValue={battle?.maxContenders ?? 2} />
        </label>
        <label>
          {battlesTexts.budget}
          <input name="budget" type="number" min={0} defaultValue={battle?.budgetCredits ?? ''} />
        </label>
        {(mode === 'ai_judge' || mode === 'rubric_score') && (
          <label>
            {battlesTexts.judge}
            <select name="judge" defaultValue={battle?.aiJudgeModelKey ?? ''} key={models.length}>
              <option value="">{battlesTexts.offlineJudge}</option>
              {models.map(({ id, provider, key }) => (
                <option key={id} value={`${provider}/${key}`}>
                  {provider}/{key}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {mode === 'rubric_score' && <Rubric rubric={rubric} onChange={setRubric} />}
      {mode === 'auto_score' && <Checks checks={checks} onChange={setChecks} />}
    </Form>
  );
}

const replaced = <T,>(items: readonly T[], at: number, item: T): T[] =>
  items.map((each, index) => (index === at ? item : each));
const without = <T,>(items: readonly T[], at: number): T[] => items.filter((_, index) => index !== at);

function Rubric({
  rubric,
  onChange,
}: {
  rubric: readonly Criterion[];
  onChange: (rubric: readonly Criterion[]) => void;
}) {
  return (
    <fieldset className="rows-form">
      <legend>{battlesTexts.rubric}</legend>
      <p className="quiet">{battlesTexts.rubricHint}</p>
      {rubric.map((criterion, at) => (
        <div className="rows-form-row" key={at}>
          <label>
            {battlesTexts.criterion}
            <input
              required
              maxLength={60}
              value={criterion.name}
              onChange={({ currentTarget }) =>
                onChange(replaced(rubric, at, { ...criterion, name: currentTarget.value }))
              }
            />
          </label>
          <label className="grows">
            {battlesTexts.question}
            <input
              maxLength={1000}
              value={criterion.description ?? ''}
              onChange={({ currentTarget }) =>
                onChange(replaced(rubric, at, { ...criterion, description: currentTarget.value }))
              }
            />
          </label>
          <label className="short">
            {battlesTexts.weight}
            <input
              type="number"
              min={0.01}
              max={100}
              step="any"
              required
              value={criterion.weight ?? 1}
              onChange={({ currentTarget }) =>
                onChange(replaced(rubric, at, { ...criterion, weight: currentTarget.valueAsNumber }))
              }
            />
          </label>
          <button type="button" onClick={() => onChange(without(rubric, at))}>
            {texts.remove}
          </button>
        </div>
      ))}
      {rubric.length < 10 && (
        <button type="button" onClick={() => onChange([...rubric, newCriterion])}>
          {battlesTexts.addCriterion}
        </button>
      )}
    </fieldset>
  );
}

function Checks({
  checks,
  onChange,
}: {
  checks: readonly CheckDraft[];
  onChange: (checks: readonly CheckDraft[]) => void;
}) {
  return (
    <fieldset className="rows-form">
      <legend>{battlesTexts.checks}</legend>
      <p className="quiet">{battlesTexts.checksHint}</p>
      {checks.map((check, at) => (
        <div className="rows-form-row" key={at}>
          <label>
            {battlesTexts.check}
            <select
              value={check.kind}
              onChange={({ currentTarget }) =>
                onChange(
                  replaced(checks, at, {
                    ...check,
                    kind: checkKinds.find((each) => each === currentTarget.value) ?? check.kind,
                  }),
                )
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
              onChange={({ currentTarget }) => onChange(replaced(checks, at, { ...check, value: currentTarget.value }))}
            />
          </label>
          <label className="short">
            {battlesTexts.weight}
            <input
              type="number"
              min={0.01}
              max={100}
              step="any"
              required
              value={check.weight}
              onChange={({ currentTarget }) =>
                onChange(replaced(checks, at, { ...check, weight: currentTarget.valueAsNumber }))
              }
            />
          </label>
          <button type="button" onClick={() => onChange(without(checks, at))}>
            {texts.remove}
          </button>
        </div>
      ))}
      {checks.length < 20 && (
        <button type="button" onClick={() => onChange([...checks, newCheck])}>
          {battlesTexts.addCheck}
        </button>
      )}
    </fieldset>
  );
}
