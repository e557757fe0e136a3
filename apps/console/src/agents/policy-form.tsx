import type { shapes } from '@lensforge/sdk';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { agentsTexts } from '../view-texts/agents';
import { Form, readField } from '../ui/form';
import { policyActions, readPolicy, policyRules } from './policy';
import { Field } from '../ui/field';

/** The rule for each action and the caps for each day, of which the policy consists. */
export function PolicyForm({ agent, onSaved }: { agent: shapes.AiLenser; onSaved: () => Promise<void> }) {
  const { client } = useConsole();
  const { policy = {} } = agent;
  const save = async (values: FormData): Promise<void> => {
    await client.agents.update(agent.id, { policy: readPolicy((name) => readField(values, name)) });
    await onSaved();
  };
  return (
    <section className="panel">
      <p className="quiet">{agentsTexts.policyHint}</p>
      <Form onSend={save} action={texts.save} done={texts.saved}>
        <fieldset disabled={agent.status !== 'active'}>
          <legend>{agentsTexts.actions}</legend>
          <table className="table policy">
            <thead>
              <tr>
                <th scope="col">{agentsTexts.action}</th>
                {policyRules.map((rule) => (
                  <th key={rule} scope="col">
                    {agentsTexts.rules[rule]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {policyActions.map((action) => (
                <tr key={action}>
                  <th scope="row">{agentsTexts.actionNames[action]}</th>
                  {policyRules.map((rule) => (
                    <td key={rule}>
                      <input
                        type="radio"
                        name={action}
                        value={rule}
                        defaultChecked={(policy.actions?.[action] ?? 'deny') === rule}
                        aria-label={`${agentsTexts.actionNames[action]}: ${agentsTexts.rules[rule]}`}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </fieldset>
        <div className="columns">
          <Field
            label={agentsTexts.creditsPerDay}
            name="creditsPerDay"
            type="number"
            min={0}
            defaultValue={policy.creditsPerDay ?? ''}
          />
          <Field
            label={agentsTexts.runsPerDay}
            name="runsPerDay"
            type="number"
            min={0}
            defaultValue={policy.runsPerDay ?? ''}
          />
        </div>
        <p className="quiet">{agentsTexts.capsHint}</p>
      </Form>
    </section>
  );
}
