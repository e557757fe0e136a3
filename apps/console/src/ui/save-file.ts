/** Saves a file as a download of the browser. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Saves objects as they arrive, one JSON text a line. */
export async function saveLines(lines: AsyncIterable<unknown>, name: string): Promise<void> {
  const texts: string[] = [];
  for await (const line of lines) texts.push(`${JSON.stringify(line)}\n`);
  saveFile(new Blob(texts, { type: 'application/x-ndjson' }), name);
}
