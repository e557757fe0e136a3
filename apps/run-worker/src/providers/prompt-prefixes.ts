import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { PromptPrefix } from './provider.js';

/** Providers cache no prefixes below about 1,024 tokens. */
const minCharacters = 4096;
/** The shortest time for which providers keep a prefix. */
const lifetimeMs = 300_000;

/**
 * The beginnings of prompts that this process has sent to the caches of providers. Writing to a cache may cost more than other
 * input, so that a prefix is written when it comes a second time.
 */
export class PromptPrefixes {
  private readonly sentAt = new LRUCache<string, number>({ max: 10_000 });

  constructor(private readonly now: () => number) {}

  /** Undefined for a prompt whose beginning is too short to be cached. */
  register(
    account: string,
    model: string,
    beginning: { system: string; prompt: string } | undefined,
  ): PromptPrefix | undefined {
    if (!beginning) return undefined;
    const { system, prompt } = beginning;
    if (system.length + prompt.length < minCharacters) return undefined;
    const key = createHash('sha256').update(`${account} ${model} ${system}${prompt}`).digest('base64url');
    const now = this.now();
    const before = this.sentAt.get(key);
    this.sentAt.set(key, now);
    return { length: prompt.length, key, isRepeated: before !== undefined && now - before < lifetimeMs };
  }
}
