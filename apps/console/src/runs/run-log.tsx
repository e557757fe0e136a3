import { texts } from '../texts';
import { Rows } from '../ui/rows';
import type { LogEntry } from './timeline';

const clock = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
});
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
          <time className="quiet" dateTime={at}>
            {clock.format(new Date(at))}
          </time>
          <span>
            <span className={`status ${tones[level] ?? 'plain'}`}>{level}</span>
          </span>
          <span title={message}>{message}</span>
        </div>
      )}
    />
  </section>
);
