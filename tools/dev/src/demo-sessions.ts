import type { DemoUser } from './demo-data.js';
import type { Log } from './log.js';
import { type SessionTokens, refresh, signIn } from './sign-in.js';

const againAfterMs = 5000;

/** Keeps the session tokens of the demo users, `session` and `session2`, valid. */
export class DemoSessions {
  readonly tokens: Record<string, string> = {};
  onChange: () => void = () => undefined;
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private closed = false;

  constructor(
    private readonly oauth: string,
    private readonly log: Log,
  ) {}

  async open(users: readonly DemoUser[]): Promise<void> {
    await Promise.all(
      users.map(async (user, at) => {
        const name = at === 0 ? 'session' : `session${at + 1}`;
        this.keep(name, user, await signIn(this.oauth, user));
      }),
    );
  }

  close(): void {
    this.closed = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
  }

  private keep(name: string, user: DemoUser, { accessToken, refreshToken, expiresIn }: SessionTokens): void {
    this.tokens[name] = accessToken;
    this.onChange();
    this.later(expiresIn * 500, name, () =>
      refresh(this.oauth, refreshToken)
        .catch(() => signIn(this.oauth, user))
        .then((next) => this.keep(name, user, next)),
    );
  }

  private later(ms: number, name: string, renew: () => Promise<void>): void {
    if (this.closed) return;
    const timer = setTimeout(() => {
      renew().catch((error: unknown) => {
        this.log.say('warn', `the token ${name} could not be renewed: ${String(error)}`);
        this.later(againAfterMs, name, renew);
      });
    }, ms);
    this.timers.set(name, timer.unref());
  }
}
