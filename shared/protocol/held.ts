// Operations on changes that are held back until a person saves them. They are kept in the library, for all windows and both engines.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';

/** Limit for the text of one step. More would make every start slower. */
export const HELD_STEP_CHARS = 16_000_000;

/** Changes by one action of a person: a text that windows write and read, the JSON of a list of objects with a `table`. */
export interface HeldStep {
  /** Increases over time. */
  readonly id: number;
  readonly text: string;
}

export interface HeldState {
  /** Whether edits are held back from now on. */
  readonly isOn: boolean;
  /** The last of the steps that a window began to save when it ended before it noted how that went; null if there are none. */
  readonly interruptedAt: number | null;
  /** The oldest first. */
  readonly steps: readonly HeldStep[];
  /** How many steps were undone and can be redone. */
  readonly undone: number;
  /** Increases when steps that windows have read before are different now. */
  readonly renames: number;
}

/** A table that has another name now. */
export interface HeldRename {
  readonly from: string;
  readonly to: string;
}

/** The database is called `of`: the library serves these requests for files in place, too. */
export interface HeldOperations {
  'held.read': Op<{ readonly of: DatabaseId }, HeldState>;
  'held.turn': Op<{ readonly of: DatabaseId; readonly isOn: boolean }, null>;
  /** Undone steps can no longer be redone. Durable when answered. Fails with `too-big`. */
  'held.add': Op<{ readonly of: DatabaseId; readonly text: string }, null>;
  /** Undoes the last step, or redoes the one undone last; does nothing if there is none. Fails with `refused` while they are saved. */
  'held.undo': Op<{ readonly of: DatabaseId }, null>;
  'held.redo': Op<{ readonly of: DatabaseId }, null>;
  /**
   * Held changes follow the new names of their tables, undone steps included. Each window that has noticed them says so; the same names
   * after the same change of the schema count once.
   */
  'held.rename': Op<
    { readonly of: DatabaseId; readonly schemaVersion: number; readonly renamed: readonly HeldRename[] },
    null
  >;
  /**
   * Call before all steps are saved in the database, and with null when that has failed. Fails with `refused` while another window saves
   * them, and if `last` is no longer the last step.
   */
  'held.saving': Op<{ readonly of: DatabaseId; readonly last: number | null }, null>;
  /** This window no longer saves, and does not know how it went. */
  'held.unsure': Op<{ readonly of: DatabaseId }, null>;
  /** Forgets all steps up to `last`, and undone ones. */
  'held.clear': Op<{ readonly of: DatabaseId; readonly last: number }, null>;
}
