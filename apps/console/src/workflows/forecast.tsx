import type { shapes } from '@lensforge/sdk';
import { workflowsTexts } from '../view-texts/workflows';
import { Status } from '../ui/status';

/** A dry run: what each node would do and cost at most. */
export function Forecast({ estimate }: { estimate: shapes.WorkflowDryRunReply }) {
  return (
    <div role="status" className="scroll">
      <p>
        {workflowsTexts.estimate}: <strong>{estimate.estimatedCredits}</strong>
      </p>
      {estimate.nodes.length > 0 && (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{workflowsTexts.step}</th>
              <th scope="col">{workflowsTexts.node}</th>
              <th scope="col">{workflowsTexts.verdict}</th>
              <th scope="col" className="number">
                {workflowsTexts.estimate}
              </th>
            </tr>
          </thead>
          <tbody>
            {estimate.nodes.map(({ id, type, level, verdict, times, estimatedCredits }) => (
              <tr key={id}>
                <td>{level + 1}</td>
                <td>
                  {id} <span className="quiet">{type}</span>
                </td>
                <td>
                  <Status value={workflowsTexts.verdicts[verdict]} /> {times !== null && workflowsTexts.times(times)}
                </td>
                <td className="number">{estimatedCredits}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
