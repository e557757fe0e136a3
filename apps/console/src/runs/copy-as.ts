/** Commands that read a run by curl, the SDK and the command line. */
export const buildCopies = (api: string, runId: string): Readonly<Record<'curl' | 'SDK' | 'CLI', string>> => ({
  curl: `curl -s ${api}/v1/runs/${runId} -H "Authorization: Bearer $LENSFORGE_API_KEY"`,
  SDK: `const run = await client.runs.get('${runId}');`,
  CLI: `lensforge runs get ${runId}`,
});
