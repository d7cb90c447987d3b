// Trying an import into a database that does not exist yet: in memory. A separate file, because the native process has no wasm engine.
import type { ImportOperations } from '#shared/protocol/import.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { previewImport } from '../import/preview.ts';
import type { LibraryContext } from '../library/context.ts';
import { firstOf } from './import.ts';

interface NewDatabaseSession {
  readonly library: Pick<LibraryContext, 'files' | 'engine'>;
}

/** Handlers that exist where databases are created. */
export const newDatabaseImportHandlers: Handlers<Pick<ImportOperations, 'import.previewNew'>, NewDatabaseSession> = {
  async 'import.previewNew'({ plan }, { session, onCancel }) {
    const attempt = await firstOf(session.library.files, { plan }, onCancel);
    const connection = session.library.engine.open(IN_MEMORY, { durability: 'balanced', create: true });
    try {
      return previewImport(connection, attempt);
    } finally {
      connection.close();
    }
  },
};
