export interface BracesReader {
  /** The names that variables can have. */
  name: RegExp;
  toTag: (name: string) => string;
  /** Told of what stays as it is. */
  refuse: (what: 'statement' | 'expression', text: string) => void;
}

/** A text with {{name}}, as other programs write variables, as the template of a lens; anything else between braces stays. */
export function convertBraces(text: string, { name: form, toTag, refuse }: BracesReader): string {
  if (text.includes('{%')) refuse('statement', '{% … %}');
  return text.replaceAll('[[', String.raw`\[[`).replaceAll(/\{\{([^{}]*)\}\}/g, (tag, inner: string) => {
    const name = inner.trim();
    if (form.test(name)) return toTag(name);
    refuse('expression', tag);
    return tag;
  });
}
