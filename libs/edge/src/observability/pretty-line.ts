const colours: Readonly<Record<string, number>> = { trace: 90, debug: 90, info: 32, warn: 33, error: 31, fatal: 35 };
const shownInHead = new Set(['level', 'time', 'service', 'msg', 'err']);

/** Formats a JSON log line for a terminal. Control characters stay escaped, so that input cannot forge a line. */
export function prettyLine(line: string): string {
  const entry = JSON.parse(line) as Record<string, unknown>;
  const level = String(entry['level']);
  const members = Object.entries(entry)
    .filter(([name]) => !shownInHead.has(name))
    .map(([name, value]) =>
      dim(`${escaped(name)}=${typeof value === 'string' ? escaped(value) : JSON.stringify(value)}`),
    );
  const head = [
    dim(String(entry['time']).slice(11, 23)),
    `\u001b[${colours[level] ?? 0}m${level.padEnd(5)}\u001b[0m`,
    escaped(String(entry['service'])),
    escaped(typeof entry['msg'] === 'string' ? entry['msg'] : ''),
    ...members,
  ].join(' ');
  return `${head}\n${getStack(entry['err'])}`;
}

function getStack(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('stack' in error)) return '';
  const lines = String(error.stack).split('\n');
  return lines.map((each) => `    ${dim(escaped(each))}\n`).join('');
}

const dim = (text: string): string => `\u001b[2m${text}\u001b[0m`;

const escaped = (text: string): string =>
  text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
