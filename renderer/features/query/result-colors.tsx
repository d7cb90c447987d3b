// The colors of a result: rules of its own columns, and those of the table columns that they come from.
import { useMemo, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import type { CellTints } from '../../grid/cell-tints.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { headerRect, NO_POSITIONS } from '../../grid/layout/column-positions.ts';
import type { ColumnPositions } from '../../grid/layout/column-positions.ts';
import { ColorCard } from '../../workbench/color-rules/color-card.tsx';
import { cellTints } from '../../workbench/color-rules/cell-tints.ts';
import { rulesOf, withRules } from '../../workbench/color-rules/color-rule.ts';
import type { ColorRule, ColorRules } from '../../workbench/color-rules/color-rule.ts';
import { useTableColors } from '../../workbench/columns/column-memory.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import type { ResultSource } from '../../workbench/rows/result-source.ts';
import type { GridMemory } from './grid-memory.ts';
import type { QueryResult } from './query-view.ts';
import { ResultScaleEnds } from './result-scale-ends.tsx';

interface ResultColors {
  readonly tints: CellTints | null;
  /** The element that holds the grid. */
  readonly box: RefObject<HTMLDivElement | null>;
  /** The rules of a column, while its card is open. */
  readonly card: ReactNode;
  placed(places: ColumnPositions): void;
  show(column: number): void;
}

/** The rules of a result column take precedence over those of its table. */
export function useResultColors(
  result: QueryResult,
  memory: GridMemory,
  grid: RefObject<GridHandle | null>,
  isActive: boolean,
): ResultColors {
  const { source } = result;
  const [own, setOwn] = useState(() => memory.colors(result));
  const [column, setColumn] = useState<number | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const places = useRef(NO_POSITIONS);
  const ofTables = useTableRules(source);
  const tints = useMemo(() => resultTints(source, own, ofTables), [source, own, ofTables]);
  const show = (wanted: number): void => {
    if (!source.columns[wanted]) return;
    grid.current?.revealColumn(wanted);
    setColumn(wanted);
  };
  useCommand('grid.colorColumn', () => show(grid.current?.cursor.column ?? 0), isActive);
  const declared = column === null ? undefined : columnsOf(source)[column];
  const card = column !== null && declared && (
    <ColorCard
      key={column}
      column={declared}
      rules={rulesOf(own, String(column))}
      note={noteOf(ofTables[column] ?? [], declared.origin)}
      scaleEnds={(onMeasured) => <ResultScaleEnds source={source} column={column} onMeasured={onMeasured} />}
      anchor={() => headerRect(box.current?.getBoundingClientRect() ?? new DOMRect(), places.current, column)}
      onChange={(rules) => {
        const changed = withRules(own, String(column), rules);
        memory.keepColors(result, changed);
        setOwn(changed);
      }}
      onClose={() => {
        setColumn(null);
        grid.current?.focus();
      }}
    />
  );
  return { tints, box, card, show, placed: (placed) => void (places.current = placed) };
}

const columnsOf = ({ info, hiddenColumns }: ResultSource) => info.columns.slice(hiddenColumns);

/** Rules by column, taken from the table column that a result column comes from, if any. */
function useTableRules(source: ResultSource): readonly (readonly ColorRule[])[] {
  const colorsOf = useTableColors((state) => state.colorsOf);
  return useMemo(
    () =>
      columnsOf(source).map(({ origin }) =>
        origin ? rulesOf(colorsOf(source.database, origin.table), origin.column) : [],
      ),
    [source, colorsOf],
  );
}

function resultTints(
  source: ResultSource,
  own: ColorRules,
  ofTables: readonly (readonly ColorRule[])[],
): CellTints | null {
  const rules = ofTables.map((ofTable, column) => [String(column), [...rulesOf(own, String(column)), ...ofTable]]);
  // Columns are identified by number: two may have the same name.
  const numbered = columnsOf(source).map(({ declaredType }, at) => ({ name: String(at), declaredType }));
  return cellTints(Object.fromEntries(rules) as ColorRules, numbered, source.hiddenColumns);
}

function noteOf(
  ofTable: readonly ColorRule[],
  origin: { readonly table: string; readonly column: string } | null,
): string | undefined {
  if (ofTable.length === 0 || !origin) return undefined;
  return `Other cells have the colors of “${visibleName(origin.column)}” in “${visibleName(origin.table)}”.`;
}
