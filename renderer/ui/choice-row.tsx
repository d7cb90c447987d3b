// A row of buttons of which one is chosen: the part that a page shows (tabs), or one of a few values. Left and Right go from one to the
// next.
import type { KeyboardEvent, ReactNode } from 'react';
import './choice-row.css';

export interface Choice<T> {
  readonly id: T;
  readonly label: ReactNode;
  /** Text for screen readers instead of the label. */
  readonly spoken?: string | undefined;
  readonly title?: string | undefined;
  readonly className?: string;
}

interface ChoiceRowProps<T> {
  /** Label of the row for screen readers. */
  readonly label: string;
  readonly className?: string;
  readonly choices: readonly Choice<T>[];
  readonly chosen: T;
  readonly onChoose: (id: T) => void;
  /** `radio`: a value. `tab`: what is shown. */
  readonly role?: 'tab' | 'radio';
  /** The id of the element that shows the chosen part. */
  readonly panel?: string;
}

export function ChoiceRow<T extends string | number>(props: ChoiceRowProps<T>): ReactNode {
  const { label, className = 'part-tabs', choices, chosen, onChoose, role = 'tab', panel } = props;
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const position = choices.findIndex(({ id }) => id === chosen) + step;
    const next = choices[position];
    if (step === 0 || !next) return;
    event.preventDefault();
    onChoose(next.id);
    (event.currentTarget.children[position] as HTMLElement).focus();
  };
  const list = role === 'tab' ? 'tablist' : 'radiogroup';
  return (
    <div className={className} role={list} aria-label={label} onKeyDown={onKeyDown}>
      {choices.map((choice) => (
        <button
          key={choice.id}
          type="button"
          className={choice.className}
          role={role}
          {...{ [role === 'tab' ? 'aria-selected' : 'aria-checked']: choice.id === chosen }}
          aria-controls={panel}
          aria-label={choice.spoken}
          tabIndex={choice.id === chosen ? 0 : -1}
          title={choice.title}
          onClick={() => onChoose(choice.id)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}
