import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useConsole } from '../session/console';
import { agentsTexts } from '../view-texts/agents';
import { Page } from '../ui/page';
import { Loaded } from '../ui/states';
import { readConsent, forgetConsent } from './pending-consent';

/** The page that an authorization server returns to after the consent to an MCP server. */
export default function ConsentView() {
  const { client, query } = useConsole();
  const state = query.get('state');
  const finished = useQuery({
    queryKey: ['mcp-consent', state],
    queryFn: async () => {
      const serverId = readConsent(state);
      if (serverId === undefined || state === null) throw new Error(agentsTexts.foreignConsent);
      const code = query.get('code');
      if (code === null) throw new Error(query.get('error_description') ?? query.get('error') ?? agentsTexts.noConsent);
      const iss = query.get('iss');
      const { name, authorization } = await client.mcpServers.finishMcpAuthorization(serverId, {
        state,
        code,
        ...(iss !== null && { iss }),
      });
      if (authorization?.status === 'failed') throw new Error(authorization.message ?? agentsTexts.noConsent);
      forgetConsent();
      return name;
    },
    // A code is valid once.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  return (
    <Page
      title={agentsTexts.consent}
      above={
        <Link to="/agents" search={{ tab: 'servers' }}>
          {agentsTexts.listTabs.servers}
        </Link>
      }
    >
      <Loaded query={finished}>{(name) => <p className="notice">{agentsTexts.consentGiven(name)}</p>}</Loaded>
    </Page>
  );
}
