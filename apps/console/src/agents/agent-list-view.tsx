import { Link, getRouteApi, useNavigate } from '@tanstack/react-router';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { agentsTexts } from '../view-texts/agents';
import { accountTexts } from '../view-texts/account';
import { Form, readField } from '../ui/form';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import { McpServers } from './mcp-servers';
import { DataTable } from '../ui/data-table';
import { Field } from '../ui/field';

const route = getRouteApi('/agents');
const tabs = ['mine', 'all', 'servers'] as const;

/** The AI lensers of the person and of everybody, a form for a new one, and the MCP servers of the person. */
export default function AgentListView() {
  const search = route.useSearch();
  const tab = tabs.find((each) => each === search.tab) ?? 'mine';
  return (
    <Page title={agentsTexts.title}>
      <nav className="tabs" aria-label={agentsTexts.title}>
        {tabs.map((name) => (
          <Link key={name} to="/agents" search={{ tab: name }} aria-current={name === tab ? 'page' : undefined}>
            {agentsTexts.listTabs[name]}
          </Link>
        ))}
      </nav>
      {tab === 'servers' ? <McpServers /> : <Agents isMine={tab === 'mine'} />}
    </Page>
  );
}

function Agents({ isMine }: { isMine: boolean }) {
  const { client, me } = useConsole();
  const navigate = useNavigate();
  const owner = isMine ? me.account?.id : undefined;
  const agents = usePaged(['agents', owner], (cursor) => client.agents.list({ limit: 50, cursor, owner }));
  const create = async (values: FormData): Promise<void> => {
    const { id } = await client.agents.create({
      handle: readField(values, 'handle'),
      displayName: readField(values, 'displayName'),
    });
    await navigate({ to: '/agents/$aiLenserId', params: { aiLenserId: id } });
  };
  return (
    <>
      <section className="panel scroll">
        <PagedList paged={agents} none={agentsTexts.none}>
          {(items) => (
            <DataTable
              items={items}
              getKey={({ id }) => id}
              columns={[
                {
                  name: agentsTexts.columns.name,
                  show: ({ id, displayName, handle, bio }) => (
                    <>
                      <Link to="/agents/$aiLenserId" params={{ aiLenserId: id }}>
                        {displayName}
                      </Link>{' '}
                      <span className="quiet">@{handle}</span>
                      <div className="quiet">{bio}</div>
                    </>
                  ),
                },
                { name: agentsTexts.columns.owner, show: ({ owner }) => `@${owner.handle}` },
                { name: agentsTexts.columns.status, show: ({ status }) => <Status value={status} /> },
                { name: agentsTexts.columns.created, show: ({ createdAt }) => <Time at={createdAt} /> },
              ]}
            />
          )}
        </PagedList>
      </section>
      <section className="panel">
        <h2>{agentsTexts.create}</h2>
        <Form onSend={create} action={texts.create}>
          <div className="columns">
            <Field label={accountTexts.handle} name="handle" required pattern="[a-z0-9_\-]{3,64}" />
            <Field label={texts.name} name="displayName" required />
          </div>
        </Form>
      </section>
    </>
  );
}
