// Which tables go into one file.
import type { ReactNode } from 'react';
import type { SchemaSnapshot } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';

interface TableChecksProps {
  readonly schema: SchemaSnapshot | null;
  readonly chosen: readonly string[];
  readonly onChange: (tables: readonly string[]) => void;
}

export function TableChecks({ schema, chosen, onChange }: TableChecksProps): ReactNode {
  const tables = (schema?.objects ?? [])
    .filter(({ kind, problem }) => (kind === 'table' || kind === 'view' || kind === 'virtual') && problem === null)
    .map(({ name }) => name);
  const isAll = tables.length > 0 && chosen.length === tables.length;
  return (
    <div className="form-box export-tables" role="group" aria-label="Tables">
      <label className="form-check">
        <input type="checkbox" checked={isAll} onChange={() => onChange(isAll ? [] : tables)} />
        All tables and views
      </label>
      {tables.map((table) => (
        <label key={table} className="form-check">
          <input
            type="checkbox"
            checked={chosen.includes(table)}
            onChange={(event) =>
              onChange(tables.filter((name) => (name === table ? event.target.checked : chosen.includes(name))))
            }
          />
          {visibleName(table)}
        </label>
      ))}
    </div>
  );
}
