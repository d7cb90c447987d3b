// A line of text that counts when it is left.
import { useState, type ReactNode } from 'react';
import { useOpenField } from './open-fields.ts';

interface CommittedFieldProps {
  readonly value: string;
  readonly type?: 'text' | 'number';
  readonly placeholder?: string | undefined;
  readonly className: string;
  readonly id?: string;
  readonly label?: string;
  readonly 'aria-describedby'?: string | undefined;
  /** Problem of the current value. */
  readonly invalid?: string | undefined;
  /** The `id` of a list of suggestions. */
  readonly list?: string;
  /** Why a typed text cannot be taken; null if it can. It stays in the field until it is changed, or until Esc. */
  readonly problemOf?: (typed: string) => string | null;
  readonly disabled?: boolean;
  readonly onCommit: (value: string) => void;
}

/**
 * A field whose text counts when it is left or Enter is pressed: each change rereads the file or the preview. Esc restores the previous
 * text.
 */
export function CommittedField({
  value,
  type = 'text',
  label,
  invalid,
  problemOf,
  onCommit,
  ...rest
}: CommittedFieldProps): ReactNode {
  const [typed, setTyped] = useState<string | null>(null);
  const isChanged = typed !== null && typed !== value;
  const refused = isChanged ? (problemOf?.(typed) ?? null) : null;
  const problem = refused ?? invalid;
  const commit = (): void => {
    if (refused !== null) return;
    if (isChanged) onCommit(typed);
    setTyped(null);
  };
  useOpenField(() => {
    commit();
    return Promise.resolve(refused === null);
  });
  return (
    <input
      {...rest}
      type={type}
      min={0}
      spellCheck={false}
      autoComplete="off"
      aria-label={label}
      aria-invalid={problem !== undefined || undefined}
      title={problem}
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
