// Operations on the library: thin, each one names the function that does it.
import { locationIdOf } from '#shared/protocol/in-place.ts';
import type { LibraryOperations } from '#shared/protocol/library.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { duplicateDatabase, exportDatabase } from '../library/export.ts';
import { importFile } from '../library/import.ts';
import {
  createDatabase,
  createSample,
  deleteDatabase,
  listLibrary,
  renameDatabase,
  setDurability,
} from '../library/library.ts';
import { salvageFile } from '../library/salvage.ts';
import type { ClientSession } from './client-session.ts';

export const libraryHandlers: Handlers<LibraryOperations, ClientSession> = {
  'library.list': (_params, { session }) => listLibrary(session.library),

  // The main process provides the name and location of the file, which other windows show.
  async 'library.addFile'({ database }, { session }) {
    const { files, catalogue } = session.library;
    const { sizeBytes, ...file } = await files.call('inPlace.list', { locationId: locationIdOf(database) ?? '' });
    return session.announce(catalogue.filesInPlace.add(file, sizeBytes));
  },

  'library.keepDurability': ({ database, durability }, { session }) =>
    session.announce(session.library.catalogue.filesInPlace.setDurability(database, durability)),

  'library.keepEditing': ({ database, editing }, { session }) =>
    session.announce(session.library.catalogue.filesInPlace.setEditing(database, editing)),

  async 'library.removeFile'({ database }, { session }) {
    const { files, catalogue } = session.library;
    catalogue.filesInPlace.remove(database);
    await files.call('inPlace.unlist', { locationId: locationIdOf(database) ?? '' });
    return session.announce(null);
  },

  'library.forgetValues'({ of }, { session }) {
    session.library.catalogue.forgetValues(of);
    session.announceHeld(of);
    return null;
  },

  async 'library.create'({ name }, { session }) {
    return session.announce(await createDatabase(session.library, name));
  },

  async 'library.createSample'(_params, context) {
    const { session } = context;
    return session.announce(await createSample(session.library, session.window, context));
  },

  async 'library.import'(params, context) {
    const { session } = context;
    return session.announce(await importFile(session.library, session.window, params, context));
  },

  async 'library.salvage'(params, context) {
    const { session } = context;
    return session.announce(await salvageFile(session.library, session.window, params, context));
  },

  'library.rename': ({ database, name }, { session }) =>
    session.announce(renameDatabase(session.library, database, name)),

  async 'library.duplicate'(params, context) {
    const { session } = context;
    return session.announce(await duplicateDatabase(session.library, session.window, params, context));
  },

  'library.delete'({ database }, { session }) {
    deleteDatabase(session.library, session.window, database);
    return session.announce(null);
  },

  'library.export': (params, context) =>
    exportDatabase(context.session.library, context.session.window, params, context),

  async 'library.setDurability'({ database, durability }, { session }) {
    return session.announce(await setDurability(session.library, session.window, database, durability));
  },
};
