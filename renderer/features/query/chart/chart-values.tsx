// The numbers of a chart as a table, for those who want exact values or do not see the picture.
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { ChartData, Value } from '#shared/protocol/index.ts';
import { Grid } from '../../../grid/grid.tsx';
import type { GridHandle } from '../../../grid/grid-handle.ts';
import { PLAIN_VIEW } from '../../../grid/layout/geometry.ts';
import { notifyFailure } from '../../../state/databases.ts';
import { useCopyCommands } from '../../../workbench/cells/use-copy-commands.ts';
import { MemorySource } from '../../../workbench/rows/memory-source.ts';
import { useColumnCommands } from '../../../workbench/columns/use-column-commands.ts';
import type { ChartChoice } from './chart-choice.ts';
import { momentText, placesOf, seriesNames, xName } from './chart-labels.ts';
import type { NameOf } from './chart-labels.ts';

interface ChartValuesProps {
  readonly choice: ChartChoice;
  readonly data: ChartData;
  readonly nameOf: NameOf;
  readonly isActive: boolean;
}

export function ChartValues({ choice, data, nameOf, isActive }: ChartValuesProps): ReactNode {
  const grid = useRef<GridHandle>(null);
  const [view, setView] = useState(PLAIN_VIEW);
  const [held, setHeld] = useState(() => ({ data, source: sourceOf(choice, data, nameOf) }));
  if (held.data !== data) setHeld({ data, source: sourceOf(choice, data, nameOf) });
  useCopyCommands(() => grid.current, isActive);
  useColumnCommands(() => grid.current, isActive);
  return (
    <Grid
      ref={grid}
      source={held.source}
      view={view}
      sort={[]}
      label="Values of the chart"
      onViewChange={setView}
      onError={notifyFailure}
    />
  );
}

function sourceOf(choice: ChartChoice, data: ChartData, nameOf: NameOf): MemorySource {
  const axis = xName(choice, nameOf);
  const isHistogram = choice.kind === 'histogram';
  const names = isHistogram ? [`${axis} from`, `${axis} to`] : [axis];
  const columns = [...names, ...seriesNames(choice, nameOf)].map((name) => ({ name, typeLabel: '' }));
  const valueAt = (row: number, column: number): Value => {
    if (isHistogram && column === 1) return data.x[row + 1]!;
    if (column < names.length) return xValue(choice, data, row);
    const value = data.y[column - names.length]![row]!;
    return Number.isNaN(value) ? null : value;
  };
  return new MemorySource(columns, placesOf(data), valueAt);
}

function xValue({ kind }: ChartChoice, { x, labels }: ChartData, row: number): Value {
  if (labels) return labels[row] ?? null;
  return kind === 'time' ? momentText(x[row]!) : x[row]!;
}
