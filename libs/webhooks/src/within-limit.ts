/** No body that is sent is larger; its signature and a margin are counted in. */
export const LARGEST_BODY = 256 * 1024;
const LARGEST_UNSIGNED = LARGEST_BODY - 1024;

interface Output {
  artifactId?: unknown;
  artifactKind?: unknown;
  contentText?: unknown;
  contentJson?: unknown;
  isPrimaryOutput?: unknown;
}

/**
 * The body of an event. What would make it too large, the contents of the largest outputs first, is replaced by the
 * place where the API has it.
 */
export function withinLimit(data: Record<string, unknown>, bodyOf: (data: Record<string, unknown>) => Buffer): Buffer {
  const body = bodyOf(data);
  if (body.length <= LARGEST_UNSIGNED) return body;
  const { runId, outputs } = data;
  if (typeof runId !== 'string' || !Array.isArray(outputs)) return bodyOf(cut(data));
  const run = `/v1/runs/${runId}`;
  const linked = [...(outputs as Output[])];
  const sizes = linked.map((output, at) => ({ at, bytes: Buffer.byteLength(JSON.stringify(output)) }));
  let bytes = body.length;
  for (const largest of sizes.sort((one, other) => other.bytes - one.bytes)) {
    const link = linkTo(linked[largest.at] ?? {}, run);
    linked[largest.at] = link;
    bytes -= largest.bytes - Buffer.byteLength(JSON.stringify(link));
    if (bytes <= LARGEST_UNSIGNED) return bodyOf({ ...data, outputs: linked });
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

/** Nothing else that is told of is large, so it matters little which part of it goes. */
function cut(data: Record<string, unknown>): Record<string, unknown> {
  const short = (value: unknown): unknown => {
    if (typeof value === 'string') return value.slice(0, 20_000);
    if (typeof value !== 'object' || value === null) return value;
    const text = JSON.stringify(value);
    if (text.length <= 20_000) return value;
    return Array.isArray(value)
      ? []
      : Object.fromEntries(
          Object.entries(value).map(([name, part]) => [name, typeof part === 'string' ? short(part) : null]),
        );
  };
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, short(value)]));
}
