import type { RunEvent } from '@lensforge/sdk';
import { useMemo } from 'react';
import { texts } from '../texts';
import { runsTexts } from '../view-texts/runs';
import { Status } from '../ui/status';
import { duration } from '../ui/time';
import { toVisible } from '../ui/visible-text';
import { listRepeatedAttempts } from './attempts';

const words = runsTexts.attempts;

/** The attempts at a run and its nodes, if anything was tried more than once. */
export function RunAttempts({ events }: { events: readonly RunEvent[] }) {
  const attempts = useMemo(() => listRepeatedAttempts(events), [events]);
  const begin = Date.parse(events[0]?.occurredAt ?? '');
  if (attempts.length === 0) return null;
  return (
    <section className="panel">
      <h2>{words.title}</h2>
      <div className="scroll" tabIndex={0} role="region" aria-label={words.title}>
        <table className="table">
          <thead>
            <tr>
              <th>{words.of}</th>
              <th>{words.number}</th>
              <th>{texts.status}</th>
              <th className="number">{words.after}</th>
              <th className="number">{texts.runs.took}</th>
              <th>{words.reason}</th>
            </tr>
          </thead>
          <tbody>
            {attempts.map(({ node, number, from, to, end, reason }) => (
              <tr key={`${node} ${number} ${from}`}>
                <td>{node ?? texts.runs.run}</td>
                <td>{number}</td>
                <td>
                  <Status value={end} />
                </td>
                <td className="number">{duration(from - begin)}</td>
                <td className="number">{to === undefined ? '–' : duration(to - from)}</td>
                <td>{reason === undefined ? '–' : toVisible(reason)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
