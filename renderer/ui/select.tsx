// A field for one of a few values, in a line of text and buttons.
import type { ComponentProps, ReactNode, Ref } from 'react';
import './form-dialog.css';
import './text-field.css';

interface SelectProps<T extends string> extends Pick<ComponentProps<'select'>, 'id' | 'aria-describedby' | 'disabled'> {
  readonly selectRef?: Ref<HTMLSelectElement>;
  readonly label?: string;
  readonly value: T;
  readonly options: readonly (readonly [T, string])[];
  readonly onChoose: (value: T) => void;
}

export function Select<T extends string>({
  selectRef,
  label,
  value,
  options,
  onChoose,
  ...rest
}: SelectProps<T>): ReactNode {
  return (
    <select
      {...rest}
      ref={selectRef}
      className="small-field"
      aria-label={label}
      value={value}
      onChange={(event) => onChoose(event.target.value as T)}
    >
      {options.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </select>
  );
}

type SelectLineProps<T extends string> = SelectProps<T> & { readonly label: string; readonly shownLabel?: string };

/** A line of a form. What is read aloud names the field; what is shown beside it may be shorter. */
export function SelectLine<T extends string>({ shownLabel, ...select }: SelectLineProps<T>): ReactNode {
  return (
    <div className="form-line">
      <span aria-hidden="true">{shownLabel ?? select.label}</span>
      <Select {...select} />
    </div>
  );
}

/** The usual values, plus the current value if it is not one of them. */
export const withOwn = (
  usual: readonly (readonly [string, string])[],
  value: string,
): readonly (readonly [string, string])[] =>
  usual.some(([option]) => option === value) ? usual : [...usual, [value, value]];
