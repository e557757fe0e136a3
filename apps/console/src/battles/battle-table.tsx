import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { battlesTexts } from '../view-texts/battles';
import { ColumnHeads } from '../ui/column-heads';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import { inWords } from './battle-types';

export const BattleTable = ({ items }: { items: readonly shapes.BattleSummary[] }) => (
  <table className="table battle-table stacks">
    <ColumnHeads names={battlesTexts.columns} numbers={[1]} />
    <tbody>
      {items.map(
        ({ id, title, battleType, judgingMode, status, contenderCount, maxContenders, createdAt, closedAt }) => (
          <tr key={id}>
            <td>
              <Link to="/battles/$battleId" params={{ battleId: id }}>
                {title}
              </Link>
              <div className="quiet">
                {inWords(battleType)} · {inWords(judgingMode)}
              </div>
            </td>
            <td className="number">
              {contenderCount} / {maxContenders} {battlesTexts.slots}
            </td>
            <td>
              <Status value={status} />
            </td>
            <td>
              <Time at={closedAt ?? createdAt} />
            </td>
          </tr>
        ),
      )}
    </tbody>
  </table>
);
