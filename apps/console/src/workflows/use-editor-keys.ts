import { type RefObject, useEffect, useRef } from 'react';

interface EditorKeys {
  undo: () => void;
  redo: () => void;
  remove: () => void;
  duplicate: () => void;
  /** The text for the clipboard; undefined when nothing is chosen. */
  copied: () => string | undefined;
  /** False for a text that has no nodes. */
  paste: (text: string) => boolean;
}

/** Fields have keys of their own. */
const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/**
 * The keys of a graph editor. They work while the focus is in the editor, or nowhere: the picture takes no focus when it
 * is clicked.
 */
export function useEditorKeys(editor: RefObject<HTMLElement | null>, keys: EditorKeys): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const isHere = ({ target }: Event): boolean =>
      !isField(target) && (target === document.body || (target instanceof Node && !!editor.current?.contains(target)));
    const press = (event: KeyboardEvent): void => {
      if (!isHere(event)) return;
      const { undo, redo, remove, duplicate } = current.current;
      const key = event.key.toLowerCase();
      const isCommand = event.ctrlKey || event.metaKey;
      const act =
        isCommand && key === 'z'
          ? event.shiftKey
            ? redo
            : undo
          : isCommand && key === 'y'
            ? redo
            : isCommand && key === 'd'
              ? duplicate
              : !isCommand && (key === 'delete' || key === 'backspace')
                ? remove
                : undefined;
      if (!act) return;
      event.preventDefault();
      act();
    };
    const copy = (event: ClipboardEvent): void => {
      const text =
        isHere(event) && document.getSelection()?.isCollapsed !== false ? current.current.copied() : undefined;
      if (text === undefined) return;
      event.clipboardData?.setData('text/plain', text);
      event.preventDefault();
    };
    const paste = (event: ClipboardEvent): void => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (isHere(event) && current.current.paste(text)) event.preventDefault();
    };
    document.addEventListener('keydown', press);
    document.addEventListener('copy', copy);
    document.addEventListener('paste', paste);
    return () => {
      document.removeEventListener('keydown', press);
      document.removeEventListener('copy', copy);
      document.removeEventListener('paste', paste);
    };
  }, [editor]);
}
