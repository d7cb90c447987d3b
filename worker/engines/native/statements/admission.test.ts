// Tests what gets past the admission of statements: nothing that writes a file, opens one, or acts before it is run.
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../../engine.ts';
import { admit } from './admission.ts';
import { createNativeEngine } from '../native-engine.ts';

const engine = await createNativeEngine();

describe('hostile text', () => {
  let folder: string;
  let connection: Connection;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sidelite-hostile-'));
    connection = engine.open(join(folder, 'mine.sqlite3'), { durability: 'balanced', create: true });
    connection.run('CREATE TABLE t(a)');
    connection.run('INSERT INTO t VALUES (1)');
  });

  afterEach(() => {
    connection.close();
    rmSync(folder, { recursive: true });
  });

  const files = (): readonly string[] => readdirSync(folder).filter((name) => !name.startsWith('mine.sqlite3'));
  const limits = (): readonly unknown[] =>
    [
      'soft_heap_limit',
      'hard_heap_limit',
      'trusted_schema',
      'cell_size_check',
      'temp_store_directory',
      'mmap_size',
    ].map((name) => connection.one(`PRAGMA ${name}`)?.[0]);

  it('writes no file by VACUUM INTO, however it is spelled', () => {
    const target = join(folder, 'stolen.sqlite3');
    for (const gap of [' ', ' \v'.repeat(24), '/**/ \v', '\n\v\v', ' -- x\n\v', ' main ', ' \vmain \v'.repeat(1)]) {
      for (const file of [`'${target}'`, `('${target}' || '')`, `(SELECT '${target}')`, `+'${target}'`])
        expect(codeOf(() => connection.run(`VACUUM${gap}INTO ${file}`))).toBe('unavailable');
    }
    expect(codeOf(() => connection.run(`VACUUM INTO ?`, [target]))).toBe('unavailable');
    expect(files()).toEqual([]);
    connection.run('VACUUM \v main');
    connection.run('VACUUM');
  });

  it('opens no file by ATTACH, however its name is made', () => {
    const target = join(folder, 'other.sqlite3');
    const names = [
      `'${target}'`,
      `':memory:' || '${target}'`,
      `(SELECT '${target}')`,
      `"${target}"`,
      '?',
      "'file:x?mode=memory'",
    ];
    for (const name of names)
      for (const gap of [' ', ' \v', '/**/ \v'.repeat(30)])
        expect(['unavailable', 'sql']).toContain(codeOf(() => connection.run(`ATTACH${gap}${name} AS o`)));
    expect(codeOf(() => connection.run(`ATTACH '${target}' AS ':memory:' KEY ''`))).toBe('unavailable');
    expect(codeOf(() => connection.run(`ATTACH '${target}' AS "sqlite_attach(3)"`))).toBe('unavailable');
    expect(files()).toEqual([]);
    connection.run("ATTACH \v':memory:' AS m");
    connection.run('DETACH m');
  });

  it('is fuzzed: soup of dangerous words, with any white space, leaves no file and no setting changed', () => {
    const target = join(folder, 'soup.sqlite3');
    const before = limits();
    const gap = fc.constantFrom(
      ' ',
      ' \v',
      '\t',
      '\n\v',
      '/**/',
      '/* ; */ \v',
      '--\n',
      '\ufeff',
      '',
      '\v',
      '\u00a0',
      ';',
    );
    const word = fc.constantFrom(
      'VACUUM', 'INTO', 'ATTACH', 'DATABASE', 'AS', 'x', `'${target}'`, 'PRAGMA', 'EXPLAIN', 'QUERY', 'PLAN', 'main', '.', '=', '(', ')', '-', '+', '1', '1000', 'ON',
      'soft_heap_limit', '"soft_heap_limit"', "'hard_heap_limit'", '[trusted_schema]', 'trusted_schema', 'cell_size_check', 'OFF', 'temp_store_directory', 'mmap_size', 'WITH', 'SELECT', 'DELETE',
      'FROM', 't', 'CREATE', 'TRIGGER', 'BEGIN', 'END', ';',
    ); // prettier-ignore
    const statement = fc.oneof(
      fc.constantFrom<readonly string[]>(
        ['VACUUM', 'INTO', `'${target}'`],
        ['VACUUM', 'main', 'INTO', `'${target}'`],
        ['ATTACH', 'DATABASE', `'${target}'`, 'AS', 'x'],
        ['PRAGMA', 'soft_heap_limit', '=', '1000'],
        ['PRAGMA', 'main', '.', '"soft_heap_limit"', '(', '1000', ')'],
        ['EXPLAIN', 'PRAGMA', 'trusted_schema', '=', 'ON'],
        ['EXPLAIN', 'QUERY', 'PLAN', 'PRAGMA', 'cell_size_check', '=', 'OFF'],
        ['PRAGMA', 'temp_store_directory', '=', "'/tmp'"],
      ),
      fc.array(word, { minLength: 1, maxLength: 8 }),
    );
    const text = fc
      .tuple(
        gap,
        statement.chain((words) => fc.tuple(...words.map((each) => fc.tuple(fc.constant(each), gap)))),
      )
      .map(([first, words]) => first + words.flat().join(''));
    fc.assert(
      fc.property(text, (sql) => {
        codeOf(() => connection.check(sql));
        codeOf(() => runScript(connection, sql));
        if (!connection.autocommit) connection.run('ROLLBACK');
        expect(files()).toEqual([]);
        expect(limits()).toEqual(before);
      }),
      { seed: 81, numRuns: seedCount(3000) },
    );
  });
});

it('passes on a text as long as the one it got, so that places in it stay right', () => {
  for (const sql of [
    'PRAGMA \v main /* x */ . user_version',
    'explain /* x */ query \v plan select 1',
    'PRAGMA\nfoo.cache_size\n= -20 ;',
  ])
    expect(admit(sql).text.length).toBe(sql.length);
  expect(admit('PRAGMA \v main /* x */ . user_version').text.replaceAll(/ +/g, ' ')).toBe('PRAGMA main . user_version');
});

it('lets every ordinary statement through as it is', () => {
  const db = new Database(':memory:');
  db.exec('CREATE TABLE t(a)');
  for (const sql of [
    'SELECT 1',
    'values (1)',
    'WITH x AS (SELECT 1) SELECT * FROM x',
    'insert into t values (1)',
    'END',
  ])
    expect(admit(sql)).toEqual({ text: sql, isExamined: false, acts: false });
  db.close();
});

function runScript(connection: Connection, sql: string): void {
  const script = connection.script(sql);
  try {
    for (let statement = script.next(); statement; statement = script.next()) while (statement.step());
  } finally {
    script.dispose();
  }
}

function codeOf(run: () => void): string | null {
  try {
    run();
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    return (error as AppError).code;
  }
}
