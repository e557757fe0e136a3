const clock = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
});

/** A moment of a run, to the millisecond. */
export const ClockTime = ({ at }: { at: string }) => (
  <time className="quiet" dateTime={at} title={at}>
    {clock.format(new Date(at))}
  </time>
);
