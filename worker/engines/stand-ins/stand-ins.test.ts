// Functions written in JavaScript, in both engines: values, limits, failures, and what a schema may call.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toAppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { StandIn } from '#shared/stand-ins.ts';
import type { Connection, Engine } from '../engine.ts';
import { createNativeEngine } from '../native/native-engine.ts';
import { createWasmEngine, IN_MEMORY } from '../wasm/wasm-engine.ts';
import { createSandbox } from './sandbox.ts';
import { StandIns } from './stand-ins.ts';

const engines: Readonly<Record<'wasm' | 'native', Engine>> = {
  wasm: (await createWasmEngine()).engine,
  native: await createNativeEngine(),
};

const scalar = (name: string, code: string, more: Partial<StandIn> = {}): StandIn => ({
  ...{ kind: 'scalar', name, argumentCount: 1, deterministic: true, innocuous: false, code },
  ...more,
});
const TITLE_SORT = scalar('title_sort', "(title) => title.replace(/^(The|A|An) (.*)$/, '$2, $1')");

let folder: string;
let connection: Connection | null = null;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'sidelite-stand-ins-'))));
afterEach(() => {
  connection?.close();
  connection = null;
  rmSync(folder, { recursive: true });
});

async function open(kind: 'wasm' | 'native', standIns: readonly StandIn[]): Promise<Connection> {
  const all = new StandIns();
  await all.prepare('db', standIns);
  const location = kind === 'wasm' ? IN_MEMORY : join(folder, 'shop.db');
  connection = engines[kind].open(location, { durability: 'balanced', create: true, standIns: all.of('db') });
  return connection;
}

function failure(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    return toAppError(thrown).message;
  }
  return 'nothing failed';
}

describe.each(['wasm', 'native'] as const)('in the %s engine', (kind) => {
  test('values come and go exactly, and what SQLite cannot store is refused', async () => {
    const db = await open(kind, [
      scalar('same', '(value) => value'),
      scalar('kind_of', "(value) => value === null ? 'null' : value instanceof Uint8Array ? 'bytes' : typeof value"),
      scalar('as_real', 'real'),
      scalar('bad', 'function (which) { return [undefined, NaN, 2n ** 63n, "\\ud800", {}, Symbol()][which]; }'),
    ]);
    const values: readonly Value[] = [
      ...[null, 1, -0.5, 2n ** 62n, -(2n ** 63n), '', 'a\0b', 'é😀', new Uint8Array(), new Uint8Array([0, 255])],
    ];
    for (const value of values) expect(db.one('SELECT same(?)', [value])).toEqual([value]);
    expect(db.one('SELECT same(2.0), same(as_real(2)), as_real(2.5), same(1e300)')).toEqual([
      2,
      2,
      2.5,
      { real: 1e300 },
    ]);
    expect(db.one("SELECT typeof(as_real(2)), same(1 = 1), kind_of(x'01'), kind_of(9007199254740993)")).toEqual([
      'real',
      1,
      'bytes',
      'bigint',
    ]);
    const whys = [0, 1, 2, 3, 4, 5].map((which) => failure(() => db.one('SELECT bad(?)', [which])));
    expect(whys.map((why) => /TypeError: (.*?)(?:, which SQLite cannot store)?\.$/.exec(why)?.[1])).toEqual([
      'there is no result; return null for NULL',
      'the result is NaN',
      'the result is an integer of more than 64 bits',
      'the result is a text with half a surrogate pair',
      'the result is an object',
      'the result is a symbol',
    ]);
  });

  test('an exception fails the statement with function, message, and line, and nothing is written', async () => {
    const db = await open(kind, [
      scalar('checked', '(n) => {\n  if (n === 3) throw new Error("three");\n  return n;\n}'),
    ]);
    db.run('CREATE TABLE t(n)');
    const why = failure(() => db.run("INSERT INTO t SELECT checked(value) FROM json_each('[1,2,3,4]')"));
    expect(why).toBe('The function “checked”, which was defined in JavaScript, failed: three (line 2).');
    expect(db.all('SELECT * FROM t')).toEqual([]);
    expect(db.one('SELECT checked(4)')).toEqual([4]);
  });

  test('aggregates have a state for each group, none left by one that failed', async () => {
    const code = `{
      start: () => [],
      step(list, text, separator) { if (text === null) throw new Error('no text'); list.push(text + separator); },
      result: (list) => list.join(''),
    }`;
    const db = await open(kind, [scalar('joined', code, { kind: 'aggregate', argumentCount: 2 })]);
    db.run('CREATE TABLE t(g, x)');
    db.run("INSERT INTO t VALUES (1, 'a'), (2, 'b'), (1, 'c')");
    expect(db.all("SELECT g, joined(x, ';') FROM t GROUP BY g")).toEqual([
      [1, 'a;c;'],
      [2, 'b;'],
    ]);
    expect(db.one("SELECT joined(x, ';') FROM t WHERE 0")).toEqual(['']);
    db.run('INSERT INTO t VALUES (3, NULL)');
    expect(failure(() => db.all("SELECT g, joined(x, ';') FROM t GROUP BY g"))).toContain('“joined”');
    expect(db.one("SELECT joined(x, ';') FROM t WHERE g = 2")).toEqual(['b;']);
  });

  test('only what is marked harmless is called by the schema, and nothing of SQLite is replaced', async () => {
    const db = await open(kind, [
      { ...TITLE_SORT, innocuous: true },
      scalar('secret', '() => 1', { argumentCount: 0 }),
      scalar('LOWER', '(text) => "replaced"'),
      scalar('regexp', '() => 1', { argumentCount: 2 }),
      scalar('broken', '(a) =>\n  a b'),
    ]);
    const whys = db.standIns!.map(({ name, why }) => [name, why]);
    expect(whys.slice(0, 2)).toEqual([
      ['title_sort', null],
      ['secret', null],
    ]);
    expect(whys[2]![1]).toContain('already');
    expect(whys[3]![1]).toContain('already');
    expect(whys[4]![1]).toMatch(/SyntaxError: .*\(line 2\)/);
    expect(db.one("SELECT lower('A')")).toEqual(['a']);
    db.run('CREATE TABLE book(title, sort)');
    db.run('CREATE TRIGGER fill AFTER INSERT ON book BEGIN UPDATE book SET sort = title_sort(title); END');
    db.run("INSERT INTO book(title) VALUES ('The Castle')");
    expect(db.one('SELECT sort FROM book')).toEqual(['Castle, The']);
    db.run('CREATE VIEW sly AS SELECT secret()');
    expect(failure(() => db.all('SELECT * FROM sly'))).toContain('Unsafe use of secret()');
    expect(db.one('SELECT secret()')).toEqual([1]);
  });

  test('Stop reaches a call', async () => {
    const db = await open(kind, [scalar('forever', '() => { for (;;); }', { argumentCount: 0 })]);
    db.onProgress(() => true);
    expect(failure(() => db.one('SELECT forever()'))).toContain('Stopped');
    db.onProgress(null);
  });
});

test('a call has limits of time, memory, and stack, and no input or output', async () => {
  const sandbox = await createSandbox({ callMs: 100, memoryBytes: 24 << 20 });
  const run = (code: string): string => failure(() => sandbox.compile(scalar('f', code)).call([1], () => false));
  expect(run('() => { for (;;); }')).toContain('took longer than 0.1 s');
  expect(run('() => { try { for (;;); } catch { return 1; } }')).toContain('took longer');
  expect(run('() => { const all = []; for (;;) all.push(new Uint8Array(1e6)); }')).toContain('more than 24 MB');
  expect(run('function f(n) { return f(n + 1) + 1; }')).toContain('stack overflow');
  expect(run("() => /^(a+)+$/.test('a'.repeat(40) + 'b')")).toContain('took longer');
  const names = ['fetch', 'XMLHttpRequest', 'WebAssembly', 'require', 'process', 'std', 'os', 'setTimeout', 'Worker'];
  const code = `() => ${JSON.stringify(names)}.filter((name) => name in globalThis).join()`;
  expect(sandbox.compile(scalar('f', code)).call([1], () => false)).toBe('');
  expect(failure(() => sandbox.compile(TITLE_SORT).call(['x'.repeat(9 << 20)], () => false))).toContain('16 MB');
  // The thread runs out of its own stack, and the sandbox ends with a sentence.
  expect(run('() => { let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return JSON.stringify(a); }')).toMatch(
    /ran out of memory or stack|stack overflow|took longer/,
  );
});

test('a function is tried with values, an aggregate with rows', async () => {
  const sandbox = await createSandbox();
  expect(sandbox.try(TITLE_SORT, "'The Trial'")).toBe('Trial, The');
  const sum = scalar('total', '{ start: 0, step: (sum, n) => sum + n, result: (sum) => sum }', { kind: 'aggregate' });
  expect(sandbox.try(sum, '[1], [2], 3')).toBe(6);
  expect(failure(() => sandbox.try(TITLE_SORT, '1'))).toContain('line 1');
});
