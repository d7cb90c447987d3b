// The sample database: an outdoor shop with 100,000 rows, made from a seed and the same on every machine.
import type { Progress } from '#shared/protocol/library.ts';
import type { Connection } from '../engines/engine.ts';
import { fillBusiness } from './fill-business.ts';
import { fillCatalog, stockCounts } from './fill-catalog.ts';
import type { Product } from './fill-catalog.ts';
import { Filler } from './filler.ts';
import type { Fill } from './filler.ts';
import { createRandom } from '#shared/random.ts';
import { INDEXES_AND_VIEWS_SQL, TABLES_SQL, TRIGGERS_SQL } from './schema.ts';

const SEED = 20_260;

/** Rows of ordinary tables; the stock log fills up what the others leave. */
export const SAMPLE_ROWS = 100_000;

/** Fills the empty database of `connection`. Pauses between batches, with no statement and no transaction open. */
export function* buildSample(connection: Connection, onProgress: (progress: Progress) => void): Fill {
  const random = createRandom(SEED);
  const products: Product[] = [];
  const filler = new Filler(connection, SAMPLE_ROWS, onProgress);
  filler.runScript(TABLES_SQL);
  yield* fillCatalog(filler, random, products);
  yield* fillBusiness(filler, random, products);
  filler.runScript(INDEXES_AND_VIEWS_SQL);
  yield 'between';
  filler.runScript(TRIGGERS_SQL);
  yield 'between';
  yield* filler.write(
    'Stock log',
    'UPDATE stock SET quantity = quantity + ?, counted_at = ? WHERE warehouse_id = ? AND product_id = ?',
    stockCounts(random, products, filler.rowsLeft),
  );
  connection.run('ANALYZE');
}
