// The bar of a table: what its tab, its design, and its SQL show, and what can be done with rows.
import { Copy, Plus, RefreshCw, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSchema } from '../../state/schema.ts';
import { IconButton } from '../../ui/button.tsx';
import { commandKeyLabel, runCommand } from '../../workbench/commands/commands.ts';
import { designedKind, openObjectDesign } from '../../workbench/tabs/design.ts';
import { showObjectSql } from '../../workbench/objects/object-sql.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import './table-bar.css';

interface TableBarProps {
  readonly source: TableSource;
  /** For the selected rows. */
  onDuplicate(): void;
  onDelete(): void;
}

export function TableBar({ source, onDuplicate, onDelete }: TableBarProps): ReactNode {
  const isEditable = source.info.key.kind !== 'none';
  return (
    // The focus stays in the grid, whose selection the buttons are about.
    <div className="table-bar" role="toolbar" aria-label="Table" onMouseDown={(event) => event.preventDefault()}>
      <Views source={source} />
      {isEditable && (
        <>
          <IconButton
            label="Add row"
            name="Add row"
            shortcut={commandKeyLabel('grid.addRow')}
            onClick={() => runCommand('grid.addRow')}
          >
            <Plus size={14} />
          </IconButton>
          <IconButton
            label="Duplicate rows"
            name="Duplicate"
            shortcut={commandKeyLabel('grid.duplicateRow')}
            onClick={onDuplicate}
          >
            <Copy size={14} />
          </IconButton>
          <IconButton
            label="Delete rows"
            name="Delete"
            shortcut={commandKeyLabel('grid.deleteRows')}
            onClick={onDelete}
          >
            <Trash2 size={14} />
          </IconButton>
        </>
      )}
      <IconButton
        label="Refresh"
        name="Refresh"
        shortcut={commandKeyLabel('view.refresh')}
        onClick={() => runCommand('view.refresh')}
      >
        <RefreshCw size={14} />
      </IconButton>
    </div>
  );
}

/** The rows are here; the design is a tab of its own, and the SQL a dialog. */
function Views({ source: { database, detail } }: Pick<TableBarProps, 'source'>): ReactNode {
  const object = useSchema(database)?.objects.find(({ name }) => name === detail.name) ?? null;
  const canDesign = object !== null && designedKind(object) !== null;
  return (
    <span className="gap-2 fixed table-views">
      <span aria-current="true">Data</span>
      <button type="button" disabled={!canDesign} onClick={() => object && openObjectDesign(database, object)}>
        Structure
      </button>
      <button type="button" disabled={object === null} onClick={() => object && showObjectSql(database, object)}>
        SQL
      </button>
    </span>
  );
}
