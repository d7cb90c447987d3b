// The field for a value. It shows the text unchanged, including hidden characters.
import { useLayoutEffect, useMemo, useRef, type KeyboardEvent, type ReactNode } from 'react';

/** Breaking a line takes time that grows with the square of its length as soon as it is not ASCII: such lines are not wrapped. */
const MAX_WRAPPED_CHARS = 2000;
const HAS_LONG_LINE = new RegExp(`[^\\n]{${MAX_WRAPPED_CHARS}}`);
const ASCII = /^[\n\t\x20-\x7e]*$/;

export const canWrap = (text: string): boolean => ASCII.test(text) || !HAS_LONG_LINE.test(text);

export interface Selected {
  readonly from: number;
  readonly to: number;
}

interface TextAreaProps {
  readonly label: string;
  readonly text: string;
  readonly wraps: boolean;
  readonly isMono: boolean;
  /** Restricted to one line. */
  readonly isShort?: boolean;
  readonly isInvalid: boolean;
  readonly isReadOnly?: boolean;
  /** A new object moves the focus there. */
  readonly selected: Selected | null;
  readonly onChange: (text: string) => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

export function TextArea(props: TextAreaProps): ReactNode {
  const {
    label,
    text,
    wraps,
    isMono,
    isShort = false,
    isInvalid,
    isReadOnly = false,
    selected,
    onChange,
    onKeyDown,
  } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const mayWrap = useMemo(() => canWrap(text), [text]);
  useLayoutEffect(() => {
    if (!selected || !field.current) return;
    field.current.focus({ preventScroll: true });
    field.current.setSelectionRange(selected.from, selected.to);
  }, [selected]);
  const classes = ['value-field', ...(isMono ? ['value-field-mono'] : []), ...(isShort ? ['value-field-short'] : [])];
  return (
    <textarea
      ref={field}
      className={classes.join(' ')}
      aria-label={label}
      aria-invalid={isInvalid || undefined}
      readOnly={isReadOnly}
      spellCheck={false}
      autoComplete="off"
      wrap={wraps && mayWrap ? 'soft' : 'off'}
      value={text}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={onKeyDown}
    />
  );
}
