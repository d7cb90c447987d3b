// Finished imports of a window: the user can look at records that were not imported, correct them, and import them again.
import { AppError } from '#shared/protocol/errors.ts';
import type { ImportPlan, ImportProblem } from '#shared/protocol/import.ts';
import type { DatabaseSession, WindowSession } from '../sessions/session.ts';

/** Limit for one window and database. */
const MAX_KEPT = 8;

export interface EndedImport {
  readonly plan: ImportPlan;
  readonly fileName: string;
  readonly columns: readonly string[];
  readonly problems: readonly ImportProblem[];
}

const imports = new WeakMap<DatabaseSession, Map<WindowSession, Map<string, EndedImport>>>();
let lastId = 0;

/** Returns its id. */
export function keepImport(database: DatabaseSession, window: WindowSession, ended: EndedImport): string {
  const ofWindows = imports.get(database) ?? new Map<WindowSession, Map<string, EndedImport>>();
  imports.set(database, ofWindows);
  let kept = ofWindows.get(window);
  if (!kept) {
    ofWindows.set(window, (kept = new Map<string, EndedImport>()));
    database.onLeave(window, () => ofWindows.delete(window));
  }
  const id = `import-${++lastId}`;
  kept.set(id, ended);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT) kept.delete(oldest!);
  return id;
}

/** @throws AppError `not-found` */
export function endedImport(database: DatabaseSession, window: WindowSession, id: string): EndedImport {
  const ended = imports.get(database)?.get(window)?.get(id);
  if (ended) return ended;
  throw AppError.notFound('The rows that this import left out are no longer kept. Import the file again.');
}
