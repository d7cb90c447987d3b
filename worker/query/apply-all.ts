// Applies changes that were held back: rows of several tables in one transaction, and what has become of those rows in the meantime.
import { byName } from '#shared/by-name.ts';
import type { ChangeState, TableChange } from '#shared/protocol/edit.ts';
import { AppError, toAppError, toErrorData } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { atomically } from '../engines/transaction.ts';
import { sameValue } from '../sql/same-value.ts';
import { TableEditor } from './apply-edits.ts';
import { applyTogether, type EditTerms, type KeepMade } from './apply-together.ts';
import { namingForeignKey } from './foreign-key-failure.ts';

interface Numbered {
  readonly change: TableChange;
  readonly index: number;
}

/**
 * A change that breaks a constraint is tried again after the others, which may make room for it: a value of a unique column that another
 * row gives up, a parent row that is added later. A statement that fails leaves nothing behind (sqlite.org/lang_conflict.html, ABORT).
 * @throws AppError as `edit.applyAll`; nothing was changed then
 */
export function applyAll(
  connection: Connection,
  changes: readonly TableChange[],
  keep?: KeepMade,
): { readonly rowsChanged: number } {
  const editorOf = editors(connection);
  const isTogether =
    connection.writeTogether !== undefined &&
    connection.autocommit &&
    changes.every(({ table }) => editorOf(table).shape.kind === 'table');
  if (!isTogether) return namingForeignKey(connection, changes, () => applyInTurn(connection, changes, editorOf));
  try {
    return applyInBatch(connection, changes, editorOf, keep);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code !== 'constraint') throw error;
    // Another order may work. A server that has no transactions has no other one.
    try {
      return applyInTurn(connection, changes, editorOf);
    } catch (later) {
      throw toAppError(later).detail?.['kind'] === 'no-transactions' ? error : later;
    }
  }
}

/** Applies changes in one round trip, in their order. */
function applyInBatch(
  connection: Connection,
  changes: readonly TableChange[],
  editorOf: (table: string) => TableEditor,
  keep?: KeepMade,
): { readonly rowsChanged: number } {
  const terms = new Map<TableEditor, EditTerms>();
  const termed = changes.map((change) => {
    const editor = editorOf(change.table);
    const known = terms.get(editor) ?? editor.terms;
    terms.set(editor, known);
    return { terms: known, change };
  });
  return applyTogether(connection, termed, keep, (error, at) => withChange(toAppError(error), at));
}

function applyInTurn(
  connection: Connection,
  changes: readonly TableChange[],
  editorOf: (table: string) => TableEditor,
): { readonly rowsChanged: number } {
  return atomically(connection, () => {
    let left: readonly Numbered[] = changes.map((change, index) => ({ change, index }));
    while (left.length > 0) {
      const blocked: Numbered[] = [];
      let failure: AppError | null = null;
      for (const one of left) {
        try {
          editorOf(one.change.table).apply(one.change);
        } catch (thrown) {
          const error = withChange(toAppError(thrown), one.index);
          // A trigger may have rolled back everything.
          if (error.code !== 'constraint' || connection.autocommit) throw error;
          failure ??= error;
          blocked.push(one);
        }
      }
      if (failure && blocked.length === left.length) throw failure;
      // Values that all move up by one make room from the end: otherwise each round would free one of them.
      left = blocked.reverse();
    }
    return { rowsChanged: changes.length };
  });
}

/** Returns a state for each change, in order. Never throws for a change whose row, table, or column is gone. */
export function checkChanges(connection: Connection, changes: readonly TableChange[]): readonly ChangeState[] {
  const editorOf = editors(connection);
  return changes.map((change): ChangeState => {
    try {
      return stateOf(editorOf(change.table), change);
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      if (code !== 'not-found' && code !== 'invalid') throw thrown;
      return { kind: 'gone', why: message };
    }
  });
}

function stateOf(editor: TableEditor, change: TableChange): ChangeState {
  if (change.kind === 'insert') {
    editor.assertWritable(Object.keys(change.set));
    return { kind: 'ready' };
  }
  if (change.kind === 'delete') return { kind: hasRow(editor, change.key) ? 'ready' : 'done' };
  if (change.kind === 'duplicate') return { kind: 'ready' };
  const columns = Object.keys(change.set);
  editor.assertWritable(columns);
  const stored = editor.current(change.key, columns);
  const current = byName<Value>();
  let isDone = true;
  columns.forEach((column, at) => {
    const now = stored[at]!;
    if (sameValue(now, change.set[column]!)) return;
    isDone = false;
    const base = change.base[column];
    if (base !== undefined && !sameValue(now, base)) current[column] = now;
  });
  if (Object.keys(current).length > 0) return { kind: 'conflict', current };
  return { kind: isDone ? 'done' : 'ready' };
}

function hasRow(editor: TableEditor, key: readonly Value[]): boolean {
  try {
    editor.current(key, []);
    return true;
  } catch (thrown) {
    if (toAppError(thrown).code === 'not-found') return false;
    throw thrown;
  }
}

/** Each table is described once. */
function editors(connection: Connection): (table: string) => TableEditor {
  const known = new Map<string, TableEditor>();
  return (table) => {
    const editor = known.get(table) ?? new TableEditor(connection, table);
    known.set(table, editor);
    return editor;
  };
}

const withChange = (error: AppError, change: number): AppError =>
  new AppError({ ...toErrorData(error), detail: { ...error.detail, change } });
