import { Suspense, lazy, useState } from 'react';
import { texts } from '../texts';
import { formatJson } from '../ui/format-json';
import { Json } from '../ui/json';
import { readStored, store } from '../ui/stored';

const storageKey = 'lensforge.formattedAnswers';
const MarkdownText = lazy(async () => ({ default: (await import('../ui/markdown-text')).MarkdownText }));

interface Props {
  text: string;
  label: string;
}

/** An answer as it was written, or formatted: JSON indented, any other text as Markdown. The choice is kept in the browser. */
export function AnswerText({ text, label }: Props) {
  const [isFormatted, setFormatted] = useState(() => readStored(storageKey) === true);
  const choose = (): void => {
    setFormatted(!isFormatted);
    store(storageKey, !isFormatted);
  };
  return (
    <>
      <div className="row">
        <button type="button" className="chip" aria-pressed={isFormatted} onClick={choose}>
          {texts.runs.formatted}
        </button>
      </div>
      {isFormatted ? <Formatted text={text} label={label} /> : <Json value={text} label={label} />}
    </>
  );
}

function Formatted({ text, label }: Props) {
  const value = parseJson(text);
  if (value !== undefined) return <Json value={formatJson(value)} label={label} />;
  return (
    <section aria-label={label}>
      <Suspense fallback={<Json value={text} label={label} />}>
        <MarkdownText text={text} />
      </Suspense>
    </section>
  );
}

/** The object or list that a text is, if it is one. */
function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
