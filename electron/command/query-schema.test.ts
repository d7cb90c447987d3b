// `sidelite query`, `sidelite schema`, and `sidelite completion`: what they print, and that a query writes nothing.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandFolders, summaryOf } from '../../build/bundled-command.test-suite.ts';
import type { CommandFolder } from '../../build/bundled-command.test-suite.ts';
import { inRoot } from '../../build/paths.ts';

const SHOP = `CREATE TABLE order_items (id INTEGER PRIMARY KEY, "unit price" REAL NOT NULL DEFAULT 1, note TEXT, raw BLOB, any_thing, made DATE NOT NULL, twice AS (id * 2));
  INSERT INTO order_items (id, "unit price", note, made) VALUES (1, 1.5, 'ant', 1), (2, 2, NULL, 2);
  CREATE TABLE "order items" (k TEXT PRIMARY KEY, v INT) STRICT, WITHOUT ROWID;
  CREATE VIEW cheap AS SELECT id, note FROM order_items;
  CREATE INDEX by_note ON order_items (note);
  CREATE VIEW noted AS SELECT 1 AS one -- last
;
  CREATE TABLE "m²" ("a""
\\u0022; */" INTEGER NOT NULL, "__proto__" BLOB);
  CREATE TABLE uint8Array (a);
  CREATE TABLE generated (id INTEGER PRIMARY KEY);`;

let at: CommandFolder;
commandFolders((folder) => (at = folder));

test('a query prints rows in any format, and can only read', async () => {
  at.database('a.db', SHOP);
  const query = (...words: string[]) => at.run(['query', 'a.db', ...words]);
  expect(await query('SELECT id, note FROM order_items ORDER BY id')).toMatchObject({
    code: 0,
    out: 'id,note\n1,ant\n2,\n',
  });
  expect(JSON.parse((await query('SELECT id FROM order_items ORDER BY id', '-f', 'json')).out)).toEqual([
    { id: 1 },
    { id: 2 },
  ]);
  const out = await query('SELECT 1 AS one', '-o', 'out.tsv', '--json');
  expect(summaryOf(out)).toMatchObject({ ok: true, command: 'query', format: 'tsv', rows: 1 });
  expect((await at.run(['query', 'a.db', '-', '--no-header'], 'SELECT 7;')).out).toBe('7\n');
  expect((await query('PRAGMA page_count', '-f', 'json')).out).toContain('"page_count"');
  expect((await query('WITH n(i) AS (VALUES (9007199254740993)) SELECT * FROM n')).out).toBe('i\n9007199254740993\n');
  expect(await query('SELECT 1; SELECT 2')).toMatchObject({ code: 1, err: expect.stringContaining('returns 2 results') as unknown }); // prettier-ignore
  for (const sql of [
    'PRAGMA user_version = 9',
    'DELETE FROM order_items',
    'SELECT',
    'SELECT 1; DELETE FROM order_items',
    "ATTACH 'x.db' AS x",
  ])
    expect([1, 2]).toContain((await query(sql)).code);
  expect(at.rows('a.db', 'SELECT count(*) FROM order_items')).toEqual([[2]]);
  expect(await at.run(['query', 'none.db', 'SELECT 1'])).toMatchObject({ code: 4 });
  expect(await at.run(['query', 'a.db'])).toMatchObject({ code: 2 });
  expect(await query('SELECT 1', '--format', 'nix')).toMatchObject({ code: 2 });
});

test('a schema is SQL, JSON, or types that TypeScript accepts', async () => {
  at.database('a.db', SHOP);
  const schema = (...words: string[]) => at.run(['schema', 'a.db', ...words]);
  expect((await schema()).out).toContain('CREATE INDEX by_note ON order_items (note);\n');
  expect((await schema()).out).toContain('CREATE VIEW noted AS SELECT 1 AS one -- last\n;\n');
  expect(summaryOf(await schema('--json'))).toMatchObject({ command: 'schema', tables: expect.arrayContaining([expect.objectContaining({ name: 'order_items' })]) as unknown }); // prettier-ignore
  const { out, code } = await schema('--typescript');
  expect(code).toBe(0);
  expect(out).toContain(
    'export interface OrderItems2 {\n  id: number;\n  "unit price": number;\n  note: string | null;\n  raw: Uint8Array | null;\n  any_thing: unknown;\n  made: number | string;\n  twice: unknown;\n',
  );
  expect(out).toContain('export interface OrderItems {\n  k: string;\n  v: number | null;\n}\n');
  expect(out).toContain('  "order items": OrderItems;\n');
  const kysely = await schema('--kysely');
  expect(kysely.out).toContain("import type { Generated, GeneratedAlways } from 'kysely';\n");
  expect(kysely.out).toContain('  id: Generated<number>;\n  "unit price": Generated<number>;\n');
  expect(kysely.out).toContain('export interface Generated2 {\n  id: Generated<number>;\n}\n');
  expect(await schema('--json', '--kysely')).toMatchObject({ code: 2 });
  mkdirSync(join(at.folder, 'types'));
  writeFileSync(join(at.folder, 'types', 'rows.ts'), out);
  const checked = spawnSync(process.execPath, [inRoot('node_modules/typescript/bin/tsc'), '--noEmit', '--strict', join(at.folder, 'types', 'rows.ts')], { cwd: join(at.folder, 'types'), encoding: 'utf8' }); // prettier-ignore
  expect([checked.status, checked.stdout]).toEqual([0, '']);
});

/** As much of Drizzle's types as says whether the columns that are named exist. */
const DRIZZLE = `interface Column { default(sql: object): this; generatedAlwaysAs(sql: object, options: { mode: 'virtual' | 'stored' }): this; notNull(): this;
    primaryKey(options?: { autoIncrement: true }): this; references(column: () => AnySQLiteColumn, actions?: { onDelete?: 'cascade'; onUpdate?: 'set null' }): this; of: 'column'; }
  export type AnySQLiteColumn = Column;
  type Builder = (name: string) => Column;
  export declare const blob: Builder, integer: Builder, real: Builder, text: Builder;
  export declare function customType<T>(of: { dataType(): string }): Builder;
  export declare function sqliteTable<C extends Record<string, Column>>(name: string, columns: C, more?: (table: C) => readonly object[]): C;
  export declare function sqliteView<C extends Record<string, Column>>(name: string, columns: C): { existing(): C };
  export declare function primaryKey(of: { columns: Column[] }): object;
  export declare function foreignKey(of: { columns: Column[]; foreignColumns: Column[] }): object;
  export declare function unique(): { on(...columns: Column[]): object };
  export declare function uniqueIndex(name: string): { on(...columns: Column[]): object };`;

test('a schema for Drizzle has keys, foreign keys, and defaults, and TypeScript accepts it', async () => {
  at.database(
    'a.db',
    `${SHOP} CREATE TABLE "text" (a INTEGER PRIMARY KEY AUTOINCREMENT, up INTEGER REFERENCES "text" ON DELETE CASCADE, "q\`\${x}\\" TEXT DEFAULT 'a\`\${b}\\', "__proto__" INT UNIQUE,
        one INT, two INT, gone REFERENCES missing (x), FOREIGN KEY (one, two) REFERENCES pair ON UPDATE SET NULL, FOREIGN KEY (one) REFERENCES cheap (id));
      CREATE TABLE pair (x INT, y INT, z INT REFERENCES "order items" (K), PRIMARY KEY (y, x)); CREATE UNIQUE INDEX z_once ON pair (z);`,
  );
  const { out, code } = await at.run(['schema', 'a.db', '--drizzle']);
  expect(code).toBe(0);
  for (const part of [
    "import { sql } from 'drizzle-orm';\nimport { type AnySQLiteColumn, customType, blob, integer, real, text, foreignKey, primaryKey, unique, uniqueIndex, sqliteTable, sqliteView } from 'drizzle-orm/sqlite-core';\n",
    `export const orderItems2 = sqliteTable("order_items", {\n  id: integer("id").primaryKey(),\n  "unit price": real("unit price").notNull().default(sql\`(1)\`),\n  note: text("note"),\n  raw: blob("raw"),\n`,
    `  any_thing: value("any_thing"),\n  made: value("made").notNull(),\n  twice: value("twice").generatedAlwaysAs(sql\`id * 2\`, { mode: 'virtual' }),\n});\n`,
    `export const orderItems = sqliteTable("order items", {\n  k: text("k").primaryKey(),\n  v: integer("v"),\n});\n`,
    `export const cheap = sqliteView("cheap", {\n  id: integer("id"),\n  note: text("note"),\n}).existing();\n`,
    `  a: integer("a").primaryKey({ autoIncrement: true }),\n  up: integer("up").references((): AnySQLiteColumn => text2.a, { onDelete: 'cascade' }),\n`,
    ".default(sql`('a\\`\\${b}\\\\')`),",
    `  ["__proto__"]: integer("__proto__"),\n`,
    `  foreignKey({ columns: [table.one, table.two], foreignColumns: [pair.y, pair.x] }),\n`,
    `  z: integer("z").references((): AnySQLiteColumn => orderItems.k),\n}, (table) => [\n  primaryKey({ columns: [table.y, table.x] }),\n  uniqueIndex("z_once").on(table.z),\n]);\n`,
  ])
    expect(out).toContain(part);
  const folder = join(at.folder, 'types');
  const stub = join(folder, 'node_modules', 'drizzle-orm');
  mkdirSync(stub, { recursive: true });
  writeFileSync(
    join(stub, 'package.json'),
    '{ "exports": { ".": { "types": "./index.d.ts" }, "./sqlite-core": { "types": "./core.d.ts" } } }',
  );
  writeFileSync(join(stub, 'index.d.ts'), 'export declare function sql(parts: TemplateStringsArray): object;');
  writeFileSync(join(stub, 'core.d.ts'), DRIZZLE);
  writeFileSync(join(folder, 'tables.ts'), out);
  const tsc = [inRoot('node_modules/typescript/bin/tsc'), '--noEmit', '--strict', '--module', 'preserve', 'tables.ts'];
  const checked = spawnSync(process.execPath, tsc, { cwd: folder, encoding: 'utf8' });
  expect([checked.status, checked.stdout]).toEqual([0, '']);
});

test('completion scripts are made for each shell, and bash completes with its own', async () => {
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    const { code, out } = await at.run(['completion', shell]);
    expect(code).toBe(0);
    for (const word of ['git-setup', 'without-undo', 'theirs']) expect(out).toContain(word);
    at.write(`script.${shell}`, out);
    if (spawnSync(shell, ['--version']).status !== 0 || shell === 'powershell') continue;
    const parsed = spawnSync(shell, ['-n', join(at.folder, `script.${shell}`)], { encoding: 'utf8' });
    expect([shell, parsed.status, parsed.stderr]).toEqual([shell, 0, '']);
  }
  expect(await at.run(['completion', 'tcsh'])).toMatchObject({ code: 2, err: expect.stringContaining('bash, zsh, fish, powershell') as unknown }); // prettier-ignore
  if (spawnSync('bash', ['--version']).status !== 0) return;
  const complete = (...words: string[]): string[] => {
    const script = `source script.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sidelite; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['-c', script, 'bash', ...words], { cwd: at.folder, encoding: 'utf8' }).stdout.trim().split('\n'); // prettier-ignore
  };
  expect(complete('sidelite', 'me')).toEqual(['merge']);
  expect(complete('sidelite', 'merge', 'a', '--th')).toEqual(['--theirs']);
  expect(complete('sidelite', 'export', 'a', '--table', '')).toEqual(['']);
  expect(complete('sidelite', 'completion', 'f')).toEqual(['fish']);
});
