import type { DemoRun } from './demo-run.js';
import { curlLine } from './demo-run.js';
import type { Platform } from './platform.js';

const widest = 150;

/** A frame on one line; truncates long text. */
const frameLine = (frame: string): string => {
  const line = frame.split('\n').join('  ');
  return line.length > widest ? `${line.slice(0, widest - 1)}…` : line;
};

const rows = (pairs: readonly (readonly [string, string])[]): string[] =>
  pairs.map(([name, value]) => `    ${name.padEnd(20)} ${value}`);

/** Truncates signed tokens, which are several lines long. */
const shown = (token: string): string =>
  token.length > 100 ? `${token.slice(0, 40)}… (all of it in dev.json)` : token;

/** Shows the password of the embedded server; hides that of a given one. */
const address = (url: string, embedded: boolean): string => (embedded ? url : url.replace(/:[^:@/]*@/, ':***@'));

/** The addresses, sign-ins and tokens, on one screen. */
export function drawTable(platform: Platform, run: DemoRun | undefined, seconds: number): string {
  const { urls, users, tokens, lensId, pids } = platform;
  const database = address(platform.databaseUrl, pids['postgres'] !== undefined);
  const redis = address(platform.redisUrl, pids['redis'] !== undefined);
  const lines = ['', `  Lensforge is ready (${seconds.toFixed(1)} s). Ctrl-C stops it.`, '', '  addresses'];
  lines.push(...rows([...Object.entries(urls), ['database', database], ['redis', redis]]));
  const place = urls['oauth'] ? ` at ${urls['oauth']}/id/sign-in` : '';
  lines.push(
    '',
    `  sign-ins${place}`,
    ...rows(users.map(({ email, password, handle }) => [email, `${password} (${handle})`])),
  );
  lines.push('', '  tokens', ...rows(Object.entries(tokens).map(([name, value]) => [name, shown(value)])));
  if (urls.api && tokens['developer'] && lensId) {
    lines.push('', '  execute a lens', `    ${curlLine(urls.api, tokens['developer'], lensId)}`);
  }
  if (run) {
    lines.push('', `  a run, just executed: GET /v1/runs/${run.runId}/events`);
    lines.push(...run.frames.map((frame) => `    ${frameLine(frame)}`));
  }
  return [...lines, ''].join('\n');
}
