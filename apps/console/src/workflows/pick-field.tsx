import { texts } from '../texts';
import { workflowsTexts } from '../view-texts/workflows';
import { Picker } from '../ui/picker';
import type { PickerSource } from '../ui/picker-source';
import { usePicked } from '../ui/use-picker-options';
import { Faults } from './expression-field';
import type { Pick } from './node-fields';
import { useNodeSource } from './node-sources';

interface PickFieldProps {
  pick: Pick;
  /** The lens or workflow whose versions are offered. */
  parentId: string;
  label: string;
  value: string;
  faults: readonly string[];
  onPick: (value: string) => void;
}

/** A setting that is picked by name. */
export function PickField({ pick, parentId, label, value, faults, onPick }: PickFieldProps) {
  const source = useNodeSource(pick.from, parentId);
  // A version can be picked once its lens or workflow is known.
  if (pick.of !== undefined && parentId === '' && value === '') return null;
  return (
    <div>
      <Picker
        key={parentId}
        label={label}
        value={value}
        source={source}
        placeholder={pick.of === undefined ? undefined : workflowsTexts.newest}
        isInvalid={faults.length > 0}
        onPick={onPick}
      />
      <Faults messages={faults} />
    </div>
  );
}

interface AgentsFieldProps {
  label: string;
  agents: unknown;
  faults: readonly string[];
  onChange: (agents: string[]) => void;
}

/** The AI lensers of a vote. */
export function AgentsField({ label, agents, faults, onChange }: AgentsFieldProps) {
  const source = useNodeSource('agent', '');
  const handles = Array.isArray(agents) ? agents.filter((each) => typeof each === 'string') : [];
  return (
    <fieldset>
      <legend>{label}</legend>
      {handles.length > 0 && (
        <ul className="picked">
          {handles.map((handle) => (
            <PickedAgent
              key={handle}
              handle={handle}
              source={source}
              onDrop={() => onChange(handles.filter((each) => each !== handle))}
            />
          ))}
        </ul>
      )}
      <Picker
        label={workflowsTexts.addAgent}
        value=""
        source={source}
        isInvalid={faults.length > 0}
        onPick={(handle) => {
          if (handle !== '' && !handles.includes(handle)) onChange([...handles, handle]);
        }}
      />
      <Faults messages={faults} />
    </fieldset>
  );
}

function PickedAgent({ handle, source, onDrop }: { handle: string; source: PickerSource; onDrop: () => void }) {
  const { picked } = usePicked(source, handle);
  const name = picked?.name ?? handle;
  return (
    <li>
      {name} {picked === null ? <span className="notice bad">{texts.picker.unknown(handle)}</span> : picked?.about}{' '}
      <button type="button" className="quiet" aria-label={workflowsTexts.dropAgent(name)} onClick={onDrop}>
        ×
      </button>
    </li>
  );
}
