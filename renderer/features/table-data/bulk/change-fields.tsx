// Fields of the dialog that changes many cells, for each kind of change, and the change they describe.
import { useId, type ReactNode, type Ref } from 'react';
import { TextField } from '../../../ui/text-field.tsx';
import { CheckBox } from '../../../ui/check-box.tsx';
import { rememberedSwitches, type TextSwitches } from '../../../workbench/find/text-search.ts';
import { integerFrom, realFrom } from '../../../workbench/cells/typed-text.ts';
import type { CellChange } from './cell-changes.ts';

export type ChangeKind = Exclude<CellChange['kind'], 'fill'>;

interface Typed extends TextSwitches {
  readonly value: string;
  readonly expression: string;
  readonly find: string;
  readonly replacement: string;
  readonly start: string;
  readonly step: string;
}

export const nothingTyped = (): Typed => ({
  value: '',
  expression: '',
  find: '',
  replacement: '',
  ...rememberedSwitches(),
  start: '1',
  step: '1',
});

/** The change, or a sentence about what is missing. */
export function changeOf(kind: ChangeKind, typed: Typed): CellChange | string {
  switch (kind) {
    case 'value':
      return { kind, text: typed.value };
    case 'expression':
      return typed.expression.trim() === ''
        ? 'Enter an expression, such as upper(value).'
        : { kind, sql: typed.expression };
    case 'replace': {
      const { find, replacement, matchCase, isWholeCell } = typed;
      return find === '' && !isWholeCell
        ? 'Enter the text to find.'
        : { kind, find, replacement, matchCase, isWholeCell };
    }
    case 'series': {
      const start = integerFrom(typed.start.trim()) ?? realFrom(typed.start.trim(), false);
      const step = integerFrom(typed.step.trim()) ?? realFrom(typed.step.trim(), false);
      return start === null || step === null ? 'Enter numbers for start and step.' : { kind, start, step };
    }
    default:
      return { kind };
  }
}

interface FieldsProps {
  readonly kind: ChangeKind;
  readonly typed: Typed;
  readonly firstRef: Ref<HTMLInputElement>;
  readonly onChange: (patch: Partial<Typed>) => void;
}

export function Fields({ kind, typed, firstRef, onChange }: FieldsProps): ReactNode {
  switch (kind) {
    case 'value':
      return (
        <>
          <Field label="Value" inputRef={firstRef} value={typed.value} onType={(value) => onChange({ value })} />
          <p className="change-note">All cells get this value, or an empty text if the field is empty.</p>
        </>
      );
    case 'expression':
      return (
        <>
          <Field
            label="Expression"
            inputRef={firstRef}
            value={typed.expression}
            onType={(expression) => onChange({ expression })}
          />
          <p className="change-note">“value” is the value of the cell. Column names are the other values of the row.</p>
        </>
      );
    case 'replace':
      return (
        <>
          <Field label="Find" inputRef={firstRef} value={typed.find} onType={(find) => onChange({ find })} />
          <Field label="Replace with" value={typed.replacement} onType={(replacement) => onChange({ replacement })} />
          <div className="wrap change-switches">
            <CheckBox label="Match case" checked={typed.matchCase} onChange={(matchCase) => onChange({ matchCase })} />
            <CheckBox
              label="Whole cell"
              checked={typed.isWholeCell}
              onChange={(isWholeCell) => onChange({ isWholeCell })}
            />
          </div>
          <p className="change-note">{foundBy(typed)}</p>
        </>
      );
    case 'series':
      return (
        <>
          <Field label="Start" inputRef={firstRef} value={typed.start} onType={(start) => onChange({ start })} />
          <Field label="Step" value={typed.step} onType={(step) => onChange({ step })} />
        </>
      );
    default:
      return null;
  }
}

function foundBy({ matchCase, isWholeCell }: TextSwitches): string {
  const letters = matchCase ? '' : 'A to Z equal a to z; other letters, such as É and é, differ. ';
  return `${letters}${isWholeCell ? 'Numbers are compared as text.' : 'Only text is searched: to replace a number, turn on “Whole cell”.'}`;
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly onType: (text: string) => void;
}

function Field({ label, value, inputRef, onType }: FieldProps): ReactNode {
  const id = useId();
  return (
    <div className="gap-8 change-field">
      <label htmlFor={id}>{label}</label>
      <TextField id={id} ref={inputRef} value={value} onChange={(event) => onType(event.target.value)} />
    </div>
  );
}
