import { beforeEach, describe, expect, it } from 'vitest';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { Catalogue } from './catalogue.ts';

const { engine } = await createWasmEngine();
let catalogue: Catalogue;
const add = (name: string, file = `/db-${Math.random()}`) => catalogue.add({ name, file, source: null });

beforeEach(() => {
  catalogue = new Catalogue(engine.open(IN_MEMORY, { durability: 'full', create: true, untrusted: false }));
});

describe('names', () => {
  it('are unique whatever their case and number themselves', () => {
    expect([add('Chinook').name, add('chinook').name, add('CHINOOK').name]).toEqual([
      'Chinook',
      'chinook 2',
      'CHINOOK 3',
    ]);
    expect([add('Straße').name, add('STRASSE').name, add('Ärger').name, add('ärger').name]).toEqual([
      'Straße',
      'STRASSE',
      'Ärger',
      'ärger 2',
    ]);
  });

  it('can be changed in case, not into another’s', () => {
    const one = add('one');
    add('two');
    catalogue.rename(one.id, 'ONE');
    expect(catalogue.entry(one.id).name).toBe('ONE');
    expect(() => catalogue.rename(one.id, 'Two')).toThrow(expect.objectContaining({ code: 'exists' }));
  });
});

it('lists the last used first', () => {
  const [one, two] = [add('one'), add('two')];
  catalogue.touch(two.id);
  catalogue.touch(one.id);
  catalogue.touch(one.id);
  expect(catalogue.list()[0]?.id).toBe(one.id);
});

it('keeps where a database came from', () => {
  const source = { fileName: 'a.db', displayPath: '~/a.db', locationId: 's1', importedAtMs: 5 };
  const { id } = catalogue.add({ name: 'a', file: '/db-1', source });
  expect(catalogue.entry(id)).toMatchObject({ name: 'a', source, durability: 'full' });
  expect(catalogue.file(id)).toBe('/db-1');
});

it('knows which files were never finished', () => {
  catalogue.beginFile('/db-1');
  catalogue.beginFile('/db-2');
  const { id } = add('one', '/db-1');
  expect(catalogue.unfinishedFiles).toEqual(['/db-2']);
  catalogue.remove(id);
  expect(catalogue.unfinishedFiles).toEqual(['/db-2', '/db-1']);
  expect(() => catalogue.entry(id)).toThrow(expect.objectContaining({ code: 'not-found' }));
});

it('keeps texts for windows', () => {
  catalogue.putState('k', '{"a":1}');
  catalogue.putState('k', '{"a":2}');
  expect(catalogue.getState('k')).toBe('{"a":2}');
  catalogue.putState('k', null);
  expect(catalogue.getState('k')).toBeNull();
});

it('keeps results of benchmarks, the newest first', () => {
  const runs = catalogue.benchmarkRuns;
  const run = { title: 'one', origin: null, facts: '{}', json: '{"é":1}' };
  const { id } = runs.save(null, run);
  runs.save(null, { ...run, title: 'two', origin: 'theirs.json' });
  expect(runs.list()).toMatchObject([
    { title: 'two', origin: 'theirs.json' },
    { title: 'one', sizeBytes: 8 },
  ]);
  runs.rename(id, 'first');
  runs.save(id, { ...run, title: 'ignored', json: '{}' });
  expect(runs.read(id)).toMatchObject({ run: { title: 'first', sizeBytes: 2 }, json: '{}' });
  runs.remove(id);
  expect(runs.list().map(({ title }) => title)).toEqual(['two']);
  expect(() => runs.read(id)).toThrow(expect.objectContaining({ code: 'not-found' }));
});

it('keeps saved queries by folder and name, as they were last saved', () => {
  const { savedQueries } = catalogue;
  const query = {
    id: 'q1',
    name: ' b ',
    folder: '',
    tags: ['x', 'y'],
    kind: 'query',
    database: 'db',
    sql: 'SELECT 1',
    shortcut: null,
  } as const;
  savedQueries.put(query);
  savedQueries.put({ ...query, id: 'q2', name: 'A', folder: 'z', kind: 'snippet', database: null });
  savedQueries.put({ ...query, id: 'q3', name: 'a' });
  expect(savedQueries.list().map(({ name }) => name)).toEqual(['a', 'b', 'A']);
  savedQueries.put({ ...query, name: 'c', folder: 'zz' });
  expect(savedQueries.list().at(-1)).toMatchObject({ ...query, name: 'c', folder: 'zz' });
  expect(() => savedQueries.put({ ...query, name: ' ' })).toThrow(expect.objectContaining({ code: 'invalid' }));
  expect(() => savedQueries.put({ ...query, sql: 'x'.repeat(200_001) })).toThrow(
    expect.objectContaining({ code: 'too-big' }),
  );
  savedQueries.change('q3', { tags: ['new'] });
  savedQueries.change('q3', { folder: 'y' });
  expect(savedQueries.list()[0]).toMatchObject({ id: 'q3', name: 'a', tags: ['new'], folder: 'y' });
  expect(() => savedQueries.change('q9', {})).toThrow(expect.objectContaining({ code: 'not-found' }));
  // A shortcut belongs to one query per database, and to one for all.
  savedQueries.change('q1', { shortcut: 1 });
  savedQueries.change('q2', { shortcut: 1 });
  savedQueries.change('q3', { shortcut: 1 });
  const shortcuts = (): unknown => savedQueries.list().map(({ id, shortcut }) => [id, shortcut]);
  expect(shortcuts()).toEqual([
    ['q3', 1],
    ['q2', 1],
    ['q1', null],
  ]);
  savedQueries.change('q2', { database: 'db' });
  expect(shortcuts()).toContainEqual(['q3', null]);
  for (const shortcut of [0, 10, 1.5, NaN])
    expect(() => savedQueries.change('q1', { shortcut })).toThrow(expect.objectContaining({ code: 'invalid' }));
  savedQueries.delete('q3');
  expect(savedQueries.list().map(({ id }) => id)).toEqual(['q2', 'q1']);
});

it('refuses the catalogue of a newer version', () => {
  const connection = engine.open(IN_MEMORY, { durability: 'full', create: true, untrusted: false });
  connection.run('PRAGMA user_version = 99');
  expect(() => new Catalogue(connection)).toThrow(expect.objectContaining({ code: 'too-new' }));
});

it('keeps held changes step by step for each database until they are saved', () => {
  const { held } = catalogue;
  expect(held.read('a')).toEqual({ isOn: false, interruptedAt: null, steps: [], undone: 0, renames: 0 });
  held.turn('a', true);
  held.add('a', 'one');
  held.add('b', 'other');
  held.add('a', 'two');
  const texts = (): readonly string[] => held.read('a').steps.map(({ text }) => text);
  held.undo('a');
  expect([texts(), held.read('a').undone]).toEqual([['one'], 1]);
  held.redo('a');
  held.redo('a');
  expect(texts()).toEqual(['one', 'two']);
  held.undo('a');
  held.undo('a');
  held.undo('a');
  held.redo('a');
  expect(texts()).toEqual(['one']);
  held.add('a', 'three');
  held.redo('a');
  expect([texts(), held.read('a').undone]).toEqual([['one', 'three'], 0]);
  expect(() => held.add('a', 'x'.repeat(16_000_001))).toThrow(expect.objectContaining({ code: 'too-big' }));
  const last = held.read('a').steps.at(-1)!.id;
  held.beginSaving('a', last, {});
  held.add('a', 'added meanwhile');
  held.clear('a', last);
  expect(held.read('a')).toMatchObject({ isOn: true, interruptedAt: null, steps: [{ text: 'added meanwhile' }] });
  held.forget('a');
  expect(held.read('a')).toEqual({ isOn: false, interruptedAt: null, steps: [], undone: 0, renames: 0 });
  expect(held.read('b').steps).toMatchObject([{ text: 'other' }]);
});

it('forgets the values of a database that is encrypted from now on, and leaves none in free pages', () => {
  const connection = engine.open(IN_MEMORY, { durability: 'full', create: true, untrusted: false });
  const { held, queryLog } = (catalogue = new Catalogue(connection));
  const value = 'KNOWN-VALUE'.repeat(500);
  const whole = (): string => Buffer.from(connection.readFile(0, connection.fileSizeBytes)).toString('latin1');
  const state = (database: string, where: string): string => JSON.stringify({ tabs: [{ database, view: { where } }] });
  catalogue.putState('window:open', state('file:a', value));
  catalogue.putState('window:open', state('file:encrypted-a', ''));
  catalogue.putState('window:closed', state('file:a', value));
  const log = { kind: 'query-log', database: null, of: 'file:a' };
  const [own, other] = [
    { database: 'file:a', view: { where: value } },
    { database: 'file:b', view: { where: 'b' } },
  ];
  catalogue.putState('window:other', JSON.stringify({ tabs: [own, other, log], closedTabs: [other, own] }));
  catalogue.putState('window:other:sql:1', `SELECT '"file:a"'`);
  held.add('file:a', value);
  held.undo('file:a');
  const run = { of: { id: 'file:a', name: 'a' }, sql: 'SELECT ?1', chars: 9 };
  const id = queryLog.begin({ ...run, parameters: { '?1': { type: 'text', text: value } } }, {});
  expect(whole()).toContain('KNOWN-VALUE');
  catalogue.forgetValues('file:a');
  expect(whole()).not.toContain('KNOWN-VALUE');
  expect(queryLog.read(id)).toMatchObject({ sql: 'SELECT ?1', parameters: {} });
  const kept = ['open', 'closed', 'other'].map((each) => JSON.parse(catalogue.getState(`window:${each}`)!) as unknown);
  expect(kept).toEqual([
    { tabs: [{ database: 'file:encrypted-a', view: { where: '' } }] },
    { tabs: [] },
    { tabs: [other, log], closedTabs: [other] },
  ]);
  expect(catalogue.getState('window:other:sql:1')).toBe(`SELECT '"file:a"'`);
});

describe('files in place', () => {
  const FILE = { database: 'file:a', fileName: 'a.db', displayPath: '~/a.db', locationId: 'a' };

  it('keep where their edits go, until the user is to be asked again', () => {
    const { filesInPlace } = catalogue;
    expect(filesInPlace.add(FILE, 1).editing).toBeUndefined();
    expect(filesInPlace.setEditing('file:a', 'copy').editing).toBe('copy');
    expect(filesInPlace.add(FILE, 2).editing).toBe('copy');
    expect(filesInPlace.setEditing('file:a', null).editing).toBeUndefined();
  });

  it('that were opened before there was a question are edited in place', () => {
    const connection = engine.open(IN_MEMORY, { durability: 'full', create: true, untrusted: false });
    new Catalogue(connection).filesInPlace.add(FILE, 1);
    connection.run('ALTER TABLE files_in_place DROP COLUMN editing');
    connection.run(`PRAGMA user_version = ${Number(connection.one('PRAGMA user_version')![0]) - 1}`);
    expect(new Catalogue(connection).filesInPlace.list()).toMatchObject([{ editing: 'file' }]);
  });
});
