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
  const source = { fileName: 'a.db', displayPath: '~/a.db', id: 's1', importedAtMs: 5 };
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

it('refuses the catalogue of a newer version', () => {
  const connection = engine.open(IN_MEMORY, { durability: 'full', create: true, untrusted: false });
  connection.run('PRAGMA user_version = 99');
  expect(() => new Catalogue(connection)).toThrow(expect.objectContaining({ code: 'too-new' }));
});
