// A choice of one value: buttons in a row, one of which is pressed.
import type { ReactNode } from 'react';
import { ChoiceRow } from '../../ui/choice-row.tsx';

interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly id: T; readonly label: string; readonly meaning?: string }[];
  readonly onChange: (value: T) => void;
}

export function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>): ReactNode {
  const choices = options.map(({ id, label: text, meaning }) => ({ id, label: text, title: meaning }));
  return (
    <ChoiceRow
      role="radio"
      className="bench-segments"
      label={label}
      choices={choices}
      chosen={value}
      onChoose={onChange}
    />
  );
}
