import type { shapes } from '@lensforge/sdk';
import { operatorTexts } from '../view-texts/operator';
import { Time } from '../ui/time';
import { DataTable } from '../ui/data-table';

const words = operatorTexts.pauses;

/** The models and keys of providers that workers do not call now. */
export const ProviderPauses = ({ pauses }: { pauses: readonly shapes.ProviderPause[] }) => (
  <section className="panel">
    <h2>{words.title}</h2>
    <p className="quiet">{words.hint}</p>
    {pauses.length === 0 ? (
      <p className="quiet">{words.none}</p>
    ) : (
      <div className="scroll" tabIndex={0} role="region" aria-label={words.title}>
        <DataTable
          items={pauses}
          getKey={({ provider, byok, model }) => `${provider} ${byok} ${model}`}
          columns={[
            { name: words.model, sortBy: describePause, show: describePause },
            { name: operatorTexts.runLists.cause, show: ({ reason }) => words.reasons[reason] },
            {
              name: words.since,
              isNamed: true,
              sortBy: ({ since }) => since,
              show: ({ since }) => <Time at={since} />,
            },
            {
              name: words.until,
              isNamed: true,
              show: ({ until }) => (Date.parse(until) > Date.now() ? <Time at={until} /> : words.probing),
            },
            {
              name: words.failures,
              isNamed: true,
              sortBy: ({ failures }) => failures,
              show: ({ failures }) => failures,
            },
            {
              name: words.waiting,
              show: ({ waitingRuns, waitingCalls }) => `${words.runs} ${waitingRuns} · ${words.calls} ${waitingCalls}`,
            },
            { name: words.workers, isNamed: true, show: ({ workers }) => workers },
          ]}
        />
      </div>
    )}
  </section>
);

function describePause({ provider, model, byok, keys }: shapes.ProviderPause): string {
  if (byok) return `${provider}: ${words.byok} ${keys}`;
  return model === null ? `${provider}: ${words.wholeKey}` : `${provider}/${model}`;
}
