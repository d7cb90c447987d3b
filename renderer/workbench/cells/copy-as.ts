// Copies the selection of a grid in an export format: the worker writes it, so it is the same as in a file.
import { useEffect, useRef } from 'react';
import type { CommandId } from '#shared/commands.ts';
import { DEFAULT_EXPORT_OPTIONS, type DatabaseId, type ExportSource } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { notifyFailure } from '../../state/databases.ts';
import { notify } from '../../state/store.ts';
import { plural } from '../../ui/format.ts';
import type { Submenu } from '../../ui/menu.tsx';
import { runCommand, useCommand } from '../commands/commands.ts';
import { selectionOf } from '../files/export-request.ts';
import { runJob } from '../jobs.ts';

const COPY_AS = [
  ['grid.copyAsCsv', 'CSV'],
  ['grid.copyAsTsv', 'TSV'],
  ['grid.copyAsJson', 'JSON'],
  ['grid.copyAsMarkdown', 'Markdown'],
  ['grid.copyAsHtml', 'HTML'],
  ['grid.copyAsInsert', 'INSERT'],
  ['grid.copyAsUpdate', 'UPDATE'],
  ['grid.copyAsInList', 'IN list'],
] as const satisfies readonly (readonly [CommandId, string])[];

/** Omits the statements that create the table: the table exists where the rows are pasted. */
const OPTIONS = { ...DEFAULT_EXPORT_OPTIONS, ddl: false };

interface CopiedRows {
  readonly database: DatabaseId;
  readonly grid: GridHandle;
  /** The source of all the grid's rows. */
  readonly source: Extract<ExportSource, { readonly kind: 'table' | 'result' }>;
  readonly nameOf: (column: number) => string | number;
}

/** The commands “Copy as …” of a grid. `rows` is called when one is chosen. */
export function useCopyAs(isActive: boolean, hasKey: boolean, rows: () => CopiedRows | null): void {
  const latest = useRef(rows);
  useEffect(() => {
    latest.current = rows;
  });
  const copy = (format: string) => (): void => {
    const now = latest.current();
    // The grid may still be locating the selected rows.
    now?.grid.inTurn(() => void copyAs(now, format));
  };
  useCommand('grid.copyAsCsv', copy('csv'), isActive);
  useCommand('grid.copyAsTsv', copy('tsv'), isActive);
  useCommand('grid.copyAsJson', copy('json'), isActive);
  useCommand('grid.copyAsMarkdown', copy('markdown'), isActive);
  useCommand('grid.copyAsHtml', copy('html'), isActive);
  useCommand('grid.copyAsInsert', copy('sql'), isActive);
  useCommand('grid.copyAsUpdate', copy('update'), isActive && hasKey);
  useCommand('grid.copyAsInList', copy('in-list'), isActive);
}

export function copyAsMenu(hasKey: boolean): Submenu {
  const offered = COPY_AS.filter(([id]) => hasKey || id !== 'grid.copyAsUpdate');
  return {
    submenu: 'Copy as',
    entries: offered.map(([id, label]) => ({ label, run: () => void runCommand(id) })),
  };
}

async function copyAs({ database, grid, source, nameOf }: CopiedRows, format: string): Promise<void> {
  const { summary, ...selection } = selectionOf(grid, nameOf);
  try {
    const { text, rows, notes } = await runJob(`Copying ${summary}`, (options) =>
      client.call('export.text', { database, source: { ...source, ...selection }, format, options: OPTIONS }, options),
    );
    const copiedText = text.replace(/\n$/, '');
    await (format === 'html' ? shell.writeClipboard(copiedText, copiedText) : shell.writeClipboard(copiedText));
    const copied = `Copied ${plural(rows, 'row')}.`;
    notify({ tone: notes.length > 0 ? 'warning' : 'success', topic: 'copy-as', text: [copied, ...notes].join(' ') });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}
