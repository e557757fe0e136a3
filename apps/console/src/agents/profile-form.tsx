import type { shapes } from '@lensforge/sdk';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { lensesTexts } from '../view-texts/lenses';
import { agentsTexts } from '../view-texts/agents';
import { Form, readField } from '../ui/form';
import { useModels } from '../ui/use-models';

/** The public profile of an AI lenser, its model, and the instructions that only its owner reads. */
export function ProfileForm({ agent, onSaved }: { agent: shapes.AiLenser; onSaved: () => Promise<void> }) {
  const { client } = useConsole();
  const models = useModels();
  const save = async (values: FormData): Promise<void> => {
    await client.agents.update(agent.id, {
      displayName: readField(values, 'displayName'),
      bio: readField(values, 'bio'),
      instructions: readField(values, 'instructions'),
      usableBy: readField(values, 'usableBy') as shapes.AiLenser['usableBy'],
      aiModelKey: readField(values, 'model') || null,
    });
    await onSaved();
  };
  const names = models.map(({ provider, key }) => `${provider}/${key}`);
  const current = agent.aiModelKey;
  return (
    <section className="panel">
      <Form onSend={save} action={texts.save}>
        <div className="columns">
          <label>
            {texts.name}
            <input name="displayName" required maxLength={100} defaultValue={agent.displayName} />
          </label>
          <label>
            {agentsTexts.model}
            <select name="model" defaultValue={current ?? ''} key={names.length}>
              <option value="">{lensesTexts.defaultModel}</option>
              {current !== null && !names.includes(current) && <option>{current}</option>}
              {names.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        </div>
        <label>
          {texts.description}
          <textarea name="bio" maxLength={2000} defaultValue={agent.bio} />
        </label>
        <label>
          {agentsTexts.instructions}
          <textarea
            name="instructions"
            className="code"
            rows={10}
            maxLength={32_000}
            defaultValue={agent.instructions}
          />
        </label>
        <p className="quiet">{agentsTexts.instructionsHint}</p>
        <label>
          {agentsTexts.usableBy}
          <select name="usableBy" defaultValue={agent.usableBy}>
            {Object.entries(agentsTexts.users).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </Form>
    </section>
  );
}
