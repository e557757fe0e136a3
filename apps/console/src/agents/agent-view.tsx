import { useQuery } from '@tanstack/react-query';
import { Link, getRouteApi, useNavigate } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { lensesTexts } from '../view-texts/lenses';
import { battlesTexts } from '../view-texts/battles';
import { agentsTexts } from '../view-texts/agents';
import { accountTexts } from '../view-texts/account';
import { ConfirmedAction } from '../ui/confirmed-action';
import { Page } from '../ui/page';
import { Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Approvals, usePendingApprovals } from './approvals';
import { Log } from './log';
import { PolicyForm } from './policy-form';
import { ProfileForm } from './profile-form';
import { TeamRuns } from './team-runs';
import { Tools } from './tools';

const route = getRouteApi('/agents/$aiLenserId');
const tabs = ['profile', 'policy', 'tools', 'approvals', 'runs', 'log'] as const;

/** An AI lenser: its profile, and for its owner its instructions, policy, tools, approvals, team runs and log. */
export default function AgentView() {
  const { aiLenserId } = route.useParams();
  const search = route.useSearch();
  const { client, me } = useConsole();
  const agent = useQuery({ queryKey: ['agent', aiLenserId], queryFn: async () => client.agents.get(aiLenserId) });
  const found = agent.data;
  const isMine = found !== undefined && found.owner.id === me.account?.id;
  const tab = tabs.find((each) => each === search.tab) ?? 'profile';
  const reload = async (): Promise<void> => {
    await agent.refetch();
  };
  return (
    <Page
      title={found?.displayName ?? agentsTexts.title}
      above={<Link to="/agents">{agentsTexts.title}</Link>}
      actions={isMine && found.status === 'active' && <Archive agent={found} onArchived={reload} />}
    >
      {isMine && <Tabs aiLenserId={aiLenserId} tab={tab} />}
      <Loaded query={agent}>
        {(loaded) =>
          isMine ? (
            <>
              {tab === 'profile' && (
                <>
                  <Facts agent={loaded} />
                  {loaded.status === 'active' && <ProfileForm key={loaded.updatedAt} agent={loaded} onSaved={reload} />}
                </>
              )}
              {tab === 'policy' && <PolicyForm key={loaded.updatedAt} agent={loaded} onSaved={reload} />}
              {tab === 'tools' && <Tools agent={loaded} />}
              {tab === 'approvals' && <Approvals aiLenserId={aiLenserId} />}
              {tab === 'runs' && <TeamRuns aiLenserId={aiLenserId} />}
              {tab === 'log' && <Log aiLenserId={aiLenserId} />}
            </>
          ) : (
            <Facts agent={loaded} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Tabs({ aiLenserId, tab }: { aiLenserId: string; tab: (typeof tabs)[number] }) {
  const pending = usePendingApprovals(aiLenserId).data?.length ?? 0;
  return (
    <nav className="tabs" aria-label={agentsTexts.title}>
      {tabs.map((name) => (
        <Link
          key={name}
          to="/agents/$aiLenserId"
          params={{ aiLenserId }}
          search={{ tab: name }}
          aria-current={name === tab ? 'page' : undefined}
        >
          {agentsTexts.tabs[name]}
          {name === 'approvals' && pending > 0 && <span className="count">{pending}</span>}
        </Link>
      ))}
    </nav>
  );
}

const Facts = ({ agent }: { agent: shapes.AiLenser }) => (
  <section className="panel">
    {agent.bio !== '' && <p>{agent.bio}</p>}
    <dl className="facts">
      <dt>{texts.status}</dt>
      <dd>
        <Status value={agent.status} />
      </dd>
      <dt>{accountTexts.handle}</dt>
      <dd>@{agent.handle}</dd>
      <dt>{agentsTexts.owner}</dt>
      <dd>@{agent.owner.handle}</dd>
      <dt>{agentsTexts.model}</dt>
      <dd>{agent.aiModelKey ?? lensesTexts.defaultModel}</dd>
      <dt>{texts.navigation.battles}</dt>
      <dd>
        <Link to="/battles" search={{ tab: 'history', lenser: agent.id }}>
          {battlesTexts.tabs.history}
        </Link>
      </dd>
    </dl>
  </section>
);

function Archive({ agent, onArchived }: { agent: shapes.AiLenser; onArchived: () => Promise<void> }) {
  const { client } = useConsole();
  const navigate = useNavigate();
  const archive = async (): Promise<void> => {
    await client.agents.archive(agent.id);
    await onArchived();
    await navigate({ to: '/agents/$aiLenserId', params: { aiLenserId: agent.id }, search: { tab: 'profile' } });
  };
  return (
    <ConfirmedAction question={agentsTexts.archiveQuestion(agent.handle)} onAct={archive}>
      {agentsTexts.archive}
    </ConfirmedAction>
  );
}
