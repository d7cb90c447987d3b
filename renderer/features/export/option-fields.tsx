// The options of a format, each as a field with its label.
import { useId, type ReactNode } from 'react';
import type { ExportFormatInfo, ExportOptionId, ExportOptions } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { SelectLine } from '../../ui/select.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { DELIMITERS } from '../../workbench/files/delimiters.ts';

interface OptionFieldsProps {
  readonly format: ExportFormatInfo;
  readonly options: ExportOptions;
  /** Default name of the table to write the rows into; null: there is more than one table. */
  readonly ownTable: string | null;
  /** Columns that hold nothing but dates in the first rows. */
  readonly dateColumns: readonly string[];
  readonly hasFolder: boolean;
  readonly onChange: (change: Partial<ExportOptions>) => void;
}

const LINE_ENDINGS = [
  ['lf', 'LF (Linux, macOS)'],
  ['crlf', 'CRLF (Windows)'],
] as const;
const DECIMALS = [
  ['.', 'Point: 0.5'],
  [',', 'Comma: 0,5'],
] as const;
const BLOBS = [
  ['hex', 'Hexadecimal'],
  ['base64', 'Base64'],
  ['files', 'Files in a folder next to it'],
] as const;

export function OptionFields(props: OptionFieldsProps): ReactNode {
  if (props.format.options.length === 0) return null;
  return (
    <div className="stack gap-4">
      <Fields {...props} />
      <Checks {...props} />
    </div>
  );
}

function Fields({ format, options, ownTable, hasFolder, onChange }: OptionFieldsProps): ReactNode {
  const takes = (id: ExportOptionId): boolean => format.options.includes(id);
  const namesFiles = hasFolder && format.canNameFiles === true;
  const { delimiter, nullText, blobs, decimal, lineEnding, tableName } = options;
  return (
    <>
      {takes('delimiter') && (
        <SelectLine
          label="Delimiter"
          value={delimiter}
          options={DELIMITERS}
          onChoose={(one) => onChange({ delimiter: one })}
        />
      )}
      {takes('nullText') && (
        <Text
          label="NULL as"
          value={nullText}
          placeholder="nothing"
          onChange={(text) => onChange({ nullText: text })}
        />
      )}
      {takes('blobs') && (
        <SelectLine
          label="BLOBs as"
          value={namesFiles || blobs !== 'files' ? blobs : 'hex'}
          options={BLOBS.filter(([form]) => namesFiles || form !== 'files')}
          onChoose={(one) => onChange({ blobs: one })}
        />
      )}
      {takes('decimal') && (
        <SelectLine
          label="Decimals"
          value={decimal}
          options={DECIMALS}
          onChoose={(one) => onChange({ decimal: one })}
        />
      )}
      {takes('lineEnding') && (
        <SelectLine
          label="Line endings"
          value={lineEnding}
          options={LINE_ENDINGS}
          onChoose={(one) => onChange({ lineEnding: one })}
        />
      )}
      {takes('tableName') && ownTable !== null && (
        <Text
          label="Table"
          value={tableName}
          placeholder={ownTable}
          onChange={(name) => onChange({ tableName: name })}
        />
      )}
    </>
  );
}

function Checks({ format, options, dateColumns, onChange }: OptionFieldsProps): ReactNode {
  const takes = (id: ExportOptionId): boolean => format.options.includes(id);
  const { header, ddl, bom, formulaGuard, excelDates } = options;
  return (
    <>
      {takes('header') && (
        <Check label="Column names first" checked={header} onChange={(is) => onChange({ header: is })} />
      )}
      {takes('ddl') && (
        <Check
          label="Create the table, its indexes, and its triggers"
          checked={ddl}
          onChange={(is) => onChange({ ddl: is })}
        />
      )}
      {takes('bom') && (
        <Check label="Byte order mark (for Excel)" checked={bom} onChange={(is) => onChange({ bom: is })} />
      )}
      {takes('excelDates') && dateColumns.length > 0 && (
        <Check
          label={`Write dates of ${namesOf(dateColumns)} as Excel dates`}
          checked={excelDates}
          onChange={(is) => onChange({ excelDates: is })}
          warning="A column becomes dates only if each of its values is one. The message after the export names the columns."
        />
      )}
      {takes('formulaGuard') && (
        <Check
          label="Protect against formulas"
          checked={formulaGuard}
          onChange={(is) => onChange({ formulaGuard: is })}
          warning="Text that begins with = + - or @ gets a leading apostrophe. This also changes text like “-5”."
        />
      )}
    </>
  );
}

const NAMED = 3;

function namesOf(columns: readonly string[]): string {
  const names = columns.slice(0, NAMED).map(visibleName).join(', ');
  return columns.length > NAMED ? `${names} and ${columns.length - NAMED} more` : names;
}

interface CheckProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  /** Effect on the data, shown while the option is on. */
  readonly warning?: string;
}

function Check({ label, checked, onChange, warning }: CheckProps): ReactNode {
  return (
    <>
      <CheckBox label={label} checked={checked} onChange={onChange} />
      {warning !== undefined && checked && (
        <p className="warn-note flush export-warning" role="status">
          {warning}
        </p>
      )}
    </>
  );
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly onChange: (value: string) => void;
}

function Text({ label, value, placeholder, onChange }: TextProps): ReactNode {
  const id = useId();
  return (
    <div className="form-line">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        className="small-field"
        spellCheck={false}
        autoComplete="off"
        value={value}
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
