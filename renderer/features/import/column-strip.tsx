// Cards with the settings of each column, aligned with the columns of the grid below; only those in view exist.
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { Ellipsis, X } from 'lucide-react';
import type { Column, ColumnFacts, Reading } from '#shared/protocol/index.ts';
import { gutterWidth, layoutColumns, visibleColumns, type GridView } from '../../grid/layout/geometry.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { STRICT_TYPES, TYPES, type ColumnChoice } from '#shared/import/column-choices.ts';
import { readingSql } from '#shared/import/readings.ts';
import { Popover } from '@base-ui/react/popover';
import { affinityOf } from '#shared/ddl/affinity.ts';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { CheckLine, TextLine } from './form-parts.tsx';
import type { ImportSession } from './import-session.ts';
import { CommittedField } from '../../ui/committed-field.tsx';
import { Select } from '../../ui/select.tsx';
import type { ScrollLink } from './scroll-link.ts';

export const COLUMN_WIDTH = 210;
/** Not the name of a column: SQLite's names have no NUL. */
const NEW_COLUMN = '\0new';
/** The whole file decides, and has not been read yet. */
const OPEN_TYPE = '';
/** Cards beyond the visible ones, so that Tab finds the next card before it is scrolled into view. */
const OVERSCAN = 2;

interface ColumnStripProps {
  readonly session: ImportSession;
  readonly columns: readonly ShownColumn[];
  /** Columns of the existing table; null: a new one. */
  readonly tableColumns: readonly Column[] | null;
  /** Whether columns can be added to the existing table. */
  readonly canAdd: boolean;
  readonly isStrict: boolean;
  readonly isCounting: boolean;
  readonly rowCount: number;
  readonly view: GridView;
  readonly link: ScrollLink;
}

export function ColumnStrip(props: ColumnStripProps): ReactNode {
  const { columns, rowCount, view, link } = props;
  const strip = useRef<HTMLDivElement>(null);
  const { left, width } = useScrolled(strip, link);
  const layout = layoutColumns(columns.length, view, () => COLUMN_WIDTH);
  const gutter = gutterWidth(rowCount);
  const { first, last } = visibleColumns(layout, left, Math.max(1, width));
  const from = Math.max(0, first - OVERSCAN);
  const shown = columns.slice(from, Math.max(first, last) + 1 + OVERSCAN);
  return (
    <div className="fixed sunken">
      <div
        ref={strip}
        className="ruled-bar clip sunken anchor"
        role="group"
        aria-label="Columns"
        style={{ marginLeft: gutter }}
        // The browser would scroll to a control that gets the focus: the grid scrolls there instead, and this follows.
        onScroll={({ currentTarget }) => {
          if (currentTarget.scrollLeft === 0) return;
          link.scrollBy(currentTarget.scrollLeft);
          currentTarget.scrollLeft = 0;
        }}
      >
        <div className="anchor import-cards" style={{ width: layout.width, transform: `translateX(${-left}px)` }}>
          {shown.map((column, index) => (
            <ColumnCard
              key={column.at}
              {...props}
              column={column}
              left={layout.edges[from + index]!}
              width={layout.edges[from + index + 1]! - layout.edges[from + index]!}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

interface ColumnCardProps extends ColumnStripProps {
  readonly column: ShownColumn;
  readonly left: number;
  readonly width: number;
}

function ColumnCard(props: ColumnCardProps): ReactNode {
  const { session, column, tableColumns, isStrict, isCounting, left, width } = props;
  const { choice, at, facts, problem } = column;
  const ofTable = choice.isNew ? null : tableColumns;
  const declared = ofTable?.find(({ name }) => name === choice.name)?.declaredType;
  const hasReadings = facts !== null && facts.readings.length > 0;
  const { text, isWarning } = columnReason(column, declared, isCounting);
  const tone = problem ? 'import-bad' : isWarning ? 'import-warning' : '';
  return (
    <div className="import-card" role="group" aria-label={`Column ${choice.source}`} style={{ left, width }}>
      <div className="row gap-4 shrink-x import-card-line">
        <NameField {...props} ofTable={ofTable} />
        <IconButton
          label={choice.isAdded ? `Remove ${choice.source}` : `Do not import ${choice.source}`}
          onClick={() => session.nameColumn(at, null)}
        >
          <X size={14} aria-hidden />
        </IconButton>
      </div>
      <div className="row gap-4 shrink-x import-card-line">
        {ofTable ? (
          <span className="cut note shrink-x import-declared">{declared}</span>
        ) : (
          <TypeField session={session} column={column} isStrict={isStrict} isCounting={isCounting} />
        )}
        <span className="cut fill-x tiny accent" title={marksOf(column)}>
          {marksOf(column)}
        </span>
        <ColumnMore
          session={session}
          column={column}
          of={tableColumns ? (choice.isNew ? 'new-column' : 'column') : 'new-table'}
        />
      </div>
      <p className={`dim break-words clip import-facts ${tone}`} title={problem ?? text}>
        {problem ?? text}
      </p>
      {hasReadings && (
        <div className="row gap-4 shrink-x import-card-line">
          <ColumnReading session={session} column={{ ...column, facts }} />
        </div>
      )}
    </div>
  );
}

interface NameFieldProps extends Pick<ColumnCardProps, 'session' | 'column' | 'canAdd'> {
  /** Columns of the existing table; null: this one is new. */
  readonly ofTable: readonly Column[] | null;
}

function NameField({ session, column: { choice, at, problem }, canAdd, ofTable }: NameFieldProps): ReactNode {
  if (!ofTable)
    return (
      <CommittedField
        className="small-field"
        label={`Name of ${choice.source}`}
        value={choice.name ?? ''}
        invalid={problem}
        onCommit={(typed) => session.nameColumn(at, typed)}
      />
    );
  return (
    <Select
      label={`Column of the table for ${choice.source}`}
      value={choice.name ?? ''}
      options={[
        ...ofTable.map(({ name }) => [name, name] as const),
        ...(canAdd ? [[NEW_COLUMN, 'New column'] as const] : []),
      ]}
      onChoose={(value) => (value === NEW_COLUMN ? session.addToTable(at) : session.nameColumn(at, value))}
    />
  );
}

function TypeField({
  session,
  column: { choice, at },
  isStrict,
  isCounting,
}: Pick<ColumnCardProps, 'session' | 'column' | 'isStrict' | 'isCounting'>): ReactNode {
  const isOpen = isCounting && !choice.isTypeChosen;
  return (
    <select
      className="small-field import-type"
      aria-label={`Type of ${choice.source}`}
      value={isOpen ? OPEN_TYPE : choice.type}
      onChange={(event) => session.setColumn(at, { type: event.target.value, isTypeChosen: true })}
    >
      {isOpen && <option value={OPEN_TYPE}>Automatic</option>}
      {(isStrict ? STRICT_TYPES : TYPES).map((type) => (
        <option key={type} value={type}>
          {type}
        </option>
      ))}
    </select>
  );
}

/** Settings that are hidden under the disclosure. A reading is an expression too, and shown by its own field. */
const marksOf = ({ choice: { isNew, primaryKey, notNull, defaultSql, expression }, facts }: ShownColumn): string =>
  [
    isNew && 'new column',
    primaryKey && 'key',
    notNull && 'NOT NULL',
    defaultSql !== '' && 'default',
    expression !== '' && !facts?.readings.some((reading) => readingSql(reading) === expression) && 'expression',
  ]
    .filter(Boolean)
    .join(', ');

/** Horizontal scroll position of the grid, and width of the strip. */
function useScrolled(
  strip: RefObject<HTMLDivElement | null>,
  link: ScrollLink,
): { readonly left: number; readonly width: number } {
  const [left, setLeft] = useState(0);
  const [width, setWidth] = useState(0);
  useEffect(() => link.follow(setLeft), [link]);
  useLayoutEffect(() => {
    const element = strip.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, [strip]);
  return { left, width };
}

interface ColumnMoreProps {
  readonly session: ImportSession;
  readonly column: ShownColumn;
  readonly of: 'new-table' | 'new-column' | 'column';
}

/** Further settings of a column (expression, default, key), and everything that was counted in it. */
function ColumnMore({ session, column, of }: ColumnMoreProps): ReactNode {
  const { choice, at, facts } = column;
  return (
    <Popover.Root>
      <Popover.Trigger
        render={
          <button type="button" className="icon-button" aria-label={`More about ${choice.source}`}>
            <Ellipsis size={14} aria-hidden />
          </button>
        }
      />
      <Popover.Portal>
        <Popover.Positioner className="menu-positioner" align="end" sideOffset={4} positionMethod="fixed">
          <Popover.Popup className="menu import-more">
            <Popover.Title className="break-words strong import-more-title">{choice.source}</Popover.Title>
            <TextLine
              label="Expression"
              note={
                choice.isAdded
                  ? 'SQL expression for the value in each row, such as date().'
                  : 'SQL expression in which “value” is the cell in the file, such as trim(value).'
              }
              value={choice.expression}
              placeholder={choice.isAdded ? 'NULL' : 'value'}
              onCommit={(expression) => session.setColumn(at, { expression: expression.trim() })}
            />
            {of !== 'column' && <DefaultLine session={session} column={column} />}
            {of === 'new-table' && <KeyLine session={session} column={column} />}
            {of !== 'column' && <NotNullLine session={session} column={column} />}
            {of === 'new-table' && <PositionLine session={session} column={column} />}
            {facts && <Facts facts={facts} />}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function DefaultLine({ session, column: { choice, at } }: Omit<ColumnMoreProps, 'of'>): ReactNode {
  return (
    <TextLine
      label="Default"
      note="SQL expression for the default of the column, such as 0 or 'none'."
      value={choice.defaultSql}
      placeholder="None"
      onCommit={(defaultSql) => session.setColumn(at, { defaultSql: defaultSql.trim() })}
    />
  );
}

/** SQLite adds no column with a key to a table that is there (sqlite.org/lang_altertable.html#altertabaddcol). */
function KeyLine({ session, column: { choice, at } }: Omit<ColumnMoreProps, 'of'>): ReactNode {
  return (
    <CheckLine
      label="Primary key"
      checked={choice.primaryKey}
      onChange={(primaryKey) => session.setColumn(at, { primaryKey })}
    />
  );
}

function NotNullLine({ session, column: { choice, at } }: Omit<ColumnMoreProps, 'of'>): ReactNode {
  return (
    <CheckLine label="NOT NULL" checked={choice.notNull} onChange={(notNull) => session.setColumn(at, { notNull })} />
  );
}

function PositionLine({ session, column: { at } }: Omit<ColumnMoreProps, 'of'>): ReactNode {
  return (
    <div className="row gap-6 wrap import-match" role="group" aria-label="Place">
      <span className="dim import-label">Position</span>
      <Button size="small" onClick={() => session.moveColumn(at, -1)}>
        Move left
      </Button>
      <Button size="small" onClick={() => session.moveColumn(at, 1)}>
        Move right
      </Button>
    </div>
  );
}

function Facts({ facts }: { readonly facts: ColumnFacts }): ReactNode {
  return (
    <dl className="note import-counts">
      {linesOf(facts).map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function linesOf(facts: ColumnFacts): readonly (readonly [string, string])[] {
  const counts: readonly (readonly [string, number])[] = [
    ['Integers', facts.integers],
    ['beyond ±2⁵³', facts.beyond53],
    ['Digits beyond 64 bits', facts.beyond64],
    ['Leading zeros', facts.leadingZeros],
    ['Plus signs', facts.plusSigns],
    ['Hexadecimal', facts.hex],
    ['Reals', facts.reals],
    ['Reals that print differently', facts.inexactReals],
    ['Booleans', facts.booleans],
    ...Object.entries(facts.dates).map(([format, count]) => [`Dates ${format}`, count] as const),
    ...Object.values(facts.thousands).map((count) => ['With thousands separators', count] as const),
    ['Text', facts.texts],
    ['JSON', facts.json],
    ['Blobs', facts.blobs],
    ['NULL', facts.nulls],
    ['Empty', facts.empty],
    ['Empty in quotes', facts.quotedEmpty],
    ['Missing', facts.absent],
  ];
  return [
    ...counts.filter(([, count]) => count > 0).map(([label, count]) => [label, formatCount(count)] as const),
    ['Longest', formatBytes(facts.longest)],
  ];
}

// The choice of another way to read a column: numbers without their separators, or dates as ISO 8601.

interface ColumnReadingProps {
  readonly session: ImportSession;
  readonly column: ShownColumn & { readonly facts: ColumnFacts };
}

const [AS_WRITTEN, OWN] = ['written', 'own'] as const;

function ColumnReading({ session, column: { choice, at, facts } }: ColumnReadingProps): ReactNode {
  const { readings } = facts;
  const { expression } = choice;
  const chosen = readings.findIndex((reading) => readingSql(reading) === expression);
  const value = expression === '' ? AS_WRITTEN : chosen < 0 ? OWN : String(chosen);
  return (
    <select
      className="small-field"
      aria-label={`Values of ${choice.source}`}
      value={value}
      title={chosen < 0 ? undefined : exampleOf(readings[chosen]!)}
      onChange={(event) => session.readColumn(at, readings[Number(event.target.value)] ?? null)}
    >
      <option value={AS_WRITTEN}>As written</option>
      {readings.map((reading, index) => (
        <option key={labelOf(reading)} value={index}>
          {labelOf(reading)}
        </option>
      ))}
      {value === OWN && (
        <option value={OWN} disabled>
          Own expression
        </option>
      )}
    </select>
  );
}

/** “Day first: 31/12/2026”, “1,234.5 is 1234.5”. Each must be legible in a card of the usual width. */
export function labelOf(reading: Reading): string {
  if (reading.kind === 'numbers') return exampleOf(reading);
  const { first, separator, yearDigits, clock } = reading;
  const order = { day: 'Day first', month: 'Month first', year: 'Year first' }[first];
  if (yearDigits === 2) return `${order}, 1970–2069`;
  return clock === 'none' ? `${order}: ${dateIn(first, separator, '2026')}` : `${order}, with time`;
}

/** “31/12/2026 2:05 PM is 2026-12-31 14:05” */
export function exampleOf(reading: Reading): string {
  if (reading.kind === 'numbers') {
    const { thousands, point, isWhole } = reading;
    if (thousands === null) return `1${point}234 is 1.234`;
    return isWhole ? `1${thousands}234 is 1234` : `1${thousands}234${point}5 is 1234.5`;
  }
  const { first, separator, yearDigits, clock } = reading;
  const [time, stored] = { none: ['', ''], 24: [' 14:05', ' 14:05'], 12: [' 2:05 PM', ' 14:05'] }[clock] as [
    string,
    string,
  ];
  const example = `${dateIn(first, separator, yearDigits === 2 ? '26' : '2026')}${time} is 2026-12-31${stored}`;
  return yearDigits === 2 ? `${example}; years are those from 1970 to 2069` : example;
}

function dateIn(first: 'day' | 'month' | 'year', separator: string, year: string): string {
  const parts = { day: ['31', '12', year], month: ['12', '31', year], year: [year, '12', '31'] }[first];
  return parts.join(separator);
}

// What the card of a column says about its values: what was counted, and what the type makes of it.
interface ColumnReason {
  readonly text: string;
  readonly isWarning: boolean;
}

const plain = (text: string): ColumnReason => ({ text, isWarning: false });

/** @param declared type of the column of an existing table; undefined: the table is new */
export function columnReason(
  { choice, facts }: Pick<ShownColumn, 'choice' | 'facts'>,
  declared: string | undefined,
  isCounting: boolean,
): ColumnReason {
  if (choice.isAdded) return plain(sourceOf(choice));
  if (!facts) return plain(isCounting ? 'Reading the whole file…' : '');
  // Nothing is said about a type that the expression may not lead to.
  if (choice.expression !== '') return plain(facts.content);
  if (declared === undefined) return plain(facts.reason);
  const isOfNumbers = ['INTEGER', 'REAL', 'NUMERIC'].includes(affinityOf(declared, true));
  return isOfNumbers && facts.suggested === 'TEXT' && holdsOthers(facts)
    ? { text: `${facts.content}. Not all of them are stored as ${declared}.`, isWarning: true }
    : plain(facts.content);
}

/** Whether there is anything that a number would not give back. */
function holdsOthers(facts: ColumnFacts): boolean {
  const { leadingZeros, plusSigns, beyond64, hex, inexactReals, booleans, texts, json, blobs, quotedEmpty } = facts;
  const kinds = Object.keys(facts.dates).length + Object.keys(facts.thousands).length;
  const numbers = leadingZeros + plusSigns + beyond64 + hex + inexactReals;
  return numbers + booleans + texts + json + blobs + quotedEmpty + kinds > 0;
}

/** Source of the values of an added column, since it has no cells. */
const sourceOf = ({ expression, defaultSql }: ColumnChoice): string =>
  expression !== '' ? `= ${expression}` : `Not in the file: ${defaultSql === '' ? 'NULL' : 'its default'}`;

interface ShownColumn {
  readonly choice: ColumnChoice;
  /** Its index in the file. */
  readonly at: number;
  readonly facts: ColumnFacts | null;
  readonly problem: string | undefined;
}
