// Edits the text of a CREATE VIEW statement; unchanged parts stay byte for byte.
import type { ViewModel } from './object-models.ts';
import { applyEdits, replaceName } from './text-edits.ts';

export function renameView({ text, name }: ViewModel, to: string): string {
  return name.name === to ? text : applyEdits(text, [replaceName(text, name.span, to)]);
}
