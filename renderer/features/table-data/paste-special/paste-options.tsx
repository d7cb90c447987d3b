// How the text on the clipboard is split: the detected options, each changeable.
import { useId } from 'react';
import type { ReactNode } from 'react';
import type { ImportFormatId } from '#shared/import-formats.ts';
import type { ImportOptions } from '#shared/protocol/index.ts';
import { Select } from '../../../ui/select.tsx';
import { DELIMITERS } from '../../../workbench/files/delimiters.ts';
import { canTranspose } from './transposed-text.ts';

const FORMATS = [
  ['csv', 'Delimited text'],
  ['json', 'JSON'],
  ['ndjson', 'NDJSON'],
] as const satisfies readonly (readonly [ImportFormatId, string])[];
const QUOTES = [
  ['"', 'Double quote "'],
  ["'", "Single quote '"],
  ['', 'None'],
] as const;

interface PasteOptionsProps {
  readonly options: ImportOptions;
  readonly trims: boolean;
  readonly transposes: boolean;
  readonly onChange: (change: Partial<ImportOptions>) => void;
  readonly onTrim: (trims: boolean) => void;
  readonly onTranspose: (transposes: boolean) => void;
}

export function PasteOptions({
  options,
  trims,
  transposes,
  onChange,
  onTrim,
  onTranspose,
}: PasteOptionsProps): ReactNode {
  const { format, delimiter, quote, nullTokens, decimalComma } = options;
  const words = nullTokens.filter((token) => token !== '');
  return (
    <div className="form-lines">
      <Choice
        label="Format"
        value={format}
        options={FORMATS}
        onChoose={(value) => onChange({ format: value as ImportFormatId })}
      />
      {format === 'csv' && (
        <>
          <Choice
            label="Delimiter"
            value={delimiter}
            options={withOwn([...DELIMITERS, ['', 'None']], delimiter)}
            onChoose={(value) => onChange({ delimiter: value })}
          />
          <Choice
            label="Quote"
            value={quote}
            options={withOwn(QUOTES, quote)}
            onChoose={(value) => onChange({ quote: value })}
          />
          <Words
            words={words}
            onChange={(tokens) => onChange({ nullTokens: [...(nullTokens.includes('') ? [''] : []), ...tokens] })}
          />
          <Check
            label="First row has column names"
            checked={options.hasHeader}
            onChange={(hasHeader) => onChange({ hasHeader })}
          />
          <Check
            label="Empty cells without quotes are NULL"
            checked={nullTokens.includes('')}
            onChange={(isNull) => onChange({ nullTokens: isNull ? ['', ...words] : words })}
          />
          <Check label="Decimal comma (1,5)" checked={decimalComma} onChange={(is) => onChange({ decimalComma: is })} />
        </>
      )}
      <Check label="Trim spaces" checked={trims} onChange={onTrim} />
      {canTranspose(options) && (
        <Check label="Transpose rows and columns" checked={transposes} onChange={onTranspose} />
      )}
    </div>
  );
}

/** The usual values, plus the current value if it is not one of them. */
const withOwn = (
  usual: readonly (readonly [string, string])[],
  value: string,
): readonly (readonly [string, string])[] =>
  usual.some(([option]) => option === value) ? usual : [...usual, [value, value]];

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, ...select }: ChoiceProps): ReactNode {
  return (
    <div className="form-line">
      <span aria-hidden="true">{label}</span>
      <Select label={label} {...select} />
    </div>
  );
}

function Words({
  words,
  onChange,
}: {
  readonly words: readonly string[];
  readonly onChange: (words: readonly string[]) => void;
}): ReactNode {
  const id = useId();
  const commit = (text: string): void => {
    const tokens = text.split(',').flatMap((token) => (token.trim() === '' ? [] : [token.trim()]));
    if (tokens.join() !== words.join()) onChange(tokens);
  };
  return (
    <div className="form-line">
      <label htmlFor={id}>Also NULL</label>
      <input
        key={words.join()}
        id={id}
        type="text"
        className="small-field"
        spellCheck={false}
        autoComplete="off"
        placeholder="NULL, n/a"
        defaultValue={words.join(', ')}
        onBlur={(event) => commit(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && commit(event.currentTarget.value)}
      />
    </div>
  );
}

interface CheckProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

const Check = ({ label, checked, onChange }: CheckProps): ReactNode => (
  <label className="form-check">
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
    {label}
  </label>
);
