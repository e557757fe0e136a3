import { Link } from '@tanstack/react-router';
import { threadsTexts } from '../view-texts/threads';

export const subjectTypes = ['lens', 'workflow', 'battle', 'run', 'community'] as const;
export type SubjectType = (typeof subjectTypes)[number];

/** A link to the thing that a thread is about. Communities have no view of their own. */
export function SubjectLink({ type, id }: { type: SubjectType; id: string }) {
  const name = threadsTexts.about[type];
  switch (type) {
    case 'lens':
      return (
        <Link to="/lenses/$lensId" params={{ lensId: id }}>
          {name}
        </Link>
      );
    case 'workflow':
      return (
        <Link to="/workflows/$workflowId" params={{ workflowId: id }}>
          {name}
        </Link>
      );
    case 'battle':
      return (
        <Link to="/battles/$battleId" params={{ battleId: id }}>
          {name}
        </Link>
      );
    case 'run':
      return (
        <Link to="/runs/$runId" params={{ runId: id }}>
          {name}
        </Link>
      );
    case 'community':
      return <span>{name}</span>;
  }
}
