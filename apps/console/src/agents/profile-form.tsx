import type { shapes } from '@lensforge/sdk';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { lensesTexts } from '../view-texts/lenses';
import { agentsTexts } from '../view-texts/agents';
import { Form, readField } from '../ui/form';
import { useModels } from '../ui/use-models';
import { Field, SelectField, TextField } from '../ui/field';

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
      <Form onSend={save} action={texts.save} done={texts.saved}>
        <div className="columns">
          <Field label={texts.name} name="displayName" required maxLength={100} defaultValue={agent.displayName} />
          <SelectField label={agentsTexts.model} name="model" defaultValue={current ?? ''} key={names.length}>
            <option value="">{lensesTexts.defaultModel}</option>
            {current !== null && !names.includes(current) && <option>{current}</option>}
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </SelectField>
        </div>
        <TextField label={texts.description} name="bio" maxLength={2000} defaultValue={agent.bio} />
        <TextField
          label={agentsTexts.instructions}
          name="instructions"
          className="code"
          rows={10}
          maxLength={32_000}
          defaultValue={agent.instructions}
        />
        <p className="quiet">{agentsTexts.instructionsHint}</p>
        <SelectField label={agentsTexts.usableBy} name="usableBy" defaultValue={agent.usableBy}>
          {Object.entries(agentsTexts.users).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      </Form>
    </section>
  );
}
