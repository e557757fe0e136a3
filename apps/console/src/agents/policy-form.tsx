import type { shapes } from '@lensforge/sdk';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { Form, fieldOf } from '../ui/form';
import { policyActions, policyOf, policyRules } from './policy';

/** The rule for each action and the caps for each day, of which the policy consists. */
export function PolicyForm({ agent, onSaved }: { agent: shapes.AiLenser; onSaved: () => Promise<void> }) {
  const { client } = useConsole();
  const { policy = {} } = agent;
  const save = async (values: FormData): Promise<void> => {
    await client.agents.update(agent.id, { policy: policyOf((name) => fieldOf(values, name)) });
    await onSaved();
  };
  return (
    <section className="panel">
      <p className="quiet">{texts.agents.policyHint}</p>
      <Form onSend={save} action={texts.save}>
        <fieldset disabled={agent.status !== 'active'}>
          <legend>{texts.agents.actions}</legend>
          <table className="table policy">
            <thead>
              <tr>
                <th scope="col">{texts.agents.action}</th>
                {policyRules.map((rule) => (
                  <th key={rule} scope="col">
                    {texts.agents.rules[rule]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {policyActions.map((action) => (
                <tr key={action}>
                  <th scope="row">{texts.agents.actionNames[action]}</th>
                  {policyRules.map((rule) => (
                    <td key={rule}>
                      <input
                        type="radio"
                        name={action}
                        value={rule}
                        defaultChecked={(policy.actions?.[action] ?? 'deny') === rule}
                        aria-label={`${texts.agents.actionNames[action]}: ${texts.agents.rules[rule]}`}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </fieldset>
        <div className="columns">
          <label>
            {texts.agents.creditsPerDay}
            <input name="creditsPerDay" type="number" min={0} defaultValue={policy.creditsPerDay ?? ''} />
          </label>
          <label>
            {texts.agents.runsPerDay}
            <input name="runsPerDay" type="number" min={0} defaultValue={policy.runsPerDay ?? ''} />
          </label>
        </div>
        <p className="quiet">{texts.agents.capsHint}</p>
      </Form>
    </section>
  );
}
