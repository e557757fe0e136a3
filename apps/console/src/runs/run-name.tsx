import type { shapes } from '@lensforge/sdk';
import { toVisible } from '../ui/visible-text';

type Named = Pick<shapes.RunItem, 'id' | 'kind'> & Partial<Pick<shapes.RunItem, 'title'>>;

/** The name of a run in lists: the title of its lens or workflow, or its kind, and the end of its id. */
export const RunName = ({ run: { id, kind, title } }: { run: Named }) => (
  <>
    {toVisible(title ?? kind)} <code className="quiet">{id.slice(-12)}</code>
  </>
);
