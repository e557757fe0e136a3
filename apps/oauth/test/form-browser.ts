import { request } from 'node:http';

export interface Form {
  action: string;
  method: string;
  /** The values of hidden and visible fields. */
  values: Record<string, string>;
}

export interface Page {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  location: string | undefined;
  text: string;
  title: string;
  forms: Form[];
}

interface Options {
  address?: string;
  cookies?: boolean;
  host?: string;
}

/** A minimal browser: keeps cookies, parses forms and submits them. */
export class FormBrowser {
  readonly cookies = new Map<string, string>();
  private readonly keeps: boolean;
  private readonly headers: Record<string, string>;

  constructor(
    readonly base: string,
    { address, cookies = true, host }: Options = {},
  ) {
    this.keeps = cookies;
    this.headers = { ...(address && { 'x-forwarded-for': address }), ...(host && { host }) };
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Page> {
    return this.send('GET', path, undefined, headers);
  }

  post(
    path: string,
    values: Readonly<Record<string, string>> | string,
    headers: Record<string, string> = {},
  ): Promise<Page> {
    const body = typeof values === 'string' ? values : new URLSearchParams(values).toString();
    return this.send('POST', path, body, { 'content-type': 'application/x-www-form-urlencoded', ...headers });
  }

  /** Submits a form of a page with its values, overridden by these. */
  submit(
    page: Page,
    values: Readonly<Record<string, string>> = {},
    { form, headers = {} }: { form?: string; headers?: Record<string, string> } = {},
  ): Promise<Page> {
    const found = page.forms.find(({ action, method }) => method === 'post' && (!form || action.startsWith(form)));
    if (!found) throw new Error(`there is no form ${form ?? ''} on: ${page.status} ${page.title}`);
    return this.post(found.action, { ...found.values, ...values }, headers);
  }

  async signIn(email: string, password: string): Promise<Page> {
    return this.submit(await this.get('/id/sign-in'), { email, password });
  }

  private send(method: string, path: string, body: string | undefined, headers: Record<string, string>): Promise<Page> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const all = { ...this.headers, ...(cookie && { cookie }), ...headers };
    return new Promise((resolve, reject) => {
      const sent = request(
        new URL(path, this.base),
        { method, headers: all, signal: AbortSignal.timeout(120_000) },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            this.keep(answer.headers['set-cookie'] ?? []);
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              location: answer.headers.location,
              text,
              title: plain(/<title>([^<]*)<\/title>/.exec(text)?.[1] ?? ''),
              forms: formsIn(text),
            });
          });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  private keep(lines: readonly string[]): void {
    if (!this.keeps) return;
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

function formsIn(text: string): Form[] {
  return [...text.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, head = '', inside = '']) => ({
    action: attribute(head, 'action') ?? '',
    method: attribute(head, 'method') ?? 'get',
    values: Object.fromEntries(
      [...inside.matchAll(/<input\b([^>]*)>/g)]
        .filter(([, input = '']) => attribute(input, 'type') !== 'checkbox' || /\schecked\b/.test(input))
        .map(([, input = '']) => [attribute(input, 'name') ?? '', attribute(input, 'value') ?? '']),
    ),
  }));
}

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? undefined : plain(found);
};

const plain = (text: string): string =>
  text
    .replace(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
