/** Headers as a person pastes them: `name: value` on each line. Lines without a name and a colon are left out. */
export const parseHeaders = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(/\r?\n/).flatMap((line) => {
      const [name = '', ...value] = line.split(':');
      return line.includes(':') && /^[\w-]+$/.test(name.trim())
        ? [[name.trim().toLowerCase(), value.join(':').trim()]]
        : [];
    }),
  );
