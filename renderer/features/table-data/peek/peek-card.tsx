// Shows the row that a foreign key refers to, beside its cell.
import { Popover } from '@base-ui/react/popover';
import { useEffect, useState, type ReactNode } from 'react';
import { toAppError } from '#shared/protocol/errors.ts';
import type { DatabaseId, Value } from '#shared/protocol/index.ts';
import { cut, visibleLine, visibleName } from '#shared/visible-text.ts';
import { valueText } from '../../../grid/input/value-text.ts';
import { commandKeyLabel } from '../../../workbench/commands/commands.ts';
import type { ParentRow } from '../../../workbench/relations/foreign-keys.ts';
import { Button } from '../../../ui/button.tsx';
import { plural } from '../../../ui/format.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { client } from '../../../connection/database-client.ts';

/** More columns than a card has room for are not shown. */
const SHOWN_COLUMNS = 12;

interface PeekedRow {
  readonly cells: readonly { readonly column: string; readonly value: Value; readonly isCut: boolean }[];
  readonly moreColumns: number;
}

/** Null if there is no such row. */
async function readPeek(database: DatabaseId, { table, terms }: ParentRow): Promise<PeekedRow | null> {
  const info = await client.call('rows.open', { database, table, sort: [], filter: terms });
  try {
    const page = await client.call('rows.read', { reader: info.reader, start: 0, count: 1 });
    if (page.rows.rowCount === 0) return null;
    const rows = new PackedRowsReader(page.rows);
    const columns = info.columns.slice(info.hiddenColumns);
    const cells = columns.slice(0, SHOWN_COLUMNS).map(({ name }, at) => ({
      column: name,
      value: rows.value(0, at + info.hiddenColumns),
      isCut: rows.isPreview(0, at + info.hiddenColumns),
    }));
    return { cells, moreColumns: columns.length - cells.length };
  } finally {
    client.call('rows.close', { reader: info.reader }).catch(() => undefined); // closed with the connection
  }
}

export interface Peek {
  readonly parent: ParentRow;
  readonly anchor: DOMRect;
  /** True if opened with the keyboard: the card takes the focus. */
  readonly hasFocus: boolean;
}

interface PeekCardProps {
  readonly database: DatabaseId;
  readonly peek: Peek;
  onFollow(): void;
  onClose(): void;
}

const SHOWN_CHARS = 200;

export function PeekCard({ database, peek, onFollow, onClose }: PeekCardProps): ReactNode {
  const { parent, anchor, hasFocus } = peek;
  const read = usePeekedRow(database, parent);
  if (!read) return null;
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Popover.Portal>
        <Popover.Positioner
          className="menu-positioner"
          anchor={{ getBoundingClientRect: () => anchor }}
          align="start"
          sideOffset={2}
          positionMethod="fixed"
        >
          <Popover.Popup
            className="menu peek-card"
            initialFocus={hasFocus}
            finalFocus={false}
            onPointerLeave={() => !hasFocus && onClose()}
          >
            <Popover.Title className="break-words strong peek-title">
              {visibleName(parent.table)} {parent.terms.map(({ value }) => cut(valueText(value), 40)).join(', ')}
            </Popover.Title>
            <PeekContent read={read} />
            <Button size="small" onClick={onFollow}>
              Go to row <kbd>{commandKeyLabel('grid.followKey')}</kbd>
            </Button>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface Read {
  readonly row: PeekedRow | null;
  readonly problem: string | null;
}

function PeekContent({ read: { row, problem } }: { readonly read: Read }): ReactNode {
  if (problem !== null) return <p className="note flush">{problem}</p>;
  if (!row) return <p className="note flush">The referenced row does not exist.</p>;
  return (
    <>
      <dl className="peek-values selectable">
        {row.cells.map(({ column, value, isCut }) => (
          <div key={column}>
            <dt>{visibleName(column)}</dt>
            <dd data-null={value === null || undefined}>
              {value === null ? 'NULL' : visibleLine(cut(valueText(value), SHOWN_CHARS))}
              {isCut && '…'}
            </dd>
          </div>
        ))}
      </dl>
      {row.moreColumns > 0 && <p className="note flush">and {plural(row.moreColumns, 'more column')}</p>}
    </>
  );
}

/** Null until it is read: an empty card would only flicker. */
function usePeekedRow(database: DatabaseId, parent: ParentRow): Read | null {
  const [read, setRead] = useState<{ readonly of: ParentRow; readonly read: Read } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const show = (found: Read): void => {
      if (isCurrent) setRead({ of: parent, read: found });
    };
    readPeek(database, parent).then(
      (row) => show({ row, problem: null }),
      (error: unknown) => show({ row: null, problem: toAppError(error).message }),
    );
    return () => void (isCurrent = false);
  }, [database, parent]);
  return read?.of === parent ? read.read : null;
}
