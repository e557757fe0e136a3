import { hash } from 'node:crypto';
import type { Actor } from '@lensforge/core';
import { nobody } from '@lensforge/core';

type Payer = Readonly<Record<'account' | 'credential', string>>;

const most = 10_000;

/**
 * Whose limits a credential counted against when it last opened the door. Nothing else follows from it: whether the
 * credential opens the door is asked each time.
 */
export class Payers {
  private readonly known = new Map<string, Payer>();

  /** What stands for an Authorization header here; the header itself is not kept. */
  nameOf(authorization: string | undefined): string {
    return hash('sha256', authorization ?? '', 'base64');
  }

  of(name: string): Payer | undefined {
    return this.known.get(name);
  }

  remember(name: string, { accountId, credential }: Actor): void {
    if (accountId === nobody || this.known.has(name)) return;
    const [oldest] = this.known.keys();
    if (this.known.size >= most && oldest !== undefined) this.known.delete(oldest);
    this.known.set(name, { account: accountId, credential: credential.id });
  }

  forget(name: string): void {
    this.known.delete(name);
  }
}
