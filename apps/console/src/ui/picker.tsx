import { Link } from '@tanstack/react-router';
import { useEffect, useId, useState } from 'react';
import { texts } from '../texts';
import { describeFault } from './fault';
import type { PickerOption, PickerSource } from './picker-source';
import { usePicked, usePickerOptions } from './use-picker-options';

interface Props {
  label: string;
  /** Empty when nothing is picked. */
  value: string;
  source: PickerSource;
  placeholder?: string | undefined;
  isInvalid?: boolean;
  onPick: (value: string) => void;
}

/** A field that offers things by name, and also takes the id of one. */
export function Picker({ label, value, source, placeholder = texts.picker.placeholder, isInvalid, onPick }: Props) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const { picked, remember } = usePicked(source, value);
  const { options, isLoading, error, more } = usePickerOptions(source, typed ?? '', isOpen);
  const text = typed?.trim() ?? '';
  const isOffered = text !== '' && source.isValue(text) && options.every((option) => option.value !== text);
  const offered: PickerOption[] = isOffered ? [{ value: text, name: texts.picker.take(text) }] : [];
  const all = [...options, ...offered];

  const close = (): void => {
    setOpen(false);
    setTyped(undefined);
    setActive(-1);
  };
  const pick = (next: string): void => {
    const option = options.find((each) => each.value === next);
    if (option) remember(option);
    if (next !== value) onPick(next);
    close();
  };
  /** The value that the text names; undefined for one that is only part of a name. */
  const named = (): string | undefined => {
    const [first, ...others] = options.filter(({ name }) => name.toLowerCase() === text.toLowerCase());
    if (first && others.length === 0) return first.value;
    return text === '' || source.isValue(text) ? text : undefined;
  };
  /** Takes the text if it names a value. With `isLeft` any other text is dropped. */
  const take = (isLeft: boolean): void => {
    const next = typed === undefined ? value : named();
    if (next !== undefined) pick(next);
    else if (isLeft) close();
  };
  const move = (step: number): void => {
    if (!isOpen) setOpen(true);
    const next = Math.max(0, Math.min(all.length - 1, active + step));
    if (next >= options.length - 1) more?.();
    setActive(next);
  };
  const press = (event: React.KeyboardEvent): void => {
    const chosen = isOpen ? all[active] : undefined;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter' && chosen) pick(chosen.value);
    else if (event.key === 'Enter' && isOpen) take(false);
    else if (event.key === 'Escape' && isOpen) close();
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);

  return (
    <div className="picker">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={typed ?? picked?.name ?? value}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen && all[active] ? `${id}-${active}` : undefined}
        aria-invalid={isInvalid === true || picked === null}
        aria-describedby={`${id}-about`}
        onFocus={(event) => event.currentTarget.select()}
        onClick={() => setOpen(true)}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setOpen(true);
          setActive(event.currentTarget.value === '' ? -1 : 0);
        }}
        onKeyDown={press}
        onBlur={() => take(true)}
      />
      {isOpen && (
        <OptionList
          id={id}
          label={label}
          offered={all}
          active={active}
          isFaulty={Boolean(error)}
          state={
            error
              ? describeFault(error)
              : isLoading
                ? texts.loading
                : options.length === 0
                  ? texts.picker.none
                  : texts.picker.count(options.length, more !== undefined)
          }
          onPick={pick}
          onEnd={more}
        />
      )}
      <p id={`${id}-about`} className={picked === null ? 'notice bad' : 'quiet'}>
        {picked === null ? texts.picker.unknown(value) : <About option={picked} />}
      </p>
    </div>
  );
}

interface ListProps {
  /** The id of the field. */
  id: string;
  label: string;
  offered: readonly PickerOption[];
  active: number;
  isFaulty: boolean;
  state: string;
  onPick: (value: string) => void;
  onEnd: (() => void) | undefined;
}

const OptionList = ({ id, label, offered, active, isFaulty, state, onPick, onEnd }: ListProps) => (
  // A press must not take the focus out of the field.
  <div className="picker-list" onMouseDown={(event) => event.preventDefault()}>
    <ul
      role="listbox"
      id={`${id}-list`}
      aria-label={label}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        if (scrollTop + clientHeight > scrollHeight - 40) onEnd?.();
      }}
    >
      {offered.map(({ value: each, name, about }, index) => (
        <li
          key={each}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          onClick={() => onPick(each)}
        >
          {name} {about !== undefined && <span className="quiet">{about}</span>}
        </li>
      ))}
    </ul>
    <p role="status" className={isFaulty ? 'notice bad' : 'quiet'}>
      {state}
    </p>
  </div>
);

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
