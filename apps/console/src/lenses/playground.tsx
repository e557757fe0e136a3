import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useTimeline } from '../runs/use-timeline';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { lensesTexts } from '../view-texts/lenses';
import { Form, fieldOf } from '../ui/form';
import { Json } from '../ui/json';
import { Status } from '../ui/status';

const mostModels = 3;

/** Executes a lens with one model or several side by side, and streams the answers. */
export function Playground({ lens }: { lens: shapes.LensRecord }) {
  const client = useClient();
  const [columns, setColumns] = useState(1);
  const [runs, setRuns] = useState<string[]>([]);
  const { data: models = [] } = useQuery({
    queryKey: ['models'],
    queryFn: async () => (await client.models.list({ limit: 100 })).items,
  });
  const at = Array.from({ length: columns }, (_, index) => index);
  const execute = async (values: FormData): Promise<void> => {
    const given = lens.params.map(({ label }) => [label, fieldOf(values, `param ${label}`)] as const);
    const params = Object.fromEntries(given.filter(([, value]) => value !== ''));
    const accepted = await Promise.all(
      at.map((index) => {
        const model = fieldOf(values, `model ${index}`);
        return client.lenses.execute(lens.id, { params, ...(model !== '' && { modelOverride: model }) });
      }),
    );
    setRuns(accepted.map(({ runId }) => runId));
  };
  return (
    <>
      <h2>{lensesTexts.playground}</h2>
      <Form onSend={execute} action={lensesTexts.run}>
        {lens.params.map(({ id, label, optional }) => (
          <label key={id}>
            {label} {optional && <span className="quiet">({lensesTexts.optional})</span>}
            <textarea name={`param ${label}`} rows={2} required={!optional} />
          </label>
        ))}
        <div className="columns">
          {at.map((index) => (
            <label key={index}>
              {lensesTexts.model}
              <select name={`model ${index}`}>
                <option value="">{lensesTexts.defaultModel}</option>
                {models.map(({ id, provider, key }) => (
                  <option key={id} value={id}>
                    {provider}/{key}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </div>
        {columns < mostModels && (
          <div>
            <button type="button" onClick={() => setColumns(columns + 1)}>
              {lensesTexts.addModel}
            </button>
          </div>
        )}
      </Form>
      <div className="columns">
        {runs.map((runId) => (
          <Answer key={runId} runId={runId} />
        ))}
      </div>
    </>
  );
}

function Answer({ runId }: { runId: string }) {
  const { output, isEnded, events } = useTimeline(runId);
  const last = events.at(-1);
  const status = isEnded && last ? last.eventType.replace('run.', '') : 'running';
  return (
    <div>
      <p>
        <Status value={status} />{' '}
        <Link to="/runs/$runId" params={{ runId }}>
          {texts.navigation.runs} {runId.slice(-12)}
        </Link>
      </p>
      {last?.eventType === 'run.failed' && <p className="notice bad">{last.payload.errorMessage}</p>}
      <Json value={output} label={texts.runs.output} />
    </div>
  );
}
