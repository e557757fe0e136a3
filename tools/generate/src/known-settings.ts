import { listFields } from '@lensforge/contracts';
import { programsIn } from './programs.js';

/** Settings of programs without a configuration class: `npm start`, the client and the local runner. */
const ofOtherPrograms = [
  'LENSFORGE_ALL_IN_ONE',
  'LENSFORGE_API_KEY',
  'LENSFORGE_API_URL',
  'LENSFORGE_HOME',
  'LENSFORGE_PORT_BASE',
  'LENSFORGE_REPLICAS',
  'LENSFORGE_RUNNER_MODEL_KEY',
  'LENSFORGE_SAMPLES',
];

/** libs/edge/src/boot/known-settings.ts: services share an environment, so each must know the settings of all. */
export async function knownSettingsModule(apps: string): Promise<string> {
  const own = (await programsIn(apps)).flatMap(({ environment }) => [...listFields(environment).keys()]);
  const names = new Set([...own.filter((name) => name.startsWith('LENSFORGE_')), ...ofOtherPrograms]);
  return `// Written by \`npm run generate\` from the configuration classes of all programs.

/** All LENSFORGE_… settings of all programs. */
export const knownSettings: readonly string[] = ${JSON.stringify([...names].sort())};
`;
}
