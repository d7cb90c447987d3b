import { beforeEach, describe, expect, test } from 'vitest';
import type { Connection } from '../engines/engine.ts';
import { newRun, type WorkOrigin, type WindowSession } from '../sessions/session.ts';
import { Author } from './author.ts';

const connection = { totalChanges: 0, autocommit: true };
let author: Author;
beforeEach(() => {
  Object.assign(connection, { totalChanges: 0, autocommit: true });
  author = new Author(connection as unknown as Connection);
});

const windowOf = (windowTitle: string): WindowSession => ({ windowTitle }) as WindowSession;
const origin = (title: string, run = newRun()): WorkOrigin => ({ title, sql: `-- ${title}`, run, withoutUndo: false });

/** A turn that changes rows inside the open transaction and leaves it open. */
function turn(by: WorkOrigin, changes: number, window = 'Window 1'): void {
  author.began(windowOf(window), by);
  connection.autocommit = false;
  connection.totalChanges += changes;
  author.ended();
}

/** A turn that commits. Returns whose step that is. */
function commit(by: WorkOrigin, changes = 0, window = 'Window 1'): string {
  author.began(windowOf(window), by);
  connection.totalChanges += changes;
  connection.autocommit = true;
  const { title, windowTitle } = author.ofCommit();
  author.ended();
  return `${title} by ${windowTitle}`;
}

describe('a commit is the work of', () => {
  test('its own turn, when there is only that', () => {
    expect(commit(origin('one'), 3)).toBe('one by Window 1');
  });

  test('the turn that changed most, whoever says COMMIT', () => {
    turn(origin('few'), 1);
    turn(origin('many'), 5, 'Window 2');
    turn(origin('none'), 0);
    expect(commit(origin('COMMIT'))).toBe('many by Window 2');
  });

  test('the last turn, when it changed more than any before', () => {
    turn(origin('few'), 2);
    expect(commit(origin('rest; COMMIT'), 3)).toBe('rest; COMMIT by Window 1');
  });

  test('the later of two that changed as much', () => {
    turn(origin('first'), 2);
    turn(origin('second'), 2);
    expect(commit(origin('COMMIT'))).toBe('second by Window 1');
  });

  test('a script in several turns, whose changes count together and whose newest title counts', () => {
    const run = newRun();
    turn(origin('other'), 5);
    turn(origin('script, statement 1', run), 3);
    turn(origin('script, statements 1 to 2', run), 3);
    expect(commit(origin('COMMIT'))).toBe('script, statements 1 to 2 by Window 1');
  });

  test('a script that commits what it began in an earlier turn', () => {
    const run = newRun();
    turn(origin('script, statement 1', run), 9);
    expect(commit(origin('script, all of it', run))).toBe('script, all of it by Window 1');
  });
});

test('what was rolled back counts for nothing afterwards', () => {
  turn(origin('rolled back'), 100);
  author.began(windowOf('Window 1'), origin('ROLLBACK'));
  connection.autocommit = true;
  author.ended();
  turn(origin('next'), 1);
  expect(commit(origin('COMMIT'))).toBe('next by Window 1');
});

test('each of several commits in one turn is judged by its own changes', () => {
  turn(origin('before'), 4);
  author.began(windowOf('Window 2'), origin('script'));
  expect(author.ofCommit().title).toBe('before'); // COMMIT, then its own work
  connection.totalChanges += 1;
  expect(author.ofCommit().title).toBe('script');
  author.ended();
});

test('between turns nobody works', () => {
  expect(author.ofCommit()).toMatchObject({ title: 'Change', windowTitle: '', sql: null });
  expect([author.sql, author.run, author.withoutUndo]).toEqual([null, 0, false]);
  const own = { ...origin('risky'), withoutUndo: true };
  author.began(windowOf('Window 1'), own);
  expect([author.sql, author.run, author.withoutUndo]).toEqual(['-- risky', own.run, true]);
});
