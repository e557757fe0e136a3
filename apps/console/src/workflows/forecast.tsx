import type { shapes } from '@lensforge/sdk';
import { texts } from '../texts';
import { Status } from '../ui/status';

/** A dry run: what each node would do and cost at most. */
export function Forecast({ estimate }: { estimate: shapes.WorkflowDryRunReply }) {
  return (
    <div role="status" className="scroll">
      <p>
        {texts.workflows.estimate}: <strong>{estimate.estimatedCredits}</strong>
      </p>
      {estimate.nodes.length > 0 && (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{texts.workflows.step}</th>
              <th scope="col">{texts.workflows.node}</th>
              <th scope="col">{texts.workflows.verdict}</th>
              <th scope="col" className="number">
                {texts.workflows.estimate}
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
                  <Status value={texts.workflows.verdicts[verdict]} /> {times !== null && texts.workflows.times(times)}
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
