import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface ShellStep {
  command: string;
  /** The output that the page shows; undefined when it shows none. */
  shown: string | undefined;
}

const block = /^```sh\n([\s\S]*?)^```\n(?:\s*^```(?:text|json)\n([\s\S]*?)^```)?/gm;

/** The shell blocks of a page, each with the block of output that follows it. */
export const stepsOf = (page: string): ShellStep[] =>
  [...page.matchAll(block)].map(([, command = '', shown]) => ({ command, shown }));

/** Runs all steps in one shell, which stops at the first failure, and returns the output of each. */
export async function runSteps(
  steps: readonly ShellStep[],
  env: NodeJS.ProcessEnv,
  cwd = process.cwd(),
): Promise<string[]> {
  const separator = '--- end of a step ---\n';
  const script = steps.map(({ command }) => `${command}\nprintf '%s' '${separator}'\n`).join('');
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    env,
    cwd,
    timeout: 240_000,
  });
  return stdout.split(separator).slice(0, -1);
}

/** The steps whose output is not what the page shows. */
export function differences(steps: readonly ShellStep[], printed: readonly string[]) {
  return steps.flatMap(({ command, shown = '' }, at) => {
    const output = printed[at] ?? 'nothing';
    return isShown(shown, output) ? [] : [{ command, shown, output }];
  });
}

/** True if a page shows this output; `…` stands for any text, on a line of its own for any lines. */
export function isShown(shown: string, output: string): boolean {
  const pattern = shown.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '[\\s\\S]*');
  return new RegExp(`^${pattern}$`).test(output);
}
