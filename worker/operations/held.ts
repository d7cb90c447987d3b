// Operations on changes that are held back until the user saves them.
import type { HeldOperations } from '#shared/protocol/held.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import type { HeldChanges } from '../library/held-changes.ts';
import type { ClientSession } from './client-session.ts';

export const heldHandlers: Handlers<HeldOperations, ClientSession> = {
  'held.read': ({ of }, { session }) => session.library.catalogue.held.read(of),
  'held.turn': ({ of, isOn }, { session }) => change(session, of, (held) => held.turn(of, isOn)),
  'held.add': ({ of, text }, { session }) => change(session, of, (held) => held.add(of, text)),
  'held.rename'({ of, schemaVersion, renamed }, { session }) {
    if (session.library.catalogue.held.rename(of, schemaVersion, renamed)) session.announceHeld(of);
  },
  'held.undo': ({ of }, { session }) => change(session, of, (held) => held.undo(of)),
  'held.redo': ({ of }, { session }) => change(session, of, (held) => held.redo(of)),
  'held.clear': ({ of, last }, { session }) => change(session, of, (held) => held.clear(of, last)),
  'held.saving'({ of, last }, { session }) {
    const { held } = session.library.catalogue;
    if (last === null) held.endSaving(of);
    else held.beginSaving(of, last, session.window);
  },
  'held.unsure': ({ of }, { session }) => change(session, of, (held) => void held.leave(session.window)),
};

function change(session: ClientSession, database: string, work: (held: HeldChanges) => void): null {
  work(session.library.catalogue.held);
  session.announceHeld(database);
  return null;
}
