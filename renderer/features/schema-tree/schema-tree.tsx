// The objects of the current database: search, keyboard, menu; fast with thousands of them.
import { useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { runCommand } from '../../workbench/commands/commands.ts';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { useColumns, useSchema } from '../../state/schema.ts';
import { TextField } from '../../ui/text-field.tsx';
import { openObject } from '../../workbench/objects/object-menu.ts';
import './schema-tree.css';
import { TreeList } from './tree-list.tsx';
import { treeRows } from './tree-rows.ts';
import type { TreeRow } from './tree-rows.ts';

export function SchemaTree({ database }: { readonly database: DatabaseId }): ReactNode {
  const schema = useSchema(database);
  const columns = useColumns(database);
  const [filter, setFilter] = useState('');
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const field = useRef<HTMLInputElement>(null);
  const tree = useRef<HTMLDivElement>(null);
  const rows = useMemo(
    () => (schema ? treeRows(schema, { filter, columns, folded, unfolded }) : []),
    [schema, filter, columns, folded, unfolded],
  );

  const fold = (row: TreeRow): void => {
    if (row.kind === 'heading') setFolded(toggled(folded, row.group));
    else if (row.kind === 'object' && row.unfolded !== null) setUnfolded(toggled(unfolded, row.object.name));
  };
  const onFieldKey = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') tree.current?.focus();
    else if (event.key === 'Enter') {
      const first = rows.find((row) => row.kind !== 'heading');
      if (!first) return;
      openObject(database, first.object, false);
      focusContent();
    } else if (event.key === 'Escape' && filter) setFilter('');
    else return;
    event.preventDefault();
  };

  return (
    <section className="schema-tree" aria-label="Objects" data-pane>
      <div className="schema-filter">
        <TextField
          ref={field}
          type="search"
          placeholder="Find table, column, index"
          aria-label="Find table, column, index"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          onKeyDown={onFieldKey}
        />
      </div>
      {schema && rows.length === 0 ? (
        <NoObjects isFiltered={filter !== ''} />
      ) : (
        <TreeList
          tree={tree}
          database={database}
          rows={rows}
          filter={filter.trim()}
          onFold={fold}
          onType={() => field.current?.focus()}
        />
      )}
    </section>
  );
}

function NoObjects({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  return (
    <p className="tree-note" role="status">
      {isFiltered ? (
        'No matches.'
      ) : (
        <>
          This database is empty.{' '}
          <button type="button" className="link-button" onClick={() => runCommand('table.new')}>
            Create a table
          </button>{' '}
          or{' '}
          <button type="button" className="link-button" onClick={() => runCommand('file.import')}>
            import a file
          </button>
          .
        </>
      )}
    </p>
  );
}

function toggled(set: ReadonlySet<string>, member: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(member)) next.add(member);
  return next;
}
