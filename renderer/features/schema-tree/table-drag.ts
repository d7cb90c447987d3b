// A table that is dragged to the tables of another database, in this window or another one: the drop opens the dialog that copies it.
import { useState, type DragEvent } from 'react';
import * as v from 'valibot';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { notifyFailure } from '../../state/databases.ts';
import { knownSchema } from '../../state/schema.ts';
import { notify, useStore } from '../../state/store.ts';
import { askCopyTable, canCopyTable, copyTargets } from '../../workbench/objects/copy-table-request.ts';
import { ownerOf, type TreeRow } from './tree-rows.ts';

const DRAG_TYPE = 'application/x-sidelite-table';
const DRAGGED = v.pipe(v.string(), v.parseJson(), v.object({ database: v.string(), table: v.string() }));

/** Where the table that is dragged comes from: what a drag brings can be read only when it is dropped. Null: from another window. */
let from: DatabaseId | null = null;

export const canDrag = (row: TreeRow): boolean => row.kind === 'object' && canCopyTable(row.object);

interface TableDrag {
  /** The database that a drop would copy the table into; null while there is none. */
  readonly into: DatabaseId | null;
  onDragStart(event: DragEvent): void;
  onDragOver(event: DragEvent): void;
  onDragLeave(event: DragEvent): void;
  onDragEnd(): void;
  onDrop(event: DragEvent): void;
}

/** @param rowOf the row under the pointer */
export function useTableDrag(database: DatabaseId, rowOf: (event: DragEvent) => TreeRow | undefined): TableDrag {
  const [into, setInto] = useState<DatabaseId | null>(null);
  return {
    into,
    onDragStart(event) {
      const row = rowOf(event);
      if (row?.kind !== 'object') return;
      from = ownerOf(row, database);
      event.dataTransfer.setData(DRAG_TYPE, JSON.stringify({ database: from, table: row.object.name }));
      event.dataTransfer.effectAllowed = 'copy';
    },
    onDragOver(event) {
      if (!event.dataTransfer.types.includes(DRAG_TYPE)) return;
      const target = ownerOf(rowOf(event), database);
      const isTarget = from === null ? canTake(target, '') : canTake(target, from);
      setInto(isTarget ? target : null);
      if (!isTarget) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    },
    onDragLeave({ currentTarget, relatedTarget }) {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setInto(null);
    },
    onDragEnd() {
      from = null;
      setInto(null);
    },
    onDrop(event) {
      setInto(null);
      const dragged = v.safeParse(DRAGGED, event.dataTransfer.getData(DRAG_TYPE));
      if (!dragged.success) return;
      event.preventDefault();
      const target = ownerOf(rowOf(event), database);
      void askToCopy(dragged.output, target).catch(notifyFailure);
    },
  };
}

const canTake = (target: DatabaseId, source: DatabaseId): boolean =>
  copyTargets(useStore.getState().openDatabases, source).some(([id]) => id === target);

async function askToCopy({ database, table }: v.InferOutput<typeof DRAGGED>, into: DatabaseId): Promise<void> {
  if (!canTake(into, database)) return;
  if (!useStore.getState().openDatabases[database])
    return notify({ tone: 'info', text: 'Open the database of that table in this window, too, to copy the table.' });
  const schema = await knownSchema(database);
  const object = schema?.objects.find(({ name }) => name === table);
  if (object && canCopyTable(object)) askCopyTable(database, object, into);
}
