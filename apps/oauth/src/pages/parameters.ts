/** The parameters of a request as they were sent, and the names that occur more than once. */
export class Parameters {
  private readonly values = new Map<string, string>();
  private readonly doubled = new Set<string>();

  /** Reads an invalid escape sequence as plain text. */
  static inQuery(url: string): Parameters {
    const at = url.indexOf('?');
    return new Parameters(at < 0 ? [] : new URLSearchParams(url.slice(at + 1)));
  }

  constructor(pairs: Iterable<readonly [string, string]>) {
    for (const [name, value] of pairs) this.add(name, value);
  }

  /** The parameters of a form, and those of its query that the form lacks. A name with two values counts as doubled. */
  static merged(form: Parameters, query: Parameters): Parameters {
    const both = new Parameters(form.values);
    for (const name of [...form.doubled, ...query.doubled]) both.doubled.add(name);
    for (const [name, value] of query.values) if (both.values.get(name) !== value) both.add(name, value);
    return both;
  }

  get(name: string): string | undefined {
    return this.values.get(name);
  }

  isDoubled(name: string): boolean {
    return this.doubled.has(name);
  }

  get anyDoubled(): string | undefined {
    return [...this.doubled][0];
  }

  entries(): [string, string][] {
    return [...this.values];
  }

  without(...names: readonly string[]): Parameters {
    const rest = new Parameters(this.entries().filter(([name]) => !names.includes(name)));
    for (const name of this.doubled) if (!names.includes(name)) rest.doubled.add(name);
    return rest;
  }

  private add(name: string, value: string): void {
    if (this.values.has(name)) this.doubled.add(name);
    else this.values.set(name, value);
  }
}
