import { join } from 'node:path';
import { openApi } from '@lensforge/contracts';
import { format } from 'oxfmt';
import { chartSchema } from './chart-schema.js';
import { configurationPage } from './configuration-page.js';
import { delegationsPage } from './delegations-page.js';
import { eventsPage } from './events-page.js';
import { knownSettingsModule } from './known-settings.js';
import { pythonModules } from './python.js';
import { serverJson } from './server-json.js';
import { toolsPage } from './tools-page.js';
import { sdkOperations, sdkResources, sdkScopes, sdkShapes } from './sdk.js';

/** The text of a file as `npm run format` would write it. */
async function formatted(fileName: string, text: string): Promise<string> {
  const { code, errors } = await format(fileName, text, { printWidth: 120, singleQuote: true });
  if (errors.length > 0) throw new Error(`${fileName}: ${errors.map(({ message }) => message).join('; ')}`);
  return code;
}

const markdown = (text: string): Promise<string> => formatted('page.md', text);
const typescript = (text: string): Promise<string> => formatted('module.ts', text);

/** Every generated document, by its path in the repository. */
export const documents = async (root: string): Promise<Record<string, string>> => ({
  'docs/openapi.json': `${JSON.stringify(openApi(), null, 2)}\n`,
  'docs/server.json': `${JSON.stringify(serverJson(), null, 2)}\n`,
  'charts/lensforge/values.schema.json': await formatted('schema.json', JSON.stringify(chartSchema(root))),
  'docs/configuration.md': await markdown(await configurationPage(join(root, 'apps'))),
  'libs/edge/src/boot/known-settings.ts': await typescript(await knownSettingsModule(join(root, 'apps'))),
  'libs/sdk/src/generated/operations.ts': await typescript(sdkOperations()),
  'libs/sdk/src/generated/resources.ts': await typescript(sdkResources()),
  'libs/sdk/src/generated/scopes.ts': await typescript(sdkScopes()),
  'libs/sdk/src/generated/shapes.ts': await typescript(sdkShapes()),
  'docs/events.md': await markdown(eventsPage()),
  ...(await pythonModules(root)),
  'docs/delegations.md': await markdown(delegationsPage()),
  'docs/tools.md': await markdown(toolsPage()),
});
