// The raw WHERE condition: applied with Enter; an error points to its position.
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { AppError } from '#shared/protocol/errors.ts';
import { TextField } from '../../ui/text-field.tsx';

interface WhereFieldProps {
  readonly where: string;
  /** Error of the last attempt to open the table with this condition. */
  readonly error: AppError | null;
  onApply(where: string): void;
  onClose(): void;
}

export function WhereField({ where, error, onApply, onClose }: WhereFieldProps): ReactNode {
  const [text, setText] = useState(where);
  const [shown, setShown] = useState(where);
  if (shown !== where) {
    setShown(where); // it was changed from elsewhere, by “Clear filter”
    setText(where);
  }
  const field = useRef<HTMLInputElement>(null);
  const offset = error?.sqlite?.offset ?? -1;
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (offset >= 0) field.current?.setSelectionRange(offset, Math.max(offset + 1, wordEnd(where, offset)));
  }, [offset, where, error]);
  return (
    <div className="where">
      <label className="row gap-8 where-line">
        <span className="where-keyword">WHERE</span>
        <TextField
          ref={field}
          className="where-text"
          placeholder="price > 10 AND name LIKE 'A%'"
          aria-label="WHERE condition"
          aria-invalid={error !== null}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onApply(text);
            else if (event.key === 'Escape') onClose();
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
      </label>
      {error && (
        <p className="wrap small break-words where-error" role="alert">
          {error.message}
          {offset >= 0 && where !== '' && (
            <code>
              {where.slice(Math.max(0, offset - 30), offset)}
              <mark>{where.slice(offset, wordEnd(where, offset)) || ' '}</mark>
              {where.slice(wordEnd(where, offset), offset + 60)}
            </code>
          )}
        </p>
      )}
    </div>
  );
}

const wordEnd = (text: string, offset: number): number =>
  offset + (/^(?:\w+|\W)/.exec(text.slice(offset))?.[0].length ?? 0);
