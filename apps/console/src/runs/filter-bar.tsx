import { useQuery } from '@tanstack/react-query';
import { type ChangeEvent, type KeyboardEvent, type SyntheticEvent, useState } from 'react';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { runsTexts } from '../view-texts/runs';
import { Chips } from '../ui/chips';
import { useModels } from '../ui/use-models';
import { RangeChips } from './range-chips';
import { type RunFilters, kinds, maxAmount, statuses } from './run-filters';

interface Props {
  filters: RunFilters;
  onChange: (change: RunFilters) => void;
}

/** The filters of the list of runs. */
export function FilterBar({ filters, onChange }: Props) {
  const { lensId, workflowId, batchId, parentRunId } = filters;
  // Several providers can have a model of one name.
  const models = [...new Set(useModels().map(({ key }) => key))].map((key) => ({ id: key, title: key }));
  return (
    <div className="filters">
      <TextFilter name={runsTexts.search} maxLength={200} value={filters.q} onChange={(q) => onChange({ q })} />
      <RangeChips
        all={texts.runs.anyTime}
        value={filters.range}
        onChange={(range) => onChange({ range, from: undefined, until: undefined })}
      />
      <Chips
        label={texts.status}
        all={texts.runs.all}
        options={statuses}
        value={filters.status}
        onChange={(status) => onChange({ status })}
      />
      <div className="row">
        <select
          aria-label={texts.runs.kind}
          value={filters.kind ?? ''}
          onChange={(event) => onChange({ kind: kinds.find((each) => each === event.currentTarget.value) })}
        >
          <option value="">
            {texts.runs.kind}: {texts.runs.all}
          </option>
          {kinds.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <LensChoice value={lensId} onChange={(lensId) => onChange({ lensId })} />
        <WorkflowChoice value={workflowId} onChange={(workflowId) => onChange({ workflowId })} />
        <Choice
          name={texts.runs.model}
          options={models}
          value={filters.modelKey}
          onChange={(modelKey) => onChange({ modelKey })}
        />
        {batchId !== undefined && (
          <Removable
            name={texts.runs.batch}
            value={batchId.slice(-12)}
            onRemove={() => onChange({ batchId: undefined })}
          />
        )}
        {parentRunId !== undefined && (
          <Removable
            name={texts.runs.parent}
            value={parentRunId.slice(-12)}
            onRemove={() => onChange({ parentRunId: undefined })}
          />
        )}
      </div>
      <RareFilters filters={filters} onChange={onChange} />
    </div>
  );
}

const rare = ['tag', 'errorCode', 'minCreditCost', 'minSeconds', 'scoreName', 'maxScore', 'from', 'until'] as const;

/** The filters that few searches need, folded in until one of them is set. */
function RareFilters({ filters, onChange }: Props) {
  const count = rare.filter((name) => filters[name] !== undefined).length;
  const [isOpen, setOpen] = useState(false);
  const setDay = (change: Pick<RunFilters, 'from' | 'until'>): void => onChange({ ...change, range: undefined });
  return (
    <details open={isOpen || count > 0} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{runsTexts.moreFilters(count)}</summary>
      <div className="row">
        <TextFilter name={texts.runs.tag} maxLength={100} value={filters.tag} onChange={(tag) => onChange({ tag })} />
        <TextFilter
          name={runsTexts.errorCode}
          maxLength={100}
          value={filters.errorCode}
          onChange={(errorCode) => onChange({ errorCode })}
        />
        <AmountFilter
          name={runsTexts.minCredits}
          value={filters.minCreditCost}
          onChange={(minCreditCost) => onChange({ minCreditCost })}
        />
        <AmountFilter
          name={runsTexts.minSeconds}
          value={filters.minSeconds}
          onChange={(minSeconds) => onChange({ minSeconds })}
        />
        <TextFilter
          name={runsTexts.scoreName}
          maxLength={100}
          value={filters.scoreName}
          onChange={(scoreName) => onChange({ scoreName })}
        />
        <AmountFilter
          name={runsTexts.maxScore}
          max={1}
          step={0.01}
          value={filters.maxScore}
          onChange={(maxScore) => onChange({ maxScore })}
        />
        <DayFilter name={runsTexts.from} value={filters.from} onChange={(from) => setDay({ from })} />
        <DayFilter name={runsTexts.until} value={filters.until} onChange={(until) => setDay({ until })} />
      </div>
    </details>
  );
}

const Removable = ({ name, value, onRemove }: { name: string; value: string; onRemove: () => void }) => (
  <button type="button" className="chip" aria-pressed onClick={onRemove}>
    {name}: {value} ×
  </button>
);

interface ChoiceProps {
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}

/** The lenses of the account, and the one that the address names. */
function LensChoice({ value, onChange }: ChoiceProps) {
  const { client, me } = useConsole();
  const author = me.account?.id;
  const own = useQuery({
    queryKey: ['lenses', 'choice', author],
    queryFn: async () => (await client.lenses.list({ author, limit: 100 })).items,
    enabled: author !== undefined,
    staleTime: 60_000,
  });
  const isForeign = value !== undefined && own.data?.every(({ id }) => id !== value) === true;
  const foreign = useQuery({
    queryKey: ['lens', value],
    queryFn: async () => client.lenses.get(value ?? ''),
    enabled: isForeign,
  });
  const options = [...(own.data ?? []), ...(isForeign && foreign.data ? [foreign.data] : [])];
  return <Choice name={texts.runs.lens} options={options} value={value} onChange={onChange} />;
}

function WorkflowChoice({ value, onChange }: ChoiceProps) {
  const { client } = useConsole();
  const own = useQuery({
    queryKey: ['workflows', 'choice'],
    queryFn: async () => (await client.workflows.list({ limit: 100 })).items,
    staleTime: 60_000,
  });
  return <Choice name={texts.runs.workflow} options={own.data ?? []} value={value} onChange={onChange} />;
}

interface OptionsProps extends ChoiceProps {
  name: string;
  options: readonly { id: string; title: string }[];
}

function Choice({ name, options, value, onChange }: OptionsProps) {
  // An id without a title may still be the filter of the address.
  const isUnknown = value !== undefined && options.every(({ id }) => id !== value);
  return (
    <select
      aria-label={name}
      value={value ?? ''}
      onChange={({ currentTarget: { value: id } }) => onChange(id === '' ? undefined : id)}
    >
      <option value="">
        {name}: {texts.runs.all}
      </option>
      {isUnknown && <option value={value}>{value.slice(-12)}</option>}
      {options.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </select>
  );
}

interface FieldProps<T> {
  name: string;
  value: T | undefined;
  onChange: (value: T | undefined) => void;
}

/** A filter that is typed. It applies with Enter or when the field is left; an empty field removes it. */
function TextFilter({ name, value, maxLength, onChange }: FieldProps<string> & { maxLength: number }) {
  const field = useTyped(value ?? '', (text) => onChange(text.trim() || undefined));
  return <input type="search" aria-label={name} placeholder={name} maxLength={maxLength} {...field} />;
}

interface AmountProps extends FieldProps<number> {
  max?: number;
  step?: number;
}

function AmountFilter({ name, value, max = maxAmount, step = 1, onChange }: AmountProps) {
  const field = useTyped(value === undefined ? '' : String(value), (text) =>
    onChange(text === '' ? undefined : Number(text)),
  );
  return <input type="number" aria-label={name} placeholder={name} min={0} max={max} step={step} {...field} />;
}

const DayFilter = ({ name, value, onChange }: FieldProps<string>) => (
  <label>
    {name}{' '}
    <input
      type="date"
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  </label>
);

/** The text of a field until it is applied; another applied text replaces it. */
function useTyped(applied: string, apply: (text: string) => void) {
  const [typed, setTyped] = useState({ over: applied, text: applied });
  const end = ({ currentTarget: { value, validity } }: SyntheticEvent<HTMLInputElement>): void => {
    if (validity.valid && value !== applied) apply(value);
  };
  return {
    value: typed.over === applied ? typed.text : applied,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) =>
      setTyped({ over: applied, text: currentTarget.value }),
    onBlur: end,
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      if (event.key === 'Enter') end(event);
    },
  };
}
