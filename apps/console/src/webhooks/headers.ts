/** Headers as a person pastes them: `name: value` on each line. Lines without a colon are left out. */
export const headersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(/\r?\n/).flatMap((line) => {
      const [, name, value] = /^\s*([\w-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value]];
    }),
  );
