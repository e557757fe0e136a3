import { ConflictError } from '@lensforge/sdk';
import { texts } from '../texts';
import { Action } from './action';
import { describeFault } from './fault';

interface Props {
  error: Error | null;
  onReload: () => Promise<void>;
  onOverwrite: () => Promise<void>;
}

/** Why a version was not saved. When another one was saved meanwhile, the person decides which is the newest. */
export function SaveFault({ error, onReload, onOverwrite }: Props) {
  if (!error) return null;
  const isConflict = error instanceof ConflictError;
  return (
    <div className="notice bad" role="alert">
      <p>{isConflict ? texts.conflict.message : describeFault(error)}</p>
      {isConflict && (
        <div className="row">
          <Action onAct={onReload}>{texts.conflict.reload}</Action>
          <Action onAct={onOverwrite}>{texts.conflict.overwrite}</Action>
        </div>
      )}
    </div>
  );
}
