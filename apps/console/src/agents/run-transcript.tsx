import { useTimeline } from '../runs/use-timeline';
import { texts } from '../texts';
import { agentsTexts } from '../view-texts/agents';
import { Json } from '../ui/json';
import { Status } from '../ui/status';
import { type Step, type ToolCall, groupSteps } from '../runs/steps';

/** The steps of a run as they are written: what the model said, and its tool calls, folded. */
export function RunTranscript({ runId }: { runId: string }) {
  const { events, output, isEnded, isReconnecting } = useTimeline(runId);
  const steps = groupSteps(events);
  return (
    <div className="transcript">
      {isReconnecting && <p className="quiet">{texts.runs.reconnecting}</p>}
      {steps.map((step) => (
        <StepView key={step.key} step={step} />
      ))}
      {steps.length === 0 && output !== '' && <p className="answer">{output}</p>}
      {!isEnded && <p className="quiet">{agentsTexts.goesOn}</p>}
      {isEnded && steps.length === 0 && output === '' && <p className="quiet">{agentsTexts.noSteps}</p>}
    </div>
  );
}

const StepView = ({ step }: { step: Step }) => (
  <section className={step.path === '' ? 'step' : 'step nested'}>
    <p className="quiet">
      {agentsTexts.step} {step.step} · {step.node}
      {step.path !== '' && ` › ${step.path}`}
      {step.agent !== undefined && ` · @${step.agent}`}
      {step.tokens !== undefined && ` · ${step.tokens} ${agentsTexts.tokens}`}
      {step.credits !== undefined && step.credits > 0 && ` · ${step.credits} ${agentsTexts.credits}`}
    </p>
    {step.text !== '' && <p className="answer">{step.text}</p>}
    {step.calls.map((call) => (
      <CallView key={call.call} call={call} />
    ))}
  </section>
);

const CallView = ({ call: { toolId, input, result } }: { call: ToolCall }) => (
  <details>
    <summary>
      <code>{toolId}</code> <Status value={!result ? 'running' : result.isError ? 'failed' : result.status} />
    </summary>
    <Json value={input} label={agentsTexts.arguments} />
    {result && <Json value={result.text} label={agentsTexts.result} />}
  </details>
);
