import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Fault } from '../ui/fault';
import { Json } from '../ui/json';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Empty, Loading } from '../ui/states';
import { Time } from '../ui/time';
import { toVisible } from '../ui/visible-text';
import { ApprovalAnswer } from './approval-answer';
import { ActionApproval } from '../agents/action-approval';
import { LabelProposals } from './label-proposals';

/** The questions of runs, the actions of AI lensers and the moves of labels that wait for the person. */
export default function ApprovalsView() {
  const client = useClient();
  const queries = useQueryClient();
  const approvals = usePaged(
    ['approvals', 'list'],
    (cursor) => client.runs.listPendingApprovals({ limit: 50, cursor }),
    5000,
  );
  const proposals = usePaged(
    ['approvals', 'labels'],
    (cursor) => client.labelProposals.list({ limit: 50, cursor }),
    5000,
  );
  const actions = usePaged(
    ['approvals', 'actions'],
    (cursor) => client.agents.listPendingApprovals({ limit: 50, cursor }),
    5000,
  );
  const reload = () => queries.invalidateQueries({ queryKey: ['approvals'] });
  const lists = [approvals, proposals, actions];
  const hasItems = lists.some(({ items }) => items.length > 0);
  const failed = lists.find(({ error }) => error);
  const retry = (): void => {
    for (const each of lists) each.retry();
  };
  return (
    <Page title={texts.approvals.title}>
      {failed && <Fault error={failed.error} onRetry={retry} />}
      {!hasItems && !failed && lists.some(({ isLoading }) => isLoading) && <Loading />}
      {!hasItems && !failed && lists.every(({ isLoading }) => !isLoading) && (
        <Empty title={texts.approvals.none}>
          <p className="quiet">{texts.approvals.noneHint}</p>
        </Empty>
      )}
      {hasItems && (
        <>
          <LabelProposals paged={proposals} />
          {actions.items.length > 0 && (
            <PagedList paged={actions} none={texts.approvals.none}>
              {(items) =>
                items.map((action) => (
                  <ActionApproval key={action.id} approval={action} handle={action.handle} onDecided={reload} />
                ))
              }
            </PagedList>
          )}
          {approvals.items.length > 0 && (
            <PagedList paged={approvals} none={texts.approvals.none}>
              {(items) =>
                items.map((approval) => <Approval key={approval.id} approval={approval} onAnswered={reload} />)
              }
            </PagedList>
          )}
        </>
      )}
    </Page>
  );
}

interface Props {
  approval: shapes.PendingApproval;
  onAnswered: () => Promise<void>;
}

function Approval({ approval, onAnswered }: Props) {
  const { id, runId, nodeKey, message, data, requestedAt, expiresAt, workflowId, workflowTitle } = approval;
  return (
    <article className="panel" aria-label={message}>
      <h2>{toVisible(message)}</h2>
      <p className="quiet">
        {workflowTitle === null ? (
          texts.approvals.deleted
        ) : (
          <Link to="/workflows/$workflowId" params={{ workflowId }}>
            {toVisible(workflowTitle)}
          </Link>
        )}{' '}
        · {nodeKey} ·{' '}
        <Link to="/runs/$runId" params={{ runId }}>
          {texts.approvals.run} {runId.slice(-12)}
        </Link>{' '}
        · {texts.approvals.asked} <Time at={requestedAt} /> · {texts.approvals.expires} <Time at={expiresAt} />
      </p>
      {data !== null && <Json value={data} label={message} />}
      <ApprovalAnswer runId={runId} id={id} onAnswered={onAnswered} />
    </article>
  );
}
