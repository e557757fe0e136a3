/** A person in a browser without scripts, who submits forms; redirects are followed by hand. */
export class FormUser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly account: { email: string; password: string }) {}

  /** Opens a page and submits its form with the account's email and password; returns the redirect. */
  async signInAt(url: string | URL): Promise<URL> {
    const { email, password } = this.account;
    return this.submit(url, await this.open(url), { email, password });
  }

  /** Submits the form of a page with a button. */
  async press(url: string | URL, button: Record<string, string>): Promise<URL> {
    return this.submit(url, await this.open(url), button);
  }

  private async open(url: string | URL): Promise<string> {
    const answer = await this.send(url);
    if (answer.status !== 200) throw new Error(`there is no page at ${String(url)}: ${answer.status}`);
    return answer.text();
  }

  private async submit(url: string | URL, page: string, values: Record<string, string>): Promise<URL> {
    const [, head = '', inside = ''] = /<form\b([^>]*method="post"[^>]*)>([\s\S]*?)<\/form>/.exec(page) ?? [];
    const hidden = [...inside.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    const form = new URLSearchParams();
    for (const [, name = '', value = ''] of hidden) form.append(plain(name), plain(value));
    for (const [name, value] of Object.entries(values)) form.set(name, value);
    const action = new URL(plain(/action="([^"]*)"/.exec(head)?.[1] ?? ''), url);
    const answer = await this.send(action, { method: 'POST', body: form });
    const location = answer.headers.get('location');
    return location === null ? action : new URL(location, action);
  }

  private async send(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: { ...(cookie && { cookie }) } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    return answer;
  }
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", '#96': '`', amp: '&' };
const plain = (text: string): string =>
  text.replace(/&(lt|gt|quot|#39|#96|amp);/g, (_all, name: string) => entities[name] ?? '');
