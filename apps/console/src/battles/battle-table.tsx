import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { battlesTexts } from '../view-texts/battles';
import { DataTable } from '../ui/data-table';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import { inWords } from './battle-types';

const heads = battlesTexts.columns;

export const BattleTable = ({ items }: { items: readonly shapes.BattleSummary[] }) => (
  <DataTable
    className="table battle-table stacks"
    items={items}
    getKey={({ id }) => id}
    columns={[
      {
        name: heads.name,
        show: ({ id, title, battleType, judgingMode }) => (
          <>
            <Link to="/battles/$battleId" params={{ battleId: id }}>
              {title}
            </Link>
            <div className="quiet">
              {inWords(battleType)} · {inWords(judgingMode)}
            </div>
          </>
        ),
      },
      {
        name: heads.contenders,
        isNumber: true,
        show: ({ contenderCount, maxContenders }) => `${contenderCount} / ${maxContenders} ${battlesTexts.slots}`,
      },
      { name: heads.status, show: ({ status }) => <Status value={status} /> },
      { name: heads.ended, show: ({ closedAt, createdAt }) => <Time at={closedAt ?? createdAt} /> },
    ]}
  />
);
