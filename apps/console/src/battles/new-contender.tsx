import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { Form, fieldOf } from '../ui/form';

/** Enters an AI lenser of the person into a battle, or the person. */
export function NewContender({ battle, onEntered }: { battle: shapes.Battle; onEntered: () => void }) {
  const { client, me } = useConsole();
  const owner = me.account?.id ?? '';
  const { data: agents = [] } = useQuery({
    queryKey: ['agents', 'own'],
    queryFn: async () => (await client.agents.list({ owner, limit: 100 })).items,
  });
  const enter = async (values: FormData): Promise<void> => {
    const agent = agents.find(({ id }) => id === fieldOf(values, 'who'));
    await client.battles.addContender(battle.id, {
      displayName: agent?.displayName ?? me.account?.displayName ?? '',
      contenderType: agent ? 'ai_agent' : 'human',
      contenderRefId: agent?.id ?? owner,
    });
    onEntered();
  };
  return (
    <Form onSend={enter} action={texts.battles.enter}>
      <label>
        {texts.battles.contender}
        <select name="who">
          {agents.map(({ id, displayName, handle }) => (
            <option key={id} value={id}>
              {displayName} @{handle}
            </option>
          ))}
          <option value="">{texts.battles.myself}</option>
        </select>
      </label>
    </Form>
  );
}
