// Opens the library at the start of the worker and cleans up after a crash.
import { AppError } from '#shared/protocol/errors.ts';
import type { Engine } from '../engines/engine.ts';
import type { FilePool } from '../engines/wasm/storage/file-pool.ts';
import { ownerOf } from '../history/histories.ts';
import { Catalogue } from './catalogue.ts';

const CATALOGUE_FILE = '/catalogue.sqlite3';
const SIDE_FILE = /-(wal|journal)$/;
const DATABASE_FILE = /^\/db-/;

/** @throws AppError `too-new`, `full`, `io` */
export async function openCatalogue(engine: Engine, pool: FilePool): Promise<Catalogue> {
  const catalogue = connect(engine, pool);
  for (const file of catalogue.unfinishedFiles) {
    pool.remove(file);
    catalogue.forgetFile(file);
  }
  sortOut(pool, catalogue);
  await pool.reserve(catalogue.files.length + 1);
  return catalogue;
}

function connect(engine: Engine, pool: FilePool): Catalogue {
  const open = (): Catalogue =>
    new Catalogue(engine.open(CATALOGUE_FILE, { durability: 'full', create: true, untrusted: false }));
  try {
    return open();
  } catch (error) {
    const destroyed = error instanceof AppError && (error.code === 'corrupt' || error.code === 'not-a-database');
    if (!destroyed) throw error;
    // Names and tabs are lost with it; the databases are not, because the start takes unlisted files back in.
    pool.remove(CATALOGUE_FILE);
    return open();
  }
}

/** Handles files that the catalogue does not list: takes databases back into the library, and removes the rest, which was temporary. */
function sortOut(pool: FilePool, catalogue: Catalogue): void {
  const listed = new Set([CATALOGUE_FILE, ...catalogue.files]);
  const ids = new Set(catalogue.list().map(({ id }) => id));
  for (const file of pool.names()) {
    if (listed.has(file.replace(SIDE_FILE, '')) || ids.has(ownerOf(file) ?? '')) continue;
    if (!DATABASE_FILE.test(file)) pool.remove(file);
    else if (!SIDE_FILE.test(file)) catalogue.add({ name: 'Recovered', file, source: null });
  }
}
