// How the file is read: the detected options, each with its evidence, each changeable at once.
import { useState, type ReactNode } from 'react';
import { NAMED_IMPORT_FORMATS, placeWord, type ImportFormatId } from '#shared/import-formats.ts';
import type { DetectedSource, ImportOptions } from '#shared/protocol/index.ts';
import { formatCount } from '../../ui/format.ts';
import { withOwn } from '../../ui/select.tsx';
import { DELIMITERS } from '../../workbench/files/delimiters.ts';
import { EMPTY, nullWords, QUOTED_EMPTY, withEmpty } from '#shared/import/null-tokens.ts';
import { CheckLine, ChoiceLine, TextLine } from './form-parts.tsx';
import type { ImportSession } from './import-session.ts';

export const FORMATS = NAMED_IMPORT_FORMATS.map(({ id, title }) => [id, title] as const);
/** Formats that define their own text encoding. */
const BINARY: ReadonlySet<ImportFormatId> = new Set(['xlsx', 'parquet']);

export const ENCODINGS = [
  ['utf-8', 'UTF-8'],
  ['ascii', 'Recognized while reading'],
  ['utf-16le', 'UTF-16 LE'],
  ['utf-16be', 'UTF-16 BE'],
  ['windows-1252', 'Windows-1252 (Western European)'],
  ['iso-8859-15', 'ISO 8859-15 (Western European)'],
  ['windows-1250', 'Windows-1250 (Central European)'],
  ['iso-8859-2', 'ISO 8859-2 (Central European)'],
  ['windows-1251', 'Windows-1251 (Cyrillic)'],
  ['koi8-r', 'KOI8-R (Cyrillic)'],
  ['macintosh', 'Mac OS Roman'],
  ['shift_jis', 'Shift JIS (Japanese)'],
  ['euc-jp', 'EUC-JP (Japanese)'],
  ['gb18030', 'GB 18030 (Chinese)'],
  ['big5', 'Big5 (Chinese)'],
  ['euc-kr', 'EUC-KR (Korean)'],
] as const;

const ESCAPES = [
  ['', 'Doubled quotes only'],
  ['\\', 'Backslash (\\)'],
] as const;

const QUOTES = [
  ['"', 'Double (")'],
  ["'", "Single (')"],
  ['', 'None'],
] as const;

interface FileOptionsProps {
  readonly session: ImportSession;
  readonly detected: DetectedSource;
  readonly options: ImportOptions;
}

export function FileOptions({ session, detected, options }: FileOptionsProps): ReactNode {
  const set = (change: Partial<ImportOptions>): void => void session.setOptions(change);
  const { format } = options;
  const note = noteOf(detected);
  return (
    <section className="import-group" aria-labelledby="import-file">
      <h2 id="import-file">File</h2>
      <ChoiceLine
        label="Format"
        note={note('format')}
        value={format}
        options={withOwn(FORMATS, format)}
        onChoose={(value) => set({ format: value as ImportFormatId })}
      />
      {detected.parts.length > 0 && (
        <ChoiceLine
          label={format === 'xlsx' ? 'Sheet' : format === 'json' ? 'Part' : 'Table'}
          note={note('part')}
          value={options.part ?? ''}
          options={withOwn(
            detected.parts.map((part) => [part, part || 'The whole object, as one row'] as const),
            options.part ?? '',
          )}
          onChoose={(part) => set({ part })}
        />
      )}
      {!BINARY.has(format) && (
        <ChoiceLine
          label="Encoding"
          note={note('encoding')}
          value={options.encoding}
          options={withOwn(ENCODINGS, options.encoding)}
          onChoose={(encoding) => set({ encoding })}
        />
      )}
      {format === 'csv' && <CsvOptions options={options} note={note} set={set} />}
      {(format === 'csv' || format === 'xlsx') && <HeaderOptions options={options} note={note} set={set} />}
    </section>
  );
}

type NoteOf = (option: keyof ImportOptions) => string | undefined;

const noteOf =
  ({ evidence, options: { format } }: DetectedSource): NoteOf =>
  (option) =>
    evidence
      .filter((each) => each.option === option)
      .map(({ reason, line }) => (line === undefined ? reason : `${placeWord(format)} ${formatCount(line)}: ${reason}`))
      .join(' ') || undefined;

interface PartProps {
  readonly options: ImportOptions;
  readonly note: NoteOf;
  readonly set: (change: Partial<ImportOptions>) => void;
}

/** The option that asks for another value. */
const OTHER = 'other';

function CsvOptions({ options, note, set }: PartProps): ReactNode {
  return (
    <>
      <DelimiterOption options={options} note={note} set={set} />
      <ChoiceLine
        label="Quote"
        note={note('quote')}
        value={options.quote}
        options={withOwn(QUOTES, options.quote)}
        onChoose={(quote) => set({ quote })}
      />
      <ChoiceLine
        label="Escape"
        note={note('escape')}
        value={options.escape}
        options={withOwn(ESCAPES, options.escape)}
        onChoose={(escape) => set({ escape })}
      />
      <CheckLine
        label="Skip blanks after delimiters"
        note={note('skipsBlanks')}
        checked={options.skipsBlanks}
        onChange={(skipsBlanks) => set({ skipsBlanks })}
      />
      <TextLine
        label="Comments"
        note={note('comment')}
        value={options.comment}
        placeholder="none"
        onCommit={(comment) => set({ comment })}
      />
      <CheckLine
        label="Decimal comma (1,5)"
        note={note('decimalComma')}
        checked={options.decimalComma}
        onChange={(decimalComma) => set({ decimalComma })}
      />
    </>
  );
}

function DelimiterOption({ options, note, set }: PartProps): ReactNode {
  const [isOther, setIsOther] = useState(false);
  const isUsual = DELIMITERS.some(([usual]) => usual === options.delimiter);
  return (
    <>
      <ChoiceLine
        label="Delimiter"
        note={note('delimiter')}
        value={isOther || !isUsual ? OTHER : options.delimiter}
        options={[...DELIMITERS, [OTHER, 'Other…']]}
        onChoose={(delimiter) => {
          setIsOther(delimiter === OTHER);
          if (delimiter !== OTHER) set({ delimiter });
        }}
      />
      {(isOther || !isUsual) && (
        <TextLine
          label="Characters"
          value={isUsual ? '' : options.delimiter}
          placeholder="One or more"
          onCommit={(delimiter) => {
            if (delimiter === '') return;
            setIsOther(false);
            set({ delimiter });
          }}
        />
      )}
    </>
  );
}

function HeaderOptions({ options, note, set }: PartProps): ReactNode {
  const { nullTokens } = options;
  const empties = nullTokens.filter((token) => token === EMPTY || token === QUOTED_EMPTY);
  const words = nullWords(nullTokens);
  return (
    <>
      <CheckLine
        label="First line has column names"
        note={note('hasHeader')}
        checked={options.hasHeader}
        onChange={(hasHeader) => set({ hasHeader })}
      />
      <TextLine
        label="Lines to skip"
        type="number"
        note={note('skipLines')}
        value={String(options.skipLines)}
        onCommit={(text) => set({ skipLines: Math.max(0, Math.floor(Number(text)) || 0) })}
      />
      <CheckLine
        label="Empty cells without quotes are NULL"
        checked={nullTokens.includes(EMPTY)}
        onChange={(isNull) => set({ nullTokens: withEmpty(nullTokens, EMPTY, isNull) })}
      />
      {options.format === 'csv' && (
        <CheckLine
          label="Empty cells in quotes are NULL"
          checked={nullTokens.includes(QUOTED_EMPTY)}
          onChange={(isNull) => set({ nullTokens: withEmpty(nullTokens, QUOTED_EMPTY, isNull) })}
        />
      )}
      <TextLine
        label="Also NULL"
        note={note('nullTokens')}
        value={words.join(', ')}
        placeholder="NULL, n/a"
        onCommit={(text) => set({ nullTokens: [...empties, ...tokensOf(text)] })}
      />
    </>
  );
}

const tokensOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');
