import type { shapes } from '@lensforge/sdk';
import { workflowsTexts } from '../view-texts/workflows';
import { Status } from '../ui/status';
import { DataTable } from '../ui/data-table';

/** A dry run: what each node would do and cost at most. */
export function Forecast({ estimate }: { estimate: shapes.WorkflowDryRunReply }) {
  return (
    <div role="status" className="scroll">
      <p>
        {workflowsTexts.estimate}: <strong>{estimate.estimatedCredits}</strong>
      </p>
      {estimate.nodes.length > 0 && (
        <DataTable
          className="table"
          items={estimate.nodes}
          getKey={({ id }) => id}
          columns={[
            { name: workflowsTexts.step, sortBy: ({ level }) => level, show: ({ level }) => level + 1 },
            {
              name: workflowsTexts.node,
              show: ({ id, type }) => (
                <>
                  {id} <span className="quiet">{type}</span>
                </>
              ),
            },
            {
              name: workflowsTexts.verdict,
              show: ({ verdict, times }) => (
                <>
                  <Status value={workflowsTexts.verdicts[verdict]} /> {times !== null && workflowsTexts.times(times)}
                </>
              ),
            },
            {
              name: workflowsTexts.estimate,
              isNumber: true,
              sortBy: ({ estimatedCredits }) => estimatedCredits,
              show: ({ estimatedCredits }) => estimatedCredits,
            },
          ]}
        />
      )}
    </div>
  );
}
