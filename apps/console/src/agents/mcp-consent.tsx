import type { shapes } from '@lensforge/sdk';
import { useConsole } from '../session/console';
import { agentsTexts } from '../view-texts/agents';
import { Action } from '../ui/action';
import { Status } from '../ui/status';
import { consentAddress, rememberConsent } from './pending-consent';

const pollMs = 1000;

/** Asks for consent at the authorization server of an MCP server, to which the browser goes. */
export function McpConsent({ server: { id, authorization } }: { server: shapes.McpServer }) {
  const { client, settings } = useConsole();
  const begin = async (): Promise<void> => {
    let { authorization: begun } = await client.mcpServers.authorizeMcpServer(id, {
      redirectUri: consentAddress(settings.api),
    });
    while (begun?.status === 'preparing') {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      ({ authorization: begun } = await client.mcpServers.getMcpServer(id));
    }
    if (!begun?.authorizationUrl) throw new Error(begun?.message ?? agentsTexts.noConsentAddress);
    rememberConsent(id, begun.authorizationUrl);
    location.assign(begun.authorizationUrl);
  };
  return (
    <>
      <Action onAct={begin}>{agentsTexts.giveConsent}</Action>
      {authorization && (
        <span className="quiet">
          <Status value={authorization.status} /> {authorization.message}
        </span>
      )}
    </>
  );
}
