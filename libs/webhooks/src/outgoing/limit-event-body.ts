/** The largest body that is sent, including its signature. */
export const MAX_BODY_BYTES = 256 * 1024;
const MAX_UNSIGNED_BYTES = MAX_BODY_BYTES - 1024;

interface Output {
  artifactId?: unknown;
  artifactKind?: unknown;
  contentText?: unknown;
  contentJson?: unknown;
  isPrimaryOutput?: unknown;
}

/**
 * Builds the body of an event. If it is too large, links to the API replace the contents of the largest outputs.
 */
export function limitEventBody(
  data: Record<string, unknown>,
  bodyOf: (data: Record<string, unknown>) => Buffer,
): Buffer {
  const body = bodyOf(data);
  if (body.length <= MAX_UNSIGNED_BYTES) return body;
  const { runId, outputs } = data;
  if (typeof runId !== 'string' || !Array.isArray(outputs)) return bodyOf(truncateData(data));
  const run = `/v1/runs/${runId}`;
  const linked = [...(outputs as Output[])];
  const sizes = linked.map((output, index) => ({ index, bytes: Buffer.byteLength(JSON.stringify(output)) }));
  let bytes = body.length;
  for (const largest of sizes.sort((one, other) => other.bytes - one.bytes)) {
    const link = linkTo(linked[largest.index] ?? {}, run);
    linked[largest.index] = link;
    bytes -= largest.bytes - Buffer.byteLength(JSON.stringify(link));
    if (bytes <= MAX_UNSIGNED_BYTES) return bodyOf({ ...data, outputs: linked });
  }
  return bodyOf({ ...data, outputs: [{ link: run }] });
}

const linkTo = ({ artifactId, artifactKind, isPrimaryOutput }: Output, run: string): object => ({
  ...(artifactId !== undefined && { artifactId }),
  artifactKind,
  contentText: null,
  contentJson: null,
  isPrimaryOutput,
  link: typeof artifactId === 'string' ? `${run}/artifacts/${artifactId}/content` : run,
});

/** Truncates the members of an event without outputs. */
function truncateData(data: Record<string, unknown>): Record<string, unknown> {
  const truncate = (value: unknown): unknown => {
    if (typeof value === 'string') return value.slice(0, 20_000);
    if (typeof value !== 'object' || value === null) return value;
    const text = JSON.stringify(value);
    if (text.length <= 20_000) return value;
    return Array.isArray(value)
      ? []
      : Object.fromEntries(
          Object.entries(value).map(([name, part]) => [name, typeof part === 'string' ? truncate(part) : null]),
        );
  };
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, truncate(value)]));
}
