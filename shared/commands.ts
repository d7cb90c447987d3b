// Every command, once: feeds the native menu, the command palette, the key map and the help.

export type MenuName = 'File' | 'Edit' | 'View' | 'Database' | 'Query' | 'Help';

export interface Command {
  readonly id: string;
  readonly title: string;
  /** Electron accelerator syntax; `CmdOrCtrl` is Command on macOS. */
  readonly key?: string;
  /** Additional keys for the same command. */
  readonly otherKeys?: readonly string[];
  readonly menu?: MenuName;
  /** Starts a new group in its menu. */
  readonly group?: boolean;
  /** Where its keys work. `grid` and `editor` need the focus there. */
  readonly scope: 'window' | 'grid' | 'editor';
  /** What its keys and menu entry do while the user edits text: they then act on that text. */
  readonly inText?: 'undo' | 'redo';
}

const define = <const T extends readonly Command[]>(commands: T): T => commands;

export const COMMANDS = define([
  { id: 'file.open', title: 'Open File…', key: 'CmdOrCtrl+O', menu: 'File', scope: 'window' },
  { id: 'file.import', title: 'Import…', key: 'CmdOrCtrl+Shift+O', menu: 'File', scope: 'window' },
  { id: 'file.importClipboard', title: 'Import from Clipboard…', menu: 'File', scope: 'window' },
  { id: 'import.recipes', title: 'Import Recipes…', menu: 'File', scope: 'window' },
  { id: 'file.newDatabase', title: 'New Database', key: 'CmdOrCtrl+Shift+N', menu: 'File', scope: 'window' },
  { id: 'file.sampleDatabase', title: 'Create Sample Database', menu: 'File', scope: 'window' },
  { id: 'file.newWindow', title: 'New Window', key: 'CmdOrCtrl+N', menu: 'File', group: true, scope: 'window' },
  { id: 'library.show', title: 'Show Library', key: 'CmdOrCtrl+L', menu: 'File', scope: 'window' },
  { id: 'source.save', title: 'Save to Source', key: 'CmdOrCtrl+S', menu: 'File', group: true, scope: 'window' },
  { id: 'source.compare', title: 'Compare with Source…', menu: 'File', scope: 'window' },
  { id: 'source.merge', title: 'Merge from Source…', menu: 'File', scope: 'window' },
  { id: 'source.reload', title: 'Reload from Source…', menu: 'File', scope: 'window' },
  {
    id: 'database.export',
    title: 'Export as SQLite File…',
    key: 'CmdOrCtrl+Shift+E',
    menu: 'File',
    scope: 'window',
  },
  { id: 'export.show', title: 'Export…', key: 'CmdOrCtrl+E', menu: 'File', scope: 'window' },
  { id: 'tab.close', title: 'Close Tab', key: 'CmdOrCtrl+W', menu: 'File', group: true, scope: 'window' },
  { id: 'tab.reopen', title: 'Reopen Closed Tab', key: 'CmdOrCtrl+Shift+T', menu: 'File', scope: 'window' },
  { id: 'window.close', title: 'Close Window', key: 'CmdOrCtrl+Shift+W', menu: 'File', scope: 'window' },

  { id: 'history.undo', title: 'Undo', key: 'CmdOrCtrl+Z', menu: 'Edit', scope: 'window', inText: 'undo' },
  {
    id: 'history.redo',
    title: 'Redo',
    key: 'CmdOrCtrl+Shift+Z',
    otherKeys: ['CmdOrCtrl+Y'],
    menu: 'Edit',
    scope: 'window',
    inText: 'redo',
  },

  { id: 'grid.copy', title: 'Copy Cells', key: 'CmdOrCtrl+C', menu: 'Edit', scope: 'grid' },
  {
    id: 'grid.copyWithHeaders',
    title: 'Copy Cells with Headers',
    key: 'CmdOrCtrl+Shift+C',
    menu: 'Edit',
    scope: 'grid',
  },
  { id: 'grid.copyAsCsv', title: 'Copy as CSV', scope: 'grid' },
  { id: 'grid.copyAsTsv', title: 'Copy as TSV', scope: 'grid' },
  { id: 'grid.copyAsJson', title: 'Copy as JSON', scope: 'grid' },
  { id: 'grid.copyAsMarkdown', title: 'Copy as Markdown', scope: 'grid' },
  { id: 'grid.copyAsHtml', title: 'Copy as HTML', scope: 'grid' },
  { id: 'grid.copyAsInsert', title: 'Copy as INSERT', scope: 'grid' },
  { id: 'grid.copyAsUpdate', title: 'Copy as UPDATE', scope: 'grid' },
  { id: 'grid.copyAsInList', title: 'Copy as IN List', scope: 'grid' },
  { id: 'grid.paste', title: 'Paste Cells', key: 'CmdOrCtrl+V', menu: 'Edit', scope: 'grid' },
  {
    id: 'grid.pasteSpecial',
    title: 'Paste Special…',
    key: 'CmdOrCtrl+Shift+V',
    menu: 'Edit',
    scope: 'grid',
  },
  { id: 'grid.editCell', title: 'Edit Cell', key: 'F2', menu: 'Edit', group: true, scope: 'grid' },
  { id: 'grid.setNull', title: 'Set to NULL', key: 'Alt+Backspace', menu: 'Edit', scope: 'grid' },
  { id: 'grid.addRow', title: 'Add Row', key: 'Insert', menu: 'Edit', group: true, scope: 'grid' },
  { id: 'grid.duplicateRow', title: 'Duplicate Rows', key: 'CmdOrCtrl+D', menu: 'Edit', scope: 'grid' },
  {
    id: 'grid.deleteRows',
    title: 'Delete Rows',
    key: 'CmdOrCtrl+Backspace',
    otherKeys: ['CmdOrCtrl+Delete'],
    menu: 'Edit',
    scope: 'grid',
  },
  { id: 'grid.goToRow', title: 'Go to Row…', key: 'CmdOrCtrl+G', menu: 'Edit', group: true, scope: 'window' },
  { id: 'grid.filter', title: 'Filter…', key: 'CmdOrCtrl+F', menu: 'Edit', scope: 'window' },
  {
    id: 'grid.filterRow',
    title: 'Show or Hide Filter Row',
    key: 'CmdOrCtrl+Alt+F',
    menu: 'View',
    scope: 'window',
  },

  {
    id: 'palette.show',
    title: 'Go to Anything…',
    key: 'CmdOrCtrl+P',
    otherKeys: ['CmdOrCtrl+K'],
    menu: 'View',
    scope: 'window',
  },
  { id: 'view.refresh', title: 'Refresh', key: 'CmdOrCtrl+R', menu: 'View', scope: 'window' },
  { id: 'view.sidebar', title: 'Show or Hide Objects', key: 'CmdOrCtrl+B', menu: 'View', group: true, scope: 'window' },
  { id: 'view.details', title: 'Show or Hide Details', key: 'CmdOrCtrl+I', menu: 'View', scope: 'window' },
  { id: 'view.liveCounters', title: 'Show Live Counters', key: 'CmdOrCtrl+Shift+L', menu: 'View', scope: 'window' },
  { id: 'history.show', title: 'Show History', key: 'CmdOrCtrl+Shift+H', menu: 'View', scope: 'window' },
  { id: 'benchmark.show', title: 'Show Benchmark', key: 'CmdOrCtrl+Shift+B', menu: 'View', scope: 'window' },
  { id: 'view.nextTab', title: 'Next Tab', key: 'Ctrl+Tab', menu: 'View', group: true, scope: 'window' },
  { id: 'view.previousTab', title: 'Previous Tab', key: 'Ctrl+Shift+Tab', menu: 'View', scope: 'window' },
  { id: 'view.nextPane', title: 'Go to Next Pane', key: 'F6', menu: 'View', scope: 'window' },
  { id: 'view.previousPane', title: 'Go to Previous Pane', key: 'Shift+F6', menu: 'View', scope: 'window' },
  { id: 'editor.tabMovesFocus', title: 'Toggle Tab Key Moves Focus', key: 'Ctrl+M', menu: 'View', scope: 'editor' },
  { id: 'grid.sortAscending', title: 'Sort Ascending', key: 'Alt+Up', menu: 'View', group: true, scope: 'grid' },
  { id: 'grid.sortDescending', title: 'Sort Descending', key: 'Alt+Down', menu: 'View', scope: 'grid' },
  { id: 'grid.addToSorting', title: 'Add to Sorting', menu: 'View', scope: 'grid' },
  { id: 'grid.clearSorting', title: 'Clear Sorting', menu: 'View', scope: 'grid' },
  {
    id: 'grid.moveColumnLeft',
    title: 'Move Column Left',
    key: 'Alt+Left',
    menu: 'View',
    group: true,
    scope: 'grid',
  },
  { id: 'grid.moveColumnRight', title: 'Move Column Right', key: 'Alt+Right', menu: 'View', scope: 'grid' },
  { id: 'grid.narrowColumn', title: 'Narrow Column', key: 'Alt+Shift+Left', menu: 'View', scope: 'grid' },
  { id: 'grid.widenColumn', title: 'Widen Column', key: 'Alt+Shift+Right', menu: 'View', scope: 'grid' },
  { id: 'grid.fitColumn', title: 'Fit Column to Contents', menu: 'View', scope: 'grid' },
  { id: 'view.themeSystem', title: 'Theme: Follow System', menu: 'View', group: true, scope: 'window' },
  { id: 'view.themeLight', title: 'Theme: Light', menu: 'View', scope: 'window' },
  { id: 'view.themeDark', title: 'Theme: Dark', menu: 'View', scope: 'window' },

  { id: 'diagram.show', title: 'Show Diagram', key: 'CmdOrCtrl+Shift+D', menu: 'Database', scope: 'window' },
  { id: 'diagram.around', title: 'Show Diagram Around Table', menu: 'Database', scope: 'window' },
  { id: 'diagram.fit', title: 'Diagram: Fit to Window', scope: 'window' },
  { id: 'diagram.layOutAgain', title: 'Diagram: Lay Out Again', scope: 'window' },
  { id: 'diagram.list', title: 'Diagram: Show as List or Picture', scope: 'window' },
  { id: 'database.rename', title: 'Rename Database…', menu: 'Database', group: true, scope: 'window' },
  { id: 'database.duplicate', title: 'Duplicate Database', menu: 'Database', scope: 'window' },
  { id: 'database.delete', title: 'Delete Database…', menu: 'Database', scope: 'window' },
  { id: 'database.file', title: 'Where This Data Lives', menu: 'Database', scope: 'window' },
  { id: 'database.revealSource', title: 'Reveal Source File', menu: 'Database', scope: 'window' },
  { id: 'table.new', title: 'New Table…', menu: 'Database', group: true, scope: 'window' },
  { id: 'index.new', title: 'New Index…', menu: 'Database', scope: 'window' },
  { id: 'view.new', title: 'New View…', menu: 'Database', scope: 'window' },
  { id: 'trigger.new', title: 'New Trigger…', menu: 'Database', scope: 'window' },
  { id: 'table.design', title: 'Design Table…', menu: 'Database', scope: 'window' },
  { id: 'table.rename', title: 'Rename Table…', menu: 'Database', scope: 'window' },
  { id: 'table.duplicate', title: 'Duplicate Table…', menu: 'Database', scope: 'window' },
  { id: 'table.empty', title: 'Empty Table…', menu: 'Database', scope: 'window' },
  { id: 'table.drop', title: 'Drop Table…', menu: 'Database', scope: 'window' },
  { id: 'table.sampleRows', title: 'Fill with Sample Rows…', menu: 'Database', scope: 'window' },
  { id: 'patch.apply', title: 'Apply Patch…', menu: 'Database', group: true, scope: 'window' },
  { id: 'history.limits', title: 'History Limits…', menu: 'Database', scope: 'window' },
  { id: 'history.clear', title: 'Clear History…', menu: 'Database', scope: 'window' },
  { id: 'health.show', title: 'Show Health', menu: 'Database', group: true, scope: 'window' },
  { id: 'schema.compare', title: 'Compare Schemas', menu: 'Database', scope: 'window' },
  { id: 'database.check', title: 'Check Integrity', menu: 'Database', scope: 'window' },
  {
    id: 'database.durabilityFull',
    title: 'Durability: Full (fsync Each Commit)',
    menu: 'Database',
    group: true,
    scope: 'window',
  },
  { id: 'database.durabilityBalanced', title: 'Durability: Balanced', menu: 'Database', scope: 'window' },

  { id: 'query.new', title: 'New SQL Tab', key: 'CmdOrCtrl+T', menu: 'Query', scope: 'window' },
  {
    id: 'query.run',
    title: 'Run Statement or Selection',
    key: 'CmdOrCtrl+Enter',
    menu: 'Query',
    group: true,
    scope: 'editor',
  },
  {
    id: 'query.runAll',
    title: 'Run All',
    key: 'CmdOrCtrl+Shift+Enter',
    otherKeys: ['F5'],
    menu: 'Query',
    scope: 'editor',
  },
  {
    id: 'query.dryRun',
    title: 'Dry Run of Statement or Selection',
    key: 'CmdOrCtrl+Alt+Enter',
    menu: 'Query',
    scope: 'editor',
  },
  {
    id: 'query.dryRunAll',
    title: 'Dry Run of All',
    key: 'CmdOrCtrl+Alt+Shift+Enter',
    menu: 'Query',
    scope: 'editor',
  },
  {
    id: 'queryLog.show',
    title: 'Show Query History',
    key: 'CmdOrCtrl+Alt+Y',
    menu: 'Query',
    group: true,
    scope: 'window',
  },
  { id: 'editor.format', title: 'Format SQL', key: 'Shift+Alt+F', menu: 'Query', group: true, scope: 'editor' },
  {
    id: 'query.compare',
    title: 'Compare on Both Engines',
    key: 'CmdOrCtrl+Alt+C',
    menu: 'Query',
    group: true,
    scope: 'window',
  },
  { id: 'compare.nextDifference', title: 'Next Difference', key: 'F8', menu: 'Query', scope: 'window' },
  { id: 'compare.previousDifference', title: 'Previous Difference', key: 'Shift+F8', menu: 'Query', scope: 'window' },
  { id: 'compare.rows', title: 'Comparison: Rows', scope: 'window' },
  { id: 'compare.plans', title: 'Comparison: Plans', scope: 'window' },
  { id: 'compare.times', title: 'Comparison: Times', scope: 'window' },
  { id: 'compare.engines', title: 'Comparison: Engines', scope: 'window' },
  { id: 'work.stop', title: 'Stop', key: 'CmdOrCtrl+.', menu: 'Query', scope: 'window' },

  { id: 'help.keys', title: 'Keyboard Shortcuts', key: 'F1', menu: 'Help', scope: 'window' },
  { id: 'help.about', title: 'About Sidelite', menu: 'Help', scope: 'window' },
]);

export type CommandId = (typeof COMMANDS)[number]['id'];
