// Checks whether rows are as a step left them. Used where other programs write too: a mark identifies the state of the file, this checks
// the rows themselves.
import type { Connection } from '../engines/engine.ts';
import { MAX_ROWS_WITH_AFTER } from '../engines/row-log/row-log.ts';
import type { RowLog } from '../engines/row-log/row-log.ts';
import { MergeTarget } from './merge-target.ts';
import { agrees } from './merge.ts';
import { keyText, netChanges } from './net-changes.ts';

/**
 * Larger steps do not keep the values after them, so there only the mark is checked. @throws AppError `not-found` when a table has changed
 */
export function areUnchanged(connection: Connection, log: RowLog): boolean {
  if (log.rowCount > MAX_ROWS_WITH_AFTER) return true;
  const changes = netChanges(log.forwards());
  const present = new Set(changes.flatMap(({ table, keyAfter }) => (keyAfter ? [keyText(table.name, keyAfter)] : [])));
  const targets = new Map<string, MergeTarget>();
  return changes.every(({ table, keyBefore, keyAfter, after }) => {
    // Another row may have its key by now.
    if (!keyAfter && present.has(keyText(table.name, keyBefore!))) return true;
    let target = targets.get(table.name);
    if (!target) targets.set(table.name, (target = new MergeTarget(connection, table, {})));
    const now = target.read(keyAfter ?? keyBefore!);
    return keyAfter ? now !== null && agrees(now, after!) : now === null;
  });
}
