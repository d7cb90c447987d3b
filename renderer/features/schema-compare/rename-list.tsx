// Possible renames: nothing counts as renamed until the user says so.
import type { ReactNode } from 'react';
import type { ObjectDifference } from '#shared/schema-diff/compare-schemas.ts';
import { likelyColumnRenames, likelyTableRenames } from '#shared/schema-diff/renames.ts';
import type { ColumnRename, Renames, TableRename } from '#shared/schema-diff/accepted-renames.ts';
import { visibleName } from '#shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';

interface RenameListProps {
  readonly objects: readonly ObjectDifference[];
  readonly renames: Renames;
  readonly onChange: (renames: Renames) => void;
}

export function RenameList({ objects, renames, onChange }: RenameListProps): ReactNode {
  const tables = likelyTableRenames(objects);
  const columns = objects.flatMap(likelyColumnRenames);
  const { tables: renamedTables, columns: renamedColumns } = renames;
  if (tables.length + columns.length + renamedTables.length + renamedColumns.length === 0) return null;
  return (
    <ul className="schema-diff-renames" aria-label="Possible renames">
      {tables.map((rename) => (
        <Item
          key={`table ${rename.from}`}
          words={`Table ${pair(rename)} may have been renamed.`}
          label="Treat as renamed"
          onClick={() => onChange({ ...renames, tables: [...renamedTables, rename] })}
        />
      ))}
      {columns.map((rename) => (
        <Item
          key={`column ${rename.table} ${rename.from}`}
          words={`Column ${pair(rename)} ${inTable(rename)} may have been renamed.`}
          label="Treat as renamed"
          onClick={() => onChange({ ...renames, columns: [...renamedColumns, rename] })}
        />
      ))}
      {renamedTables.map((rename) => (
        <Item
          key={`table ${rename.from}`}
          words={`Table ${pair(rename)} is treated as renamed.`}
          label="Treat as different"
          onClick={() => onChange({ ...renames, tables: renamedTables.filter((other) => other !== rename) })}
        />
      ))}
      {renamedColumns.map((rename) => (
        <Item
          key={`column ${rename.table} ${rename.from}`}
          words={`Column ${pair(rename)} ${inTable(rename)} is treated as renamed.`}
          label="Treat as different"
          onClick={() => onChange({ ...renames, columns: renamedColumns.filter((other) => other !== rename) })}
        />
      ))}
    </ul>
  );
}

const pair = ({ from, to }: TableRename): string => `“${visibleName(from)}” → “${visibleName(to)}”`;
const inTable = ({ table }: ColumnRename): string => `in “${visibleName(table)}”`;

interface ItemProps {
  readonly words: string;
  readonly label: string;
  readonly onClick: () => void;
}

function Item({ words, label, onClick }: ItemProps): ReactNode {
  return (
    <li>
      <span>{words}</span>
      <Button size="small" aria-label={`${label}: ${words}`} onClick={onClick}>
        {label}
      </Button>
    </li>
  );
}
