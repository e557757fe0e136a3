import { type Context, isUuid, notFound } from '@lensforge/core';
import { listRuns, readRun } from '@lensforge/runs';
import { RpcFault, codes } from './json-rpc.js';

// The outputs of runs as resources of MCP.

type Params = Readonly<Record<string, unknown>>;

const maxResources = 50;
const uriOf = (runId: string): string => `lensforge://runs/${runId}/output`;
const uriForm = /^lensforge:\/\/runs\/([0-9a-f-]{36})\/output$/i;

/** The newest outputs of the caller. */
export async function listResources(ctx: Context): Promise<{ resources: object[] }> {
  const { items } = await listRuns(ctx, { status: ['succeeded'], limit: maxResources });
  return {
    resources: items.map(({ id, kind, completedAt }) => ({
      uri: uriOf(id),
      name: id,
      title: `Output of a ${kind} run`,
      ...(completedAt !== null && { annotations: { lastModified: completedAt } }),
    })),
  };
}

export const listTemplates = (): object => ({
  resourceTemplates: [
    {
      uriTemplate: uriOf('{runId}'),
      name: 'output',
      title: 'Output of a run',
      description: 'The answer of a run by its id.',
    },
  ],
});

export async function readResource(ctx: Context, { uri }: Params): Promise<object> {
  const [, runId = ''] = typeof uri === 'string' ? (uriForm.exec(uri) ?? []) : [];
  if (!isUuid(runId)) throw new RpcFault(codes.invalidParams, `params.uri must have the form ${uriOf('{runId}')}`);
  const { artifacts } = await readRun(ctx, runId);
  const primary = artifacts.find(({ isPrimaryOutput }) => isPrimaryOutput);
  if (!primary) throw notFound('output of the run', runId);
  const isText = typeof primary.contentText === 'string';
  const text = isText ? primary.contentText : JSON.stringify(primary.contentJson);
  return { contents: [{ uri: uriOf(runId), mimeType: isText ? 'text/plain' : 'application/json', text }] };
}
