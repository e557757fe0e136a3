/** A setting of the process. Browsers and workers have none; Deno may refuse to read it. */
export function readVariable(name: string): string | undefined {
  try {
    const { process: host } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return host?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}
