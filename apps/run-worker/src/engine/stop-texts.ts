/** Ends an answer before the first of some texts, also at providers that know none. Holds back what may begin one. */
export class StopTexts {
  private held = '';
  isEnded = false;

  constructor(private readonly stops: readonly string[]) {}

  /** Adds a piece, and returns the text that may be passed on. */
  add(piece: string): string {
    if (this.stops.length === 0) return piece;
    const text = this.held + piece;
    const found = this.stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
    this.isEnded = found.length > 0;
    const end = this.isEnded
      ? Math.min(...found)
      : text.length - Math.max(...this.stops.map((stop) => begins(text, stop)));
    this.held = this.isEnded ? '' : text.slice(end);
    return text.slice(0, end);
  }

  /** The rest of an answer that has ended. */
  end(): string {
    return this.held;
  }
}

/** The length of the longest end of a text with which a stop text begins. */
function begins(text: string, stop: string): number {
  for (let length = Math.min(stop.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(stop.slice(0, length))) return length;
  return 0;
}
