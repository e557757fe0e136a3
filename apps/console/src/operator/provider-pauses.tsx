import type { shapes } from '@lensforge/sdk';
import { operatorTexts } from '../view-texts/operator';
import { Time } from '../ui/time';

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
        <table className="table stacks">
          <thead>
            <tr>
              <th scope="col">{words.model}</th>
              <th scope="col">{operatorTexts.runLists.cause}</th>
              <th scope="col">{words.since}</th>
              <th scope="col">{words.until}</th>
              <th scope="col">{words.failures}</th>
              <th scope="col">{words.waiting}</th>
              <th scope="col">{words.workers}</th>
            </tr>
          </thead>
          <tbody>
            {pauses.map((pause) => (
              <tr key={`${pause.provider} ${pause.byok} ${pause.model}`}>
                <td>{describePause(pause)}</td>
                <td>{words.reasons[pause.reason]}</td>
                <td data-name={words.since}>
                  <Time at={pause.since} />
                </td>
                <td data-name={words.until}>
                  {Date.parse(pause.until) > Date.now() ? <Time at={pause.until} /> : words.probing}
                </td>
                <td data-name={words.failures}>{pause.failures}</td>
                <td>
                  {words.runs} {pause.waitingRuns} · {words.calls} {pause.waitingCalls}
                </td>
                <td data-name={words.workers}>{pause.workers}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </section>
);

function describePause({ provider, model, byok, keys }: shapes.ProviderPause): string {
  if (byok) return `${provider}: ${words.byok} ${keys}`;
  return model === null ? `${provider}: ${words.wholeKey}` : `${provider}/${model}`;
}
