import { useState } from 'react';
import { texts } from '../texts';

/** A button that copies a text, unless it is empty. */
export function Copy({ text, name = texts.copy }: { text: string; name?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button type="button" disabled={text === ''} onClick={() => void copy()} aria-live="polite">
      {isCopied ? texts.copied : name}
    </button>
  );
}
