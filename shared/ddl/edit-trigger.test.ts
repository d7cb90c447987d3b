// Random triggers: every edit gives a trigger that SQLite takes and that has what was asked for, and leaves the rest as it was.
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { seedCount } from '../seed-count.test-suite.ts';
import { createRandom } from '../random.ts';
import type { Random } from '../random.ts';
import { setTriggerEvent, setTriggerTiming, setTriggerWhen } from './edit-trigger.ts';
import type { TriggerModel } from './object-models.ts';
import { parseObject } from './parse-object.ts';
import { moveToTable, renameObject } from './text-edits.ts';

function trigger(sql: string): TriggerModel {
  const model = parseObject(sql);
  if (!model.understood || model.kind !== 'trigger') throw new Error(`not a trigger: ${sql}`);
  return model;
}

function randomTrigger(random: Random): string {
  const blank = (): string => random.pick([' ', ' ', '\n  ', ' /* WHEN BEGIN */ ', ' -- END;\n']);
  const timing = random.pick(['', 'BEFORE', 'after', 'AFTER']);
  const event = random.pick([
    'INSERT',
    'delete',
    'UPDATE',
    `UPDATE${blank()}OF${blank()}a${blank()},${blank()}"with space"`,
  ]);
  const row = random.chance(0.4) ? `${blank()}FOR${blank()}EACH${blank()}ROW` : '';
  const when = random.chance(0.5)
    ? `${blank()}WHEN${blank()}${random.pick(['1', '(SELECT count(*) FROM u) > 1', "CASE 'END;' WHEN 'x' THEN 0 ELSE 1 END", "'BEGIN' <> 'a'"])}`
    : '';
  const body = random.pick([
    "INSERT INTO u VALUES ('END;');",
    'UPDATE u SET a = CASE WHEN a THEN 1 END; DELETE FROM u;',
  ]);
  const head = ['CREATE', 'TRIGGER', '"a trigger"', ...(timing === '' ? [] : [timing]), event, 'ON', 't'];
  return `${head.reduce((text, word) => `${text}${blank()}${word}`)}${row}${when}${blank()}BEGIN${blank()}${body}${blank()}END`;
}

test('random triggers are edited, and SQLite takes each of them', () => {
  const db = new Database(':memory:');
  db.exec('CREATE TABLE t (a, "with space"); CREATE TABLE u (a, "with space"); CREATE VIEW v AS SELECT * FROM t');
  const make = (sql: string): TriggerModel => {
    const model = trigger(sql);
    db.exec(sql);
    db.exec(`DROP TRIGGER "${model.name.name}"`);
    return model;
  };
  for (let seed = 0; seed < seedCount(1000); seed += 1) {
    const random = createRandom(seed);
    const sql = randomTrigger(random);
    const model = make(sql);
    expect(setTriggerTiming(model, model.timing)).toBe(sql);
    expect(
      setTriggerEvent(
        model,
        model.event,
        model.columns.map(({ name }) => name),
      ),
    ).toBe(sql);
    expect(setTriggerWhen(model, model.when?.sql ?? null)).toBe(sql);
    const timing = random.pick(['BEFORE', 'AFTER'] as const);
    expect(make(setTriggerTiming(model, timing))).toMatchObject({ timing, event: model.event });
    const event = random.pick(['INSERT', 'UPDATE', 'DELETE'] as const);
    expect(make(setTriggerEvent(model, event, event === 'UPDATE' ? ['with space'] : [])).event).toBe(event);
    const when = random.pick([null, 'new.a -- the end', '(1)']);
    const withWhen = trigger(setTriggerWhen(model, when));
    expect(withWhen.when?.sql.trim() ?? null).toBe(when?.trim().replace(' -- the end', '') ?? null);
    expect(withWhen.body.sql).toBe(model.body.sql);
    if (when === null || withWhen.event !== 'DELETE') make(withWhen.text);
    expect(make(moveToTable(model, 'u')).table.name).toBe('u');
    expect(make(renameObject(model, 'order')).name.name).toBe('order');
    const { from, to } = model.whenSpan ?? { from: 0, to: 0 };
    expect(comments(setTriggerWhen(model, null))).toBe(comments(sql.slice(0, from) + sql.slice(to)));
  }
});

const comments = (text: string): number => text.split(/\/\*|--/).length;
