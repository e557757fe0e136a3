import { Combobox } from '@base-ui/react/combobox';
import { Link } from '@tanstack/react-router';
import { useId, useRef, useState } from 'react';
import { texts } from '../texts';
import { describeFault } from './fault';
import type { PickerOption, PickerSource } from './picker-source';
import { usePicked, usePickerOptions } from './use-picker-options';

interface Props {
  label: string;
  /** Empty when nothing is picked. */
  value: string;
  source: PickerSource;
  /** The name of the value in the form around it, which needs one then. */
  name?: string;
  placeholder?: string | undefined;
  isInvalid?: boolean;
  onPick: (value: string) => void;
}

const isSame = (one: PickerOption, other: PickerOption): boolean => one.value === other.value;
/** Changes for other reasons follow from a value that was picked. */
const isTyped = (reason: string): boolean => reason === 'input-change' || reason === 'input-clear';

/** A field that offers things by name, and also takes the id of one. */
export function Picker({ label, value, source, name, placeholder, isInvalid, onPick }: Props) {
  const id = useId();
  const around = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const { picked, remember } = usePicked(source, value);
  const { options, isLoading, error, more } = usePickerOptions(source, typed ?? '', isOpen);
  const text = typed?.trim() ?? '';
  const isOffered = text !== '' && source.isValue(text) && options.every((option) => option.value !== text);
  const offered: PickerOption[] = isOffered ? [{ value: text, name: texts.picker.take(text) }] : [];
  const current: PickerOption | null = value === '' ? null : (picked ?? { value, name: value });

  const pick = (next: string): void => {
    const option = options.find((each) => each.value === next);
    if (option) remember(option);
    if (next !== value) onPick(next);
  };
  /** Takes the text if it names a value; one that is only part of a name is dropped. */
  const leave = (): void => {
    const [first, ...others] = options.filter((option) => option.name.toLowerCase() === text.toLowerCase());
    if (first && others.length === 0) pick(first.value);
    else if (text !== '' && source.isValue(text)) pick(text);
  };
  const close = (before?: () => void): void => {
    if (isOpen) before?.();
    setOpen(false);
    setTyped(undefined);
  };
  return (
    <div className="picker" ref={around}>
      <label htmlFor={id}>{label}</label>
      <Combobox.Root
        items={[...options, ...offered]}
        filter={null}
        autoHighlight
        {...(name !== undefined && { name, required: true })}
        value={current}
        isItemEqualToValue={isSame}
        itemToStringLabel={(option) => option.name}
        itemToStringValue={(option) => option.value}
        inputValue={typed ?? current?.name ?? ''}
        open={isOpen}
        onInputValueChange={(next, { reason }) => {
          if (isTyped(reason)) setTyped(next);
        }}
        onValueChange={(option, { reason }) => {
          // Escape closes what is around the field, and empties nothing.
          if (reason !== 'escape-key') pick(option?.value ?? '');
        }}
        onItemHighlighted={(option) => {
          if (option && options.at(-1) === option) more?.();
        }}
        onOpenChange={(next, { reason }) => {
          if (next) setOpen(true);
          else close(reason === 'escape-key' || reason === 'item-press' ? undefined : leave);
        }}
      >
        <Combobox.Input
          id={id}
          spellCheck={false}
          placeholder={placeholder ?? texts.picker.placeholder}
          aria-invalid={isInvalid === true || picked === null}
          aria-describedby={`${id}-about`}
          onFocus={(event) => event.currentTarget.select()}
          onBlur={() => close(leave)}
        />
        {isOpen && (
          <Combobox.Portal container={around}>
            <Combobox.Positioner className="picker-place">
              {/* The part `Popup` would hide the rest of the page from screen readers while the list is open. */}
              <div className="picker-list">
                <Combobox.List
                  aria-label={label}
                  onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
                    if (scrollTop + clientHeight > scrollHeight - 40) more?.();
                  }}
                >
                  {(option: PickerOption) => (
                    <Combobox.Item key={option.value} value={option}>
                      {option.name} {option.about !== undefined && <span className="quiet">{option.about}</span>}
                    </Combobox.Item>
                  )}
                </Combobox.List>
                <Combobox.Status render={<p />} className={error ? 'notice bad' : 'quiet'}>
                  {error
                    ? describeFault(error)
                    : isLoading
                      ? texts.loading
                      : options.length === 0
                        ? texts.picker.none
                        : texts.picker.count(options.length, more !== undefined)}
                </Combobox.Status>
              </div>
            </Combobox.Positioner>
          </Combobox.Portal>
        )}
      </Combobox.Root>
      <p id={`${id}-about`} className={picked === null ? 'notice bad' : 'quiet'}>
        {picked === null ? texts.picker.unknown(value) : <About option={picked} />}
      </p>
    </div>
  );
}

function About({ option }: { option: PickerOption | undefined }) {
  if (!option) return null;
  return (
    <>
      {option.about}{' '}
      {option.href !== undefined && (
        <Link to={option.href} target="_blank">
          {texts.picker.open} <span className="hidden">{option.name}</span>
        </Link>
      )}
    </>
  );
}
