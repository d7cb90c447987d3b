// The table of a result: only rows on screen are in the document, arrow keys go from cell to cell, Enter opens one.
import { useRef } from 'react';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import type { BenchCell } from '#shared/bench/result.ts';
import { ContextMenu } from '../../../ui/menu.tsx';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { useRowWindow } from '../../../ui/use-row-window.ts';
import { codeText, FactRows } from './facts.tsx';
import { cellLabel, moveInTable } from './table-model.ts';
import type { Column, SuiteRow, TableModel, TablePosition, TableRow, TestRow, ShownCell } from './table-model.ts';
import {
  sizeText,
  suiteTitle,
  standingOf,
  tailText,
  formatRatio,
  formatTime,
  statusWord,
  threeDigits,
  figureText,
} from './labels.ts';
import type { Ratio, Standing } from './labels.ts';
import { PUBLISHED_SOURCES, publishedOf, publishedSource } from '#shared/bench/published.ts';
import type { PublishedFigure } from '#shared/bench/published.ts';

const ROW_HEIGHT = 42;

interface ResultTableProps {
  readonly model: TableModel;
  /** Columns of published figures: contenders, or `best`; empty for none. */
  readonly published: readonly string[];
  readonly position: TablePosition;
  readonly onPosition: (position: TablePosition) => void;
  readonly onOpen: (position: TablePosition) => void;
  readonly menuOf: (cell: BenchCell) => readonly MenuEntry[];
}

export function ResultTable(props: ResultTableProps): ReactNode {
  const { model, published, position, onPosition, onOpen, menuOf } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { columns, rows } = model;
  const { from, to } = useRowWindow(scroller, rows.length, ROW_HEIGHT);
  const width = columns.length + published.length;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' || event.key === ' ') onOpen(position);
    else {
      const next = moveInTable(event.key, position, { rows, width, page: pageOf(scroller.current) });
      if (!next) return;
      onPosition(next);
      reveal(scroller.current, next);
    }
    event.preventDefault();
  };
  const withCell =
    (act: (at: TablePosition) => void) =>
    (event: MouseEvent): void => {
      const at = positionOf(event);
      if (at) act(at);
    };
  const entriesAt = (event: MouseEvent): readonly MenuEntry[] =>
    [cellAt(model, positionOf(event) ?? position)].flatMap((cell) => (cell ? menuOf(cell) : []));
  return (
    <ContextMenu entriesAt={entriesAt}>
      <div
        ref={scroller}
        className="fill scroll anchor quiet-focus bench-table"
        role="grid"
        aria-label="Results"
        aria-rowcount={rows.length + 1}
        aria-colcount={width + 1}
        aria-activedescendant={`bench-${position.row}-${position.column}`}
        tabIndex={0}
        style={{ '--bench-columns': width } as React.CSSProperties}
        onKeyDown={onKeyDown}
        onPointerDown={withCell(onPosition)}
        onClick={withCell(onOpen)}
      >
        <TableHead columns={columns} published={published} />
        <div className="anchor" role="presentation" style={{ height: rows.length * ROW_HEIGHT }}>
          {rows.slice(from, to).map((row, at) => (
            <Row
              key={row.key}
              row={row}
              index={from + at}
              columns={columns}
              published={published}
              chosen={position.row === from + at ? position.column : null}
            />
          ))}
        </div>
      </div>
    </ContextMenu>
  );
}

/** Undefined for headings, and for columns of published figures. */
function cellAt({ rows, columns }: TableModel, position: TablePosition): BenchCell | undefined {
  const row = rows[position.row];
  const column = columns[position.column];
  return row?.kind === 'test' && column ? row.cells[column.engine]?.cell : undefined;
}

function positionOf(event: MouseEvent): TablePosition | null {
  const element = (event.target as Element).closest<HTMLElement>('[data-row]');
  return element && { row: Number(element.dataset['row']), column: Number(element.dataset['column']) };
}

const pageOf = (scroller: HTMLElement | null): number =>
  Math.max(1, Math.floor((scroller?.clientHeight ?? 0) / ROW_HEIGHT) - 2);

/** The row may not be in the document yet, so its position is calculated; the cell is looked up once it exists. */
function reveal(scroller: HTMLElement | null, { row, column }: TablePosition): void {
  if (!scroller) return;
  const head = scroller.querySelector<HTMLElement>('.bench-head')!.offsetHeight;
  const top = row * ROW_HEIGHT;
  const room = scroller.clientHeight - head;
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (top + ROW_HEIGHT > scroller.scrollTop + room) scroller.scrollTop = top + ROW_HEIGHT - room;
  const heading = scroller.querySelectorAll<HTMLElement>('.bench-head > *')[column + 1];
  const fixed = scroller.querySelector<HTMLElement>('.bench-head > *')!.offsetWidth;
  if (!heading) return;
  const left = heading.offsetLeft;
  if (left < scroller.scrollLeft + fixed) scroller.scrollLeft = left - fixed;
  else if (left + heading.offsetWidth > scroller.scrollLeft + scroller.clientWidth)
    scroller.scrollLeft = left + heading.offsetWidth - scroller.clientWidth;
}

function TableHead({ columns, published }: Pick<RowProps<TableRow>, 'columns' | 'published'>): ReactNode {
  return (
    <div className="ruled sunken small bench-head" role="row" aria-rowindex={1}>
      <div role="columnheader">Test</div>
      {columns.map(({ engine, label, version, code, isReference, settings }) => {
        const [name, ...rest] = label.split(', ');
        return (
          <div
            key={engine}
            role="columnheader"
            title={[label, version, codeText(code), ...settings].filter(Boolean).join('\n')}
          >
            <b className="cut">{name}</b>
            <span className="cut fine-print">{[rest.join(', '), version].filter(Boolean).join(' · ')}</span>
            {isReference && (
              <i
                className="tiny accent"
                title="Engines with the same storage and profile are compared with this one: 1×."
              >
                reference
              </i>
            )}
            {settings.length > 0 && <i className="tiny warn">other settings</i>}
          </div>
        );
      })}
      {published.map((contender) => (
        <div key={contender} role="columnheader" className="bench-published" title={`Published: ${contender}`}>
          <b className="cut">{contender === 'best' ? 'Best published' : contender}</b>
          <span className="cut fine-print">published, not measured here</span>
        </div>
      ))}
    </div>
  );
}

interface RowProps<Kind> {
  readonly row: Kind;
  readonly index: number;
  readonly columns: readonly Column[];
  readonly published: readonly string[];
  readonly chosen: number | null;
}

function Row(props: RowProps<TableRow>): ReactNode {
  const { row, index } = props;
  return (
    <div
      className={row.kind === 'suite' ? 'bench-row figures sunken' : 'bench-row figures'}
      role="row"
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${index * ROW_HEIGHT}px)` }}
    >
      {row.kind === 'suite' ? <SuiteCells {...props} row={row} /> : <TestCells {...props} row={row} />}
    </div>
  );
}

function SuiteCells({ row, columns, published }: RowProps<SuiteRow>): ReactNode {
  return (
    <>
      <div role="rowheader">
        <b className="cut">{suiteTitle(row.suite)}</b>
        <span
          className="cut fine-print"
          title="The nth root of the product of the ratios of n tests, so that twice as fast and twice as slow cancel out."
        >
          {row.suite} · geometric mean of ratios
        </span>
      </div>
      {columns.map(({ engine, isReference }) => {
        const mean = row.means[engine];
        return (
          <div key={engine} role="gridcell" title={mean && `Geometric mean of ${mean.cells} ratios`}>
            {isReference ? <span className="fine-print">1× (baseline)</span> : mean && <RatioChip ratio={mean} />}
          </div>
        );
      })}
      {published.map((contender) => (
        <div key={contender} role="gridcell" className="bench-published">
          <PublishedCell row={row} contender={contender} />
        </div>
      ))}
    </>
  );
}

function TestCells({ row, index, columns, published, chosen }: RowProps<TestRow>): ReactNode {
  const name = `${row.test}, ${sizeText(row.suite, row.size)}`;
  return (
    <>
      <div role="rowheader" title={name}>
        <b className="cut">{row.test}</b>
        <span className="cut fine-print">{sizeText(row.suite, row.size)}</span>
      </div>
      {columns.map(({ engine, label, isReference }, column) => {
        const shown = row.cells[engine];
        return (
          <div
            key={engine}
            id={`bench-${index}-${column}`}
            role="gridcell"
            className={shown?.cell.status === 'void' ? 'bench-cell bench-void' : 'bench-cell'}
            aria-selected={chosen === column}
            title={shown?.cell.why ?? undefined}
            data-row={index}
            data-column={column}
          >
            <span className="visually-hidden">{cellLabel(name, label, shown)}</span>
            <span className="bench-shown" aria-hidden>
              <ResultCell shown={shown} isReference={isReference} />
            </span>
          </div>
        );
      })}
      {published.map((contender, at) => (
        <div
          key={contender}
          id={`bench-${index}-${columns.length + at}`}
          role="gridcell"
          className="bench-cell bench-published"
          aria-selected={chosen === columns.length + at}
          data-row={index}
          data-column={columns.length + at}
        >
          <PublishedCell row={row} contender={contender} />
        </div>
      ))}
    </>
  );
}

function ResultCell({
  shown,
  isReference,
}: Pick<Column, 'isReference'> & { readonly shown: ShownCell | undefined }): ReactNode {
  if (!shown) return <span className="fine-print">–</span>;
  const { cell } = shown;
  if (cell.status !== 'ok') {
    return (
      <>
        <span className={`small bench-first ${isBad(cell.status) ? 'error strong' : 'faint'}`}>
          {statusWord(cell.status)}
        </span>
        <span className="cut fine-print bench-why">{cell.why ?? ''}</span>
      </>
    );
  }
  const { median, ratio } = shown.shown;
  if (median === null) return <span className="fine-print">not measured</span>;
  const tail = tailText(shown);
  return (
    <>
      <span className="cut bench-first">
        {formatTime(median, cell.unit)}
        {tail !== '' && (
          <small className="fine-print" title="95 of 100 samples are at most this.">
            {' '}
            {tail}
          </small>
        )}
      </span>
      {cell.scope === 'app' ? (
        <span className="fine-print">of the whole app</span>
      ) : isReference ? (
        <span className="fine-print">1× (baseline)</span>
      ) : (
        <RatioChip ratio={ratio} />
      )}
    </>
  );
}

/** Without a number that it should have. */
export const isBad = (status: BenchCell['status']): boolean => status === 'void' || status === 'failed';

const RATIO = 'Relative to better-sqlite3 with the same storage and profile';
const RATIO_MEANINGS: Readonly<Record<Standing, string>> = {
  faster: `${RATIO}: less, and so is the whole 95% interval beside it.`,
  slower: `${RATIO}: more, and so is the whole 95% interval beside it.`,
  same: `${RATIO}: no difference, because the 95% interval includes 1.`,
  unknown: `${RATIO}. There are too few samples for an interval.`,
};

export function RatioChip({ ratio }: { readonly ratio: Ratio | null }): ReactNode {
  if (!ratio) return <span className="fine-print">no ratio</span>;
  const standing = standingOf(ratio);
  const { value, low, high } = ratio;
  return (
    <span className={`bench-ratio bench-${standing}`} title={RATIO_MEANINGS[standing]}>
      <b>{formatRatio(value)}</b>
      {low !== null && high !== null && (
        <small>{standing === 'same' ? 'no difference' : `${threeDigits(low)}–${threeDigits(high)}`}</small>
      )}
    </span>
  );
}

type Figure = Pick<PublishedFigure, 'contender' | 'kind' | 'value' | 'source'>;

/** @param contender a name, or `best` */
function figureOf<T extends Figure>(figures: readonly T[], contender: string): T | undefined {
  if (contender !== 'best') return figures.find((figure) => figure.contender === contender);
  return [...figures].sort((a, b) => a.value - b.value)[0];
}

function PublishedCell({ row, contender }: { readonly row: TableRow; readonly contender: string }): ReactNode {
  const figure = figureOf<Figure>(row.published, contender);
  if (!figure) return null;
  const source = publishedSource(figure.source);
  return (
    <span
      className="stack small bench-figure"
      title={`${figure.contender}\n${source.title} (${source.where})\n${source.conditions}`}
    >
      <b>{figureText(figure)}</b>
      <span className="cut fine-print">{contender === 'best' ? figure.contender : source.id}</span>
    </span>
  );
}

export function PublishedList({ suite, test, size }: Pick<BenchCell, 'suite' | 'test' | 'size'>): ReactNode {
  const figures = publishedOf(suite, test, size);
  if (figures.length === 0) return null;
  const sources = PUBLISHED_SOURCES.filter(({ id }) => figures.some(({ source }) => source === id));
  return (
    <section>
      <h3 className="note strong bench-heading">Published by others</h3>
      <FactRows
        facts={figures.map((figure) => [
          figure.contender,
          figure.kind === 'ratio' ? `${figureText(figure)} of native` : figureText(figure),
        ])}
      />
      {sources.map(({ id, title, where, conditions }) => (
        <p key={id} className="note bench-note">
          {id}: {title}, {where}. {conditions}
        </p>
      ))}
    </section>
  );
}
