import { texts } from '../texts';

interface Props {
  isChanged: boolean;
  onDiscard: () => void;
}

/** Says that a change is not saved, and discards it after a question. */
export const Unsaved = ({ isChanged, onDiscard }: Props) =>
  isChanged && (
    <>
      <span className="quiet">{texts.unsaved}</span>
      <button type="button" onClick={() => confirm(texts.confirmDiscard) && onDiscard()}>
        {texts.discard}
      </button>
    </>
  );
