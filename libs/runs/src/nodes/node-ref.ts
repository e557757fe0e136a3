export interface NodeIds {
  nodeId: string;
  nodeKey: string;
}

/** How events name a node: by its id, and by the way to it where that says more. */
export const nodeRef = ({ nodeId, nodeKey }: NodeIds): { nodeId: string; nodeKey?: string } =>
  nodeId === nodeKey ? { nodeId } : { nodeId, nodeKey };
