import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useEffect, useReducer, useState } from 'react';
import { useClient } from '../session/console';
import { useDraft } from '../ui/drafts';
import { type Graph, toGraph } from './graph';
import { historyReducer, startHistory } from './history';
import { parseJson } from './json-text';
import { announce } from '../ui/announce';
import { texts } from '../texts';

interface Draft {
  graph: Graph;
  /** The version that was changed. */
  base: { id: string; number: number };
}

const isDraft = ({ graph, base }: Partial<Draft>): boolean => Array.isArray(graph?.nodes) && base !== undefined;

export type GraphDraft = ReturnType<typeof useGraphDraft>;

/** The graph of a workflow while it is changed. Nothing is sent before it is saved, and nothing is lost when that fails. */
export function useGraphDraft(workflow: shapes.WorkflowRecord, inputs: string) {
  const client = useClient();
  const queries = useQueryClient();
  const [stored, store] = useDraft<Draft>(`workflow.${workflow.id}`, isDraft);
  const [saved, setSaved] = useState(workflow.headVersion);
  const [base, setBase] = useState<Draft['base']>(stored?.base ?? saved);
  const [history, change] = useReducer(historyReducer, stored?.graph ?? toGraph(saved.graph), startHistory);
  const { root } = history.now;
  const isChanged = JSON.stringify(root) !== JSON.stringify(toGraph(saved.graph));
  useEffect(() => store(isChanged ? { graph: root, base } : undefined), [store, isChanged, root, base]);

  const load = (version: shapes.WorkflowVersionRecord): void => {
    setSaved(version);
    setBase(version);
    change({ reset: toGraph(version.graph) });
  };
  const save = useMutation({
    mutationFn: async (body: { graph: Graph; baseVersionId: string }) => client.workflows.saveGraph(workflow.id, body),
    onSuccess: async (version, { graph }) => {
      announce(texts.savedVersion(version.number));
      setSaved({ ...version, graph });
      setBase(version);
      await queries.invalidateQueries({ queryKey: ['workflow', workflow.id] });
    },
  });
  const candidate = useMutation({
    mutationFn: async (body: { graph: Graph }) => client.workflows.saveCandidate(workflow.id, body),
  });
  const check = useMutation({
    mutationFn: async (draft: { graph: Graph }) =>
      client.workflows.dryRun(workflow.id, {
        ...(isChanged ? draft : { version: String(saved.number) }),
        inputs: parseJson(inputs) as Record<string, unknown>,
      }),
    // Its faults are then those of the check.
    onMutate: () => candidate.reset(),
  });
  const newest = async (): Promise<shapes.WorkflowVersionRecord> =>
    (await client.workflows.get(workflow.id)).headVersion;
  const head = useQuery({
    queryKey: ['workflow', workflow.id, 'head'],
    queryFn: newest,
    initialData: workflow.headVersion,
    refetchInterval: 30_000,
    refetchOnWindowFocus: 'always',
  });
  return {
    history,
    change,
    root,
    isChanged,
    saved,
    /** The number of a version that was saved elsewhere since. */
    newer: head.data.number > Math.max(base.number, saved.number) ? head.data.number : undefined,
    save,
    candidate,
    check,
    /** The name of a version of the graph as it stands, which is saved for runs alone if it is changed. */
    toVersion: async (): Promise<string> =>
      isChanged ? (await candidate.mutateAsync({ graph: root })).id : String(saved.number),
    /** Saves the graph as it stands; resolves with the number of its version. */
    saveNow: async (): Promise<number> =>
      isChanged ? (await save.mutateAsync({ graph: root, baseVersionId: base.id })).number : saved.number,
    loadNewest: async (): Promise<void> => load(await newest()),
    overwrite: async (): Promise<void> => save.mutate({ graph: root, baseVersionId: (await newest()).id }),
    discard: (): void => {
      load(saved);
      save.reset();
    },
  };
}
