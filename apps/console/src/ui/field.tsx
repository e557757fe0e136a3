import { type ChangeEventHandler, type ComponentProps, type ReactNode, useCallback, useId, useRef } from 'react';
import { useFormContext } from 'react-hook-form';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface Named {
  label: ReactNode;
  name: string;
}

/** The registration of a control in its form, and its fault in the words of the browser or the server. */
function useControl<T extends Control>(name: string, onChange?: ChangeEventHandler<T>) {
  const id = useId();
  const control = useRef<T>(null);
  const { register, unregister, getFieldState, formState } = useFormContext();
  const validate = (): true | string => control.current?.validity.valid !== false || control.current.validationMessage;
  const registered = register(name, { validate });
  // The form must not give the value of a control that is gone to the one that replaces it.
  const take = useCallback(
    (found: T | null) => {
      control.current = found;
      if (found) register(name).ref(found);
      else unregister(name);
    },
    [name, register, unregister],
  );
  const { error } = getFieldState(name, formState);
  return {
    frame: { id, fault: error?.message },
    control: {
      name,
      ref: take,
      onBlur: registered.onBlur,
      onChange: ((event) => {
        void registered.onChange(event);
        onChange?.(event);
      }) satisfies ChangeEventHandler<T>,
      'aria-labelledby': `${id}-label`,
      ...(error && { 'aria-invalid': true, 'aria-describedby': `${id}-fault` }),
    },
  };
}

interface FrameProps extends Pick<Named, 'label'> {
  id: string;
  fault: string | undefined;
  className?: string | undefined;
  children: ReactNode;
}

const Frame = ({ id, label, className, fault, children }: FrameProps) => (
  <label className={className}>
    <span id={`${id}-label`}>{label}</span>
    {children}
    {fault !== undefined && (
      <span id={`${id}-fault`} role="alert" className="notice bad">
        {fault}
      </span>
    )}
  </label>
);

/** A field of a form, which shows its fault below it. */
export function Field({ label, name, className, onChange, ...input }: Named & ComponentProps<'input'>) {
  const { frame, control } = useControl(name, onChange);
  return (
    <Frame {...frame} label={label} className={className}>
      <input {...input} {...control} />
    </Frame>
  );
}

/** A field for long text. */
export function TextField({ label, name, className, onChange, ...text }: Named & ComponentProps<'textarea'>) {
  const { frame, control } = useControl(name, onChange);
  return (
    <Frame {...frame} label={label} className={className}>
      <textarea {...text} {...control} />
    </Frame>
  );
}

/** A field with choices, which are its children. */
export function SelectField({ label, name, className, onChange, ...select }: Named & ComponentProps<'select'>) {
  const { frame, control } = useControl(name, onChange);
  return (
    <Frame {...frame} label={label} className={className}>
      <select {...select} {...control} />
    </Frame>
  );
}
