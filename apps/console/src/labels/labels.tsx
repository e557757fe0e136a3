import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { gateResults } from '../experiments/history';
import { useExperiments } from '../experiments/use-experiments';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { labelsTexts } from '../view-texts/labels';
import { Action } from '../ui/action';
import { DatasetSelect, useNewestDataset } from '../ui/dataset-select';
import { Form, readField } from '../ui/form';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Time } from '../ui/time';
import { Field, SelectField } from '../ui/field';

type Version = { semver: string } | { number: number };

/** A lens or workflow, whose labels are shown. */
type Labelled = { kind: 'lens'; of: shapes.LensRecord } | { kind: 'workflow'; of: shapes.WorkflowRecord };

type Move = shapes.LensLabelMove | shapes.WorkflowLabelMove;

const nameOf = (version: Version): string => ('semver' in version ? version.semver : String(version.number));

/** The labels of a lens or workflow, each of which names a version. */
export function Labels({ isMine, ...labelled }: Labelled & { isMine: boolean }) {
  const { kind, of } = labelled;
  const client = useClient();
  const queries = useQueryClient();
  const resource = kind === 'lens' ? client.lenses : client.workflows;
  const versions = useVersionNames(labelled, isMine);
  const doAndReload = (work: () => Promise<unknown>) => async (): Promise<void> => {
    await work();
    await queries.invalidateQueries({ queryKey: [kind, of.id] });
  };
  const set = (values: FormData): Promise<void> => {
    const reason = readField(values, 'reason');
    const override = values.get('override') === 'on';
    const arm = readField(values, 'arm');
    const weight = Number(readField(values, 'weight'));
    const to = {
      version: readField(values, 'version'),
      ...(reason !== '' && { reason }),
      ...(override && { override }),
      arms: arm === '' ? null : [{ version: arm, weight }],
    };
    return doAndReload(() => resource.setLabel(of.id, readField(values, 'label'), to))();
  };
  const addRule = (label: string, rule: shapes.LabelRules): Promise<void> => {
    const place = of.labels.find((each) => each.label === label);
    const rules = { ...place?.rules, ...rule };
    return doAndReload(() => resource.setLabel(of.id, label, { version: place ? nameOf(place) : '', rules }))();
  };
  const makeDefault = (defaultLabel: string | null) => doAndReload(() => resource.update(of.id, { defaultLabel }));
  return (
    <>
      <h2>{labelsTexts.labels}</h2>
      {of.labels.length === 0 && <p className="quiet">{labelsTexts.noLabels}</p>}
      <table className="table stacks">
        <tbody>
          {of.labels.map(({ label, protected: isProtected, updatedAt, ...place }) => (
            <tr key={label}>
              <th scope="row">
                <span className="brief">{label}</span>{' '}
                {isProtected && <span className="status plain">{labelsTexts.protected}</span>}{' '}
                {label === of.defaultLabel && <span className="status plain">{labelsTexts.default}</span>}
                {place.rules && (
                  <div className="quiet">
                    {place.rules.gate && (
                      <Link to="/datasets/$datasetId" params={{ datasetId: place.rules.gate.datasetId }}>
                        {labelsTexts.needsGate}
                      </Link>
                    )}{' '}
                    {place.rules.secondPerson && labelsTexts.needsPerson}
                  </div>
                )}
              </th>
              <td>
                <span className="brief">{nameOf(place)}</span> <Time at={updatedAt} />
                {place.arms && <div>{labelsTexts.arms(place.arms)}</div>}
                {place.proposalId !== null && (
                  <div>
                    <Link to="/approvals">{labelsTexts.waits}</Link>
                  </div>
                )}
                {place.bounds && <div className="quiet">{labelsTexts.bounds(place.bounds)}</div>}
              </td>
              <td>
                {isMine && (
                  <div className="row">
                    <MoveForm
                      target={kind === 'lens' ? { lensId: of.id } : { workflowId: of.id }}
                      label={label}
                      now={nameOf(place)}
                      versions={versions}
                      datasetId={place.rules?.gate?.datasetId}
                      onMove={(version) => doAndReload(() => resource.setLabel(of.id, label, { version }))()}
                    />
                    <Action onAct={doAndReload(() => resource.returnLabel(of.id, label, {}))}>
                      {labelsTexts.goBack}
                    </Action>
                    <Action
                      onAct={doAndReload(() =>
                        resource.setLabel(of.id, label, { version: nameOf(place), protected: !isProtected }),
                      )}
                    >
                      {isProtected ? labelsTexts.unprotect : labelsTexts.protect}
                    </Action>
                    {place.bounds && (
                      <Action
                        onAct={doAndReload(() =>
                          resource.setLabel(of.id, label, { version: nameOf(place), bounds: null }),
                        )}
                      >
                        {labelsTexts.removeBounds}
                      </Action>
                    )}
                    {place.rules && (
                      <Action
                        onAct={doAndReload(() =>
                          resource.setLabel(of.id, label, { version: nameOf(place), rules: null }),
                        )}
                      >
                        {labelsTexts.removeRules}
                      </Action>
                    )}
                    {label === of.defaultLabel ? (
                      <Action onAct={makeDefault(null)}>{labelsTexts.serveNewest}</Action>
                    ) : (
                      <>
                        <Action onAct={makeDefault(label)}>{labelsTexts.makeDefault}</Action>
                        <Action onAct={doAndReload(() => resource.removeLabel(of.id, label))}>{texts.remove}</Action>
                      </>
                    )}
                  </div>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="quiet">{labelsTexts.served(nameOf(of.servedVersion), of.defaultLabel)}</p>
      {isMine && (
        <>
          <p className="quiet">{labelsTexts.protectedHint}</p>
          <Form onSend={set} action={labelsTexts.setLabel} clears>
            <div className="columns">
              <Field label={texts.name} name="label" required placeholder="production" list="labels" />
              <datalist id="labels">
                {of.labels.map(({ label }) => (
                  <option key={label} value={label} />
                ))}
              </datalist>
              <Field
                label={labelsTexts.version}
                name="version"
                required
                defaultValue={nameOf(of.headVersion)}
                list="versions"
              />
              <datalist id="versions">
                {versions.map((version) => (
                  <option key={version} value={version} />
                ))}
              </datalist>
              <Field label={labelsTexts.reason} name="reason" maxLength={500} />
              {of.labels.some(({ rules }) => rules !== null) && (
                <label className="check">
                  <input type="checkbox" name="override" /> {labelsTexts.override}
                </label>
              )}
            </div>
            <details>
              <summary>{labelsTexts.armOf}</summary>
              <div className="columns">
                <Field label={labelsTexts.arm} name="arm" list="versions" />
                <Field label={labelsTexts.armWeight} name="weight" type="number" min="0.01" max="99.99" step="any" />
              </div>
            </details>
          </Form>
          <RuleForm labels={of.labels} onRule={addRule} />
          <PersonForm labels={of.labels} onRule={addRule} />
          <BoundsForm
            labels={of.labels}
            onBounds={(label, bounds) => {
              const place = of.labels.find((each) => each.label === label);
              return doAndReload(() =>
                resource.setLabel(of.id, label, { version: place ? nameOf(place) : '', bounds }),
              )();
            }}
          />
          <LabelHistory {...labelled} />
        </>
      )}
    </>
  );
}

interface MoveFormProps {
  target: { lensId: string } | { workflowId: string };
  label: string;
  /** The version that the label names. */
  now: string;
  versions: readonly string[];
  /** The dataset over which a version must pass a gate. */
  datasetId: string | undefined;
  onMove: (version: string) => Promise<void>;
}

/** Moves a label to another version. Where it needs a passed gate, each version says how far it is with that. */
function MoveForm({ target, label, now, versions, datasetId, onMove }: MoveFormProps) {
  const results = gateResults(useExperiments(target, datasetId));
  return (
    <Form onSend={(values) => onMove(readField(values, 'version'))} action={labelsTexts.move}>
      <select name="version" key={now} required aria-label={labelsTexts.versionOf(label)} defaultValue="">
        <option value="" disabled>
          {labelsTexts.moveTo}
        </option>
        {versions
          .filter((version) => version !== now)
          .map((version) => (
            <option key={version} value={version}>
              {datasetId === undefined ? version : labelsTexts.versionWithGate(version, results.get(version))}
            </option>
          ))}
      </select>
    </Form>
  );
}

/** The names of the newest versions, for the owner. */
function useVersionNames({ kind, of }: Labelled, isMine: boolean): string[] {
  const client = useClient();
  const { data = [] } = useQuery({
    queryKey: [kind, of.id, 'version names', of.headVersion.id],
    queryFn: async (): Promise<Version[]> =>
      kind === 'lens'
        ? (await client.lenses.listVersions(of.id, { limit: 100 })).items
        : (await client.workflows.listVersions(of.id, { limit: 100 })).items,
    enabled: isMine,
  });
  return data.map(nameOf);
}

interface RuleFormProps {
  labels: readonly { label: string }[];
  onRule: (label: string, rule: shapes.LabelRules) => Promise<void>;
}

/** Makes a label wait for a passed gate over a dataset, or for a second person. */
function RuleForm({ labels, onRule }: RuleFormProps) {
  const newest = useNewestDataset();
  if (labels.length === 0 || newest === undefined) return null;
  return (
    <details>
      <summary>{labelsTexts.requireGate}</summary>
      <p className="quiet">{labelsTexts.gateHint}</p>
      <Form
        onSend={(values) => onRule(readField(values, 'label'), { gate: { datasetId: readField(values, 'dataset') } })}
        action={labelsTexts.requireGate}
      >
        <div className="columns">
          <LabelSelect labels={labels} />
          <DatasetSelect label={labelsTexts.dataset} newest={newest} />
        </div>
      </Form>
    </details>
  );
}

/** Makes a label wait for one of some people. */
function PersonForm({ labels, onRule }: RuleFormProps) {
  if (labels.length === 0) return null;
  const send = (values: FormData): Promise<void> => {
    const approvers = readField(values, 'approvers')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    return onRule(readField(values, 'label'), { secondPerson: approvers.length > 0 ? { approvers } : {} });
  };
  return (
    <details>
      <summary>{labelsTexts.requirePerson}</summary>
      <p className="quiet">{labelsTexts.personHint}</p>
      <Form onSend={send} action={labelsTexts.requirePerson}>
        <div className="columns">
          <LabelSelect labels={labels} />
          <Field label={labelsTexts.approvers} name="approvers" placeholder="bob, carol" />
        </div>
      </Form>
    </details>
  );
}

interface BoundsFormProps {
  labels: readonly { label: string }[];
  onBounds: (label: string, bounds: shapes.LabelBounds) => Promise<void>;
}

/** Makes a label return by itself. */
function BoundsForm({ labels, onBounds }: BoundsFormProps) {
  if (labels.length === 0) return null;
  const send = (values: FormData): Promise<void> => {
    const [worseBy, max, latencyMs, min] = ['worseBy', 'max', 'latencyMs', 'min'].map((name) => numberIn(values, name));
    const score = readField(values, 'score');
    const failures = {
      ...(worseBy !== undefined && { worseBy: worseBy / 100 }),
      ...(max !== undefined && { max: max / 100 }),
    };
    return onBounds(readField(values, 'label'), {
      ...(Object.keys(failures).length > 0 && { failures }),
      ...(latencyMs !== undefined && { latencyMs }),
      ...(score !== '' && min !== undefined && { score: { name: score, min } }),
    });
  };
  return (
    <details>
      <summary>{labelsTexts.setBounds}</summary>
      <p className="quiet">{labelsTexts.boundsHint}</p>
      <Form onSend={send} action={labelsTexts.setBounds}>
        <div className="columns">
          <LabelSelect labels={labels} />
          <Field label={labelsTexts.worseBy} name="worseBy" type="number" min="0" max="100" step="any" />
          <Field label={labelsTexts.maxFailures} name="max" type="number" min="0" max="100" step="any" />
          <Field label={labelsTexts.maxMs} name="latencyMs" type="number" min="1" />
          <Field label={labelsTexts.scoreName} name="score" placeholder="feedback" />
          <Field label={labelsTexts.minScore} name="min" type="number" min="0" max="1" step="any" />
        </div>
      </Form>
    </details>
  );
}

function LabelSelect({ labels }: { labels: readonly { label: string }[] }) {
  return (
    <SelectField label={labelsTexts.label} name="label">
      {labels.map(({ label }) => (
        <option key={label}>{label}</option>
      ))}
    </SelectField>
  );
}

function numberIn(values: FormData, name: string): number | undefined {
  const text = readField(values, name);
  return text === '' ? undefined : Number(text);
}

/** The labels that returned by themselves and were not set since. */
export function ReturnedLabels({ labels }: { labels: Labelled['of']['labels'] }) {
  return labels.map(({ label, returned }) =>
    returned?.automatic ? (
      <p key={label} className="notice bad" role="status">
        {labelsTexts.returnedByItself(label, returned.version, returned.reason)} <Time at={returned.at} />
      </p>
    ) : null,
  );
}

/** The moves of the labels, the newest first. */
function LabelHistory({ kind, of }: Labelled) {
  const client = useClient();
  const moves = usePaged<Move>([kind, of.id, 'label moves', of.labels], async (cursor) =>
    kind === 'lens'
      ? client.lenses.listLabelMoves(of.id, { limit: 20, cursor })
      : client.workflows.listLabelMoves(of.id, { limit: 20, cursor }),
  );
  return (
    <details>
      <summary>{labelsTexts.history}</summary>
      <PagedList paged={moves} none={labelsTexts.noMoves}>
        {(items) => (
          <table className="table stacks">
            <tbody>
              {items.map(
                ({
                  id,
                  label,
                  version,
                  before,
                  kind: move,
                  reason,
                  evidence,
                  overridden,
                  credential,
                  movedAt,
                  ...its
                }) => (
                  <tr key={id}>
                    <th scope="row">
                      <span className="brief">{label}</span>
                    </th>
                    <td>
                      {labelsTexts.moved(before ? nameOf(before) : undefined, version ? nameOf(version) : undefined)}{' '}
                      {(its.arms ?? its.armsBefore) && <div>{labelsTexts.armsMoved(its.arms)}</div>}
                      {move === 'return' && <span className="status plain">{labelsTexts.returned}</span>}
                      {overridden && <span className="status plain">{labelsTexts.overridden}</span>}
                      {reason !== null && <div>{reason}</div>}
                      {evidence && (
                        <div>
                          <Link to="/experiments/$experimentId" params={{ experimentId: evidence.experimentId }}>
                            {labelsTexts.evidence}
                          </Link>
                        </div>
                      )}
                    </td>
                    <td className="quiet">
                      <Time at={movedAt} /> {labelsTexts.movedBy(credential)}
                    </td>
                  </tr>
                ),
              )}
            </tbody>
          </table>
        )}
      </PagedList>
    </details>
  );
}
