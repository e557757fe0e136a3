/** The result of a tools/call. */
export interface ToolResult {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly structuredContent?: object;
  readonly isError?: boolean;
}

/** A result as text and as structuredContent. */
export const toToolResult = (
  structuredContent: object,
  { text = structuredContent, hasFailed = false } = {},
): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(text) }],
  structuredContent,
  ...(hasFailed && { isError: true }),
});
