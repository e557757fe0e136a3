import { texts } from '../texts';
import { Rows } from '../ui/rows';
import { ClockTime } from './clock-time';
import type { LogEntry } from './timeline';

const tones: Readonly<Record<string, string>> = { error: 'bad', warn: 'wait' };

/** The lines that a run has logged. */
export const RunLog = ({ log }: { log: readonly LogEntry[] }) => (
  <section>
    <h2>{texts.runs.log}</h2>
    <Rows
      items={log}
      label={texts.runs.log}
      rowHeight={30}
      row={({ sequence, at, level, message }, style) => (
        <div className="rows-item log-row" key={sequence} style={style}>
          <ClockTime at={at} />
          <span>
            <span className={`status ${tones[level] ?? 'plain'}`}>{level}</span>
          </span>
          <span title={message}>{message}</span>
        </div>
      )}
    />
  </section>
);
