// A line of text that counts when it is left.
import { useState } from 'react';
import type { ReactNode } from 'react';

interface CommittedFieldProps {
  readonly value: string;
  readonly type?: 'text' | 'number';
  readonly placeholder?: string | undefined;
  readonly className: string;
  readonly id?: string;
  readonly label?: string;
  readonly 'aria-describedby'?: string | undefined;
  readonly invalid?: string | undefined;
  readonly disabled?: boolean;
  readonly onCommit: (value: string) => void;
}

/** A field whose text counts when it is left or Enter is pressed: each change reads the file or the preview anew. Esc brings back what was there. */
export function CommittedField({
  value,
  type = 'text',
  label,
  invalid,
  onCommit,
  ...rest
}: CommittedFieldProps): ReactNode {
  const [typed, setTyped] = useState<string | null>(null);
  const commit = (): void => {
    if (typed !== null && typed !== value) onCommit(typed);
    setTyped(null);
  };
  return (
    <input
      {...rest}
      type={type}
      min={0}
      spellCheck={false}
      autoComplete="off"
      aria-label={label}
      aria-invalid={invalid !== undefined || undefined}
      title={invalid}
      value={typed ?? value}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
        else if (event.key === 'Escape' && typed !== null) setTyped(null);
        else return;
        event.preventDefault();
      }}
    />
  );
}
