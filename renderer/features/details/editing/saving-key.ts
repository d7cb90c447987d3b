// The keys that save the text typed in the details.
import { isKeyOf } from '../../../workbench/commands/commands.ts';
import type { KeyPress } from '../../../workbench/commands/key-map.ts';

/** Ctrl+Enter, and the key that saves a new row, which must not save the file while a value is being typed. */
export const isSavingKey = (event: KeyPress): boolean =>
  (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) || isKeyOf('row.save', event);
