import { Link, useNavigate } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { battlesTexts } from '../view-texts/battles';
import { Page } from '../ui/page';
import { BattleForm } from './battle-form';

/** A form for a battle, which begins as a draft. */
export default function NewBattleView() {
  const client = useClient();
  const navigate = useNavigate();
  const create = async (request: shapes.NewBattleRequest): Promise<void> => {
    const { id } = await client.battles.create(request);
    await navigate({ to: '/battles/$battleId', params: { battleId: id } });
  };
  return (
    <Page title={battlesTexts.create} above={<Link to="/battles">{battlesTexts.title}</Link>}>
      <section className="panel">
        <p className="quiet">{battlesTexts.draftHint}</p>
        <BattleForm onSend={create} action={texts.create} />
      </section>
    </Page>
  );
}
