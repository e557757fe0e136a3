import { relative } from 'node:path';
import type { DevFacts } from './dev-file.js';

/** Shows a path as short as possible from the folder of the caller. */
export function shortPath(path: string, folder: string): string {
  const near = relative(folder, path);
  return near.startsWith('..') || near.length > path.length ? path : near;
}

const row = (name: string, value: string): string => `  ${name.padEnd(10)}${value}`;

function firstRun({ urls, tokens, lensId }: DevFacts): string[] {
  const { developer: token } = tokens;
  if (!urls['api'] || !token || !lensId) return [];
  return [
    '',
    '  A first run, in a second terminal (the token is a developer token of alice):',
    `  TOKEN=${token}`,
    `  LENS=${urls['api']}/v1/lenses/${lensId}`,
    `  curl -sS $LENS/execute -H "Authorization: Bearer $TOKEN" \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -d '${JSON.stringify({ params: { Product: 'Lensforge', Audience: 'engineers' } })}'`,
    `  export LENSFORGE_API_KEY=$TOKEN LENSFORGE_API_URL=${urls['api']}`,
    '  npx lensforge runs watch RUN_ID',
  ];
}

/** The page of `npm start`, which fits on a terminal of 80 × 24: addresses, sign-in, tokens and a first run. */
export function drawPage(facts: DevFacts, folder: string): string {
  const { urls, users, providers, run, logFile } = facts;
  const oauth = urls['oauth'];
  const lines = [
    '',
    `  Lensforge is ready (${facts.startSeconds.toFixed(1)} s). Ctrl-C or npm start -- --stop stops it.`,
    '',
  ];
  if (urls['api']) {
    lines.push(row('Console', `${urls['api']}/console/`), row('REST API', urls['api']));
    lines.push(row('Tokens', `${urls['api']}/console/account?tab=tokens`));
  }
  if (urls['mcp']) lines.push(row('MCP', `${urls['mcp']}/mcp`));
  if (oauth) lines.push(row('Sign-in', `${oauth}/id/sign-in`));
  for (const { email, password } of users) lines.push(row('', `${email.padEnd(22)} ${password}`));
  lines.push(
    row(
      'Models',
      providers.length > 0 ? `${providers.join(', ')}, offline` : 'offline; npm start -- --with openai adds a provider',
    ),
  );
  lines.push(...firstRun(facts));
  if (run) lines.push(`  Demo run ${run.runId}: ${run.status}`);
  lines.push(`  Logs: ${shortPath(logFile, folder)}; this page again: npm start -- --show`);
  return [...lines, ''].join('\n');
}
