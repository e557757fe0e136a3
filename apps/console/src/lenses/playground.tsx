import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RunEvent, shapes } from '@lensforge/sdk';
import { useEffect, useState } from 'react';
import { AnswerText } from '../runs/answer-text';
import { useRunInput } from '../runs/run-input';
import { measureFirstText } from '../runs/timeline';
import { costText, tokenText } from '../runs/token-text';
import { useTimeline } from '../runs/use-timeline';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { lensesTexts } from '../view-texts/lenses';
import { Form } from '../ui/form';
import { formatJson } from '../ui/format-json';
import { Status } from '../ui/status';
import { duration } from '../ui/time';
import { useModels } from '../ui/use-models';
import { Cases } from './cases';
import { DatasetRun } from './dataset-run';
import { estimateExecution } from './estimate';
import { ParamField } from './param-field';
import { type LensDraft, toKeptDraft } from './lens-draft';
import { type TemplateParameter, listJsonNames, listParameters, readSectionValue } from './template';

const maxColumns = 4;
const maxArmName = 100;

/** A version, a model and the run that was made with them. Empty stands for the newest and for the default. */
interface Column {
  version: string;
  model: string;
  runId?: string | undefined;
}

type Version = Pick<shapes.LensVersionRecord, 'templateBody' | 'settings'> & { params: readonly TemplateParameter[] };

interface Props {
  lens: shapes.LensRecord;
  isMine: boolean;
  /** A change that is not saved; it is tried in the place of the newest version. */
  draft: LensDraft | undefined;
  /** The run whose values the fields begin with. */
  from: string | undefined;
}

/** Executes versions of a lens with models side by side, and streams the answers. */
export function Playground({ lens, isMine, draft, from }: Props) {
  const client = useClient();
  const [columns, setColumns] = useState<Column[]>([{ version: '', model: '' }]);
  const [values, setValues] = useState<Record<string, string>>({});
  const [reference, setReference] = useState<string | null>(null);
  const begun = useRunInput(from).data?.params;
  useEffect(() => {
    if (begun) setValues(toFields(begun));
  }, [begun]);
  const models = useModels();
  const { data: versions = [] } = useQuery({
    queryKey: ['lens', lens.id, 'newest versions', lens.headVersion.id],
    queryFn: async () => (await client.lenses.listVersions(lens.id, { limit: 100 })).items,
  });
  const named = [...new Set(columns.map(({ version }) => version).filter((version) => version !== ''))];
  const read = useQueries({
    queries: named.map((version) => ({
      queryKey: ['lens', lens.id, 'version', version, lens.labels],
      queryFn: async () => client.lenses.getVersion(lens.id, version),
    })),
  });
  const newest = draft ? lensesTexts.draft : lensesTexts.newest;
  const drafted = draft && { ...draft, params: listParameters(draft.templateBody) };
  const getVersion = ({ version }: Column): Version =>
    version === '' ? (drafted ?? lens) : (read[named.indexOf(version)]?.data ?? lens);
  const params = columns.flatMap((column) => getVersion(column).params);
  const fields = params.filter(({ label }, at) => params.findIndex((other) => isSame(other.label, label)) === at);
  const given = Object.fromEntries(
    fields.flatMap(({ label }) => (values[label]?.trim() ? [[label, values[label].trim()]] : [])),
  );
  const change = (at: number, members: Partial<Column>): void =>
    setColumns(columns.map((column, index) => (index === at ? { ...column, ...members } : column)));
  const toArm = ({ version, model }: Column, at: number) => {
    const chosen = models.find(({ id }) => id === model);
    const name = [at + 1, version === '' ? newest : version, chosen ? nameModel(chosen) : ''].join(' ').trim();
    return {
      name: name.slice(0, maxArmName),
      ...(version !== '' && { version }),
      ...(version === '' && draft && { candidate: toCandidate(draft) }),
      ...(model !== '' && { modelOverride: model }),
    };
  };
  const execute = async (): Promise<void> => {
    const tried = draft ? (await client.lenses.saveCandidate(lens.id, toCandidate(draft))).id : lens.headVersion.semver;
    const accepted = await Promise.all(
      columns.map((column) => {
        const { version: name, model } = column;
        const version = getVersion(column);
        return client.lenses.execute(lens.id, {
          params: toParams(version, given),
          version: name === '' ? tried : name,
          ...(model !== '' && { modelOverride: model }),
        });
      }),
    );
    setColumns(columns.map((column, at) => ({ ...column, runId: accepted[at]?.runId })));
  };
  return (
    <>
      <h2>{lensesTexts.playground}</h2>
      {isMine && (
        <Cases
          lensId={lens.id}
          params={given}
          runIds={columns.flatMap(({ runId }) => runId ?? [])}
          onPick={(picked) => {
            setValues(picked?.params ?? {});
            setReference(picked?.reference ?? null);
          }}
        />
      )}
      <Form onSend={execute} action={lensesTexts.run}>
        {fields.map(({ label, optional }) => (
          <ParamField
            key={label.toLowerCase()}
            label={label}
            optional={optional}
            type={findType(columns.map(getVersion), label)}
            value={values[label] ?? ''}
            onChange={(value) => setValues({ ...values, [label]: value })}
          />
        ))}
        <div className="columns">
          {columns.map((column, at) => (
            <ColumnFields
              key={at}
              at={at}
              column={column}
              names={[...lens.labels.map(({ label }) => label), ...versions.map(({ semver }) => semver)]}
              newest={newest}
              template={getVersion(column).templateBody}
              settings={getVersion(column).settings}
              values={given}
              models={models}
              onChange={(members) => change(at, members)}
            />
          ))}
        </div>
        <div className="row">
          {columns.length < maxColumns && (
            <button type="button" onClick={() => setColumns([...columns, { version: '', model: '' }])}>
              {lensesTexts.addColumn}
            </button>
          )}
          {columns.length > 1 && (
            <button type="button" onClick={() => setColumns(columns.slice(0, -1))}>
              {lensesTexts.removeColumn}
            </button>
          )}
        </div>
      </Form>
      <DatasetRun lensId={lens.id} arms={columns.map(toArm)} />
      <div className="columns">
        {columns.map(({ runId }, at) => runId !== undefined && <Answer key={`${at} ${runId}`} runId={runId} at={at} />)}
        {reference !== null && (
          <div>
            <h3>{lensesTexts.reference}</h3>
            <p className="answer">{reference}</p>
          </div>
        )}
      </div>
    </>
  );
}

/** The values of a run as texts of fields. */
const toFields = (params: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, formatJson(value)]));

const toCandidate = (draft: LensDraft): shapes.LensCandidate => {
  const { templateBody, settings } = toKeptDraft(draft);
  return { templateBody, settings };
};

interface ColumnProps extends CostProps {
  at: number;
  /** The labels and versions to choose from. */
  names: readonly string[];
  /** The name of the choice of no version. */
  newest: string;
  onChange: (members: Partial<Column>) => void;
}

/** The first type of a parameter among versions. */
const findType = (versions: readonly Version[], label: string): shapes.LensParamType | undefined =>
  versions.flatMap(({ settings }) => settings?.params ?? []).find((type) => isSame(type.label, label));

const isSame = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();

/** The values of the parameters of a version; those of sections and earlier messages may be JSON. */
function toParams(
  { templateBody, params, settings }: Version,
  given: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const names = listJsonNames(templateBody);
  const types = new Map(settings?.params?.map(({ label, type }) => [label.toLowerCase(), type]));
  const isJson = (label: string): boolean =>
    names.has(label) || ['list', 'json', 'image'].includes(types.get(label) ?? '');
  return Object.fromEntries(
    params.flatMap(({ label }) => {
      const text = given[label];
      if (text === undefined) return [];
      return [[label, isJson(label.toLowerCase()) ? readSectionValue(text) : text]];
    }),
  );
}

const nameModel = ({ provider, key }: shapes.ModelItem): string => `${provider}/${key}`;

/** The models that a run may name: those of the lens, unless it leaves them open. */
function listChoices(models: readonly shapes.ModelItem[], settings: shapes.LensSettings | null): shapes.ModelItem[] {
  const ofLens = settings?.mayOverride?.includes('model') ? undefined : settings?.models;
  return models.filter((model) => ofLens?.includes(nameModel(model)) ?? true);
}

const ColumnFields = ({ at, column, names, newest, template, settings, values, models, onChange }: ColumnProps) => (
  <fieldset className="form">
    <legend>{lensesTexts.column(at + 1)}</legend>
    <label>
      {lensesTexts.version}
      <select value={column.version} onChange={({ currentTarget: { value: version } }) => onChange({ version })}>
        <option value="">{newest}</option>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
    <label>
      {lensesTexts.model}
      <select value={column.model} onChange={({ currentTarget: { value: model } }) => onChange({ model })}>
        <option value="">{settings?.models ? lensesTexts.modelOfLens : lensesTexts.defaultModel}</option>
        {listChoices(models, settings).map((model) => (
          <option key={model.id} value={model.id}>
            {nameModel(model)}
          </option>
        ))}
      </select>
    </label>
    <CostLine column={column} template={template} settings={settings} values={values} models={models} />
  </fieldset>
);

interface CostProps {
  column: Column;
  template: string;
  settings: shapes.LensSettings | null;
  values: Readonly<Record<string, string>>;
  models: shapes.ModelItem[];
}

function CostLine({ column, template, settings, values, models }: CostProps) {
  const [first] = settings?.models ?? [];
  const isChosen = (model: shapes.ModelItem): boolean => {
    if (column.model !== '') return model.id === column.model;
    return first === undefined ? model.isDefault : first === nameModel(model);
  };
  const model = models.find(isChosen);
  if (!model) return null;
  return <p className="quiet">{lensesTexts.estimate(estimateExecution(template, values, model))}</p>;
}

function Answer({ runId, at }: { runId: string; at: number }) {
  const { output, isEnded, events } = useTimeline(runId);
  const last = events.at(-1);
  const status = isEnded && last ? last.eventType.replace('run.', '') : 'running';
  return (
    <div>
      <h3>{lensesTexts.column(at + 1)}</h3>
      <p>
        <Status value={status} />{' '}
        <Link to="/runs/$runId" params={{ runId }}>
          {texts.navigation.runs} {runId.slice(-12)}
        </Link>
      </p>
      {last?.eventType === 'run.failed' && <p className="notice bad">{last.payload.errorMessage}</p>}
      {isEnded && <Figures runId={runId} events={events} />}
      <AnswerText text={output} label={texts.runs.output} />
    </div>
  );
}

/** The time, tokens and cost of an answer. */
function Figures({ runId, events }: { runId: string; events: readonly RunEvent[] }) {
  const client = useClient();
  const { data: run } = useQuery({ queryKey: ['run', runId], queryFn: async () => client.runs.get(runId) });
  if (!run?.startedAt || !run.completedAt) return null;
  const firstText = measureFirstText(events);
  return (
    <dl className="facts">
      <dt>{texts.runs.took}</dt>
      <dd>{duration(Date.parse(run.completedAt) - Date.parse(run.startedAt))}</dd>
      <dt>{texts.runs.firstText}</dt>
      <dd>{firstText === undefined ? '–' : duration(firstText)}</dd>
      <dt>{texts.runs.tokens}</dt>
      <dd>{tokenText(run)}</dd>
      <dt>{texts.runs.cost}</dt>
      <dd>{costText(run)}</dd>
    </dl>
  );
}
