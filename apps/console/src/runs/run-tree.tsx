import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { RunEvent, shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { runsTexts } from '../view-texts/runs';
import { Fault } from '../ui/fault';
import { Json } from '../ui/json';
import { usePaged } from '../ui/paged';
import { Rows } from '../ui/rows';
import { Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { duration } from '../ui/time';
import { toVisible } from '../ui/visible-text';
import { AnswerText } from './answer-text';
import { NodeCosts } from './node-costs';
import { NodeDetail } from './node-detail';
import { RetryFrom } from './retry-from';
import { type Bounds, type TreeItem, type TreeRow, buildTree, computeBounds, listRows, placeItem } from './tree';

const refreshMs = 1000;
const words = runsTexts.tree;

interface Props {
  run: shapes.PlatformRunStatus;
  events: readonly RunEvent[];
  /** The id of an item of the tree; that of a node is its key. */
  chosen: string | null | undefined;
  onChoose: (id: string | null) => void;
}

/** A run over its time: its nodes, attempts, requests to models and tool calls, and the chosen one in full; at first what failed. */
export function RunTree({ run, events, chosen: given, onChoose }: Props) {
  const client = useClient();
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const { id: runId, completedAt, kind } = run;
  const isEnded = completedAt !== null;
  const hasNodes = kind === 'workflow';
  const { items, error, more, retry } = usePaged(
    ['run', runId, 'nodes', isEnded],
    async (cursor) =>
      hasNodes ? client.runs.listNodes(runId, { limit: 100, cursor }) : { items: [], meta: { nextCursor: null } },
    isEnded || !hasNodes ? undefined : refreshMs,
  );
  const tree = useMemo(() => buildTree(run, items, events, words), [run, items, events]);
  const rows = useMemo(() => listRows(tree, closed), [tree, closed]);
  if (error && items.length === 0) return <Fault error={error} onRetry={retry} />;
  if (tree.children.length === 0) return null;
  const bounds = computeBounds(rows, Date.now());
  const chosen = given === undefined ? findFailed(rows) : given;
  const toggle = (id: string): void =>
    setClosed((before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]));
  return (
    <section className="panel">
      <h2>{words.title}</h2>
      <div className="tree-and-detail">
        <Rows
          items={rows}
          label={words.title}
          rowHeight={34}
          onEnd={more}
          row={(row, style) => (
            <TreeRowView
              key={row.item.id}
              row={row}
              style={style}
              bounds={bounds}
              isOpen={!closed.has(row.item.id)}
              isChosen={row.item.id === chosen}
              onToggle={() => toggle(row.item.id)}
              onChoose={() => onChoose(row.item.id === chosen ? null : row.item.id)}
            />
          )}
        />
        <div aria-live="polite">
          {chosen === null ? (
            <p className="quiet">{words.choose}</p>
          ) : (
            <Chosen key={chosen} run={run} id={chosen} known={findItem(tree, chosen)} />
          )}
        </div>
      </div>
      <NodeCosts nodes={items} isPart={more !== undefined} />
    </section>
  );
}

const hasFailed = ({ status }: TreeItem): boolean => status === 'failed' || status === 'timed_out';

/** The first node that failed. */
const findFailed = (rows: readonly TreeRow[]): string | null =>
  rows.find(({ item }) => item.part.kind === 'node' && hasFailed(item))?.item.id ?? null;

const findItem = (item: TreeItem, id: string): TreeItem | undefined =>
  item.id === id ? item : item.children.map((child) => findItem(child, id)).find((found) => found !== undefined);

interface RowProps {
  row: TreeRow;
  style: object;
  bounds: Bounds;
  isOpen: boolean;
  isChosen: boolean;
  onToggle: () => void;
  onChoose: () => void;
}

function TreeRowView({ row: { item, depth }, style, bounds, isOpen, isChosen, onToggle, onChoose }: RowProps) {
  const { name, note, status, from, to, tokens, credits, part, children } = item;
  const place = placeItem(item, bounds);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <div className={`rows-item tree-row ${isChosen ? 'chosen' : ''}`} style={style}>
      <span>
        <Status value={status} />
      </span>
      <span
        className="tree-name"
        title={part.kind === 'node' ? part.node.nodeKey : name}
        style={{ paddingLeft: `calc(${Math.min(depth, 6)} * var(--space-5))` }}
      >
        {children.length === 0 ? (
          <span className="tree-leaf" />
        ) : (
          <button
            type="button"
            className="plain"
            aria-expanded={isOpen}
            aria-label={words.parts(name)}
            onClick={onToggle}
          >
            <Chevron aria-hidden="true" />
          </button>
        )}
        <button type="button" className="tree-choose" aria-pressed={isChosen} onClick={onChoose}>
          {toVisible(name)}
        </button>
        <span className="quiet">{toVisible(note)}</span>
      </span>
      <svg className="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        {place && <rect className={hasFailed(item) ? 'bad' : ''} {...place} height="10" />}
      </svg>
      <span className="number">{from === undefined || to === undefined ? '–' : duration(to - from)}</span>
      <span className="number">
        {tokens > 0 && `${tokens.toLocaleString('en')} ${texts.runs.nodes.tokens}`}
        {credits > 0 && ` ${credits.toLocaleString('en')} ${texts.runs.nodes.credits}`}
      </span>
    </div>
  );
}

interface ChosenProps {
  run: shapes.PlatformRunStatus;
  id: string;
  /** The item, if it is among those that are loaded. */
  known: TreeItem | undefined;
}

function Chosen({ run, id, known }: ChosenProps) {
  const client = useClient();
  const searched = useQuery({
    queryKey: ['run', run.id, 'node', id],
    queryFn: async () => {
      for await (const node of client.runs.listNodes(run.id, { limit: 100 })) if (node.nodeKey === id) return node;
      return null;
    },
    enabled: known === undefined,
  });
  if (known) return <Detail run={run} item={known} />;
  return (
    <Loaded query={searched}>
      {(node) => (node ? <NodeWithRetry run={run} node={node} /> : <p className="quiet">{texts.runs.notReached}</p>)}
    </Loaded>
  );
}

function NodeWithRetry({ run, node }: { run: shapes.PlatformRunStatus; node: shapes.RunNodeItem }) {
  const { completedAt, status, workflowId } = run;
  const mayRetry = completedAt !== null && status !== 'succeeded' && !node.nodeKey.includes('[');
  return (
    <>
      <NodeDetail node={node} />
      {mayRetry && workflowId !== null && <RetryFrom run={run} workflowId={workflowId} nodeId={node.nodeKey} />}
    </>
  );
}

function Detail({ run, item }: { run: shapes.PlatformRunStatus; item: TreeItem }) {
  const { name, part } = item;
  switch (part.kind) {
    case 'node':
      return <NodeWithRetry run={run} node={part.node} />;
    case 'run':
      return (
        <Titled item={item}>
          <Facts
            facts={[
              [words.waited, waited(run)],
              [texts.runs.took, took(item)],
            ]}
          />
        </Titled>
      );
    case 'attempt':
      return (
        <Titled item={item}>
          <Facts
            facts={[
              [words.after, run.startedAt ? duration(part.attempt.from - Date.parse(run.startedAt)) : undefined],
              [texts.runs.took, took(item)],
              [words.reason, part.attempt.reason],
            ]}
          />
        </Titled>
      );
    case 'step':
      return (
        <Titled item={item}>
          {part.step.text !== '' && <AnswerText text={part.step.text} label={name} />}
          <Facts
            facts={[
              [texts.runs.took, took(item)],
              [texts.runs.tokens, part.step.tokens?.toLocaleString('en')],
              [texts.runs.cost, part.step.credits?.toLocaleString('en')],
            ]}
          />
        </Titled>
      );
    case 'call':
      return (
        <Titled item={item}>
          <h4>{texts.runs.nodes.input}</h4>
          <Json value={part.call.input} label={`${name} ${texts.runs.nodes.input}`} />
          <h4>{texts.runs.nodes.output}</h4>
          <Json value={part.call.result?.text ?? null} label={`${name} ${texts.runs.nodes.output}`} />
        </Titled>
      );
  }
}

const waited = ({ createdAt, startedAt }: shapes.PlatformRunStatus): string | undefined =>
  startedAt ? duration(Date.parse(startedAt) - Date.parse(createdAt)) : undefined;
const took = ({ from, to }: TreeItem): string | undefined =>
  from === undefined || to === undefined ? undefined : duration(to - from);

const Titled = ({ item: { name, status }, children }: { item: TreeItem; children: ReactNode }) => (
  <div role="region" aria-label={name}>
    <h3>
      {toVisible(name)} <Status value={status} />
    </h3>
    {children}
  </div>
);

const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: string | undefined])[] }) => (
  <dl className="facts">
    {facts.map(([name, value]) => (
      <div key={name} className="fact">
        <dt>{name}</dt>
        <dd>{toVisible(value ?? '–')}</dd>
      </div>
    ))}
  </dl>
);
