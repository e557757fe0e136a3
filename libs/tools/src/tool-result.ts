/** The result of a tools/call. */
export interface ToolResult {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly structuredContent?: object;
  readonly isError?: boolean;
}
