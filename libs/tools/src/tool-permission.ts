import { grants } from '@lensforge/contracts';
import type { Actor, CredentialKind } from '@lensforge/core';
import type { Tool } from './tool.js';
import { Refusal } from './tool-errors.js';
import type { ToolResult } from './tool-result.js';

const scopedKinds: readonly CredentialKind[] = ['mcp', 'organisation', 'service'];

/** The refusal of a credential that may not call the tool; undefined otherwise. Use cases check access to objects. */
export function refuseWithoutPermission({ credential: { kind }, scopes }: Actor, tool: Tool): ToolResult | undefined {
  if (kind === 'anonymous' && tool.class !== 'Read') {
    return new Refusal('PERMISSION_DENIED', `${tool.name} needs a token: anonymous callers can only read`);
  }
  if (scopedKinds.includes(kind) && !grants(scopes, tool.scope)) {
    const message = `${tool.name} needs the scope ${tool.scope}, which this token does not carry`;
    return new Refusal('PERMISSION_DENIED', message, { scope: tool.scope });
  }
  return undefined;
}
