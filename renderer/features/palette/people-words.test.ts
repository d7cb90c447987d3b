// Words that people type who know other programs, and what each must find among the first three hits.
import { expect, test } from 'vitest';
import { COMMANDS, type CommandId } from '#shared/commands.ts';
import type { SettingKey } from '#shared/settings/definitions.ts';
import { paletteItems, rankItems } from './palette-items.ts';

const TABLES = 'Album Artist Customer Employee Genre Invoice InvoiceLine MediaType Playlist PlaylistTrack Track'.split(
  ' ',
);
const enabled = new Set(COMMANDS.map(({ id }) => id as CommandId));
const items = paletteItems({
  tabs: [],
  schema: {
    schemaVersion: 1,
    objects: TABLES.map((name) => ({ kind: 'table', name, tableName: name, sql: '', rows: null, problem: null })),
  },
  entries: [],
  enabled,
  titles: { 'history.undo': 'Undo Edit UnitPrice in InvoiceLine', 'history.redo': 'Redo Drop Index ix_name' },
});
const hits = (typed: string): string[] => rankItems(items, typed, enabled).map(({ item }) => item.key);

type Expected = CommandId | `setting ${SettingKey}` | `answer ${string}`;

test.each<[typed: string, expected: Expected]>([
  ['vacuum', 'health.upkeep'],
  ['compact', 'health.upkeep'],
  ['optimize', 'health.upkeep'],
  ['analyze', 'health.upkeep'],
  ['reindex', 'health.upkeep'],
  ['shrink', 'health.upkeep'],
  ['pragma', 'health.settings'],
  ['journal mode', 'health.settings'],
  ['wal', 'health.settings'],
  ['table sizes', 'health.space'],
  ['disk usage', 'health.space'],
  ['integrity', 'database.check'],
  ['corrupt', 'database.check'],
  ['foreign key check', 'health.findings'],
  ['attach', 'database.attach'],
  ['cross database', 'database.attach'],
  ['password', 'answer encryption'],
  ['sqlcipher', 'answer encryption'],
  ['encrypt', 'answer encryption'],
  ['extension', 'health.extensions'],
  ['load extension', 'health.extensions'],
  ['spatialite', 'health.extensions'],
  ['create function', 'health.functions'],
  ['no such function', 'health.functions'],
  ['print', 'print.show'],
  ['pdf', 'print.show'],
  ['paper', 'print.show'],
  ['font size', 'setting grid.fontSize'],
  ['font size', 'setting editor.fontSize'],
  ['font', 'setting data.font'],
  ['zoom', 'setting grid.fontSize'],
  ['unix', 'setting grid.dates'],
  ['epoch', 'setting grid.dates'],
  ['time zone', 'setting grid.dates'],
  ['date format', 'setting format.dates'],
  ['thousands', 'setting grid.groupDigits'],
  ['row height', 'setting grid.density'],
  ['null', 'setting grid.null'],
  ['word wrap', 'setting editor.wrap'],
  ['dark', 'view.themeDark'],
  ['dark mode', 'view.themeDark'],
  ['light mode', 'view.themeLight'],
  ['theme', 'setting theme'],
  ['preferences', 'settings.show'],
  ['options', 'settings.show'],
  ['shortcuts', 'help.keys'],
  ['hotkeys', 'help.keys'],
  ['help', 'help.keys'],
  ['version', 'help.about'],
  ['copy table', 'table.duplicate'],
  ['clone table', 'table.duplicate'],
  ['copy table', 'table.copyTo'],
  ['copy table to another database', 'table.copyTo'],
  ['transfer table', 'table.copyTo'],
  ['send table', 'table.copyTo'],
  ['truncate', 'table.empty'],
  ['delete table', 'table.drop'],
  ['alter table', 'table.design'],
  ['add column', 'table.design'],
  ['rename column', 'table.design'],
  ['structure', 'table.design'],
  ['show sql', 'table.showSql'],
  ['ddl', 'table.showSql'],
  ['create table', 'table.new'],
  ['create index', 'index.new'],
  ['create view', 'view.new'],
  ['fts', 'fullText.new'],
  ['fake data', 'table.sampleRows'],
  ['dependencies', 'table.uses'],
  ['run script', 'query.openFile'],
  ['execute sql', 'query.new'],
  ['execute', 'query.run'],
  ['console', 'query.new'],
  ['beautify', 'editor.format'],
  ['explain', 'query.explain'],
  ['slow', 'query.explain'],
  ['index advisor', 'query.findIndexes'],
  ['cancel', 'work.stop'],
  ['backup', 'database.export'],
  ['save as', 'database.export'],
  ['back up', 'database.export'],
  ['backup database', 'database.export'],
  ['save copy', 'database.export'],
  ['snapshot', 'database.export'],
  ['export as sqlite', 'database.export'],
  ['dump', 'export.show'],
  ['excel', 'export.show'],
  ['csv', 'export.show'],
  ['csv', 'file.import'],
  ['restore', 'history.show'],
  ['recent', 'library.show'],
  ['recent', 'file.open'],
  ['recent files', 'setting recentFiles'],
  ['file path', 'database.file'],
  ['erd', 'diagram.show'],
  ['er diagram', 'diagram.show'],
  ['relations', 'diagram.show'],
  ['relationships', 'diagram.show'],
  ['diff', 'schema.compare'],
  ['migration', 'schema.compare'],
  ['revert', 'history.undo'],
  ['rollback', 'history.undo'],
  ['commit', 'held.save'],
  ['autocommit', 'held.turn'],
  ['changelog', 'history.show'],
  ['audit', 'history.show'],
  ['sidebar', 'view.sidebar'],
  ['tree', 'view.sidebar'],
  ['inspector', 'view.details'],
  ['hex', 'value.edit'],
  ['record view', 'form.show'],
  ['pin', 'grid.freezeColumns'],
  ['unhide', 'grid.columns'],
  ['autofit', 'grid.fitColumn'],
  ['conditional formatting', 'grid.colorColumn'],
  ['distinct', 'grid.columnValues'],
  ['group by', 'grid.columnValues'],
  ['order by', 'grid.sortAscending'],
  ['where', 'grid.filter'],
  ['bulk edit', 'grid.changeCells'],
  ['set all', 'grid.changeCells'],
  ['new row', 'grid.addRow'],
  ['insert row', 'grid.addRow'],
  ['remove row', 'grid.deleteRows'],
  ['clone row', 'grid.duplicateRow'],
  ['global search', 'search.show'],
  ['bookmarks', 'savedQueries.show'],
  ['snippets', 'savedQueries.show'],
  ['sql log', 'queryLog.show'],
  ['plot', 'result.chart'],
  ['geojson', 'grid.map'],
  ['turso', 'file.connect'],
  ['litestream', 'file.openReplica'],
  ['split view', 'view.split'],
  ['fsync', 'database.durabilityFull'],
  ['confirmation', 'setting confirm.close'],
  ['undo limit', 'setting history.totalMegabytes'],
])('“%s” finds %s', (typed, expected) => {
  const key = expected.includes(' ') ? expected : `command ${expected}`;
  expect(hits(typed).slice(0, 3)).toContain(key);
});

test.each<[typed: string, expected: Expected]>([
  ['backup', 'database.export'],
  ['show sql', 'table.showSql'],
  ['dark', 'view.themeDark'],
  ['statistics', 'grid.columnValues'],
  ['execute sql', 'query.new'],
  ['recent', 'file.open'],
  ['regex', 'grid.filter'],
  ['autoincrement', 'table.design'],
])('“%s” finds %s first', (typed, expected) => expect(hits(typed)[0]).toBe(`command ${expected}`));

test('what destroys something is not the only answer to a word that its title lacks', () => {
  expect(hits('truncate')).toEqual(['command table.empty', 'search tables', 'search runs', 'search settings']);
});

test('a text that only shares letters with Undo or Drop… does not find them', () => {
  for (const typed of ['unix', 'uniprice', 'drat', 'emty', 'undx'])
    expect(hits(typed).filter((key) => /undo|redo|drop|empty|delete|clear|discard/.test(key))).toEqual([]);
  expect(hits('undo')[0]).toBe('command history.undo');
  expect(hits('unitprice')[0]).toBe('command history.undo');
});

test('a text that nothing is called can be searched for elsewhere, where that is possible', () => {
  const searches = ['search tables', 'search runs', 'search settings'];
  expect(hits('qwxz')).toEqual(searches);
  expect(hits('>qwxz')).toEqual([]);
  expect(hits('Trk').slice(-3)).toEqual(searches);
  expect(hits('track').filter((key) => key.startsWith('search'))).toEqual([]);
  expect(rankItems(items, 'qwxz', new Set()).map(({ item }) => item.key)).toEqual(['search settings']);
});
