import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { RunCharts } from '../runs/run-charts';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { lensesTexts } from '../view-texts/lenses';
import { Page } from '../ui/page';
import { SaveFault } from '../ui/save-fault';
import { Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import { Unsaved } from '../ui/unsaved';
import { useModels } from '../ui/use-models';
import { toVisible } from '../ui/visible-text';
import { Labels, ReturnedLabels } from '../labels/labels';
import { EvaluationRules } from '../evaluation/evaluation-rules';
import { ScoreCharts } from '../evaluation/score-charts';
import { ReleaseTable } from '../labels/release-table';
import { type LensDraft, isChangedFrom, toDraft, toKeptDraft } from './lens-draft';
import { type KeptDraft, useLensDraft } from './use-lens-draft';
import { ModelSettings } from './model-settings';
import { LensActions, LensSettings } from './lens-settings';
import { Playground } from './playground';
import { TemplateEditor } from './template-editor';
import { UsedBy } from './used-by';
import { Versions } from './versions';

const route = getRouteApi('/lenses/$lensId');

/** A lens: its template, versions, labels and a place to try it. */
export default function LensView() {
  const { lensId } = route.useParams();
  const { client, me } = useConsole();
  const lens = useQuery({ queryKey: ['lens', lensId], queryFn: async () => client.lenses.get(lensId) });
  return (
    <Page
      title={lens.data?.title ?? texts.runs.lens}
      above={<Link to="/lenses">{lensesTexts.title}</Link>}
      actions={
        <>
          <Link className="button" to="/runs" search={{ lensId }}>
            {lensesTexts.runsOf}
          </Link>
          {lens.data && <LensActions lens={lens.data} isMine={lens.data.author.id === me.account?.id} />}
        </>
      }
    >
      <Loaded query={lens}>{(found) => <Details key={found.id} lens={found} />}</Loaded>
    </Page>
  );
}

function Details({ lens }: { lens: shapes.LensRecord }) {
  const { me } = useConsole();
  const { run } = route.useSearch();
  const isMine = lens.author.id === me.account?.id;
  const kept = useLensDraft(lens, isMine);
  const draft = isMine ? kept.draft : undefined;
  return (
    <>
      <p>
        {lens.description} <Status value={lens.visibility} /> <Status value={lens.status} />{' '}
        <span className="quiet">@{lens.author.handle}</span>{' '}
        {lens.tags.map((tag) => (
          <Link key={tag} to="/lenses" search={{ tag }} className="status plain">
            {tag}
          </Link>
        ))}{' '}
        {lens.parentLensId !== null && (
          <Link to="/lenses/$lensId" params={{ lensId: lens.parentLensId }}>
            {lensesTexts.source}
          </Link>
        )}
      </p>
      {isMine && <ReturnedLabels labels={lens.labels} />}
      {isMine && <LensSettings lens={lens} />}
      <div className="columns">
        <section className="panel">
          <OtherDraft kept={kept} />
          <Editor lens={lens} isMine={isMine} draft={draft} taken={kept.taken} onDraft={kept.change} />
        </section>
        <section className="panel">
          <Playground
            key={run}
            lens={lens}
            isMine={isMine}
            from={run}
            draft={draft && isChangedFrom(lens, draft) ? draft : undefined}
          />
        </section>
      </div>
      <div className="columns">
        <section className="panel">
          <Versions lens={lens} isMine={isMine} />
        </section>
        <section className="panel">
          <Labels kind="lens" of={lens} isMine={isMine} />
        </section>
      </div>
      <section className="panel">
        <UsedBy lensId={lens.id} />
      </section>
      <section className="panel">
        <ReleaseTable target={{ lensId: lens.id }} />
      </section>
      <section className="panel">
        <ScoreCharts target={{ lensId: lens.id }} />
        <EvaluationRules target={{ lensId: lens.id }} />
      </section>
      <RunCharts filters={{ lensId: lens.id }} />
    </>
  );
}

/** Asks which draft goes on, when two browsers have changed the lens. */
const OtherDraft = ({ kept: { draft, other, choose } }: { kept: KeptDraft }) =>
  draft &&
  other?.continues !== undefined && (
    <div className="notice" role="status">
      {lensesTexts.otherDraft}
      <Time at={other.continues} />{' '}
      <button type="button" onClick={() => choose(other)}>
        {lensesTexts.takeOther}
      </button>{' '}
      <button type="button" onClick={() => choose(draft)}>
        {lensesTexts.keepOwn}
      </button>
      <details>
        <summary>{lensesTexts.otherText}</summary>
        <pre>{toVisible(other.templateBody)}</pre>
      </details>
    </div>
  );

interface EditorProps {
  lens: shapes.LensRecord;
  isMine: boolean;
  draft: LensDraft | undefined;
  taken: number;
  onDraft: (draft: LensDraft | undefined) => void;
}

/** The newest template and settings. The draft of a change is kept until it is saved, also when the server says no. */
function Editor({ lens, isMine, draft, taken, onDraft }: EditorProps) {
  const { client } = useConsole();
  const queries = useQueryClient();
  const reload = async (): Promise<void> => {
    onDraft(undefined);
    await queries.invalidateQueries({ queryKey: ['lens', lens.id] });
  };
  const save = useMutation({
    mutationFn: async (draft: LensDraft) => client.lenses.update(lens.id, toKeptDraft(draft)),
    onSuccess: async ({ headVersion }, sent) => {
      // Text that was typed meanwhile stays, as a change of the saved version.
      const isWhole = draft === undefined || !isChangedFrom(sent, draft);
      onDraft(isWhole ? undefined : { ...draft, changelog: '', baseVersionId: headVersion.id });
      await queries.invalidateQueries({ queryKey: ['lens', lens.id] });
    },
  });
  const models = useModels();
  const now = draft ?? toDraft(lens);
  const { templateBody, settings } = now;
  const isChanged = isChangedFrom(lens, now);
  const change = (members: Partial<LensDraft>): void => {
    const next = { ...now, ...members };
    onDraft(isChangedFrom(lens, next) || next.changelog !== '' ? next : undefined);
  };
  return (
    <div className="form">
      <TemplateEditor value={templateBody} readOnly={!isMine} onChange={(templateBody) => change({ templateBody })} />
      {(isMine || settings !== null) && (
        <ModelSettings
          key={`${draft ? draft.baseVersionId : lens.headVersion.id} ${taken}`}
          value={settings}
          models={models.map(({ provider, key }) => `${provider}/${key}`)}
          readOnly={!isMine}
          onChange={(settings) => change({ settings })}
        />
      )}
      {isMine &&
        !isChanged &&
        lens.warnings.map((warning) => (
          <p key={warning} className="quiet">
            {warning}
          </p>
        ))}
      {isMine && (
        <>
          <label>
            {lensesTexts.changelog}
            <input value={now.changelog} onChange={(event) => change({ changelog: event.currentTarget.value })} />
          </label>
          <div className="row">
            <button
              type="button"
              className="primary"
              disabled={!isChanged || save.isPending}
              onClick={() => save.mutate(now)}
            >
              {texts.save}
            </button>
            <Unsaved isChanged={isChanged} isKept={draft?.isKept} onDiscard={() => onDraft(undefined)} />
            {save.isSuccess && !isChanged && (
              <span className="quiet" role="status">
                {lensesTexts.saved} {lens.headVersion.semver}
              </span>
            )}
          </div>
          <SaveFault
            error={save.error}
            onReload={async () => {
              save.reset();
              await reload();
            }}
            onOverwrite={async () => {
              const { headVersion } = await client.lenses.get(lens.id);
              save.mutate({ ...now, baseVersionId: headVersion.id });
            }}
          />
        </>
      )}
    </div>
  );
}
