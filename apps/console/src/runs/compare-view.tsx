import { useQuery } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useMemo } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { formatJson } from '../ui/format-json';
import { LineDiff } from '../ui/line-diff';
import { Page } from '../ui/page';
import { Empty, Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Time, duration } from '../ui/time';
import { diffLines } from './diff-lines';
import { getDuration } from './costs';
import { findPrimaryOutput } from './primary-output';
import { listOptions } from './run-input';
import { tokenText } from './token-text';

const route = getRouteApi('/runs/compare');

interface Side {
  run: shapes.PlatformRunStatus;
  input: shapes.RunInput;
  nodes: shapes.RunNodeItem[];
}

/** Two runs side by side: facts, inputs, outputs and nodes. */
export default function CompareView() {
  const { a, b } = route.useSearch();
  return (
    <Page
      title={texts.runs.compare.title}
      above={<Link to="/runs">{texts.runs.title}</Link>}
      actions={
        a !== undefined &&
        b !== undefined && (
          <Link className="button" to="/runs/compare" search={{ a: b, b: a }}>
            {texts.runs.compare.swap}
          </Link>
        )
      }
    >
      {a === undefined || b === undefined ? (
        <Empty title={texts.runs.compare.choose2}>
          <p>
            <Link to="/runs">{texts.runs.title}</Link>
          </p>
        </Empty>
      ) : (
        <Both a={a} b={b} />
      )}
    </Page>
  );
}

function Both({ a, b }: { a: string; b: string }) {
  const client = useClient();
  const read = async (id: string): Promise<Side> => {
    const [run, input] = await Promise.all([client.runs.get(id), client.runs.getInput(id)]);
    const nodes = run.kind === 'workflow' ? (await client.runs.listNodes(id, { limit: 100 })).items : [];
    return { run, input, nodes };
  };
  const both = useQuery({ queryKey: ['compare', a, b], queryFn: async () => Promise.all([read(a), read(b)]) });
  return <Loaded query={both}>{([a, b]) => <Comparison a={a} b={b} />}</Loaded>;
}

function Comparison({ a, b }: { a: Side; b: Side }) {
  return (
    <>
      <section className="panel">
        <h2>{texts.runs.facts}</h2>
        <FactTable a={a} b={b} />
      </section>
      <Difference
        name={texts.runs.input.title}
        before={formatJson(a.input.params ?? '')}
        after={formatJson(b.input.params ?? '')}
      />
      <Difference
        name={texts.runs.output}
        before={findPrimaryOutput(a.run) ?? ''}
        after={findPrimaryOutput(b.run) ?? ''}
      />
      {(a.nodes.length > 0 || b.nodes.length > 0) && (
        <section className="panel">
          <h2>{texts.runs.nodes.title}</h2>
          <NodeTable a={a.nodes} b={b.nodes} />
        </section>
      )}
    </>
  );
}

type Fact = readonly [name: string, value: (side: Side) => string | number | null | undefined];

const facts: readonly Fact[] = [
  [texts.runs.kind, ({ run }) => run.kind],
  [texts.runs.lens, ({ run }) => run.lensId],
  [texts.runs.version, ({ run, input }) => run.lensVersionId ?? input.workflowVersionId],
  [texts.runs.workflow, ({ run }) => run.workflowId],
  [texts.runs.model, ({ run }) => (run.modelKey ? `${run.providerKey}/${run.modelKey}` : null)],
  [texts.runs.origin, ({ run }) => run.origin.replaceAll('_', ' ')],
  [
    texts.runs.took,
    ({ run }) => (run.latencyMs === null || run.latencyMs === undefined ? null : duration(run.latencyMs)),
  ],
  [texts.runs.tokens, ({ run }) => (run.tokenInput === null ? null : tokenText(run))],
  [texts.runs.cost, ({ run }) => run.creditCost],
  [texts.runs.error, ({ run }) => run.errorCode],
  [texts.runs.tags, ({ run }) => (run.tags ?? []).join(', ')],
];

function FactTable({ a, b }: { a: Side; b: Side }) {
  const options = listOptions(b.input).map(
    ([name, after], at) => [name, listOptions(a.input)[at]?.[1], after] as const,
  );
  const rows = [...facts.map(([name, value]) => [name, value(a), value(b)] as const), ...options].filter(
    ([, before, after]) => !isEmpty(before) || !isEmpty(after),
  );
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={texts.runs.facts}>
      <table className="table compared">
        <thead>
          <tr>
            <td />
            {[a, b].map(({ run }) => (
              <th key={run.id} scope="col">
                <Link to="/runs/$runId" params={{ runId: run.id }}>
                  <code>{run.id.slice(-12)}</code>
                </Link>{' '}
                <Status value={run.status} /> <Time at={run.createdAt} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, before, after]) => (
            <tr key={name} className={before === after ? '' : 'changed'}>
              <th scope="row">
                {name}
                {before !== after && <span className="status wait">{texts.runs.compare.differs}</span>}
              </th>
              <td>{isEmpty(before) ? '–' : before}</td>
              <td>{isEmpty(after) ? '–' : after}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

function Difference({ name, before, after }: { name: string; before: string; after: string }) {
  const lines = useMemo(() => (before === after ? [] : diffLines(before, after)), [before, after]);
  return (
    <section className="panel">
      <h2>{name}</h2>
      {before === after ? (
        <p className="quiet">{before === '' ? texts.runs.compare.bothEmpty : texts.runs.compare.equal}</p>
      ) : (
        <LineDiff lines={lines} label={name} />
      )}
    </section>
  );
}

function NodeTable({ a, b }: { a: readonly shapes.RunNodeItem[]; b: readonly shapes.RunNodeItem[] }) {
  const keys = [...new Set([...a, ...b].map(({ nodeKey }) => nodeKey))];
  const [before, after] = [a, b].map((nodes) => new Map(nodes.map((node) => [node.nodeKey, node])));
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={texts.runs.nodes.title}>
      <table className="table compared">
        <tbody>
          {keys.map((key) => (
            <tr key={key}>
              <th scope="row">{key}</th>
              <NodeCell node={before?.get(key)} />
              <NodeCell node={after?.get(key)} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function NodeCell({ node }: { node: shapes.RunNodeItem | undefined }) {
  if (!node) return <td>–</td>;
  const took = getDuration(node);
  const { status, tokensUsed, costCredits, output, error } = node;
  return (
    <td>
      <Status value={status} /> {took !== undefined && duration(took)}
      {tokensUsed > 0 && ` · ${tokensUsed} ${texts.runs.nodes.tokens}`}
      {costCredits > 0 && ` · ${costCredits} ${texts.runs.nodes.credits}`}
      {error && <div className="bad-text">{error.code}</div>}
      {output !== null && <code className="clipped">{JSON.stringify(output)}</code>}
    </td>
  );
}
