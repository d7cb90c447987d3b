// Random changes of random tables on a server: as the same change of the same table made here, or refused, and then nothing differs.
// SIDELITE_SEEDS=2000 tries that many.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeds } from '#shared/seed-count.test-suite.ts';
import { startTestServer } from '../../build/sqld/test-server.ts';
import type { TestServer } from '../../build/sqld/test-server.ts';
import { randomCase } from '../schema-change/random-schemas.test-suite.ts';
import { dump, make, opener } from './rebuild.test-suite.ts';
import type { Opener } from './rebuild.test-suite.ts';

const server = await startTestServer();
const SEEDS = seeds(40);
const MINUTES = 60_000;
const NOTHING = { none: 0, refused: 0, same: 0 };

describe.skipIf('why' in server)('a random table that is made anew on a server', { timeout: 60 * MINUTES }, () => {
  let made = 0;
  let open: Opener;
  beforeAll(async () => {
    open = await opener(server as TestServer);
  });
  afterAll(() => (server as TestServer).end());

  it('is like the same table made anew here, whatever it is', () => {
    const counts = { ...NOTHING };
    for (const seed of SEEDS) counts[likeHere(seed)]++;
    expect(counts.same).toBeGreaterThan(SEEDS.length / 8);
  });

  function likeHere(seed: number): keyof typeof NOTHING {
    const given = randomCase(seed);
    const here = open.here();
    const there = open.there(`random${++made}`);
    try {
      for (const sql of given.setup) {
        const took = [here, there].map((one) => attempt(() => one.run(sql)));
        // The server's SQLite is older, and has no temporary objects.
        if (took[0] === null && took[1] !== null) return 'none';
      }
      if (here.one("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [given.table]) === null)
        return 'none';
      const before = dump(there);
      expect(before).toEqual(dump(here));
      const [made0, made1] = [here, there].map((one) => attempt(() => make(one, given.changes)));
      if (made1 !== null) {
        expect(dump(there)).toEqual(before);
        return 'refused';
      }
      // The newer SQLite refuses more.
      if (made0 !== null) return 'none';
      expect(dump(there)).toEqual(dump(here));
      return 'same';
    } catch (error) {
      throw new Error(`Seed ${seed}: ${String(error)}\n${[...given.setup, given.sql].join(';\n')}`, { cause: error });
    } finally {
      here.close();
      there.close();
    }
  }
});

function attempt(body: () => unknown): unknown {
  try {
    body();
    return null;
  } catch (error) {
    return error;
  }
}
