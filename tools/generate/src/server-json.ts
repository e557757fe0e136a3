import { version } from '@lensforge/edge';

/**
 * The entry of the tool-call server for MCP registries. An operator who publishes an installation puts its host and a
 * namespace that the operator owns in it; clients ask for the host until then.
 */
export const serverJson = () => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: 'com.example/lensforge',
  title: 'Lensforge',
  description: 'Finds, runs and improves versioned prompts, workflows, battles and AI agents of a Lensforge server.',
  version,
  remotes: [
    {
      type: 'streamable-http',
      url: 'https://{host}/mcp',
      variables: {
        host: {
          description: 'The host of the MCP address of your Lensforge server.',
          isRequired: true,
          placeholder: 'mcp.example.com',
        },
      },
    },
  ],
});
