// One line of text.
import type { ComponentProps, ReactNode } from 'react';
import './text-field.css';

export function TextField({ className = '', ...rest }: ComponentProps<'input'>): ReactNode {
  return (
    <input
      type="text"
      spellCheck={false}
      autoComplete="off"
      className={`text-color full-width text-field ${className}`}
      {...rest}
    />
  );
}
