// The bar above a chart: its kind, its columns, and its actions.
import { ChevronDown, Download, Table2, ZoomOut } from 'lucide-react';
import type { ReactNode } from 'react';
import { CHART_KINDS, COMBINATIONS } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { Select } from '../../../ui/select.tsx';
import { canCountRows, withKind, xColumns, yColumns } from './chart-choice.ts';
import type { ChartChoice, ChartColumn } from './chart-choice.ts';
import { COMBINATION_NAMES, KIND_NAMES } from './chart-labels.ts';

interface ChartBarProps {
  readonly choice: ChartChoice;
  readonly columns: readonly ChartColumn[];
  readonly showsValues: boolean;
  readonly isEnlarged: boolean;
  /** Empty while there is nothing to save. */
  readonly saving: readonly MenuEntry[];
  onChoose(choice: ChartChoice): void;
  onShowValues(shown: boolean): void;
  onShowAll(): void;
}

const ICON = { size: 14, 'aria-hidden': true } as const;
const ROWS = 'rows';

export function ChartBar(props: ChartBarProps): ReactNode {
  const { choice, columns, showsValues, isEnlarged, saving, onChoose, onShowValues, onShowAll } = props;
  const { kind, x } = choice;
  const options = xColumns(kind, columns).map(({ index, name }) => [String(index), visibleName(name)] as const);
  return (
    <div className="chart-bar" role="toolbar" aria-label="Chart">
      <Select
        label="Kind of chart"
        value={kind}
        options={CHART_KINDS.map((each) => [each, KIND_NAMES[each]])}
        onChoose={(chosen) => onChoose(withKind(choice, chosen, columns))}
      />
      <label>
        {kind === 'histogram' ? 'Column' : 'X'}
        <Select
          label={kind === 'histogram' ? 'Column' : 'X axis'}
          value={x === null ? ROWS : String(x)}
          options={canCountRows(kind) ? [[ROWS, 'Row number'], ...options] : options}
          onChoose={(chosen) => onChoose({ ...choice, x: chosen === ROWS ? null : Number(chosen), before: undefined })}
        />
      </label>
      {kind !== 'histogram' && <SeriesMenu choice={choice} columns={columns} onChoose={onChoose} />}
      {kind === 'bar' && choice.y.length > 0 && (
        <Select
          label="Combine as"
          value={choice.combine}
          options={COMBINATIONS.map((each) => [each, COMBINATION_NAMES[each]])}
          onChoose={(combine) => onChoose({ ...choice, combine })}
        />
      )}
      <span className="chart-bar-end">
        {isEnlarged && (
          <IconButton label="Reset zoom" shortcut="Esc" onClick={onShowAll}>
            <ZoomOut {...ICON} />
          </IconButton>
        )}
        <IconButton
          label="Show the values as a table"
          aria-pressed={showsValues}
          onClick={() => onShowValues(!showsValues)}
        >
          <Table2 {...ICON} />
        </IconButton>
        <Menu
          align="end"
          trigger={
            <IconButton label="Save or copy the chart" disabled={saving.length === 0}>
              <Download {...ICON} />
            </IconButton>
          }
          entries={saving}
        />
      </span>
    </div>
  );
}

function SeriesMenu({ choice, columns, onChoose }: Pick<ChartBarProps, 'choice' | 'columns' | 'onChoose'>): ReactNode {
  const { y, kind } = choice;
  const offered = yColumns(columns);
  const names = y.map((column) => visibleName(columns.find(({ index }) => index === column)?.name ?? ''));
  const toggle = (column: number): void => {
    const chosen = toggled(y, column);
    const combine = kind === 'bar' && chosen.length === 0 ? 'count' : y.length === 0 ? 'sum' : choice.combine;
    const before = choice.before && { ...choice.before, y: toggled(choice.before.y, column) };
    onChoose({ ...choice, y: chosen, combine, before });
  };
  const shown = names.join(', ') || (kind === 'bar' ? 'Number of rows' : 'Nothing');
  return (
    <Menu
      trigger={
        <button type="button" className="chart-series small-field">
          <span>
            Y<span className="visually-hidden"> axis:</span>
          </span>{' '}
          <b>{shown}</b> <ChevronDown size={12} aria-hidden="true" />
        </button>
      }
      entries={
        offered.length === 0
          ? [{ heading: 'No column has numbers' }]
          : offered.map(({ index, name }) => ({
              label: visibleName(name),
              checked: y.includes(index),
              run: () => toggle(index),
            }))
      }
    />
  );
}

const toggled = (series: readonly number[], column: number): readonly number[] =>
  series.includes(column) ? series.filter((each) => each !== column) : [...series, column];
