import { DomainError, asBadInput, badInputs } from '@lensforge/core';

/** The members of requests by their names at OpenAI. */
const names: Readonly<Record<string, string>> = {
  modelOverride: 'model',
  version: 'model',
  outputSchema: 'response_format',
  'sampling.temperature': 'temperature',
  'sampling.topP': 'top_p',
  'sampling.maxOutputTokens': 'max_completion_tokens',
  'sampling.reasoningEffort': 'reasoning_effort',
  'sampling.seed': 'seed',
  'sampling.stop': 'stop',
  metadata: 'metadata',
};
const ofPlatform =
  /^(fundingSource|byokKeyRefId|maxCredits|priority|startAt|delaySeconds|expiresInSeconds|timeoutSeconds|tags|stickyKey|concurrency\w*)$/;
const ofParams = /^(?:params|inputs)\b/;

const toName = (path: string): string => {
  if (ofPlatform.test(path)) return `lensforge.${path}`;
  const [first = '', ...rest] = path.split('.');
  return names[path] ?? [names[first] ?? first.replace(ofParams, 'metadata.params'), ...rest].join('.');
};

/** Names the faults of a request by the members that the program sent. */
export function throwRenamed(reason: unknown): never {
  const error = asBadInput(reason);
  if (!(error instanceof DomainError)) throw error;
  const { issues, missing } = error.details ?? {};
  if (error.code === 'MISSING_PARAMS' && Array.isArray(missing))
    throw badInputs(missing.map((label) => ({ path: `metadata.params.${label}`, message: 'is required' })));
  if (!Array.isArray(issues)) throw error;
  const renamed = (issues as { path: string; message: string }[]).map((issue) => ({
    ...issue,
    path: toName(issue.path),
  }));
  throw new DomainError(error.code, badInputs(renamed).message, { ...error.details, issues: renamed });
}
