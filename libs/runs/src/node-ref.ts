export interface NodeIds {
  nodeId: string;
  nodeKey: string;
}

/** Identifies a node in events: by its id and, within a map, also by its key. */
export const nodeRef = ({ nodeId, nodeKey }: NodeIds): { nodeId: string; nodeKey?: string } =>
  nodeId === nodeKey ? { nodeId } : { nodeId, nodeKey };
