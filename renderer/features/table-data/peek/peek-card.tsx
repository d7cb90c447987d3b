// Shows the row that a foreign key refers to, beside its cell.
import { Popover } from '@base-ui/react/popover';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { toAppError } from '#shared/protocol/errors.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { cut, visibleLine, visibleName } from '#shared/visible-text.ts';
import { valueText } from '../../../grid/input/value-text.ts';
import { commandKeyLabel } from '../../../workbench/commands/commands.ts';
import type { ParentRow } from '../../../workbench/relations/foreign-keys.ts';
import { Button } from '../../../ui/button.tsx';
import { plural } from '../../../ui/format.ts';
import { readPeek } from './peek-row.ts';
import type { PeekedRow } from './peek-row.ts';
import './peek.css';

export interface Peek {
  readonly parent: ParentRow;
  /** Bounds of the cell. */
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
            <Popover.Title className="peek-title">
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
  if (problem !== null) return <p className="peek-note">{problem}</p>;
  if (!row) return <p className="peek-note">The referenced row does not exist.</p>;
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
      {row.moreColumns > 0 && <p className="peek-note">and {plural(row.moreColumns, 'more column')}</p>}
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
