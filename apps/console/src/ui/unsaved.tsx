import { texts } from '../texts';

interface Props {
  isChanged: boolean;
  /** The account has the change, too. */
  isKept?: boolean | undefined;
  onDiscard: () => void;
}

/** Says that a change is not saved, and discards it after a question. */
export const Unsaved = ({ isChanged, isKept, onDiscard }: Props) =>
  isChanged && (
    <>
      <span className="quiet">{isKept ? texts.keptInAccount : texts.unsaved}</span>
      <button type="button" onClick={() => confirm(texts.confirmDiscard) && onDiscard()}>
        {texts.discard}
      </button>
    </>
  );
