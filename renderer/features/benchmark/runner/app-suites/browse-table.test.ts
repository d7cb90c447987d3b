import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { CREATE, parts, places, TABLE } from './app-tests.ts';

describe('the table that is browsed', () => {
  it('has as many rows as asked for, whose codes are all different, and is the same for the same seed', () => {
    const sums = [1, 1, 2].map((seed) => {
      const database = new Sqlite(':memory:');
      database.exec(CREATE);
      for (const { sql } of parts(150_001, seed)) database.exec(sql);
      const counts = database
        .prepare(
          `SELECT count(*) AS rows, max(id) AS last, count(DISTINCT code) AS codes, sum(code) AS sum FROM ${TABLE}`,
        )
        .get() as Record<string, number>;
      database.close();
      expect(counts).toMatchObject({ rows: 150_001, last: 150_001, codes: 150_001 });
      return counts['sum'];
    });
    expect(sums[0]).toBe(sums[1]);
    expect(sums[0]).not.toBe(sums[2]);
  });

  it('is made in parts, the last one as small as need be', () => {
    expect([...parts(250_000, 1)].map(({ rows }) => rows)).toEqual([100_000, 200_000, 250_000]);
  });
});

describe('places to jump to', () => {
  it('are the same for a seed, and leave a screenful of rows behind them', () => {
    expect(places(50, 10_000_000, 7)).toEqual(places(50, 10_000_000, 7));
    for (const place of places(500, 1_000, 7)) expect(place).toBeLessThanOrEqual(900);
    expect(places(3, 10, 7)).toEqual([0, 0, 0]);
  });
});
