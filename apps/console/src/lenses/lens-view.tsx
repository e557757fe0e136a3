import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { RunCharts } from '../runs/run-charts';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { lensesTexts } from '../view-texts/lenses';
import { Page } from '../ui/page';
import { SaveFault } from '../ui/save-fault';
import { Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Labels, ReturnedLabels } from '../labels/labels';
import { EvaluationRules } from '../evaluation/evaluation-rules';
import { ScoreCharts } from '../evaluation/score-charts';
import { ReleaseTable } from '../labels/release-table';
import { ModelSettings, type Settings, withoutEmpty } from './model-settings';
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
  const isMine = lens.author.id === me.account?.id;
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
          <Editor lens={lens} isMine={isMine} />
        </section>
        <section className="panel">
          <Playground lens={lens} isMine={isMine} />
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

interface Draft {
  templateBody: string;
  settings: Settings;
  baseVersionId: string;
}

/** The newest template and settings. The draft of a change is kept until it is saved, also when the server says no. */
function Editor({ lens, isMine }: { lens: shapes.LensRecord; isMine: boolean }) {
  const { client } = useConsole();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Draft>();
  const [changelog, setChangelog] = useState('');
  const reload = async (): Promise<void> => {
    setDraft(undefined);
    await queries.invalidateQueries({ queryKey: ['lens', lens.id] });
  };
  const save = useMutation({
    mutationFn: async ({ settings, ...content }: Draft) =>
      client.lenses.update(lens.id, { ...content, settings: settings && withoutBlankModels(settings), changelog }),
    onSuccess: async () => {
      setChangelog('');
      await reload();
    },
  });
  const { data: models = [] } = useQuery({
    queryKey: ['models'],
    queryFn: async () => (await client.models.list({ limit: 100 })).items,
  });
  const { templateBody, settings } = draft ?? lens;
  const baseVersionId = draft?.baseVersionId ?? lens.headVersion.id;
  const isChanged = templateBody !== lens.templateBody || JSON.stringify(settings) !== JSON.stringify(lens.settings);
  return (
    <div className="form">
      <TemplateEditor
        value={templateBody}
        readOnly={!isMine}
        onChange={(templateBody) => setDraft({ templateBody, settings, baseVersionId })}
      />
      {(isMine || settings !== null) && (
        <ModelSettings
          key={draft ? draft.baseVersionId : lens.headVersion.id}
          value={settings}
          models={models.map(({ provider, key }) => `${provider}/${key}`)}
          readOnly={!isMine}
          onChange={(settings) => setDraft({ templateBody, settings, baseVersionId })}
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
            <input value={changelog} onChange={(event) => setChangelog(event.currentTarget.value)} />
          </label>
          <div className="row">
            <button
              type="button"
              className="primary"
              disabled={!isChanged || save.isPending}
              onClick={() => save.mutate({ templateBody, settings, baseVersionId })}
            >
              {texts.save}
            </button>
            {isChanged && <span className="quiet">{lensesTexts.unsaved}</span>}
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
              save.mutate({ templateBody, settings, baseVersionId: headVersion.id });
            }}
          />
        </>
      )}
    </div>
  );
}

/** A list of models may end with a comma while it is written. */
function withoutBlankModels({ models, ...settings }: NonNullable<Settings>): Settings {
  const named = models?.filter((name) => name !== '');
  return withoutEmpty({ ...(named && { models: named }), ...settings });
}
