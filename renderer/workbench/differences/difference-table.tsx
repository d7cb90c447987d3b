// The rows of a change before and after: used for steps of the history and for dry runs. Only lines on screen exist.
import { useEffect, useMemo, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import type {
  DifferenceValue,
  RowDifference,
  TableCounts,
  AppError,
  RowDifferencePage,
} from '#shared/protocol/index.ts';
import { toAppError } from '#shared/protocol/index.ts';
import { useRowWindow } from '../../ui/use-row-window.ts';
import { CountBadges } from './count-badges.tsx';
import { keyText, DifferenceColumns, type ShownColumn } from './difference-columns.ts';
import { lineAt, lineCount, sectionAt, sectionsOf, SIGNS, type Section } from './difference-lines.ts';
import { showValue, wholeText } from './difference-value.ts';
import './difference-table.css';

const LINE_PX = 26;
const MARK_PX = 26;
const WORDS = { inserted: 'inserted', updated: 'changed', deleted: 'deleted' };

/** Rows that can be chosen one by one, by their number among all rows. */
export interface RowCheck {
  /** Null if the row cannot be chosen. */
  readonly isOn: (row: number) => boolean | null;
  readonly toggle: (row: number) => void;
}

interface DifferenceTableProps {
  readonly label: string;
  readonly tables: readonly TableCounts[];
  /** Must stay the same function as long as it reads the same change. */
  readonly read: ReadDifferences;
  readonly empty: string;
  readonly check?: RowCheck;
}

export function DifferenceTable({ label, tables, read, empty, check }: DifferenceTableProps): ReactNode {
  const pages = useDifferencePages(read);
  const scroller = useRef<HTMLDivElement>(null);
  const { total, error, columns } = pages;
  const sections = useMemo(() => sectionsOf(tables, total ?? 0), [tables, total]);
  const lines = lineCount(sections);
  const { from, to } = useRowWindow(scroller, lines, LINE_PX);
  const top = useTopLine(scroller);
  const shown = Array.from({ length: to - from }, (_, index) => lineAt(sections, from + index));
  const rows = shown.flatMap((line) => (line?.kind === 'row' ? [line.row] : []));
  const [first, last] = [rows[0], rows.at(-1)];
  useEffect(() => {
    if (first !== undefined && last !== undefined) pages.want(first, last + 1);
  }, [pages, first, last]);

  if (error && total === null) return <p className="diff-note">{error.message}</p>;
  if (total === 0) return <p className="diff-note">{empty}</p>;
  const current = sectionAt(sections, top);
  const hasCheck = check !== undefined;
  const widest = Math.max(0, ...sections.map(({ table }) => widthOf(columns, table))) + (hasCheck ? MARK_PX : 0);
  return (
    <div
      ref={scroller}
      className={check ? 'diff diff-checked' : 'diff'}
      role="table"
      aria-label={label}
      aria-rowcount={lines}
      tabIndex={0}
    >
      <div className="anchor diff-lines" style={{ height: lines * LINE_PX, minWidth: widest }}>
        {current && <Heading section={current} columns={columns} hasCheck={hasCheck} isPinned />}
        <div className="diff-window" style={{ transform: `translateY(${from * LINE_PX}px)` }}>
          {shown.map((line, index) =>
            line?.kind === 'heading' ? (
              <Heading key={from + index} section={line.section} columns={columns} hasCheck={hasCheck} />
            ) : (
              line && (
                <Row
                  key={from + index}
                  section={line.section}
                  number={line.row}
                  row={pages.row(line.row)}
                  columns={columns}
                  check={check}
                />
              )
            ),
          )}
        </div>
      </div>
    </div>
  );
}

interface HeadingProps {
  readonly section: Section;
  readonly columns: DifferenceColumns;
  readonly hasCheck: boolean;
  /** The copy that stays at the top while its rows go by. */
  readonly isPinned?: boolean;
}

function Heading({ section, columns, hasCheck, isPinned = false }: HeadingProps): ReactNode {
  const { table, counts } = section;
  return (
    <div
      className={isPinned ? 'note sunken diff-line diff-heading diff-pinned' : 'note sunken diff-line diff-heading'}
      style={lineStyle(columns, table, hasCheck)}
      {...(isPinned ? { 'aria-hidden': true } : { role: 'row' })}
    >
      <span className="diff-table-name" role="columnheader" title={table}>
        {table || 'Row'}
      </span>
      {columns.of(table).map(({ name }) => (
        <span key={name} className="diff-column" role="columnheader" title={name}>
          {name}
        </span>
      ))}
      {counts && <CountBadges counts={counts} />}
    </div>
  );
}

interface RowProps {
  readonly section: Section;
  /** Number among all rows. */
  readonly number: number;
  readonly row: RowDifference | undefined;
  readonly columns: DifferenceColumns;
  readonly check: RowCheck | undefined;
}

function Row({ section, number, row, columns, check }: RowProps): ReactNode {
  if (!row) return <div className="diff-line diff-pending" />;
  const key = keyText(row);
  const isOn = check?.isOn(number) ?? null;
  const isUnchecked = check !== undefined && isOn !== true;
  return (
    <div
      className={`diff-line diff-${row.kind}${isUnchecked ? ' diff-unchecked' : ''}`}
      role="row"
      data-kind={row.kind}
      style={lineStyle(columns, row.table, check !== undefined)}
    >
      {check && (
        <span className="diff-check" role="cell">
          <input
            type="checkbox"
            aria-label={`${WORDS[row.kind]} ${row.table} ${key}`}
            checked={isOn === true}
            disabled={isOn === null}
            title={isOn === null ? 'A patch cannot contain a row whose key is NULL' : undefined}
            onChange={() => check.toggle(number)}
          />
        </span>
      )}
      <span className="diff-mark" role="cell" aria-label={WORDS[row.kind]}>
        {SIGNS[row.kind]}
      </span>
      <span className="diff-key" role="rowheader" title={key}>
        {section.table ? key : `${row.table} ${key}`}
      </span>
      {columns.of(row.table).map((column) => (
        <Cell key={column.name} row={row} column={column} />
      ))}
    </div>
  );
}

function Cell({ row, column }: { readonly row: RowDifference; readonly column: ShownColumn }): ReactNode {
  const before = row.before?.[column.index];
  const after = row.after?.[column.index];
  const isChange = row.kind === 'updated' && (before !== undefined || after !== undefined);
  const title = isChange
    ? `${wholeText(before)}\n→ ${wholeText(after)}`
    : wholeText(row.kind === 'deleted' ? before : after);
  return (
    <span className="diff-cell" role="cell" data-column={column.name} title={title}>
      {isChange ? (
        <>
          <ValueText value={before} as="del" /> <span className="faint">→</span>{' '}
          <ValueText value={after} as="ins" unknown="not kept" />
        </>
      ) : row.kind === 'updated' ? null : (
        <ValueText value={row.kind === 'deleted' ? before : after} as={row.kind === 'deleted' ? 'del' : 'span'} />
      )}
    </span>
  );
}

interface ValueTextProps {
  readonly value: DifferenceValue;
  readonly as: 'del' | 'ins' | 'span';
  readonly unknown?: string;
}

/** Separate elements for the old and the new value, so that the old one is struck through and screen readers tell them apart. */
export function ValueText({ value, as: Element, unknown = '' }: ValueTextProps): ReactNode {
  const { text, style } = value === undefined ? ({ text: unknown, style: 'special' } as const) : showValue(value);
  return <Element className={`diff-value diff-value-${style}`}>{text}</Element>;
}

const widthOf = (columns: DifferenceColumns, table: string): number =>
  columns.of(table).reduce((sum, { widthPx }) => sum + widthPx, MARK_PX + columns.keyWidthPx(table) + 140);

function lineStyle(columns: DifferenceColumns, table: string, hasCheck: boolean): CSSProperties {
  const widths = columns.of(table).map(({ widthPx }) => `${widthPx}px`);
  return {
    gridTemplateColumns: `${hasCheck ? `${MARK_PX}px ` : ''}${MARK_PX}px ${columns.keyWidthPx(table)}px ${widths.join(' ')} auto`,
  };
}

/** Renders again when another section reaches the top, at the latest with the next line. */
function useTopLine(scroller: { readonly current: HTMLElement | null }): number {
  const [top, setTop] = useState(0);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = (): void => setTop(Math.floor(element.scrollTop / LINE_PX));
    element.addEventListener('scroll', measure, { passive: true });
    return () => element.removeEventListener('scroll', measure);
  });
  return top;
}

// Pages of the rows a change consists of, read when they come into view, of which the most recently used are kept.

type ReadDifferences = (start: number, count: number) => Promise<RowDifferencePage>;

const PAGE_ROWS = 200;
const KEPT_PAGES = 30;

class DifferencePages {
  readonly columns = new DifferenceColumns();
  readonly #read: ReadDifferences;
  readonly #onNews: () => void;
  readonly #pages = new Map<number, readonly RowDifference[] | null>();
  total: number | null = null;
  error: AppError | null = null;

  constructor(read: ReadDifferences, onNews: () => void) {
    this.#read = read;
    this.#onNews = onNews;
  }

  row(index: number): RowDifference | undefined {
    return this.#pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
  }

  /** Reads what is missing of the rows `from` to `to`. */
  want(from: number, to: number): void {
    const last = Math.floor(Math.max(from, to - 1) / PAGE_ROWS);
    for (let page = Math.floor(from / PAGE_ROWS); page <= last; page++) {
      if (this.#pages.has(page)) this.#touch(page);
      else void this.#load(page);
    }
  }

  #touch(page: number): void {
    const rows = this.#pages.get(page)!;
    this.#pages.delete(page);
    this.#pages.set(page, rows);
  }

  async #load(page: number): Promise<void> {
    this.#pages.set(page, null);
    try {
      const { rows, total } = await this.#read(page * PAGE_ROWS, PAGE_ROWS);
      this.total = total;
      this.columns.learn(rows);
      this.#pages.set(page, rows);
      for (const key of [...this.#pages.keys()].slice(0, -KEPT_PAGES)) this.#pages.delete(key);
    } catch (thrown) {
      // Kept as a failed page: requesting it again with each frame would not help.
      this.error = toAppError(thrown);
    }
    this.#onNews();
  }
}

/** `read` must stay the same function as long as it reads the same change. */
function useDifferencePages(read: ReadDifferences): DifferencePages {
  const [, setNews] = useState(0);
  const [held, setHeld] = useState<{ readonly read: ReadDifferences; readonly pages: DifferencePages } | null>(null);
  const hear = (): void => setNews((count) => count + 1);
  const current = held?.read === read ? held : { read, pages: new DifferencePages(read, hear) };
  if (current !== held) setHeld(current);
  useEffect(() => current.pages.want(0, 1), [current.pages]);
  return current.pages;
}
