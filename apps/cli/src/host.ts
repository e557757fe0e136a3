import type { Writer } from './terminal.js';

/** The surroundings of a command, which tests replace. */
export interface Host {
  env: Readonly<Record<string, string | undefined>>;
  stdin: AsyncIterable<string | Uint8Array> & { isTTY?: boolean | undefined };
  stdout: Writer;
  stderr: Writer;
  signal: AbortSignal;
  openBrowser: (url: string) => void;
  /** Lets a person edit a text. */
  edit: (text: string) => Promise<string>;
}
