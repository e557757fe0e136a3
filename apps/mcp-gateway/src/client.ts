import type { FormAnswer, ToolClient } from '@lensforge/tools';
import { RpcFault, codes, isRecord } from './json-rpc.js';
import { metaKeys, tasksExtension } from './protocol.js';

type Params = Readonly<Record<string, unknown>>;

const actions = ['accept', 'decline', 'cancel'] as const;

/** The client of a request of the stateless revisions, each of which repeats its capabilities. */
export function readClient(params: Params): ToolClient {
  const { extensions, elicitation } = readCapabilities(params);
  return {
    acceptsTasks: isRecord(extensions) && isRecord(extensions[tasksExtension]),
    // Without members, the capability is that of forms.
    showsForms: isRecord(elicitation) && ('form' in elicitation || !('url' in elicitation)),
    answers: readAnswers(params),
  };
}

function readCapabilities({ _meta: meta }: Params): Params {
  const capabilities = isRecord(meta) ? meta[metaKeys.capabilities] : undefined;
  return isRecord(capabilities) ? capabilities : {};
}

/** The answers of a request to forms, by their key; those that are not well-formed are undefined. */
export function readAnswers({ inputResponses = {} }: Params): Record<string, FormAnswer | undefined> {
  if (!isRecord(inputResponses)) throw new RpcFault(codes.invalidParams, 'params.inputResponses must be an object');
  return Object.fromEntries(Object.entries(inputResponses).map(([key, response]) => [key, readAnswer(response)]));
}

function readAnswer(response: unknown): FormAnswer | undefined {
  const { action, content = {} } = isRecord(response) ? response : {};
  const known = actions.find((each) => each === action);
  return known && isRecord(content) ? { action: known, content: known === 'accept' ? content : {} } : undefined;
}

/** Refuses a request that only a client with tasks can make. */
export function requireTasks({ acceptsTasks }: ToolClient): void {
  if (acceptsTasks) return;
  throw new RpcFault(
    codes.missingCapability,
    `The client does not declare the extension ${tasksExtension} in its capabilities`,
    { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
    true,
  );
}
