// The keys that save what is typed in the details.
import { isKeyOf } from '../../../workbench/commands.ts';
import type { KeyPress } from '../../../workbench/key-map.ts';

/** Ctrl+Enter, and the key that saves a new row: it must not save the file while a value is being typed. */
export const isSavingKey = (event: KeyPress): boolean =>
  (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) || isKeyOf('row.save', event);
