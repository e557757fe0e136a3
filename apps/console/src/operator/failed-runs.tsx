import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { type ChangeEvent, useState } from 'react';
import { useClient } from '../session/console';
import { operatorTexts } from '../view-texts/operator';
import { ConfirmedAction } from '../ui/confirmed-action';
import { Form } from '../ui/form';
import { Loaded } from '../ui/states';
import { localTime, toIsoTime } from '../ui/time-field';
import { DataTable } from '../ui/data-table';

const words = operatorTexts.retries;
const maxRuns = 100;
const members = ['account', 'errorCode', 'provider', 'model', 'lensId', 'workflowId'] as const;

type Fields = Readonly<Record<'from' | 'to' | (typeof members)[number], string>>;

/** The filter of the fields, without the empty ones; a range without an end ends now. */
const toFailedRunsFilter = ({ from, to, ...texts }: Fields): shapes.FailedRunsFilter => ({
  createdAfter: toIsoTime(from),
  createdBefore: to === '' ? new Date().toISOString() : toIsoTime(to),
  ...Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]])),
  ),
});

const none = { to: '', account: '', errorCode: '', provider: '', model: '', lensId: '', workflowId: '' };

/** Counts failed runs of all accounts and retries them, some at a time. */
export function FailedRuns() {
  const [fields, setFields] = useState<Fields>(() => ({ ...none, from: localTime(Date.now() - 3_600_000) }));
  const [filter, setFilter] = useState<shapes.FailedRunsFilter>();
  const narrow = (more: Partial<Fields>): void => {
    setFields({ ...fields, ...more });
    setFilter((current) => current && { ...current, ...more });
  };
  const bindField = (name: keyof Fields) => ({
    value: fields[name],
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) =>
      setFields({ ...fields, [name]: currentTarget.value }),
  });
  return (
    <details className="panel">
      <summary>{words.title}</summary>
      <p className="quiet">{words.hint}</p>
      <Form
        onSend={() => {
          setFilter(toFailedRunsFilter(fields));
          return Promise.resolve();
        }}
        action={words.count}
      >
        <div className="columns">
          <label>
            {words.from}
            <input type="datetime-local" required {...bindField('from')} />
          </label>
          <label>
            {words.to}
            <input type="datetime-local" {...bindField('to')} />
          </label>
          {members.map((name) => (
            <label key={name}>
              {words[name]}
              <input {...bindField(name)} />
            </label>
          ))}
        </div>
      </Form>
      {filter && <Found key={JSON.stringify(filter)} filter={filter} onNarrow={narrow} />}
    </details>
  );
}

interface FoundProps {
  filter: shapes.FailedRunsFilter;
  onNarrow: (more: Partial<Fields>) => void;
}

function Found({ filter, onNarrow }: FoundProps) {
  const client = useClient();
  const [retried, setRetried] = useState<shapes.FailedRunsRetried>();
  const counts = useQuery({
    queryKey: ['operator', 'failed-runs', filter],
    queryFn: async () => client.operator.countFailedRuns(filter),
    placeholderData: keepPreviousData,
  });
  const before = retried?.next ?? undefined;
  const retry = async (): Promise<void> => {
    setRetried(await client.operator.retryFailedRuns({ filter, limit: maxRuns, ...(before && { before }) }));
    await counts.refetch();
  };
  return (
    <>
      <Loaded query={counts}>
        {({ runs, accounts, credits, groups }) => (
          <>
            <p role="status">
              {words.runs} <strong>{runs.toLocaleString('en')}</strong> · {words.accounts} {accounts} · {words.credits}{' '}
              {credits.toLocaleString('en')}
            </p>
            {groups.length > 0 && <Groups groups={groups} onNarrow={onNarrow} />}
            {runs > 0 && (
              <ConfirmedAction question={words.question(Math.min(runs, maxRuns))} onAct={retry}>
                {before === undefined ? words.retry : words.retryNext}
              </ConfirmedAction>
            )}
          </>
        )}
      </Loaded>
      {retried && (
        <p role="status" className="notice">
          {words.retried} {retried.retried} / {retried.matched}
          {retried.refused.map(({ code, runs }) => ` · ${code} ${runs}`)}
        </p>
      )}
    </>
  );
}

interface GroupsProps extends Pick<FoundProps, 'onNarrow'> {
  groups: readonly shapes.FailedRunsGroup[];
}

const Groups = ({ groups, onNarrow }: GroupsProps) => (
  <div className="scroll" tabIndex={0} role="region" aria-label={words.title}>
    <DataTable
      items={groups}
      getKey={({ errorCode, model }) => `${errorCode} ${model}`}
      columns={[
        { name: words.errorCode, sortBy: ({ errorCode }) => errorCode, show: ({ errorCode }) => errorCode ?? '–' },
        { name: words.model, sortBy: ({ model }) => model, show: ({ model }) => model ?? '–' },
        { name: operatorTexts.runs, isNamed: true, sortBy: ({ runs }) => runs, show: ({ runs }) => runs },
        {
          name: words.filter,
          show: ({ errorCode, model }) => (
            <button
              type="button"
              onClick={() => onNarrow({ ...(errorCode && { errorCode }), ...(model && { model }) })}
            >
              {words.only}
            </button>
          ),
        },
      ]}
    />
  </div>
);
