import { grants } from '@lensforge/contracts';
import type { Actor, CredentialKind } from '@lensforge/core';
import type { Tool, ToolResult } from './tool.js';
import { refusal } from './tool-errors.js';

const scopedKinds: readonly CredentialKind[] = ['organisation', 'service'];

/** Undefined when this credential may call the tool. What it may reach with it is for the use case to say. */
export function refuseWithoutPermission({ credential: { kind }, scopes }: Actor, tool: Tool): ToolResult | undefined {
  if (kind === 'anonymous' && tool.class !== 'Read') {
    return refusal('PERMISSION_DENIED', `${tool.name} needs a token: anonymous callers can only read`);
  }
  if (scopedKinds.includes(kind) && !grants(scopes, tool.scope)) {
    const message = `${tool.name} needs the scope ${tool.scope}, which this token does not carry`;
    return refusal('PERMISSION_DENIED', message, { scope: tool.scope });
  }
  return undefined;
}
