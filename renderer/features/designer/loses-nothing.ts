// Which changes of the schema are kept without a question.
import type { SchemaChange } from '#shared/protocol/index.ts';

/**
 * Whether a change cannot lose anything that Undo and the text do not bring back: it reads and copies no rows of existing tables. Such a
 * change is kept at once.
 */
export const losesNothing = (changes: readonly SchemaChange[]): boolean =>
  changes.every(({ kind }) => kind === 'create' || kind === 'change-object' || kind === 'rename-table');
