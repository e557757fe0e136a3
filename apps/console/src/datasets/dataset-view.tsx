import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { datasetsTexts } from '../view-texts/datasets';
import { Action } from '../ui/action';
import { ConfirmedAction } from '../ui/confirmed-action';
import { Page } from '../ui/page';
import { saveFile } from '../ui/save-file';
import { Loaded } from '../ui/states';
import { CaseList } from './case-list';
import { ImportForm } from './import-form';
import { NewExperiment } from './new-experiment';
import { Revisions } from './revisions';
import { announce } from '../ui/announce';
import { texts } from '../texts';

const formats = ['csv', 'ndjson', 'json'] as const;

/** A dataset: its cases, files in and out, its revisions, and the start of an experiment. */
export default function DatasetView() {
  const client = useClient();
  const { datasetId } = useParams({ from: '/datasets/$datasetId' });
  const dataset = useQuery({ queryKey: ['dataset', datasetId], queryFn: () => client.datasets.get(datasetId) });
  return <Loaded query={dataset}>{(found) => <Contents dataset={found} />}</Loaded>;
}

function Contents({ dataset }: { dataset: shapes.Dataset }) {
  const { id, name, description, cases, revision } = dataset;
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const reload = () => queries.invalidateQueries({ queryKey: ['dataset', id] });
  const remove = async (): Promise<void> => {
    await client.datasets.remove(id);
    announce(texts.removed(name));
    await navigate({ to: '/datasets' });
  };
  const exportAs = async (format: (typeof formats)[number]): Promise<void> => {
    const file = await client.datasets.export(id, { format });
    saveFile(await file.blob(), `${name}.${format}`);
  };
  return (
    <Page
      title={name}
      above={<Link to="/datasets">{datasetsTexts.title}</Link>}
      actions={
        <ConfirmedAction question={datasetsTexts.removeQuestion} onAct={remove}>
          {datasetsTexts.remove}
        </ConfirmedAction>
      }
    >
      <p className="quiet">
        {[description, datasetsTexts.cases(cases), datasetsTexts.revision(revision)].filter(Boolean).join(' · ')}
      </p>
      <CaseList dataset={dataset} onChanged={reload} />
      <section className="panel">
        <h2>{datasetsTexts.importFile}</h2>
        <ImportForm datasetId={id} onChanged={reload} />
        <div className="row">
          {datasetsTexts.exportAs}
          {formats.map((format) => (
            <Action key={format} onAct={() => exportAs(format)}>
              {format}
            </Action>
          ))}
        </div>
      </section>
      {cases > 0 && <NewExperiment datasetId={id} />}
      <Revisions dataset={dataset} />
    </Page>
  );
}
