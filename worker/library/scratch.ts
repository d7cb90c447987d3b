// A scratch database: removed from the disk when it is disposed of, or at the next start.
import type { Connection } from '../engines/engine.ts';
import type { LibraryContext } from './context.ts';
import { beginFile, newFileName } from './new-file.ts';

export interface ScratchDatabase {
  /** Empty at first. */
  readonly connection: Connection;
  dispose(): void;
}

/** Opens a scratch database in the library's storage. @throws AppError `full`, `io` */
export async function openScratch(context: LibraryContext): Promise<ScratchDatabase> {
  const { catalogue, pool, engine } = context;
  const file = newFileName();
  const remove = (): void => {
    pool.remove(file);
    catalogue.forgetFile(file);
  };
  try {
    await beginFile(context, file);
    const connection = engine.open(file, { durability: 'balanced', create: true });
    return { connection, dispose: () => (connection.close(), remove()) };
  } catch (error) {
    remove();
    throw error;
  }
}
