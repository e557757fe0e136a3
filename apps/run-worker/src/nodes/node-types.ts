import type { NodeSettings, NodeType } from '@lensforge/workflows';
import { agent } from './agent.js';
import { assert } from './assert.js';
import { approval } from './approval.js';
import { delay } from './delay.js';
import { http } from './http.js';
import { lens } from './lens.js';
import { map } from './map.js';
import type { ExecuteNode } from './node-type.js';
import { transform } from './transform.js';
import { vote } from './vote.js';
import { webhookWait } from './webhook-wait.js';
import { workflow } from './workflow.js';

/** The executor of each node type. */
export const executors: { readonly [T in NodeType]: ExecuteNode<NodeSettings[T]> } = {
  lens,
  transform,
  assert,
  http,
  map,
  workflow,
  delay,
  approval,
  webhook_wait: webhookWait,
  agent,
  vote,
};
