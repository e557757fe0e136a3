export interface Finding {
  level: 'ok' | 'warning' | 'fault' | 'skipped';
  /** The thing that was checked. */
  about: string;
  /** The result and, for a warning or fault, the remedy. */
  text: string;
}

type Make = (about: string, text: string) => Finding;
const make =
  (level: Finding['level']): Make =>
  (about, text) => ({ level, about, text });

export const [ok, warning, fault, skipped] = [make('ok'), make('warning'), make('fault'), make('skipped')];
