import { beforeEach, expect, it } from 'vitest';
import { IdleStatements } from './idle-statements.ts';

class Statement {
  revived = 0;
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  revive(): void {
    this.revived++;
  }
}

let dropped: string[];
let idle: IdleStatements<Statement>;
beforeEach(() => {
  dropped = [];
  idle = new IdleStatements<Statement>(2, ({ name }) => dropped.push(name));
});

function lent(name: string, sql = name): Statement {
  const statement = new Statement(name);
  idle.lend(statement, sql);
  return statement;
}

it('returns a statement by its text, as often as it comes back', () => {
  const one = lent('one');
  for (let time = 1; time <= 3; time++) {
    idle.release(one);
    expect(idle.take('two')).toBeNull();
    expect(idle.take('one')).toBe(one);
    expect(idle.take('one')).toBeNull();
    expect(one.revived).toBe(time);
  }
  expect(dropped).toEqual([]);
});

it('drops the one that was not used for the longest time', () => {
  const [one, two, three] = [lent('one'), lent('two'), lent('three')];
  idle.release(one);
  idle.release(two);
  expect(idle.take('one')).toBe(one);
  idle.release(one);
  idle.release(three);
  expect(dropped).toEqual(['two']);
  expect(idle.take('one')).toBe(one);
  expect(idle.take('three')).toBe(three);
});

it('keeps one of two with the same text', () => {
  const [first, second] = [lent('first', 'same'), lent('second', 'same')];
  idle.release(first);
  expect(idle.take('same')).toBe(first);
  idle.release(second);
  idle.release(first);
  expect(dropped).toEqual(['first']);
  expect(idle.take('same')).toBe(second);
  expect(idle.take('same')).toBeNull();
});

it('drops what it was never lent', () => {
  idle.release(new Statement('strange'));
  expect(dropped).toEqual(['strange']);
});

it('forgets all, those that are in use, too', () => {
  const [used, last, other] = [lent('used'), lent('last'), lent('other')];
  idle.release(other);
  idle.release(last);
  idle.release(used);
  idle.take('used');
  idle.clear();
  expect(dropped.sort()).toEqual(['last', 'other']);
  idle.release(used);
  expect(dropped).toContain('used');
  expect(['used', 'last', 'other'].map((sql) => idle.take(sql))).toEqual([null, null, null]);
});
