// Random edits on both sides of a random table: those without conflicts merge as if made in one place, the rest as the answers say.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { MergeChoice } from '#shared/protocol/source.ts';
import { all, MergeFixture } from './merge-fixture.test-suite.ts';

type Rows = ReadonlyMap<number, string>;
type Edit = { readonly table: 'a' | 'w'; readonly id: number } & (
  | { readonly kind: 'put'; readonly value: string }
  | { readonly kind: 'delete' }
);

const SCHEMA = `CREATE TABLE a (id INTEGER PRIMARY KEY, v, n DEFAULT 7);
  CREATE TABLE w (id, v, PRIMARY KEY (id)) WITHOUT ROWID`;

const id = fc.integer({ min: 1, max: 12 });
const literal = fc.constantFrom("'x'", "'y'", "'é'", 'NULL', '2.0', '9007199254740993', "x'00ff'");
const table = fc.constantFrom('a' as const, 'w' as const);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('put' as const), table, id, value: literal }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), table, id }) },
);
const edits = fc.array(edit, { maxLength: 12 });

const sqlOf = (edit: Edit): string =>
  edit.kind === 'delete'
    ? `DELETE FROM ${edit.table} WHERE id = ${edit.id}`
    : `INSERT INTO ${edit.table} (id, v) VALUES (${edit.id}, ${edit.value}) ON CONFLICT DO UPDATE SET v = excluded.v`;

/** Applies the same edits to plain maps, one per table. */
function apply(start: ReadonlyMap<string, Rows>, all: readonly Edit[]): ReadonlyMap<string, Rows> {
  const state = new Map([...start].map(([name, rows]) => [name, new Map(rows)]));
  for (const each of all) {
    const rows = state.get(each.table)!;
    if (each.kind === 'delete') rows.delete(each.id);
    else rows.set(each.id, each.value);
  }
  return state;
}

function expected(base: Rows, mine: Rows, theirs: Rows, choice: MergeChoice): { rows: Rows; conflicts: number } {
  const rows = new Map<number, string>();
  let conflicts = 0;
  for (let key = 1; key <= 12; key++) {
    const [was, own, other] = [base.get(key), mine.get(key), theirs.get(key)];
    let now = own;
    if (own !== other && was === own) now = other;
    else if (own !== other && was !== other) {
      conflicts++;
      now = choice === 'theirs' ? other : own;
    }
    if (now !== undefined) rows.set(key, now);
  }
  return { rows, conflicts };
}

const EMPTY = new Map<string, Rows>([
  ['a', new Map()],
  ['w', new Map()],
]);

async function rowsOf(fixture: MergeFixture, name: string): Promise<readonly string[]> {
  const rows = fixture.rows(`SELECT id, quote(v) FROM ${name} ORDER BY id`);
  return rows.map(([key, value]) => `${String(key)}: ${String(value)}`);
}

const onPaper = (rows: Rows): readonly string[] =>
  [...rows]
    .sort(([one], [other]) => one - other)
    .map(([key, value]) => `${key}: ${value.replace("x'00ff'", "X'00FF'")}`);

async function play(
  start: readonly Edit[],
  rounds: readonly [mine: Edit[], theirs: Edit[]][],
  choice: MergeChoice,
  restarts: boolean,
): Promise<void> {
  const fixture = await MergeFixture.open([SCHEMA, ...start.map(sqlOf)].join('; '));
  let base = apply(EMPTY, start);
  let [mine, theirs] = [base, base];
  for (const [own, other] of rounds) {
    // Each is a separate step.
    for (const each of own) await fixture.mine(sqlOf(each));
    if (other.length > 0) await fixture.theirs(other.map(sqlOf).join('; '));
    [mine, theirs] = [apply(mine, own), apply(theirs, other)];
    if (restarts) fixture.restart();
    const before = fixture.dump();
    const merged = ['a', 'w'].map((name) => expected(base.get(name)!, mine.get(name)!, theirs.get(name)!, choice));
    const plan = await fixture.merge(all(choice));
    const asked = plan.questions.reduce((sum, { inserted, updated, deleted }) => sum + inserted + updated + deleted, 0);
    expect(plan.way).toBe('three-way');
    expect(asked).toBe(merged[0]!.conflicts + merged[1]!.conflicts);
    for (const [at, name] of ['a', 'w'].entries())
      expect(await rowsOf(fixture, name)).toEqual(onPaper(merged[at]!.rows));
    const after = fixture.dump();
    if (after !== before) {
      await fixture.undo();
      expect(fixture.dump()).toBe(before);
      await fixture.redo();
      expect(fixture.dump()).toBe(after);
    }
    base = theirs;
    mine = new Map([
      ['a', merged[0]!.rows],
      ['w', merged[1]!.rows],
    ]);
    const isSame = ['a', 'w'].every(
      (name) => onPaper(theirs.get(name)!).join() === onPaper(merged[name === 'a' ? 0 : 1]!.rows).join(),
    );
    expect(await fixture.state).toMatchObject({ disk: 'unchanged', changedHere: !isSame });
  }
  fixture.close();
}

test.each([1, 2, 3])(
  'merged once and again, conflicts answered for one side (seed %i)',
  async (seed) => {
    await fc.assert(
      fc.asyncProperty(
        edits,
        fc.array(fc.tuple(edits, edits), { minLength: 1, maxLength: 3 }),
        fc.constantFrom('mine' as const, 'theirs' as const),
        fc.boolean(),
        play,
      ),
      { numRuns: seedCount(25), seed },
    );
  },
  60_000,
);
