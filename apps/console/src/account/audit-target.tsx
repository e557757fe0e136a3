import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import type { ReactNode } from 'react';
import { accountTexts } from '../view-texts/account';

/** The pages of targets that have one. */
const pages: Readonly<Record<string, (id: string, name: ReactNode) => ReactNode>> = {
  lens: (lensId, name) => (
    <Link to="/lenses/$lensId" params={{ lensId }}>
      {name}
    </Link>
  ),
  workflow: (workflowId, name) => (
    <Link to="/workflows/$workflowId" params={{ workflowId }}>
      {name}
    </Link>
  ),
  ai_lenser: (aiLenserId, name) => (
    <Link to="/agents/$aiLenserId" params={{ aiLenserId }}>
      {name}
    </Link>
  ),
  thread: (threadId, name) => (
    <Link to="/threads/$threadId" params={{ threadId }}>
      {name}
    </Link>
  ),
  webhook_endpoint: (endpointId, name) => (
    <Link to="/webhooks/$endpointId" params={{ endpointId }}>
      {name}
    </Link>
  ),
};

interface Props {
  target: shapes.AuditEntry['target'];
  handles: ReadonlyMap<string, string>;
}

/** The thing that was changed: its kind in words and its handle or the end of its id, with a link to its page. */
export function AuditTarget({ target, handles }: Props) {
  const { kind, id } = { ...target };
  if (typeof kind !== 'string') return null;
  const words = kind === 'ai_lenser' ? accountTexts.aiLenser : kind.replaceAll('_', ' ');
  if (typeof id !== 'string') return words;
  const handle = handles.get(id);
  const name = (
    <>
      {words} {handle === undefined ? <code title={id}>{id.slice(-12)}</code> : `@${handle}`}
    </>
  );
  return pages[kind]?.(id, name) ?? name;
}
