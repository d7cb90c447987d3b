// Files of import tabs to be found again after a restart: the library names them to main, each for the window it was chosen in.
import { fail } from '#shared/protocol/errors.ts';
import type { ImportOperations } from '#shared/protocol/import.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import type { LibraryContext } from '../library/context.ts';
import type { ClientWindow } from '../sessions/window-session.ts';

interface ImportFilesSession {
  readonly window: Pick<ClientWindow, 'windowId'>;
  readonly library: Pick<LibraryContext, 'files' | 'catalogue'>;
}

type Kept = 'import.keepFile' | 'import.reopenFile' | 'import.forgetFile';

export const importFileHandlers: Handlers<Pick<ImportOperations, Kept>, ImportFilesSession> = {
  async 'import.keepFile'({ token }, { session: { library, window } }) {
    const { locationId } = await library.files.call('file.info', { token });
    if (locationId !== null) library.catalogue.importFiles.keep(window.windowId, locationId);
    return { locationId };
  },

  async 'import.reopenFile'({ locationId }, { session: { library, window } }) {
    if (library.catalogue.importFiles.has(window.windowId, locationId))
      return library.files.call('source.open', { locationId });
    fail('not-found', 'This file is no longer open. Choose it again.');
  },

  'import.forgetFile': ({ locationId }, { session: { library, window } }) =>
    library.catalogue.importFiles.forget(window.windowId, locationId),
};
