/** An assertion as users write it, with the names of promptfoo. */
export interface Assertion {
  type: string;
  /** The output is compared with it; the expected answer of the case when absent. */
  value?: unknown;
  threshold?: number | undefined;
  /** Of its score among the others; 1 when absent, and 0 does not count. */
  weight?: number | undefined;
  /** A JavaScript expression over `output` and `context`, whose result is asserted about. */
  transform?: string | undefined;
  /** The members of an `assert-set`. */
  assert?: readonly Assertion[] | undefined;
  /** The finding of a judge; never of a user. */
  found?: Finding | undefined;
}

export const baseType = (type: string): string => (type.startsWith('not-') ? type.slice('not-'.length) : type);

/** An output with its case. */
export interface Subject {
  output: string;
  params: Readonly<Record<string, unknown>>;
  expected: unknown;
  latencyMs: number | null;
  credits: number | null;
  /** Why the model ended its answer; absent for runs of several requests. */
  finishReason?: string | null;
  /** The calls of tools that its run has made; read only for assertions about them. */
  toolCalls?: readonly ToolCall[] | undefined;
}

export interface ToolCall {
  /** The names of the tool: as the model gives it, and its id. */
  names: readonly string[];
  input: unknown;
}

export interface Finding {
  pass: boolean;
  score: number;
  reason: string;
}

/** The output of a subject, which a transform may have changed, with the value that it is compared with. */
export interface Comparison {
  output: string;
  value: unknown;
  threshold: number | undefined;
  subject: Subject;
}

export const verdict = (pass: boolean, reason: string): Finding => ({ pass, score: pass ? 1 : 0, reason });

/** Passes when a score from 0 to 1 reaches the threshold. */
export const reaches = (score: number, threshold: number, what: string): Finding => ({
  pass: score >= threshold,
  score,
  reason: `${what} is ${rounded(score)}, and ${threshold} is needed`,
});

export const rounded = (score: number): string => String(Math.round(score * 1000) / 1000);

/** A value as it is quoted in reasons. */
export const quote = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
};

/** A value as text: objects as JSON. */
export const toText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
