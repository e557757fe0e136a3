import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useConsole } from '../session/console';
import { battlesTexts } from '../view-texts/battles';
import { Form, readField } from '../ui/form';
import { Field, SelectField } from '../ui/field';

/** Enters an AI lenser into a battle, or the person; the creator of a draft enters those of others, too. */
export function NewContender({ battle, onEntered }: { battle: shapes.Battle; onEntered: () => void }) {
  const { client, me } = useConsole();
  const person = me.account?.id ?? '';
  const owner = battle.status === 'draft' && battle.creatorId === person ? undefined : person;
  const { data: agents = [] } = useQuery({
    queryKey: ['agents', 'contenders', owner],
    queryFn: async () => (await client.agents.list({ owner, limit: 100 })).items,
  });
  const kind =
    battle.battleType === 'lenser_battle' ? 'lens' : battle.battleType === 'workflow_battle' ? 'workflow' : null;
  const { data: writers = [] } = useQuery({
    queryKey: ['writers', kind],
    enabled: kind !== null,
    queryFn: async (): Promise<{ id: string; title: string }[]> =>
      kind === 'lens'
        ? (await client.lenses.list({ limit: 100 })).items
        : (await client.workflows.list({ limit: 100 })).items,
  });
  const enter = async (values: FormData): Promise<void> => {
    const agent = agents.find(({ id }) => id === readField(values, 'who'));
    const writer = readField(values, 'writer');
    await client.battles.addContender(battle.id, {
      displayName: readField(values, 'displayName') || (agent?.displayName ?? me.account?.displayName ?? ''),
      contenderType: agent ? 'ai_agent' : 'human',
      contenderRefId: agent?.id ?? person,
      ...(agent && writer !== '' && (kind === 'lens' ? { lensId: writer } : { workflowId: writer })),
    });
    onEntered();
  };
  const isForPeople = battle.battleType.startsWith('human_vs_human');
  const isForAi = battle.battleType === 'ai_vs_ai';
  if (isForAi && agents.length === 0) return <p className="quiet">{battlesTexts.noAgents}</p>;
  return (
    <Form onSend={enter} action={battlesTexts.enter} clears>
      <div className="columns">
        <SelectField label={battlesTexts.contender} name="who">
          {!isForPeople &&
            agents.map(({ id, displayName, handle }) => (
              <option key={id} value={id}>
                {displayName} @{handle}
              </option>
            ))}
          {!isForAi && <option value="">{battlesTexts.myself}</option>}
        </SelectField>
        {kind !== null && (
          <SelectField label={battlesTexts.writers[kind]} name="writer">
            {writers.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </SelectField>
        )}
        <Field label={battlesTexts.shownAs} name="displayName" maxLength={100} placeholder={battlesTexts.shownAsHint} />
      </div>
    </Form>
  );
}
