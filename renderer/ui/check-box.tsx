// A check box or a radio button with its label.
import type { ComponentProps, ReactNode } from 'react';
import './form-dialog.css';

/** `className` and `title` are those of the label around the box. */
interface BoxProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange'> {
  readonly label: ReactNode;
}

interface CheckBoxProps extends BoxProps {
  readonly onChange: (checked: boolean) => void;
}

export function CheckBox({ label, className = 'form-check', title, onChange, ...box }: CheckBoxProps): ReactNode {
  return (
    <label className={className} title={title}>
      <input type="checkbox" onChange={(event) => onChange(event.target.checked)} {...box} />
      {label}
    </label>
  );
}

interface RadioButtonProps extends BoxProps {
  readonly onChoose: () => void;
}

/** @param name the same for all radio buttons of one choice */
export function RadioButton({ label, title, onChoose, ...box }: RadioButtonProps): ReactNode {
  return (
    <label className="form-check" title={title}>
      <input type="radio" onChange={onChoose} {...box} />
      {label}
    </label>
  );
}
