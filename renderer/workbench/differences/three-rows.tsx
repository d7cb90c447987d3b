// A row in several versions, side by side: a line for each column that differs.
import type { ReactNode } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import type { DifferenceValue } from '#shared/protocol/index.ts';
import { plural } from '../../ui/format.ts';
import { ValueText } from './difference-table.tsx';

interface RowVersion {
  readonly name: string;
  /** Null: there is no such row. */
  readonly row: readonly DifferenceValue[] | null;
}

interface ThreeRowsProps {
  readonly columns: readonly string[];
  readonly versions: readonly RowVersion[];
  /** The version that the others are compared with. */
  readonly from: RowVersion;
}

export function ThreeRows({ columns, versions, from }: ThreeRowsProps): ReactNode {
  const positions = [...columns.keys()];
  const changed = positions.filter((position) => versions.some((version) => differs(version, from, position)));
  // A row that is missing on one side is shown in full.
  const shown = versions.some(({ row }) => !row) ? positions : changed;
  return (
    <div className="decision-values">
      <table>
        <thead>
          <tr>
            <th>Column</th>
            {versions.map(({ name, row }) => (
              <th key={name}>
                {name}
                {row === null && ': no row'}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((position) => (
            <tr key={position}>
              <th scope="row">{visibleName(columns[position]!)}</th>
              {versions.map((version) => (
                <td key={version.name} className={differs(version, from, position) ? 'strong accent' : undefined}>
                  {version.row && <ValueText value={version.row[position]} as="span" />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < positions.length && (
        <p className="small">{plural(positions.length - shown.length, 'column')} the same on both sides.</p>
      )}
    </div>
  );
}

/** Changed cells stand out. */
function differs({ row }: RowVersion, { row: from }: RowVersion, position: number): boolean {
  if (!row || row === from) return false;
  return !from || textOf(row[position]) !== textOf(from[position]);
}

const textOf = (value: DifferenceValue): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? `${part}n` : part instanceof Uint8Array ? [...part] : part,
  );
