export interface Writer {
  write: (text: string) => unknown;
  isTTY?: boolean | undefined;
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';
const codes: Readonly<Record<Style, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 };

/** Text without control characters, with which texts of other users could change the terminal. Keeps line breaks and tabs. */
export const printable = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd');

/** The streams of a command: data on stdout, messages on stderr, colours and progress on terminals only. */
export class Terminal {
  private readonly colored: boolean;

  constructor(
    private readonly stdout: Writer,
    private readonly stderr: Writer,
    env: Readonly<Record<string, string | undefined>>,
  ) {
    this.colored = stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  }

  /** True when people read stdout. */
  get isTerminal(): boolean {
    return this.stdout.isTTY === true;
  }

  style(style: Style, text: string): string {
    return this.colored ? `\u001b[${codes[style]}m${text}\u001b[0m` : text;
  }

  /** Writes data as it is. */
  data(text: string): void {
    this.stdout.write(text);
  }

  /** Writes a text of a user: unchanged into files and pipes, without control characters on a terminal. */
  userText(text: string): void {
    this.stdout.write(this.isTerminal ? printable(text) : text);
  }

  message(line: string): void {
    this.stderr.write(`${printable(line)}\n`);
  }

  /** A message for people who wait; none in files and pipes. */
  progress(line: string): void {
    if (this.stderr.isTTY) this.stderr.write(`${this.style('dim', printable(line))}\n`);
  }
}
